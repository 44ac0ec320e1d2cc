// SPDX-License-Identifier: MIT
/*
 * An attribute holds either one expression or the offset of a list in
 * .debug_loc. The list is read here, not by libdw, because libdw does not
 * return whether a pc that no entry covers lies before, between or behind the
 * entries: a user wants to know whether a value is still to come or gone.
 */
#include "description.h"

#include "symbols.h"

#include <dwarf.h>
#include <errno.h>
#include <string.h>

/* Why a list has nothing for @pc: it stands before, between or behind all. */
static int list_gap(uint64_t first, uint64_t last, uint64_t pc)
{
	if (first >= last)
		return -ENODATA;
	return pc < first ? -EAGAIN : pc >= last ? -ESTALE : -ENODATA;
}

/* A list of locations: pairs of addresses from the unit's, and expressions. */
static int list_expression(struct gtdbg_symbols *symbols, Dwarf_Die *die,
			   uint64_t offset, uint64_t pc,
			   struct description *out)
{
	uint64_t first = UINT64_MAX, last = 0;
	const uint8_t *at, *end;
	Dwarf_Addr base = 0;
	Dwarf_Die unit;
	uint64_t range[2];
	uint16_t len;

	if (!symbols->loc || offset >= symbols->loc->d_size)
		return -EBADMSG;
	if (dwarf_diecu(die, &unit, NULL, NULL))
		dwarf_lowpc(&unit, &base);
	at = (const uint8_t *)symbols->loc->d_buf + offset;
	end = (const uint8_t *)symbols->loc->d_buf + symbols->loc->d_size;
	while ((size_t)(end - at) >= sizeof(range)) {
		memcpy(range, at, sizeof(range));
		at += sizeof(range);
		if (!range[0] && !range[1])
			return list_gap(first, last, pc);
		if (range[0] == UINT64_MAX) {
			base = range[1];
			continue;
		}
		if (end - at < 2)
			return -EBADMSG;
		memcpy(&len, at, 2);
		at += 2;
		if (end - at < len)
			return -EBADMSG;
		out->bytes = at;
		out->len_bytes = len;
		out->start = base + range[0];
		out->end = base + range[1];
		if (pc >= out->start && pc < out->end)
			return 0;
		first = out->start < first ? out->start : first;
		last = out->end > last ? out->end : last;
		at += len;
	}
	return -EBADMSG;
}

int gtdbg_description_find(struct gtdbg_symbols *symbols, Dwarf_Die *die,
			   uint64_t pc, struct description *out)
{
	Dwarf_Attribute attribute;
	Dwarf_Word offset;
	Dwarf_Block block;

	if (!dwarf_attr_integrate(die, DW_AT_location, &attribute))
		return -ENODATA;
	if (dwarf_formblock(&attribute, &block) == 0) {
		out->bytes = block.data;
		out->len_bytes = block.length;
		return block.length ? 0 : -ENODATA;
	}
	if (dwarf_formudata(&attribute, &offset))
		return -EBADMSG;
	return list_expression(symbols, die, offset, pc, out);
}
