// SPDX-License-Identifier: MIT
/*
 * The ELF of a kernel in memory. Compilers hand out relocatable files whose
 * debug sections hold zeroes until their relocations are applied, so that is
 * done here, on a copy, before anything reads them.
 *
 * The file is the debuggee's word. It could name other files that hold its
 * debug information, or compress a gigabyte of nothing; the compilers do
 * neither, so such information is taken for absent.
 */
#include "symbols.h"

#include "cubin.h"

#include <dwarf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Relocations of Intel GPU ELFs. */
#define R_INTEL_64	1
#define R_INTEL_LOW32	2
#define R_INTEL_HIGH32	3

#define EM_INTEL_VISA	182
#ifndef EM_INTELGT
#define EM_INTELGT	205
#endif

/* Writes the relocated value into the bytes that libelf reads from. */
static void relocation_apply(Elf_Data *target, const GElf_Rela *rela,
			     uint64_t symbol_value)
{
	uint64_t value = symbol_value + rela->r_addend;
	size_t len = 4;

	switch (GELF_R_TYPE(rela->r_info)) {
	case R_INTEL_64:
		len = 8;
		break;
	case R_INTEL_LOW32:
		break;
	case R_INTEL_HIGH32:
		value >>= 32;
		break;
	default:
		return;
	}
	if (rela->r_offset > target->d_size ||
	    target->d_size - rela->r_offset < len)
		return;
	memcpy((char *)target->d_buf + rela->r_offset, &value, len);
}

/*
 * libelf reads the file's header and the table of sections where they lie in the copy,
 * each time: no section that is written to may be there. Where that is, it is asked
 * for before anything is written; the sizes that the file gives them, libelf does
 * without.
 */
static int sections_find(struct gtdbg_symbols *symbols)
{
	GElf_Ehdr file;
	size_t count;

	if (!gelf_getehdr(symbols->elf, &file) ||
	    elf_getshdrnum(symbols->elf, &count) ||
	    __builtin_add_overflow(file.e_shoff, count * sizeof(Elf64_Shdr),
				   &symbols->sections_end))
		return -EINVAL;
	symbols->sections_start = file.e_shoff;
	return 0;
}

/*
 * Many sections may say that one table of relocations is theirs, which would be applied
 * for each. A compiler's tables lie side by side, so that all fit into the file.
 */
static bool relocations_are_apart(const struct gtdbg_symbols *symbols)
{
	uint64_t left = symbols->file_len_bytes;
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while ((section = elf_nextscn(symbols->elf, section))) {
		if (!gelf_getshdr(section, &header) ||
		    (header.sh_type != SHT_RELA && header.sh_type != SHT_REL))
			continue;
		if (header.sh_size > left)
			return false;
		left -= header.sh_size;
	}
	return true;
}

bool gtdbg_elf_is_apart(const struct gtdbg_symbols *symbols, Elf_Scn *section)
{
	GElf_Shdr header;
	uint64_t end;

	if (!gelf_getshdr(section, &header) ||
	    __builtin_add_overflow(header.sh_offset, header.sh_size, &end))
		return false;
	return header.sh_offset >= sizeof(Elf64_Ehdr) &&
	       (end <= symbols->sections_start ||
		header.sh_offset >= symbols->sections_end);
}

static bool section_is_debug(Elf *elf, Elf_Scn *section)
{
	size_t names;
	GElf_Shdr header;
	const char *name;

	if (elf_getshdrstrndx(elf, &names) || !gelf_getshdr(section, &header))
		return false;
	name = elf_strptr(elf, names, header.sh_name);
	return name && strncmp(name, ".debug_", 7) == 0;
}

static void section_relocate(const struct gtdbg_symbols *symbols,
			     Elf_Scn *section, const GElf_Shdr *header)
{
	Elf *elf = symbols->elf;
	Elf_Scn *target = elf_getscn(elf, header->sh_info);
	Elf_Scn *table = elf_getscn(elf, header->sh_link);
	Elf_Data *relocations = elf_getdata(section, NULL);
	Elf_Data *data, *names;
	GElf_Rela rela;
	GElf_Sym symbol;
	int i;

	if (!target || !table || !relocations ||
	    !section_is_debug(elf, target) || !gtdbg_elf_is_apart(symbols, target))
		return;
	/* Raw data points into the copy, so that a write reaches libdw too. */
	data = elf_rawdata(target, NULL);
	names = elf_getdata(table, NULL);
	if (!data || !data->d_buf || !names)
		return;
	for (i = 0; gelf_getrela(relocations, i, &rela); i++) {
		if (!gelf_getsym(names, GELF_R_SYM(rela.r_info), &symbol))
			continue;
		relocation_apply(data, &rela, symbol.st_value);
	}
}

static void elf_file_relocate(const struct gtdbg_symbols *symbols)
{
	Elf *elf = symbols->elf;
	Elf_Scn *section = NULL;
	GElf_Ehdr file;
	GElf_Shdr header;

	if (!gelf_getehdr(elf, &file) ||
	    (file.e_machine != EM_INTEL_VISA && file.e_machine != EM_INTELGT))
		return;
	while ((section = elf_nextscn(elf, section))) {
		if (gelf_getshdr(section, &header) &&
		    header.sh_type == SHT_RELA)
			section_relocate(symbols, section, &header);
	}
}

/*
 * The kernel's code is the one section of that name; the container of a
 * module's shared functions is no kernel.
 */
static bool name_is_text(const char *name)
{
	if (strcmp(name, ".text") == 0)
		return true;
	return strncmp(name, ".text.", 6) == 0 &&
	       strcmp(name, ".text.Intel_Symbol_Table_Void_Program") != 0;
}

static void elf_file_find_sections(struct gtdbg_symbols *symbols)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	size_t names;

	if (elf_getshdrstrndx(symbols->elf, &names))
		return;
	while ((section = elf_nextscn(symbols->elf, section))) {
		const char *name;
		Elf_Data *data;

		if (!gelf_getshdr(section, &header))
			continue;
		name = elf_strptr(symbols->elf, names, header.sh_name);
		data = elf_rawdata(section, NULL);
		if (!name || !data || !data->d_buf)
			continue;
		if (!symbols->text && name_is_text(name)) {
			symbols->text = data->d_buf;
			symbols->text_len_bytes = data->d_size;
			symbols->text_base = header.sh_addr;
		} else if (strcmp(name, ".debug_loc") == 0) {
			symbols->loc = data;
		}
	}
}

/* Whether all debug information is in the file as it is. */
static bool elf_file_is_plain(Elf *elf)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	size_t names;
	const char *name;

	if (elf_getshdrstrndx(elf, &names))
		return false;
	while ((section = elf_nextscn(elf, section))) {
		if (!gelf_getshdr(section, &header))
			return false;
		name = elf_strptr(elf, names, header.sh_name);
		if (header.sh_flags & SHF_COMPRESSED ||
		    (name && (strncmp(name, ".zdebug", 7) == 0 ||
			      strncmp(name, ".gnu_debug", 10) == 0)))
			return false;
	}
	return true;
}

static int unit_is_split(Dwarf_Die *unit, void *context)
{
	(void)context;
	return dwarf_hasattr(unit, DW_AT_GNU_dwo_name) ||
	       dwarf_hasattr(unit, DW_AT_dwo_name);
}

static void elf_file_load_dwarf(struct gtdbg_symbols *symbols)
{
	if (!elf_file_is_plain(symbols->elf))
		return;
	symbols->dwarf = dwarf_begin_elf(symbols->elf, DWARF_C_READ, NULL);
	if (!gtdbg_unit_each(symbols, unit_is_split, NULL))
		return;
	dwarf_end(symbols->dwarf);
	symbols->dwarf = NULL;
}

int gtdbg_elf_file_load(struct gtdbg_symbols *symbols)
{
	GElf_Ehdr header;

	elf_version(EV_CURRENT);
	symbols->elf = elf_memory(symbols->file, symbols->file_len_bytes);
	if (!symbols->elf)
		return -EINVAL;
	if (elf_kind(symbols->elf) != ELF_K_ELF ||
	    gelf_getclass(symbols->elf) != ELFCLASS64 ||
	    !gelf_getehdr(symbols->elf, &header) ||
	    header.e_ident[EI_DATA] != ELFDATA2LSB ||
	    sections_find(symbols) || !relocations_are_apart(symbols))
		return -EINVAL;
	elf_file_relocate(symbols);
	if (gtdbg_cubin_is(symbols))
		gtdbg_cubin_load(symbols);
	elf_file_find_sections(symbols);
	elf_file_load_dwarf(symbols);
	return 0;
}

void gtdbg_elf_file_unload(struct gtdbg_symbols *symbols)
{
	if (symbols->dwarf)
		dwarf_end(symbols->dwarf);
	if (symbols->elf)
		elf_end(symbols->elf);
	free(symbols->file);
}
