// SPDX-License-Identifier: MIT
/*
 * The symbols own a copy of the file, because relocations are applied in it,
 * and everything made from it later. They are freed in the reverse order: what
 * was decoded, then types and lines, then libdw's and libelf's handles, whose
 * memory the others point into, then the copy.
 */
#include "symbols.h"

#include "ptx.h"
#include "home.h"

#include <dwarf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The kernel's first instruction: mov (1|M0) null:ud COOKIE {Breakpoint}. */
#define COOKIE_OPCODE		0x61
#define COOKIE_OPCODE_MASK	0x7f
#define COOKIE_BREAKPOINT	0x40000000u

static int file_copy(struct gtdbg_symbols *symbols, const void *elf,
		     size_t len_bytes)
{
	if (gtdbg_ptx_is_text(elf, len_bytes))
		return gtdbg_ptx_read(elf, len_bytes, &symbols->file,
				      &symbols->file_len_bytes);
	symbols->file = malloc(len_bytes);
	if (!symbols->file)
		return -ENOMEM;
	memcpy(symbols->file, elf, len_bytes);
	symbols->file_len_bytes = len_bytes;
	return 0;
}

int gtdbg_symbols_create(const void *elf, size_t len_bytes,
			 struct gtdbg_symbols **out)
{
	struct gtdbg_symbols *symbols;
	int ret;

	if (!elf || !len_bytes)
		return -EINVAL;
	symbols = calloc(1, sizeof(*symbols));
	if (!symbols)
		return -ENOMEM;
	ret = file_copy(symbols, elf, len_bytes);
	if (!ret)
		ret = gtdbg_elf_file_load(symbols);
	if (ret) {
		gtdbg_symbols_destroy(symbols);
		return ret;
	}
	*out = symbols;
	return 0;
}

void gtdbg_symbols_destroy(struct gtdbg_symbols *symbols)
{
	if (!symbols)
		return;
	gtdbg_home_map_destroy(symbols->homes);
	gtdbg_code_destroy(symbols->code);
	gtdbg_types_destroy(symbols);
	free(symbols->lines);
	free(symbols->source);
	gtdbg_elf_file_unload(symbols);
	free(symbols);
}

const void *gtdbg_symbols_text(const struct gtdbg_symbols *symbols,
			       uint64_t *base_out, size_t *len_bytes_out)
{
	if (base_out)
		*base_out = symbols->text_base;
	*len_bytes_out = symbols->text_len_bytes;
	return symbols->text;
}

int gtdbg_symbols_cookie(const struct gtdbg_symbols *symbols,
			 uint32_t *cookie_out)
{
	uint32_t first[4];

	if (symbols->text_len_bytes < sizeof(first))
		return -ENOENT;
	memcpy(first, symbols->text, sizeof(first));
	if ((first[0] & COOKIE_OPCODE_MASK) != COOKIE_OPCODE ||
	    !(first[0] & COOKIE_BREAKPOINT))
		return -ENOENT;
	*cookie_out = first[3];
	return 0;
}

static uint32_t die_simd_width(Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	Dwarf_Word width;

	if (!dwarf_attr(die, DW_AT_INTEL_simd_width, &attribute) ||
	    dwarf_formudata(&attribute, &width))
		return 0;
	return width;
}

uint32_t gtdbg_symbols_simd_width(struct gtdbg_symbols *symbols, uint64_t pc)
{
	uint32_t width = 0;
	Dwarf_Die die;

	if (!gtdbg_subprogram_find(symbols, pc, &die))
		width = die_simd_width(&die);
	if (!width && !gtdbg_unit_find(symbols, pc, &die))
		width = die_simd_width(&die);
	return width;
}

const char *gtdbg_symbols_kernel(struct gtdbg_symbols *symbols)
{
	Dwarf_Die die;

	if (gtdbg_subprogram_find(symbols, symbols->text_base, &die))
		return NULL;
	return gtdbg_die_name(&die);
}

static int unit_first(Dwarf_Die *unit, void *context)
{
	*(Dwarf_Die *)context = *unit;
	return 1;
}

const char *gtdbg_symbols_source(struct gtdbg_symbols *symbols)
{
	Dwarf_Attribute attribute;
	const char *name, *directory = NULL;
	Dwarf_Die unit;

	if (symbols->source)
		return symbols->source;
	if (!gtdbg_unit_each(symbols, unit_first, &unit))
		return NULL;
	name = dwarf_diename(&unit);
	if (!name)
		return NULL;
	if (dwarf_attr(&unit, DW_AT_comp_dir, &attribute))
		directory = dwarf_formstring(&attribute);
	if (name[0] == '/' || !directory)
		symbols->source = strdup(name);
	else if (asprintf(&symbols->source, "%s/%s", directory, name) < 0)
		symbols->source = NULL;
	return symbols->source;
}

const struct gtdbg_code *gtdbg_symbols_code(struct gtdbg_symbols *symbols)
{
	if (!symbols->code && symbols->text)
		gtdbg_code_create(symbols->text, symbols->text_len_bytes,
				  &symbols->code);
	return symbols->code;
}
