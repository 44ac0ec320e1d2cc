// SPDX-License-Identifier: MIT
/*
 * Two things are made here that the rest of the reader takes for given: one
 * text with one address space, out of sections that all begin at 0, and
 * addresses for what only a loader would place, which keep the symbol's number
 * so that it can be named again.
 */
#include "cubin.h"

#include "symbols.h"

#include <stdlib.h>
#include <string.h>

#define R_CUDA_32	1
#define R_CUDA_64	2
#define R_CUDA_G32	3
#define R_CUDA_G64	4

/* An address with a symbol: its number from 1 above, an offset below. */
#define SYMBOL_SHIFT	48
#define SYMBOL_MAX	0xfffe

struct load {
	struct gtdbg_symbols *symbols;
	size_t names;		/* index of the sections' names */
	uint64_t first;		/* offset in the file of the first code */
};

bool gtdbg_cubin_is(const struct gtdbg_symbols *symbols)
{
	GElf_Ehdr header;

	return gelf_getehdr(symbols->elf, &header) &&
	       header.e_machine == EM_CUDA_NUMBER;
}

static bool section_starts(const struct load *load, Elf_Scn *section,
			   const char *prefix)
{
	GElf_Shdr header;
	const char *name;

	if (!section || !gelf_getshdr(section, &header))
		return false;
	name = elf_strptr(load->symbols->elf, load->names, header.sh_name);
	return name && strncmp(name, prefix, strlen(prefix)) == 0;
}

/* Sets the code: all sections of functions, one behind the other. */
static void load_text(struct load *load)
{
	struct gtdbg_symbols *symbols = load->symbols;
	uint64_t first = UINT64_MAX, end = 0;
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while ((section = elf_nextscn(symbols->elf, section))) {
		if (!section_starts(load, section, ".text.") ||
		    !gelf_getshdr(section, &header) ||
		    header.sh_type != SHT_PROGBITS ||
		    header.sh_offset > symbols->file_len_bytes ||
		    header.sh_size > symbols->file_len_bytes -
				     header.sh_offset)
			continue;
		if (header.sh_offset < first)
			first = header.sh_offset;
		if (header.sh_offset + header.sh_size > end)
			end = header.sh_offset + header.sh_size;
	}
	load->first = first;
	if (first >= end)
		return;
	symbols->text = symbols->file + first;
	symbols->text_len_bytes = end - first;
}

static uint64_t symbol_value(const struct load *load, const GElf_Sym *symbol,
			     uint64_t number)
{
	Elf_Scn *section = elf_getscn(load->symbols->elf, symbol->st_shndx);
	GElf_Shdr header;

	if (symbol->st_shndx == SHN_ABS)
		return symbol->st_value;
	if (symbol->st_shndx != SHN_UNDEF &&
	    section_starts(load, section, ".text.") &&
	    gelf_getshdr(section, &header))
		return header.sh_offset - load->first + symbol->st_value;
	return number < SYMBOL_MAX ?
	       ((number + 1) << SYMBOL_SHIFT) + symbol->st_value : UINT64_MAX;
}

static void relocation_apply(const struct load *load, Elf_Data *target,
			     Elf_Data *table, const GElf_Rela *rela,
			     bool has_addend)
{
	uint64_t number = GELF_R_SYM(rela->r_info), value = 0;
	size_t len = 8;
	GElf_Sym symbol;
	char *at;

	switch (GELF_R_TYPE(rela->r_info)) {
	case R_CUDA_32:
	case R_CUDA_G32:
		len = 4;
		break;
	case R_CUDA_64:
	case R_CUDA_G64:
		break;
	default:
		return;
	}
	if (!gelf_getsym(table, number, &symbol) ||
	    rela->r_offset > target->d_size ||
	    target->d_size - rela->r_offset < len)
		return;
	at = (char *)target->d_buf + rela->r_offset;
	if (has_addend)
		value = rela->r_addend;
	else
		memcpy(&value, at, len);
	value += symbol_value(load, &symbol, number);
	memcpy(at, &value, len);
}

static void section_relocate(const struct load *load, Elf_Scn *section,
			     const GElf_Shdr *header)
{
	Elf *elf = load->symbols->elf;
	Elf_Scn *target = elf_getscn(elf, header->sh_info);
	Elf_Scn *table = elf_getscn(elf, header->sh_link);
	Elf_Data *relocations = elf_getdata(section, NULL);
	Elf_Data *data, *symbols;
	GElf_Rela rela = { 0 };
	GElf_Rel rel;
	int i;

	if (!table || !relocations ||
	    !section_starts(load, target, ".debug_") ||
	    !gtdbg_elf_is_apart(load->symbols, target))
		return;
	/* Raw data points into the copy, so that a write reaches libdw too. */
	data = elf_rawdata(target, NULL);
	symbols = elf_getdata(table, NULL);
	if (!data || !data->d_buf || !symbols)
		return;
	if (header->sh_type == SHT_RELA) {
		for (i = 0; gelf_getrela(relocations, i, &rela); i++)
			relocation_apply(load, data, symbols, &rela, true);
		return;
	}
	for (i = 0; gelf_getrel(relocations, i, &rel); i++) {
		rela.r_offset = rel.r_offset;
		rela.r_info = rel.r_info;
		relocation_apply(load, data, symbols, &rela, false);
	}
}

void gtdbg_cubin_load(struct gtdbg_symbols *symbols)
{
	struct load load = { .symbols = symbols };
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	if (elf_getshdrstrndx(symbols->elf, &load.names))
		return;
	load_text(&load);
	while ((section = elf_nextscn(symbols->elf, section))) {
		if (gelf_getshdr(section, &header) &&
		    (header.sh_type == SHT_RELA || header.sh_type == SHT_REL))
			section_relocate(&load, section, &header);
	}
}

static const char *symbol_name(Elf *elf, size_t number)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	GElf_Sym symbol;

	while ((section = elf_nextscn(elf, section))) {
		if (!gelf_getshdr(section, &header) ||
		    header.sh_type != SHT_SYMTAB)
			continue;
		if (!gelf_getsym(elf_getdata(section, NULL), number, &symbol))
			return NULL;
		return elf_strptr(elf, header.sh_link, symbol.st_name);
	}
	return NULL;
}

void gtdbg_cubin_name_symbol(struct gtdbg_symbols *symbols,
			     struct gtdbg_location *location)
{
	uint64_t number = location->address >> SYMBOL_SHIFT;

	if (location->kind != GTDBG_LOCATION_MEMORY || !number)
		return;
	location->symbol = symbol_name(symbols->elf, number - 1);
	location->address &= (1ull << SYMBOL_SHIFT) - 1;
}
