// SPDX-License-Identifier: MIT
/* Where the members of structs and unions lie. */
#include "symbols.h"

#include <dwarf.h>
#include <errno.h>

/* DWARF 2 compilers write the offset as "plus_uconst N", perhaps padded. */
static uint64_t member_offset(Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	Dwarf_Word offset = 0;
	Dwarf_Op *ops;
	size_t count;

	if (!dwarf_attr(die, DW_AT_data_member_location, &attribute))
		return 0;
	if (dwarf_formudata(&attribute, &offset) == 0)
		return offset;
	if (dwarf_getlocation(&attribute, &ops, &count) || !count)
		return 0;
	while (count > 1 && ops[count - 1].atom == DW_OP_nop)
		count--;
	if (count == 1 && ops[0].atom == DW_OP_plus_uconst)
		return ops[0].number;
	return 0;
}

static Dwarf_Word number_of(Dwarf_Die *die, unsigned int name, Dwarf_Word other)
{
	Dwarf_Attribute attribute;
	Dwarf_Word number;

	return dwarf_attr(die, name, &attribute) &&
	       !dwarf_formudata(&attribute, &number) ? number : other;
}

/*
 * Where a bit-field lies: since DWARF 4 from the struct's first bit on, before from the
 * most significant one of what it is a part of. A packed one may lie across the places
 * of its type, even so that no place has all of it: EOPNOTSUPP.
 */
static int bits_fill(Dwarf_Die *die, uint64_t len_bytes,
		     struct gtdbg_member *member)
{
	uint64_t size = member->type->size_bytes, at;
	Dwarf_Word count = number_of(die, DW_AT_bit_size, 0), first;

	if (!dwarf_hasattr(die, DW_AT_bit_size))
		return 0;
	first = number_of(die, DW_AT_data_bit_offset,
			  8 * (member->offset_bytes +
			       number_of(die, DW_AT_byte_size, size)) -
			  number_of(die, DW_AT_bit_offset, 0) - count);
	if (!size || size > 8 || size > len_bytes || !count ||
	    count > 8 * size || first / 8 >= len_bytes)
		return -EBADMSG;
	at = first / (8 * size) * size;
	if (first - 8 * at + count > 8 * size)
		at = first / 8;
	if (at > len_bytes - size)
		at = len_bytes - size;
	member->offset_bytes = at;
	member->bit_offset = (uint32_t)(first - 8 * at);
	member->bit_count = (uint32_t)count;
	return member->bit_offset + count > 8 * size ? -EOPNOTSUPP : 0;
}

int gtdbg_member_place(Dwarf_Die *die, uint64_t len_bytes,
		       struct gtdbg_member *member)
{
	member->offset_bytes = member_offset(die);
	return bits_fill(die, len_bytes, member);
}
