// SPDX-License-Identifier: MIT
/*
 * Files that were made to harm their reader. Damage that is random finds
 * other things: tests/fuzz/mutation.c.
 */
#include "../gtdbg_symbols.h"
#include "../symbols/cubin.h"
#include "../symbols/home.h"
#include "../symbols/home_map.h"
#include "../symbols/symbols.h"
#include "support/cuda_file.h"
#include "support/kernel_file.h"
#include "support/tap.h"

#include <elf.h>
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define VARIABLES_MAX 16
#define HANG_S 60

static struct gtdbg_symbols *file_make(const char *command)
{
	struct gtdbg_symbols *symbols = NULL;
	size_t len;
	char *bytes = cuda_file_run(command, &len);

	if (bytes)
		gtdbg_symbols_create(bytes, len, &symbols);
	free(bytes);
	return symbols;
}

/* A linker puts the addresses in. */
#define ASSEMBLE(source) \
	"d=$(mktemp -d) && as -o $d/o '" GTDBG_TESTS "/" source "' && " \
	"ld -o $d/f -e 0 -Ttext 0x1000 $d/o && cat $d/f; rm -r $d"

static void test_deep(void)
{
	struct kernel_file_state state = { 0, 0 };
	struct gtdbg_machine machine = kernel_file_machine(&state);
	struct gtdbg_variable variables[VARIABLES_MAX];
	struct gtdbg_symbols *symbols;
	struct gtdbg_frame frame;
	int count, i, sized = 0;

	symbols = file_make(ASSEMBLE("deep.s"));
	if (!tap_check(symbols, "a file of 100,000 blocks in each other"))
		return;
	tap_check(gtdbg_frame_unwind(symbols, &machine, 0x1010, 1, 0, &frame,
				     1) == 1 && frame.function &&
		  !strcmp(frame.function, "deep"), "its function is found");
	count = gtdbg_variable_list(symbols, &frame, variables, VARIABLES_MAX);
	tap_check(count == 9, "as are the variables of its outer blocks");
	for (i = 0; i < count; i++)
		sized += variables[i].type->kind == GTDBG_TYPE_ARRAY ||
			 variables[i].type->kind == GTDBG_TYPE_FLOAT ||
			 variables[i].type->member_count;
	tap_check(sized == 0,
		  "types that contain themselves, nothing or too much are no types");
	tap_check(count == 9 && variables[6].type->name[0] &&
		  variables[7].type->name[0] &&
		  variables[8].type->kind == GTDBG_TYPE_VOID,
		  "nor are those that lead to nothing but themselves");
	gtdbg_symbols_destroy(symbols);
}

/* Whoever walks the blocks one way too often never comes back. */
static void test_siblings(void)
{
	struct kernel_file_state state = { 0, 0 };
	struct gtdbg_machine machine = kernel_file_machine(&state);
	struct gtdbg_variable variables[VARIABLES_MAX];
	struct gtdbg_function function;
	const struct gtdbg_type *type;
	struct gtdbg_symbols *symbols;
	struct gtdbg_frame frame;
	int64_t value;

	symbols = file_make(ASSEMBLE("siblings.s"));
	if (!tap_check(symbols, "a file whose blocks are siblings of their own"))
		return;
	alarm(HANG_S);
	gtdbg_frame_unwind(symbols, &machine, 0x1010, 1, 0, &frame, 1);
	tap_check(gtdbg_variable_list(symbols, &frame, variables,
				      VARIABLES_MAX) >= 1,
		  "the search for its variables ends");
	tap_check(!gtdbg_function_find_copies(symbols, "none", &function, 1),
		  "so does that for a function's copies");
	tap_check(gtdbg_enumerator_find(symbols, "NONE", &type, &value) ==
		  -ENOENT, "and that for an enumerator");
	alarm(0);
	gtdbg_symbols_destroy(symbols);
}

static void test_many(void)
{
	const struct gtdbg_type *type;
	struct gtdbg_symbols *symbols;

	symbols = file_make(ASSEMBLE("many.s"));
	if (!tap_check(symbols, "a file of 262,144 types"))
		return;
	alarm(HANG_S);
	tap_check(!gtdbg_type_find_name(symbols, "top", &type) &&
		  type->member_count == 256 &&
		  type->members[255].type->member_count == 1024 &&
		  type->members[255].type->members[1023].type->kind ==
		  GTDBG_TYPE_POINTER,
		  "as many of them take as many times as long as one");
	alarm(0);
	gtdbg_symbols_destroy(symbols);
}

static void test_fileless(void)
{
	struct gtdbg_symbols *symbols = file_make(ASSEMBLE("fileless.s"));
	struct gtdbg_line line;

	tap_check(symbols && !gtdbg_line_find(symbols, 0x1004, &line) &&
		  !strcmp(line.file, "one.cl") && line.line == 1,
		  "a line of a file that there is");
	tap_check(symbols && gtdbg_line_find(symbols, 0x1014, &line) == -ENOENT,
		  "one of none is no line");
	gtdbg_symbols_destroy(symbols);
}

#define POINTERS 400
#define NAME_MAX_BYTES 259

/* Each variable points to the one before. */
static void test_pointers(void)
{
	static struct gtdbg_variable variables[POINTERS];
	struct kernel_file_state state = { 0, 0 };
	struct gtdbg_machine machine = kernel_file_machine(&state);
	struct gtdbg_symbols *symbols;
	struct gtdbg_variable found;
	struct gtdbg_frame frame;
	size_t longest = 0;
	int count, i;

	symbols = file_make("d=$(mktemp -d) && cd $d && { "
			    "echo 'void f(void) { int *p0;'; i=0; "
			    "while [ $i -lt 400 ]; do "
			    "echo \"__typeof__(p$i) *p$((i + 1));\"; "
			    "i=$((i + 1)); done; echo '}'; } >f.c && "
			    "gcc -g -c f.c && ld -e 0 -Ttext 0x1000 -o f f.o && "
			    "cat f; rm -r $d");
	if (!tap_check(symbols, "a file of pointers to pointers"))
		return;
	gtdbg_frame_unwind(symbols, &machine, 0x1004, 1, 0, &frame, 1);
	count = gtdbg_variable_list(symbols, &frame, variables, POINTERS);
	for (i = 0; i < count; i++)
		if (strlen(variables[i].type->name) > longest)
			longest = strlen(variables[i].type->name);
	tap_check(count == POINTERS && longest == NAME_MAX_BYTES &&
		  !strcmp(variables[9].type->name, "int **********"),
		  "names of types end at some length");
	tap_check(!gtdbg_variable_find(symbols, &frame, "p399", &found) &&
		  found.id == variables[399].id &&
		  gtdbg_variable_find(symbols, &frame, "p", &found) == -ENOENT,
		  "each variable is found by its name");
	gtdbg_symbols_destroy(symbols);
}

#define COMPILE(options) \
	"d=$(mktemp -d) && cd $d && printf '#include <stdio.h>\\nint f(void) " \
	"{ return 1; }\\n' >f.c && gcc " options " -o f.o f.c && cat f.o; " \
	"rm -r $d"

static void test_elsewhere(void)
{
	struct gtdbg_symbols *symbols = file_make(COMPILE("-g -c"));

	tap_check(symbols && gtdbg_symbols_source(symbols),
		  "debug information in the file is read");
	gtdbg_symbols_destroy(symbols);
	symbols = file_make(COMPILE("-g -gz=zlib -c"));
	tap_check(symbols && !gtdbg_symbols_source(symbols),
		  "compressed, it is not");
	gtdbg_symbols_destroy(symbols);
	symbols = file_make(COMPILE("-g -gsplit-dwarf -c"));
	tap_check(symbols && !gtdbg_symbols_source(symbols),
		  "no other file is opened for it");
	gtdbg_symbols_destroy(symbols);
}

/* How a file makes its table of sections look as if it were not there. */
enum disguise {
	DISGUISE_NONE,
	DISGUISE_COUNT,		/* the count is in the table itself */
	DISGUISE_ENTRY,		/* entries have no size */
	DISGUISE_HEADER,	/* nor has the file's header, which is moved first */
	DISGUISES,
};

#define EM_INTELGT_NUMBER 205
#define MOVED 0x10000

/*
 * Each debug section that has relocations is said to lie where the table of sections
 * does, and each relocation to belong to the size of the names' section.
 */
static void relocations_aim(char *bytes, int machine, enum disguise disguise)
{
	Elf64_Ehdr *file = (Elf64_Ehdr *)bytes;
	Elf64_Shdr *sections = (Elf64_Shdr *)(bytes + file->e_shoff), *target;
	int i, count = file->e_shnum, aimed = 0;
	Elf64_Rela *rela;
	uint64_t at;

	file->e_machine = machine;
	for (i = 0; i < count; i++) {
		bool is_moved = disguise == DISGUISE_HEADER && !aimed;

		if (sections[i].sh_type != SHT_RELA)
			continue;
		aimed++;
		target = &sections[sections[i].sh_info];
		target->sh_offset = is_moved ? 0 : file->e_shoff;
		target->sh_size = is_moved ? sizeof(*file) :
				  count * sizeof(*sections);
		for (at = 0; at < sections[i].sh_size; at += sizeof(*rela)) {
			rela = (Elf64_Rela *)(bytes + sections[i].sh_offset +
					      at);
			rela->r_offset = is_moved ?
				offsetof(Elf64_Ehdr, e_shoff) :
				file->e_shstrndx * sizeof(*sections) +
				offsetof(Elf64_Shdr, sh_size);
			rela->r_info = ELF64_R_INFO(0, machine ==
						    EM_CUDA_NUMBER ? 2 : 1);
			rela->r_addend = is_moved ? MOVED : 1ll << 46;
		}
	}
	if (disguise == DISGUISE_COUNT) {
		sections[0].sh_size = count;
		file->e_shnum = 0;
	} else if (disguise == DISGUISE_ENTRY) {
		file->e_shentsize = 0;
	} else if (disguise == DISGUISE_HEADER) {
		file->e_ehsize = 0;
	}
}

/* Whether the file's header and its table of sections are as they were. */
static bool relocations_miss(int machine, enum disguise disguise)
{
	struct gtdbg_symbols *symbols = NULL;
	bool ok = false;
	size_t len, table;
	char *bytes = cuda_file_run(COMPILE("-g -c"), &len);

	if (!bytes)
		return false;
	/* Behind the table is nothing. */
	table = ((Elf64_Ehdr *)bytes)->e_shoff;
	relocations_aim(bytes, machine, disguise);
	if (!gtdbg_symbols_create(bytes, len, &symbols)) {
		ok = !memcmp(symbols->file, bytes, sizeof(Elf64_Ehdr)) &&
		     !memcmp(symbols->file + table, bytes + table,
			     len - table) &&
		     !gtdbg_symbols_source(symbols);
		gtdbg_symbols_destroy(symbols);
	}
	free(bytes);
	return ok;
}

static void test_relocations(void)
{
	bool ok = true;
	int i;

	for (i = 0; i < DISGUISES; i++)
		ok = relocations_miss(EM_INTELGT_NUMBER, i) && ok;
	tap_check(ok, "relocations do not change the table of sections");
	for (ok = true, i = 0; i < DISGUISES; i++)
		ok = relocations_miss(EM_CUDA_NUMBER, i) && ok;
	tap_check(ok, "nor do those of CUDA's files");
}

#define TABLE_BYTES (4096 * sizeof(Elf64_Rela))

/* The first so many sections of relocations have one table, behind all else. */
static int relocations_share(int machine, int sections_shared)
{
	struct gtdbg_symbols *symbols = NULL;
	size_t len;
	char *bytes = cuda_file_run(COMPILE("-g -c"), &len);
	Elf64_Ehdr *file = (Elf64_Ehdr *)bytes;
	Elf64_Shdr *sections;
	int i, ret;

	if (!bytes)
		return -ENOENT;
	sections = (Elf64_Shdr *)(bytes + file->e_shoff);
	for (i = 0; i < file->e_shnum && sections_shared; i++) {
		if (sections[i].sh_type != SHT_RELA)
			continue;
		sections[i].sh_offset = len;
		sections[i].sh_size = TABLE_BYTES;
		sections_shared--;
	}
	memset(bytes + len, 0, TABLE_BYTES);
	file->e_machine = machine;
	ret = gtdbg_symbols_create(bytes, len + TABLE_BYTES, &symbols);
	gtdbg_symbols_destroy(symbols);
	free(bytes);
	return ret;
}

/* With as many sections as entries it would be applied for ever. */
static void test_shared_relocations(void)
{
	tap_check(!relocations_share(EM_INTELGT_NUMBER, 1) &&
		  !relocations_share(EM_CUDA_NUMBER, 1),
		  "a table of relocations for one section is accepted");
	tap_check(relocations_share(EM_INTELGT_NUMBER, 2) == -EINVAL,
		  "a file with one for two sections is refused");
	tap_check(relocations_share(EM_CUDA_NUMBER, 2) == -EINVAL,
		  "so is one of CUDA's");
}

static void test_byte_order(void)
{
	struct gtdbg_symbols *symbols = NULL;
	size_t len;
	char *bytes = cuda_file_run(COMPILE("-g -c"), &len);

	if (bytes)
		bytes[EI_DATA] = ELFDATA2MSB;
	tap_check(bytes &&
		  gtdbg_symbols_create(bytes, len, &symbols) == -EINVAL,
		  "bytes in the other order are refused");
	free(bytes);
}

/* "math.invm (8|M0) rN.mme0:f r10.nomme:f r11.nomme:f {$0}" as iga64 assembles it */
static bool macro_writes(uint8_t reg)
{
	uint8_t bytes[16] = {
		0x38, 0x40, 0x03, 0x00, 0xa0, 0x0a, 0x05, reg,
		0x44, 0x0a, 0x10, 0xea, 0x44, 0x0b, 0x10, 0x00,
	};
	struct home_map *map = NULL;
	struct gtdbg_code *code;
	bool ok = false;

	if (gtdbg_code_create(bytes, sizeof(bytes), &code))
		return false;
	map = gtdbg_home_map_create(code);
	ok = map && map->write_count == 8;
	for (size_t i = 0; ok && i < 8; i++)
		ok = map->writes[i].byte == reg * GTDBG_GRF_BYTES + 4 * i &&
		     map->writes[i].len_bytes == 4;
	if (map)
		gtdbg_home_map_destroy(map);
	gtdbg_code_destroy(code);
	return ok;
}

/* Such registers have no number of an element in them. */
static void test_macro(void)
{
	tap_check(macro_writes(12), "a macro writes a whole register");
	tap_check(macro_writes(0), "and nothing before the first one");
}

int main(void)
{
	puts("TAP version 13");
	test_deep();
	test_siblings();
	test_many();
	test_fileless();
	test_pointers();
	test_elsewhere();
	test_relocations();
	test_shared_relocations();
	test_byte_order();
	test_macro();
	return tap_end();
}
