// SPDX-License-Identifier: MIT
/*
 * A variable in local memory has one address for all work-items, of which the
 * compiler makes a constant: its highest byte tells what memory it is, the rest is
 * the place from the beginning of the group's. Name and type are mostly another
 * entry's, of which the variable is a copy.
 */
#include "locals.h"

#include "lines.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#define LOCAL_TAG 0x0a
#define LOCAL_TAG_SHIFT 56
#define DEPTH 16 /* of types, and of copies of copies */
#define POINTER_BYTES 8
#define LOCALS_MAX 4096

/* An entry, as far as it matters here. */
struct entry {
	uint32_t tag;
	bool has_children, has_bytes, has_count, is_local;
	const char *name; /* NULL: it has none of its own */
	uint64_t origin, type; /* places of entries; 0: none */
	uint64_t bytes, count, address;
};

struct unit {
	const struct vgt_dwarf *dwarf;
	struct vgt_cursor all; /* from its length on */
	uint64_t abbrev; /* where its abbreviations are */
	uint32_t address_bytes;
};

/* What a form holds. */
struct value {
	uint64_t number;
	const char *text;
	struct vgt_cursor block;
};

static struct vgt_cursor block_take(struct vgt_cursor *cursor, uint64_t bytes)
{
	struct vgt_cursor block = { cursor->at, cursor->at };

	if (vgt_cursor_take(cursor, bytes))
		block.end = cursor->at;
	return block;
}

static uint32_t form_bytes(const struct unit *unit, uint32_t form)
{
	switch (form) {
	case DW_FORM_addr:
		return unit->address_bytes;
	case DW_FORM_data1:
	case DW_FORM_ref1:
	case DW_FORM_flag:
		return 1;
	case DW_FORM_data2:
	case DW_FORM_ref2:
		return 2;
	case DW_FORM_data4:
	case DW_FORM_ref4:
	case DW_FORM_sec_offset:
	case DW_FORM_strp:
		return 4;
	case DW_FORM_data8:
	case DW_FORM_ref8:
	case DW_FORM_ref_sig8:
		return 8;
	default:
		return 0;
	}
}

static void string_find(const struct unit *unit, struct value *out)
{
	struct vgt_cursor str = unit->dwarf->str;

	vgt_cursor_take(&str, out->number);
	out->text = vgt_cursor_string(&str);
}

/* False: nobody knows where the next one is. */
static bool value_take(const struct unit *unit, struct vgt_cursor *at,
		       uint32_t form, struct value *out)
{
	uint32_t bytes = form_bytes(unit, form);

	*out = (struct value){ .number = vgt_cursor_number(at, bytes) };
	switch (form) {
	case DW_FORM_strp:
		string_find(unit, out);
		return true;
	case DW_FORM_string:
		out->text = vgt_cursor_string(at);
		return true;
	case DW_FORM_sdata:
		out->number = vgt_cursor_leb(at, true);
		return true;
	case DW_FORM_udata:
	case DW_FORM_ref_udata:
		out->number = vgt_cursor_leb(at, false);
		return true;
	case DW_FORM_flag_present:
		return true;
	case DW_FORM_exprloc:
	case DW_FORM_block:
		out->block = block_take(at, vgt_cursor_leb(at, false));
		return true;
	case DW_FORM_block1:
		out->block = block_take(at, vgt_cursor_number(at, 1));
		return true;
	case DW_FORM_block2:
		out->block = block_take(at, vgt_cursor_number(at, 2));
		return true;
	case DW_FORM_block4:
		out->block = block_take(at, vgt_cursor_number(at, 4));
		return true;
	default:
		return bytes;
	}
}

/* An address of local memory, and nothing else. */
static void location_read(struct entry *entry, struct vgt_cursor block)
{
	uint8_t op = vgt_cursor_number(&block, 1);
	uint64_t address = vgt_cursor_number(&block, 8);

	entry->is_local = (op == DW_OP_const8u || op == DW_OP_addr) &&
			  block.at == block.end &&
			  address >> LOCAL_TAG_SHIFT == LOCAL_TAG;
	entry->address = address;
}

static void attribute_read(struct entry *entry, uint32_t attribute,
			   const struct value *value)
{
	switch (attribute) {
	case DW_AT_name:
		entry->name = value->text;
		break;
	case DW_AT_abstract_origin:
	case DW_AT_specification:
		entry->origin = value->number;
		break;
	case DW_AT_type:
		entry->type = value->number;
		break;
	case DW_AT_byte_size:
		entry->has_bytes = true;
		entry->bytes = value->number;
		break;
	case DW_AT_count:
	case DW_AT_upper_bound:
		entry->has_count = true;
		entry->count = value->number +
			       (attribute == DW_AT_upper_bound);
		break;
	case DW_AT_location:
		location_read(entry, value->block);
		break;
	}
}

/* What the entry with abbreviation @code has; empty: that is not known. */
static struct vgt_cursor abbrev_find(const struct unit *unit, uint64_t code,
				     struct entry *entry)
{
	struct vgt_cursor at = unit->dwarf->abbrev;
	uint64_t its_code, attribute;

	vgt_cursor_take(&at, unit->abbrev);
	while ((its_code = vgt_cursor_leb(&at, false))) {
		entry->tag = vgt_cursor_leb(&at, false);
		entry->has_children = vgt_cursor_number(&at, 1);
		if (its_code == code)
			return at;
		do {
			attribute = vgt_cursor_leb(&at, false);
		} while (vgt_cursor_leb(&at, false) | attribute);
	}
	at.at = at.end;
	return at;
}

/* The tag is 0 at the end of children. False at the end of what makes sense. */
static bool entry_take(const struct unit *unit, struct vgt_cursor *at,
		       struct entry *entry)
{
	uint64_t code = vgt_cursor_leb(at, false);
	struct vgt_cursor abbrev;
	uint32_t attribute, form;
	struct value value;

	*entry = (struct entry){ 0 };
	if (!code)
		return at->at < at->end;
	abbrev = abbrev_find(unit, code, entry);
	if (abbrev.at == abbrev.end)
		return false;
	for (;;) {
		attribute = vgt_cursor_leb(&abbrev, false);
		form = vgt_cursor_leb(&abbrev, false);
		if (!(attribute | form))
			return true;
		if (!value_take(unit, at, form, &value))
			return false;
		attribute_read(entry, attribute, &value);
	}
}

/* The entry at @place of the unit, and what follows. */
static bool entry_find(const struct unit *unit, uint64_t place,
		       struct entry *entry, struct vgt_cursor *rest_out)
{
	*rest_out = unit->all;
	return place && vgt_cursor_take(rest_out, place) &&
	       entry_take(unit, rest_out, entry);
}

/* All dimensions of an array, whose children are @at. */
static uint64_t elements(const struct unit *unit, struct vgt_cursor at)
{
	struct entry entry;
	uint64_t count = 1;

	while (entry_take(unit, &at, &entry) && entry.tag)
		if (entry.tag == DW_TAG_subrange_type && entry.has_count)
			count *= entry.count;
	return count;
}

/* 0: it is not known. */
static uint64_t type_bytes(const struct unit *unit, uint64_t type)
{
	struct vgt_cursor rest;
	struct entry entry;
	uint64_t count = 1;

	for (uint32_t i = 0; i < DEPTH; i++) {
		if (!entry_find(unit, type, &entry, &rest))
			return 0;
		if (entry.has_bytes)
			return count * entry.bytes;
		if (entry.tag == DW_TAG_pointer_type)
			return count * POINTER_BYTES;
		if (entry.tag == DW_TAG_array_type && entry.has_children)
			count *= elements(unit, rest);
		type = entry.type;
	}
	return 0;
}

/* Name and type of what @entry is a copy of, as far as it has none. */
static void complete(const struct unit *unit, struct entry *entry)
{
	struct entry origin = *entry;
	struct vgt_cursor rest;

	for (uint32_t i = 0; i < DEPTH && (!entry->name || !entry->type); i++) {
		if (!entry_find(unit, origin.origin, &origin, &rest))
			return;
		if (!entry->name)
			entry->name = origin.name;
		if (!entry->type)
			entry->type = origin.type;
	}
}

static bool is_known(const struct vgt_lines *lines,
		     const struct vgt_check_local *local, const char *name)
{
	const struct vgt_check_local *other;

	for (uint32_t i = 0; i < lines->locals; i++) {
		other = &lines->local[i];
		if (other->offset == local->offset &&
		    other->bytes == local->bytes &&
		    !strcmp(lines->names + other->name, name))
			return true;
	}
	return false;
}

static void local_add(struct vgt_lines *lines, const struct unit *unit,
		      struct entry *entry)
{
	struct vgt_check_local local = { .offset = entry->address }, *all;

	complete(unit, entry);
	local.bytes = type_bytes(unit, entry->type);
	if (!entry->name || !local.bytes ||
	    is_known(lines, &local, entry->name))
		return;
	all = realloc(lines->local, (lines->locals + 1) * sizeof(local));
	if (!all)
		return;
	lines->local = all;
	local.name = vgt_lines_name_add(lines, entry->name);
	if (local.name != UINT32_MAX)
		lines->local[lines->locals++] = local;
}

/* In the versions 2 to 4, as the lines are. */
static void unit_read(struct vgt_lines *lines, struct unit *unit,
		      struct vgt_cursor at)
{
	uint32_t version = vgt_cursor_number(&at, 2);
	struct entry entry;

	unit->abbrev = vgt_cursor_number(&at, 4);
	unit->address_bytes = vgt_cursor_number(&at, 1);
	if (version < 2 || version > 4 || unit->address_bytes > 8)
		return;
	/* To look one up takes the longer, the more there are. */
	while (lines->locals < LOCALS_MAX && entry_take(unit, &at, &entry))
		if (entry.tag == DW_TAG_variable && entry.is_local)
			local_add(lines, unit, &entry);
}

void vgt_locals_read(struct vgt_lines *lines, const struct vgt_dwarf *dwarf)
{
	struct vgt_cursor info = dwarf->info;
	struct unit unit = { .dwarf = dwarf };
	struct vgt_cursor at;
	uint32_t bytes;

	while (info.at < info.end) {
		unit.all = info;
		bytes = vgt_cursor_number(&info, 4);
		at = info;
		if (!vgt_cursor_take(&info, bytes))
			return;
		unit.all.end = at.end = info.at;
		unit_read(lines, &unit, at);
	}
}
