// SPDX-License-Identifier: MIT
/*
 * A module of CUDA's compiler. tests/cuda.s describes one for the host's
 * assembler; the test gives the object file the marks of a CUDA module, and
 * each expectation is a line of that source.
 */
#include "../gtdbg_symbols.h"
#include "support/cuda_file.h"
#include "support/tap.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define EM_CUDA_NUMBER	190
#define R_CUDA_32	1
#define R_CUDA_64	2

static void relocations_patch(char *elf, const Elf64_Shdr *section)
{
	Elf64_Rela *rela = (Elf64_Rela *)(elf + section->sh_offset);
	size_t i;

	for (i = 0; i < section->sh_size / sizeof(*rela); i++) {
		bool is_long = ELF64_R_TYPE(rela[i].r_info) == R_X86_64_64;

		rela[i].r_info = ELF64_R_INFO(ELF64_R_SYM(rela[i].r_info),
					      is_long ? R_CUDA_64 : R_CUDA_32);
	}
}

/* Moves the addends into the sections, as half of CUDA's relocations have it. */
static void relocations_shorten(char *elf, Elf64_Shdr *sections,
				Elf64_Shdr *section)
{
	Elf64_Rela *rela = (Elf64_Rela *)(elf + section->sh_offset);
	Elf64_Rel *rel = (Elf64_Rel *)rela;
	char *target = elf + sections[section->sh_info].sh_offset;
	size_t count = section->sh_size / sizeof(*rela), i;

	for (i = 0; i < count; i++) {
		Elf64_Rela old = rela[i];

		memcpy(target + old.r_offset, &old.r_addend,
		       ELF64_R_TYPE(old.r_info) == R_CUDA_64 ? 8 : 4);
		rel[i].r_offset = old.r_offset;
		rel[i].r_info = old.r_info;
	}
	section->sh_type = SHT_REL;
	section->sh_entsize = sizeof(*rel);
	section->sh_size = count * sizeof(*rel);
}

static struct gtdbg_symbols *module_create(char *elf, size_t len,
					   uint8_t os_abi, bool is_short)
{
	struct gtdbg_symbols *symbols = NULL;
	Elf64_Ehdr *file = (Elf64_Ehdr *)elf;
	Elf64_Shdr *sections = (Elf64_Shdr *)(elf + file->e_shoff);
	int i;

	file->e_machine = EM_CUDA_NUMBER;
	file->e_type = ET_EXEC;
	file->e_ident[EI_OSABI] = os_abi;
	for (i = 0; i < file->e_shnum; i++) {
		if (sections[i].sh_type != SHT_RELA)
			continue;
		relocations_patch(elf, &sections[i]);
		if (is_short)
			relocations_shorten(elf, sections, &sections[i]);
	}
	gtdbg_symbols_create(elf, len, &symbols);
	return symbols;
}

static struct gtdbg_symbols *module_load(uint8_t os_abi, bool is_short)
{
	struct gtdbg_symbols *symbols;
	size_t len;
	char *elf = cuda_file_run("f=$(mktemp) && as -o $f '" GTDBG_TESTS "/cuda.s' && "
				  "cat $f; rm -f $f", &len);

	if (!elf)
		return NULL;
	symbols = module_create(elf, len, os_abi, is_short);
	free(elf);
	return symbols;
}

static void test_functions(struct gtdbg_symbols *symbols)
{
	struct gtdbg_function add, compute;
	struct gtdbg_line line;
	uint64_t pc = 0;
	size_t len = 0;

	tap_check(!gtdbg_function_find_name(symbols, "add", &add) &&
		  add.start == 0 && add.end == 64 && add.line == 3,
		  "the first function starts at 0");
	tap_check(!gtdbg_function_find_name(symbols, "_Z7computePi",
					    &compute) &&
		  !strcmp(compute.name, "compute") &&
		  compute.start == 64 && compute.end == 192,
		  "the next one follows, and is known by its linkage name");
	tap_check(!gtdbg_line_find(symbols, 64 + 32, &line) &&
		  line.line == 9 && line.end == 64 + 48, "its lines do too");
	tap_check(gtdbg_line_addresses(symbols, "module.cu", 10, NULL, &pc,
				       1) == 1 && pc == 64 + 48,
		  "a line has an address");
	tap_check(gtdbg_symbols_text(symbols, &pc, &len) && pc == 0 &&
		  len == 192, "the code is that of both");
}

static void test_registers(struct gtdbg_symbols *symbols)
{
	struct gtdbg_variable variable;
	struct gtdbg_location out;

	tap_check(!cuda_file_locate(symbols, 16, "by", &variable, &out) &&
		  out.kind == GTDBG_LOCATION_REGISTER &&
		  !strcmp(out.register_name, "%r24") &&
		  out.register_offset_bytes == GTDBG_REGISTER_UNMAPPED &&
		  variable.address_class == GTDBG_CUDA_REGISTER &&
		  variable.is_parameter, "a register has its name in PTX");
	tap_check(cuda_file_locate(symbols, 16, "nothing", &variable, &out) ==
		  -EOPNOTSUPP, "a number that is no name is no register");
	tap_check(!cuda_file_locate(symbols, 16, "sum", &variable, &out) &&
		  !strcmp(out.register_name, "%r1"),
		  "a register in a list of locations");
	tap_check(cuda_file_locate(symbols, 0, "sum", &variable, &out) ==
		  -EAGAIN, "before its list begins it has no value yet");
}

static void test_spaces(struct gtdbg_symbols *symbols)
{
	struct gtdbg_variable variable;
	struct gtdbg_location out;

	tap_check(!cuda_file_locate(symbols, 100, "out", &variable, &out) &&
		  variable.address_class == GTDBG_CUDA_PARAMETER &&
		  out.kind == GTDBG_LOCATION_MEMORY && out.address == 0x160 &&
		  !out.symbol, "a parameter in its bank");
	tap_check(!cuda_file_locate(symbols, 100, "mine", &variable, &out) &&
		  variable.address_class == GTDBG_CUDA_LOCAL &&
		  out.address == 0x1000 - 16 + 4 && !out.symbol,
		  "a variable of the frame");
	tap_check(variable.type->member_count == 2 &&
		  variable.type->members[1].offset_bytes == 8,
		  "a member whose offset is padded");
	tap_check(!cuda_file_locate(symbols, 100, "tile", &variable, &out) &&
		  variable.address_class == GTDBG_CUDA_SHARED &&
		  out.address == 0x40 && variable.type->count == 64,
		  "a shared variable");
	tap_check(!cuda_file_locate(symbols, 100, "state_g", &variable, &out) &&
		  variable.address_class == GTDBG_CUDA_GLOBAL && out.symbol &&
		  !strcmp(out.symbol, "state") && out.address == 8 + 4,
		  "a global variable that has yet to be placed");
}

static void test_module(uint8_t os_abi, bool is_short)
{
	struct gtdbg_symbols *symbols = module_load(os_abi, is_short);

	if (!tap_check(symbols, is_short ? "a module with addends in place" :
			       "a module with addends apart"))
		return;
	test_functions(symbols);
	test_registers(symbols);
	test_spaces(symbols);
	gtdbg_symbols_destroy(symbols);
}

int main(void)
{
	puts("TAP version 13");
	test_module(0x41, false);
	test_module(0x33, true);
	return tap_end();
}
