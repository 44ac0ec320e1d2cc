// SPDX-License-Identifier: MIT
/*
 * Types. An entry stands for one DIE and is made once; it is in the list
 * before its parts are, so that a struct may point to itself.
 */
#include "symbols.h"

#include <dwarf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TYPE_MEMBERS_MAX 1024
/* Names of vectors and of GNU's attribute for them. */
#ifndef DW_AT_GNU_vector
#define DW_AT_GNU_vector 0x2107
#endif

struct type_entry {
	struct type_entry *next;
	Dwarf_Off offset;	/* 0 for a type that no DIE describes */
	char *name;
	struct gtdbg_member *members;
	struct gtdbg_type type;
};

static const struct gtdbg_type type_void = {
	.kind = GTDBG_TYPE_VOID, .name = "void",
};

static const struct gtdbg_type types_basic[] = {
	{ GTDBG_TYPE_CHARACTER, "char", 1, 0, 0, NULL, NULL, 0 },
	{ GTDBG_TYPE_UNSIGNED, "unsigned char", 1, 0, 0, NULL, NULL, 0 },
	{ GTDBG_TYPE_UNSIGNED, "uchar", 1, 0, 0, NULL, NULL, 0 },
	{ GTDBG_TYPE_INTEGER, "short", 2, 0, 0, NULL, NULL, 0 },
	{ GTDBG_TYPE_UNSIGNED, "unsigned short", 2, 0, 0, NULL, NULL, 0 },
	{ GTDBG_TYPE_UNSIGNED, "ushort", 2, 0, 0, NULL, NULL, 0 },
	{ GTDBG_TYPE_INTEGER, "int", 4, 0, 0, NULL, NULL, 0 },
	{ GTDBG_TYPE_UNSIGNED, "unsigned int", 4, 0, 0, NULL, NULL, 0 },
	{ GTDBG_TYPE_UNSIGNED, "unsigned", 4, 0, 0, NULL, NULL, 0 },
	{ GTDBG_TYPE_UNSIGNED, "uint", 4, 0, 0, NULL, NULL, 0 },
	{ GTDBG_TYPE_INTEGER, "long", 8, 0, 0, NULL, NULL, 0 },
	{ GTDBG_TYPE_UNSIGNED, "unsigned long", 8, 0, 0, NULL, NULL, 0 },
	{ GTDBG_TYPE_UNSIGNED, "ulong", 8, 0, 0, NULL, NULL, 0 },
	{ GTDBG_TYPE_UNSIGNED, "size_t", 8, 0, 0, NULL, NULL, 0 },
	{ GTDBG_TYPE_FLOAT, "half", 2, 0, 0, NULL, NULL, 0 },
	{ GTDBG_TYPE_FLOAT, "float", 4, 0, 0, NULL, NULL, 0 },
	{ GTDBG_TYPE_FLOAT, "double", 8, 0, 0, NULL, NULL, 0 },
};

static struct type_entry *entry_create(struct gtdbg_symbols *symbols,
				       Dwarf_Off offset)
{
	struct type_entry *entry = calloc(1, sizeof(*entry));

	if (!entry)
		return NULL;
	entry->offset = offset;
	entry->next = symbols->types;
	symbols->types = entry;
	return entry;
}

void gtdbg_types_destroy(struct gtdbg_symbols *symbols)
{
	while (symbols->types) {
		struct type_entry *entry = symbols->types;

		symbols->types = entry->next;
		free(entry->members);
		free(entry->name);
		free(entry);
	}
}

/* Renames an entry; the text is @name followed by @suffix. */
static int entry_name(struct type_entry *entry, const char *name,
		      const char *suffix)
{
	char *text;

	if (asprintf(&text, "%s%s", name ? name : "(anonymous)", suffix) < 0)
		return -ENOMEM;
	free(entry->name);
	entry->name = text;
	entry->type.name = text;
	return 0;
}

static int type_from_die(struct gtdbg_symbols *symbols, Dwarf_Die *die,
			 const struct gtdbg_type **out);

int gtdbg_type_of(struct gtdbg_symbols *symbols, Dwarf_Die *die,
		  const struct gtdbg_type **out)
{
	Dwarf_Attribute attribute;
	Dwarf_Die target;

	if (!dwarf_attr_integrate(die, DW_AT_type, &attribute) ||
	    !dwarf_formref_die(&attribute, &target)) {
		*out = &type_void;
		return 0;
	}
	return type_from_die(symbols, &target, out);
}

static uint32_t base_kind(Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	Dwarf_Word encoding = DW_ATE_unsigned;

	if (dwarf_attr(die, DW_AT_encoding, &attribute))
		dwarf_formudata(&attribute, &encoding);
	switch (encoding) {
	case DW_ATE_signed:
		return GTDBG_TYPE_INTEGER;
	case DW_ATE_float:
		return GTDBG_TYPE_FLOAT;
	case DW_ATE_boolean:
		return GTDBG_TYPE_BOOLEAN;
	case DW_ATE_signed_char:
		return GTDBG_TYPE_CHARACTER;
	default:
		return GTDBG_TYPE_UNSIGNED;
	}
}

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

static int member_fill(struct gtdbg_symbols *symbols, Dwarf_Die *die,
		       struct gtdbg_member *member)
{
	Dwarf_Attribute attribute;
	Dwarf_Sword value = 0;

	member->name = gtdbg_die_name(die);
	if (dwarf_tag(die) == DW_TAG_enumerator) {
		if (dwarf_attr(die, DW_AT_const_value, &attribute))
			dwarf_formsdata(&attribute, &value);
		member->value = value;
		return 0;
	}
	member->offset_bytes = member_offset(die);
	return gtdbg_type_of(symbols, die, &member->type);
}

static int entry_members(struct gtdbg_symbols *symbols,
			 struct type_entry *entry, Dwarf_Die *die)
{
	size_t count = 0;
	Dwarf_Die child;
	int ret;

	if (dwarf_child(die, &child))
		return 0;
	do {
		int tag = dwarf_tag(&child);
		struct gtdbg_member *members;

		if (tag != DW_TAG_member && tag != DW_TAG_enumerator)
			continue;
		members = realloc(entry->members,
				  (count + 1) * sizeof(*members));
		if (!members)
			return -ENOMEM;
		entry->members = members;
		memset(&members[count], 0, sizeof(*members));
		ret = member_fill(symbols, &child, &members[count]);
		if (ret)
			return ret;
		entry->type.members = members;
		entry->type.member_count = ++count;
	} while (count < TYPE_MEMBERS_MAX && !dwarf_siblingof(&child, &child));
	return 0;
}

static uint64_t subrange_count(Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	Dwarf_Word value;

	if (dwarf_attr(die, DW_AT_count, &attribute) &&
	    !dwarf_formudata(&attribute, &value))
		return value;
	if (dwarf_attr(die, DW_AT_upper_bound, &attribute) &&
	    !dwarf_formudata(&attribute, &value))
		return value + 1;
	return 0;
}

/* An array of several dimensions is an array of arrays, outermost first. */
static int array_dimension(struct gtdbg_symbols *symbols,
			   struct type_entry *entry, Dwarf_Die *range,
			   const struct gtdbg_type *element)
{
	struct type_entry *inner;
	Dwarf_Die next = *range;
	char suffix[32];
	int ret;

	entry->type.kind = GTDBG_TYPE_ARRAY;
	entry->type.count = subrange_count(range);
	entry->type.target = element;
	if (dwarf_siblingof(&next, &next) == 0 &&
	    dwarf_tag(&next) == DW_TAG_subrange_type) {
		inner = entry_create(symbols, 0);
		if (!inner)
			return -ENOMEM;
		ret = array_dimension(symbols, inner, &next, element);
		if (ret)
			return ret;
		entry->type.target = &inner->type;
	}
	entry->type.size_bytes = entry->type.count *
				 entry->type.target->size_bytes;
	snprintf(suffix, sizeof(suffix), " [%llu]",
		 (unsigned long long)entry->type.count);
	return entry_name(entry, entry->type.target->name, suffix);
}

/* A vector of three has the size and alignment of one of four. */
static void entry_make_vector(struct type_entry *entry)
{
	uint64_t count = entry->type.count;

	entry->type.kind = GTDBG_TYPE_VECTOR;
	if (count == 3)
		count = 4;
	entry->type.size_bytes = count * entry->type.target->size_bytes;
}

static int entry_array(struct gtdbg_symbols *symbols, struct type_entry *entry,
		       Dwarf_Die *die)
{
	const struct gtdbg_type *element;
	Dwarf_Die child;
	int ret = gtdbg_type_of(symbols, die, &element);

	if (ret)
		return ret;
	entry->type.kind = GTDBG_TYPE_ARRAY;
	entry->type.target = element;
	entry->type.name = element->name;
	if (dwarf_child(die, &child) ||
	    dwarf_tag(&child) != DW_TAG_subrange_type)
		return 0;
	ret = array_dimension(symbols, entry, &child, element);
	if (!ret && dwarf_hasattr(die, DW_AT_GNU_vector))
		entry_make_vector(entry);
	return ret;
}

static int entry_pointer(struct gtdbg_symbols *symbols,
			 struct type_entry *entry, Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	Dwarf_Word class;
	size_t len;
	int ret;

	entry->type.kind = GTDBG_TYPE_POINTER;
	if (!entry->type.size_bytes)
		entry->type.size_bytes = 8;
	if (dwarf_attr(die, DW_AT_address_class, &attribute) &&
	    !dwarf_formudata(&attribute, &class))
		entry->type.address_class = class;
	ret = gtdbg_type_of(symbols, die, &entry->type.target);
	if (ret)
		return ret;
	len = strlen(entry->type.target->name);
	return entry_name(entry, entry->type.target->name,
			  len && entry->type.target->name[len - 1] == '*' ?
			  "*" : " *");
}

/* A typedef or qualifier has everything of what it stands for but the name. */
static int entry_alias(struct gtdbg_symbols *symbols, struct type_entry *entry,
		       Dwarf_Die *die)
{
	const struct gtdbg_type *target;
	const char *name = gtdbg_die_name(die);
	int ret = gtdbg_type_of(symbols, die, &target);
	char text[256];

	if (ret)
		return ret;
	entry->type = *target;
	if (dwarf_tag(die) == DW_TAG_typedef)
		return entry_name(entry, name, "");
	if (dwarf_tag(die) != DW_TAG_const_type ||
	    target->kind == GTDBG_TYPE_POINTER)
		return entry_name(entry, target->name, "");
	snprintf(text, sizeof(text), "const %s", target->name);
	return entry_name(entry, text, "");
}

static int entry_fill(struct gtdbg_symbols *symbols, struct type_entry *entry,
		      Dwarf_Die *die)
{
	int ret = entry_name(entry, gtdbg_die_name(die), "");

	if (ret)
		return ret;
	if (dwarf_bytesize(die) > 0)
		entry->type.size_bytes = dwarf_bytesize(die);
	switch (dwarf_tag(die)) {
	case DW_TAG_base_type:
		entry->type.kind = base_kind(die);
		return 0;
	case DW_TAG_pointer_type:
	case DW_TAG_reference_type:
		return entry_pointer(symbols, entry, die);
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
		entry->type.kind = GTDBG_TYPE_STRUCT;
		return entry_members(symbols, entry, die);
	case DW_TAG_union_type:
		entry->type.kind = GTDBG_TYPE_UNION;
		return entry_members(symbols, entry, die);
	case DW_TAG_enumeration_type:
		entry->type.kind = GTDBG_TYPE_ENUM;
		return entry_members(symbols, entry, die);
	case DW_TAG_array_type:
		return entry_array(symbols, entry, die);
	case DW_TAG_typedef:
	case DW_TAG_const_type:
	case DW_TAG_volatile_type:
	case DW_TAG_restrict_type:
		return entry_alias(symbols, entry, die);
	case DW_TAG_subroutine_type:
		entry->type.kind = GTDBG_TYPE_FUNCTION;
		return entry_name(entry, "function", "");
	default:
		entry->type.kind = GTDBG_TYPE_VOID;
		return 0;
	}
}

static int type_from_die(struct gtdbg_symbols *symbols, Dwarf_Die *die,
			 const struct gtdbg_type **out)
{
	Dwarf_Off offset = dwarf_dieoffset(die);
	struct type_entry *entry;
	int ret;

	for (entry = symbols->types; entry; entry = entry->next) {
		if (entry->offset == offset) {
			*out = &entry->type;
			return 0;
		}
	}
	entry = entry_create(symbols, offset);
	if (!entry)
		return -ENOMEM;
	ret = entry_fill(symbols, entry, die);
	if (ret)
		return ret;
	*out = &entry->type;
	return 0;
}

struct lookup {
	struct gtdbg_symbols *symbols;
	const char *name;
	const struct gtdbg_type *type;
};

static bool tag_is_type(int tag)
{
	return tag == DW_TAG_base_type || tag == DW_TAG_typedef ||
	       tag == DW_TAG_structure_type || tag == DW_TAG_union_type ||
	       tag == DW_TAG_enumeration_type;
}

static int unit_find_type(Dwarf_Die *unit, void *context)
{
	struct lookup *lookup = context;
	Dwarf_Die child;

	if (dwarf_child(unit, &child))
		return 0;
	do {
		const char *name;

		if (!tag_is_type(dwarf_tag(&child)))
			continue;
		name = gtdbg_die_name(&child);
		if (name && strcmp(name, lookup->name) == 0)
			return type_from_die(lookup->symbols, &child,
					     &lookup->type) ? 0 : 1;
	} while (dwarf_siblingof(&child, &child) == 0);
	return 0;
}

int gtdbg_type_find_name(struct gtdbg_symbols *symbols, const char *name,
			 const struct gtdbg_type **out)
{
	struct lookup lookup = { .symbols = symbols, .name = name };
	size_t i;

	if (strcmp(name, "void") == 0) {
		*out = &type_void;
		return 0;
	}
	if (symbols && gtdbg_unit_each(symbols, unit_find_type, &lookup)) {
		*out = lookup.type;
		return 0;
	}
	for (i = 0; i < sizeof(types_basic) / sizeof(types_basic[0]); i++) {
		if (strcmp(types_basic[i].name, name) == 0) {
			*out = &types_basic[i];
			return 0;
		}
	}
	return -ENOENT;
}

int gtdbg_type_pointer(struct gtdbg_symbols *symbols,
		       const struct gtdbg_type *target,
		       const struct gtdbg_type **out)
{
	struct type_entry *entry = entry_create(symbols, 0);
	size_t len = strlen(target->name);
	int ret;

	if (!entry)
		return -ENOMEM;
	ret = entry_name(entry, target->name,
			 len && target->name[len - 1] == '*' ? "*" : " *");
	if (ret)
		return ret;
	entry->type.kind = GTDBG_TYPE_POINTER;
	entry->type.size_bytes = 8;
	entry->type.target = target;
	*out = &entry->type;
	return 0;
}
