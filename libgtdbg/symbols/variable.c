// SPDX-License-Identifier: MIT
/*
 * Which variables a frame can see: those of the innermost block first, and a
 * name only once, since what is declared inside hides what is outside.
 */
#include "symbols.h"

#include <dwarf.h>
#include <errno.h>
#include <string.h>

/* Names that the compiler invents for its own bookkeeping start so. */
#define INVENTED_PREFIX "__ocl_dbg_"
#define BLOCKS_MAX	64	/* in each other */

struct list {
	struct gtdbg_symbols *symbols;
	uint64_t pc;
	const char *name;	/* that is wanted, NULL: any */
	struct gtdbg_variable *variables;
	size_t capacity;
	size_t count;
	Dwarf_Off last;		/* that was looked at */
	int ret;
};

static bool list_knows(const struct list *list, const char *name)
{
	size_t i;

	for (i = 0; i < list->count; i++) {
		if (strcmp(list->variables[i].name, name) == 0)
			return true;
	}
	return false;
}

static uint32_t die_address_class(Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	Dwarf_Word class;

	if (!dwarf_attr_integrate(die, DW_AT_address_class, &attribute) ||
	    dwarf_formudata(&attribute, &class))
		return 0;
	return class;
}

static int list_add(struct list *list, Dwarf_Die *die)
{
	const char *name = gtdbg_die_name(die);
	struct gtdbg_variable *variable;
	int line = 0, ret;

	/* The innermost of several variables of one name is the one seen. */
	if (!name || strncmp(name, INVENTED_PREFIX, 10) == 0 ||
	    (list->name && strcmp(name, list->name) != 0) ||
	    list_knows(list, name) || list->count == list->capacity)
		return 0;
	dwarf_decl_line(die, &line);
	variable = &list->variables[list->count++];
	variable->name = name;
	variable->is_parameter = dwarf_tag(die) == DW_TAG_formal_parameter;
	variable->line = line;
	variable->address_class = die_address_class(die);
	variable->id = dwarf_dieoffset(die);
	/* A type that makes no sense hides no other variable. */
	ret = gtdbg_type_of(list->symbols, die, &variable->type);
	if (ret == -EBADMSG)
		ret = gtdbg_type_find_name(list->symbols, "void",
					   &variable->type);
	return ret;
}

/*
 * Where the compiler puts `__local` variables: a copy of the function, said to be
 * inlined into itself, without code.
 */
static bool is_copy(Dwarf_Die *die, Dwarf_Die *scope)
{
	Dwarf_Attribute attribute;
	Dwarf_Die origin, own;

	return dwarf_tag(die) == DW_TAG_inlined_subroutine &&
	       !dwarf_hasattr(die, DW_AT_low_pc) &&
	       !dwarf_hasattr(die, DW_AT_ranges) &&
	       dwarf_formref_die(dwarf_attr(die, DW_AT_abstract_origin,
					    &attribute), &origin) &&
	       dwarf_formref_die(dwarf_attr(scope, DW_AT_abstract_origin,
					    &attribute), &own) &&
	       dwarf_dieoffset(&origin) == dwarf_dieoffset(&own);
}

static bool is_inner_scope(Dwarf_Die *die, Dwarf_Die *scope, uint64_t pc)
{
	if (dwarf_tag(die) == DW_TAG_lexical_block)
		return gtdbg_die_holds(die, pc);
	return is_copy(die, scope);
}

/* Blocks first: what they declare hides what lies around them. */
static int list_scope(struct list *list, Dwarf_Die *scope, int depth)
{
	size_t count = 0;
	Dwarf_Die child;
	int tag, ret;

	if (depth == BLOCKS_MAX || dwarf_child(scope, &child))
		return 0;
	do {
		if (!gtdbg_die_is_new(&child, &list->last))
			break;
		count++;
		if (!is_inner_scope(&child, scope, list->pc))
			continue;
		ret = list_scope(list, &child, depth + 1);
		if (ret)
			return ret;
	} while (dwarf_siblingof(&child, &child) == 0);
	for (dwarf_child(scope, &child); count;
	     count--, dwarf_siblingof(&child, &child)) {
		tag = dwarf_tag(&child);
		if (tag != DW_TAG_variable && tag != DW_TAG_formal_parameter)
			continue;
		ret = list_add(list, &child);
		if (ret)
			return ret;
	}
	return 0;
}

static int unit_list(Dwarf_Die *unit, void *context)
{
	struct list *list = context;
	Dwarf_Die child;

	if (dwarf_child(unit, &child))
		return 0;
	do {
		if (dwarf_tag(&child) != DW_TAG_variable)
			continue;
		list->ret = list_add(list, &child);
	} while (!list->ret && dwarf_siblingof(&child, &child) == 0);
	return list->ret;
}

static int list_fill(struct list *list, const struct gtdbg_frame *frame)
{
	Dwarf_Die scope;
	int ret;

	if (list->symbols->dwarf && frame->scope &&
	    dwarf_offdie(list->symbols->dwarf, frame->scope, &scope)) {
		ret = list_scope(list, &scope, 0);
		if (ret)
			return ret;
	}
	if (list->count == list->capacity)
		return (int)list->count;
	ret = gtdbg_namespace_each(list->symbols, unit_list, list);
	return ret ? ret : (int)list->count;
}

int gtdbg_variable_list(struct gtdbg_symbols *symbols,
			const struct gtdbg_frame *frame,
			struct gtdbg_variable *variables, size_t capacity)
{
	struct list list = {
		.symbols = symbols, .pc = frame->lookup_pc,
		.variables = variables, .capacity = capacity,
	};

	return list_fill(&list, frame);
}

int gtdbg_variable_find(struct gtdbg_symbols *symbols,
			const struct gtdbg_frame *frame, const char *name,
			struct gtdbg_variable *out)
{
	struct gtdbg_variable variable;
	struct list list = {
		.symbols = symbols, .pc = frame->lookup_pc, .name = name,
		.variables = &variable, .capacity = 1,
	};
	int ret = list_fill(&list, frame);

	if (ret <= 0)
		return ret ? ret : -ENOENT;
	*out = variable;
	return 0;
}
