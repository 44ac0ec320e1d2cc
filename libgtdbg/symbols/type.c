// SPDX-License-Identifier: MIT
/*
 * Types. An entry stands for one DIE and is made once; it is in the list
 * before its parts are, so that a struct may point to itself. While its parts
 * are being made an entry is *open*: others may point to it, but not contain
 * it, and a typedef of it is completed together with it. What is made of one
 * other type is in the list after that.
 *
 * Files come from other processes, so sizes are bounded, and so is how deep
 * types nest.
 */
#include "symbols.h"

#include <dwarf.h>
#include <errno.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TYPE_MEMBERS_MAX 1024
#define TYPE_DEPTH_MAX	128
#define TYPE_BYTES_MAX	(1ull << 32)
#define NAME_BYTES_MAX	256	/* each type that is made of others copies theirs */
/* Names of vectors and of GNU's attribute for them. */
#ifndef DW_AT_GNU_vector
#define DW_AT_GNU_vector 0x2107
#endif

struct type_entry {
	struct type_entry *next;
	Dwarf_Off offset;	/* 0 for a type that no DIE describes */
	struct type_entry *origin;	/* what an alias stands for */
	struct type_entry *aliases;	/* that were made while it was open */
	struct type_entry *alias_next;
	bool is_open;
	int error;		/* why it could not be made */
	char *name;
	struct gtdbg_member *members;
	struct gtdbg_type type;
	struct gtdbg_type constant;	/* of an enum's names: they are ints */
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

static int entry_compare(const void *left, const void *right)
{
	const struct type_entry *a = left, *b = right;

	return a->offset < b->offset ? -1 : a->offset > b->offset;
}

static struct type_entry *entry_find(const struct gtdbg_symbols *symbols,
				     Dwarf_Off offset)
{
	const struct type_entry key = { .offset = offset };
	struct type_entry **found = tfind(&key, &symbols->types_by_offset,
					  entry_compare);

	return found ? *found : NULL;
}

static struct type_entry *entry_create(struct gtdbg_symbols *symbols,
				       Dwarf_Off offset)
{
	struct type_entry *entry = calloc(1, sizeof(*entry));

	if (!entry)
		return NULL;
	entry->offset = offset;
	if (offset && !tsearch(entry, &symbols->types_by_offset, entry_compare)) {
		free(entry);
		return NULL;
	}
	entry->next = symbols->types;
	symbols->types = entry;
	return entry;
}

/* All that the tree has is in the list, by which it is freed. */
static void entry_keep(void *entry)
{
	(void)entry;
}

void gtdbg_types_destroy(struct gtdbg_symbols *symbols)
{
	tdestroy(symbols->types_by_offset, entry_keep);
	symbols->types_by_offset = NULL;
	while (symbols->types) {
		struct type_entry *entry = symbols->types;

		symbols->types = entry->next;
		free(entry->members);
		free(entry->name);
		free(entry);
	}
}

/* Renames an entry; the text is @name followed by @suffix, cut between characters. */
static int entry_name(struct type_entry *entry, const char *name,
		      const char *suffix)
{
	char *text;
	int len;

	if (!name)
		name = "(anonymous)";
	len = strnlen(name, NAME_BYTES_MAX);
	if (name[len] || len + strlen(suffix) > NAME_BYTES_MAX) {
		suffix = "\u2026";
		while (len && (name[len] & 0xc0) == 0x80)
			len--;
	}
	if (asprintf(&text, "%.*s%s", len, name, suffix) < 0)
		return -ENOMEM;
	free(entry->name);
	entry->name = text;
	entry->type.name = text;
	return 0;
}

static struct type_entry *type_entry_of(const struct gtdbg_type *type)
{
	if (type == &type_void)
		return NULL;
	return (struct type_entry *)((char *)type -
				     offsetof(struct type_entry, type));
}

static bool type_is_open(const struct gtdbg_type *type)
{
	struct type_entry *entry = type_entry_of(type);

	if (entry && entry->origin)
		entry = entry->origin;
	return entry && entry->is_open;
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

/* A float has one of three sizes; no other number has more than 16 bytes. */
static bool base_is_sound(const struct gtdbg_type *type)
{
	if (type->kind == GTDBG_TYPE_FLOAT)
		return type->size_bytes == 2 || type->size_bytes == 4 ||
		       type->size_bytes == 8;
	return type->size_bytes <= 16;
}

/* @len_bytes: size of what the member is in */
static int member_fill(struct gtdbg_symbols *symbols, Dwarf_Die *die,
		       uint64_t len_bytes, struct gtdbg_member *member)
{
	Dwarf_Attribute attribute;
	Dwarf_Sword value = 0;
	int ret;

	member->name = gtdbg_die_name(die);
	if (dwarf_tag(die) == DW_TAG_enumerator) {
		if (dwarf_attr(die, DW_AT_const_value, &attribute))
			dwarf_formsdata(&attribute, &value);
		member->value = value;
		return 0;
	}
	ret = gtdbg_type_of(symbols, die, &member->type);
	if (!ret)
		ret = gtdbg_member_place(die, len_bytes, member);
	if (!ret && (type_is_open(member->type) ||
		     member->offset_bytes > len_bytes ||
		     member->type->size_bytes >
		     len_bytes - member->offset_bytes))
		return -EBADMSG;
	return ret;
}

static bool is_member(Dwarf_Die *die, const struct gtdbg_type *type)
{
	if (type->kind == GTDBG_TYPE_ENUM)
		return dwarf_tag(die) == DW_TAG_enumerator &&
		       gtdbg_die_name(die);
	return dwarf_tag(die) == DW_TAG_member;
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
		struct gtdbg_member *members;

		if (!is_member(&child, &entry->type))
			continue;
		members = realloc(entry->members,
				  (count + 1) * sizeof(*members));
		if (!members)
			return -ENOMEM;
		entry->members = members;
		entry->type.members = members;
		memset(&members[count], 0, sizeof(*members));
		ret = member_fill(symbols, &child, entry->type.size_bytes,
				  &members[count]);
		if (ret == -EOPNOTSUPP)
			continue;
		if (ret)
			return ret;
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
			   const struct gtdbg_type *element, unsigned int depth)
{
	struct type_entry *inner;
	Dwarf_Die next = *range;
	char suffix[32];
	int ret;

	if (depth > TYPE_DEPTH_MAX)
		return -EBADMSG;
	entry->type.kind = GTDBG_TYPE_ARRAY;
	entry->type.count = subrange_count(range);
	entry->type.target = element;
	if (dwarf_siblingof(&next, &next) == 0 &&
	    dwarf_tag(&next) == DW_TAG_subrange_type) {
		inner = entry_create(symbols, 0);
		if (!inner)
			return -ENOMEM;
		ret = array_dimension(symbols, inner, &next, element,
				      depth + 1);
		if (ret)
			return ret;
		entry->type.target = &inner->type;
	}
	if (__builtin_mul_overflow(entry->type.count,
				   entry->type.target->size_bytes,
				   &entry->type.size_bytes) ||
	    entry->type.size_bytes > TYPE_BYTES_MAX)
		return -EBADMSG;
	/* Any number of nothing would fit, and take as long to look at. */
	if (entry->type.count && !entry->type.size_bytes)
		return -EBADMSG;
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
	if (type_is_open(element))
		return -EBADMSG;
	entry->type.kind = GTDBG_TYPE_ARRAY;
	entry->type.target = element;
	if (dwarf_child(die, &child) ||
	    dwarf_tag(&child) != DW_TAG_subrange_type)
		return entry_name(entry, element->name, " []");
	ret = array_dimension(symbols, entry, &child, element, 0);
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
	if (entry->type.size_bytes != 4 && entry->type.size_bytes != 8)
		return -EBADMSG;
	if (dwarf_attr(die, DW_AT_address_class, &attribute) &&
	    !dwarf_formudata(&attribute, &class))
		entry->type.address_class = class;
	ret = gtdbg_type_of(symbols, die, &entry->type.target);
	if (ret == -EBADMSG)
		entry->type.target = &type_void;
	else if (ret)
		return ret;
	len = strlen(entry->type.target->name);
	return entry_name(entry, entry->type.target->name,
			  len && entry->type.target->name[len - 1] == '*' ?
			  "*" : " *");
}

static const struct gtdbg_type *basic_find(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(types_basic) / sizeof(types_basic[0]); i++) {
		if (strcmp(types_basic[i].name, name) == 0)
			return &types_basic[i];
	}
	return NULL;
}

/* The compiler leaves out what OpenCL's atomic types are made of. */
static const struct gtdbg_type *atomic_find(const char *name)
{
	const struct gtdbg_type *type = NULL;

	if (name && strncmp(name, "atomic_", 7) == 0)
		type = basic_find(name + 7);
	return type ? type : &type_void;
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
	entry->origin = type_entry_of(target);
	if (entry->origin && entry->origin->origin)
		entry->origin = entry->origin->origin;
	if (entry->origin && entry->origin->is_open) {
		entry->alias_next = entry->origin->aliases;
		entry->origin->aliases = entry;
	}
	entry->type = *target;
	if (target->kind == GTDBG_TYPE_VOID)
		entry->type = *atomic_find(name);
	if (dwarf_tag(die) == DW_TAG_typedef)
		return entry_name(entry, name, "");
	if (dwarf_tag(die) != DW_TAG_const_type ||
	    target->kind == GTDBG_TYPE_POINTER)
		return entry_name(entry, target->name, "");
	snprintf(text, sizeof(text), "const %s", target->name);
	return entry_name(entry, text, "");
}

static bool has_negative(const struct gtdbg_type *type)
{
	for (size_t i = 0; i < type->member_count; i++)
		if (type->members[i].value < 0)
			return true;
	return false;
}

/* Forms of a fixed size do not say whether they have a sign. */
static void values_mask(struct type_entry *entry)
{
	uint64_t size = entry->type.size_bytes;

	for (size_t i = 0; size && size < 8 && i < entry->type.member_count; i++)
		entry->members[i].value &= (int64_t)(1ull << 8 * size) - 1;
}

/* Without a word of it in the file the sign is as C's compilers choose it. */
static int entry_enum(struct gtdbg_symbols *symbols, struct type_entry *entry,
		      Dwarf_Die *die)
{
	const struct gtdbg_type *number = &type_void;
	int ret;

	entry->type.kind = GTDBG_TYPE_ENUM;
	ret = entry_members(symbols, entry, die);
	if (!ret && dwarf_hasattr(die, DW_AT_type))
		ret = gtdbg_type_of(symbols, die, &number);
	if (ret)
		return ret;
	if (number->kind != GTDBG_TYPE_INTEGER &&
	    number->kind != GTDBG_TYPE_UNSIGNED)
		number = basic_find(has_negative(&entry->type) ? "int" :
				    "unsigned int");
	if (number->kind == GTDBG_TYPE_UNSIGNED)
		values_mask(entry);
	entry->constant = entry->type;
	entry->constant.target = basic_find("int");
	entry->type.target = number;
	return 0;
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
		return base_is_sound(&entry->type) ? 0 : -EBADMSG;
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
		return entry_enum(symbols, entry, die);
	case DW_TAG_array_type:
		return entry_array(symbols, entry, die);
	case DW_TAG_typedef:
	case DW_TAG_const_type:
	case DW_TAG_volatile_type:
	case DW_TAG_restrict_type:
	case DW_TAG_atomic_type:
		return entry_alias(symbols, entry, die);
	case DW_TAG_subroutine_type:
		entry->type.kind = GTDBG_TYPE_FUNCTION;
		return entry_name(entry, "function", "");
	default:
		entry->type.kind = GTDBG_TYPE_VOID;
		return 0;
	}
}

/* What stood for the type while it was open has only half of it. */
static void aliases_complete(const struct type_entry *origin)
{
	struct type_entry *entry;

	for (entry = origin->aliases; entry; entry = entry->alias_next) {
		entry->type = origin->type;
		entry->type.name = entry->name;
	}
}

static int entry_make(struct gtdbg_symbols *symbols, struct type_entry *entry,
		      Dwarf_Die *die)
{
	int ret = -EBADMSG;

	entry->is_open = true;
	if (symbols->type_depth < TYPE_DEPTH_MAX) {
		symbols->type_depth++;
		ret = entry_fill(symbols, entry, die);
		symbols->type_depth--;
	}
	entry->is_open = false;
	entry->error = ret;
	if (ret || !entry->type.kind)
		entry->type = type_void;
	aliases_complete(entry);
	return ret;
}

/* All that there is to it is another type. */
static bool tag_refers(int tag)
{
	return tag == DW_TAG_pointer_type || tag == DW_TAG_reference_type ||
	       tag == DW_TAG_array_type || tag == DW_TAG_typedef ||
	       tag == DW_TAG_const_type || tag == DW_TAG_volatile_type ||
	       tag == DW_TAG_restrict_type || tag == DW_TAG_atomic_type;
}

/* Circles of such types have no end: at some depth they are given up. */
static void target_make(struct gtdbg_symbols *symbols, Dwarf_Die *die)
{
	const struct gtdbg_type *target;

	if (symbols->type_depth == TYPE_DEPTH_MAX)
		return;
	symbols->type_depth++;
	gtdbg_type_of(symbols, die, &target);
	symbols->type_depth--;
}

static int type_from_die(struct gtdbg_symbols *symbols, Dwarf_Die *die,
			 const struct gtdbg_type **out)
{
	Dwarf_Off offset = dwarf_dieoffset(die);
	struct type_entry *entry = entry_find(symbols, offset);

	/*
	 * A struct may have a pointer to itself as a member, or an array of such: were
	 * that open, it could not. So the struct comes first, and may make it.
	 */
	if (!entry && tag_refers(dwarf_tag(die))) {
		target_make(symbols, die);
		entry = entry_find(symbols, offset);
	}
	if (entry) {
		*out = &entry->type;
		return entry->error;
	}
	entry = entry_create(symbols, offset);
	if (!entry)
		return -ENOMEM;
	*out = &entry->type;
	return entry_make(symbols, entry, die);
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
	const struct gtdbg_type *basic;

	if (strcmp(name, "void") == 0) {
		*out = &type_void;
		return 0;
	}
	if (symbols && gtdbg_namespace_each(symbols, unit_find_type, &lookup)) {
		*out = lookup.type;
		return 0;
	}
	basic = basic_find(name);
	if (!basic)
		return -ENOENT;
	*out = basic;
	return 0;
}

struct enumerator {
	struct gtdbg_symbols *symbols;
	const char *name;
	const struct gtdbg_type *type;
	int64_t value;
	unsigned int depth;
	Dwarf_Off last;		/* that was looked at */
};

static bool enum_find(struct enumerator *wanted, Dwarf_Die *die)
{
	const struct gtdbg_type *type;

	if (type_from_die(wanted->symbols, die, &type))
		return false;
	for (size_t i = 0; i < type->member_count; i++) {
		if (strcmp(type->members[i].name, wanted->name) != 0)
			continue;
		/* One that does not fit an int is as large as the enum's own. */
		wanted->type = type->members[i].value == (int32_t)type->members[i].value ?
			       &type_entry_of(type)->constant : type;
		wanted->value = type->members[i].value;
		return true;
	}
	return false;
}

/* Namespaces, functions, blocks and structs may declare them, too. */
static int enums_find(Dwarf_Die *in, void *context)
{
	struct enumerator *wanted = context;
	bool is_found = false;
	Dwarf_Die child;

	if (wanted->depth == TYPE_DEPTH_MAX || dwarf_child(in, &child))
		return 0;
	wanted->depth++;
	do {
		int tag = dwarf_tag(&child);

		if (!gtdbg_die_is_new(&child, &wanted->last))
			break;
		if (tag == DW_TAG_enumeration_type)
			is_found = enum_find(wanted, &child);
		else if (tag == DW_TAG_namespace ||
			 tag == DW_TAG_subprogram ||
			 tag == DW_TAG_lexical_block ||
			 tag == DW_TAG_structure_type ||
			 tag == DW_TAG_union_type)
			is_found = enums_find(&child, wanted);
	} while (!is_found && dwarf_siblingof(&child, &child) == 0);
	wanted->depth--;
	return is_found;
}

int gtdbg_enumerator_find(struct gtdbg_symbols *symbols, const char *name,
			  const struct gtdbg_type **type, int64_t *value)
{
	struct enumerator wanted = { .symbols = symbols, .name = name };

	if (!gtdbg_unit_each(symbols, enums_find, &wanted))
		return -ENOENT;
	*type = wanted.type;
	*value = wanted.value;
	return 0;
}

int gtdbg_type_pointer(struct gtdbg_symbols *symbols,
		       const struct gtdbg_type *target,
		       const struct gtdbg_type **out)
{
	size_t len = strlen(target->name);
	struct type_entry *entry;
	int ret;

	for (entry = symbols->types; entry; entry = entry->next) {
		if (!entry->offset && entry->type.target == target &&
		    entry->type.kind == GTDBG_TYPE_POINTER) {
			*out = &entry->type;
			return 0;
		}
	}
	entry = entry_create(symbols, 0);
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
