// SPDX-License-Identifier: MIT
/*
 * Units and functions are searched from the first on: a kernel's file has few
 * of both. A walk ends when a visitor returns non-zero, which is how the
 * search functions return what they have found.
 */
#include "symbols.h"

#include <dwarf.h>
#include <errno.h>
#include <string.h>

int gtdbg_unit_each(struct gtdbg_symbols *symbols,
		    int (*visit)(Dwarf_Die *unit, void *context),
		    void *context)
{
	Dwarf_Off offset = 0, next;
	size_t header_len;
	Dwarf_Die unit;
	int ret;

	if (!symbols->dwarf)
		return 0;
	while (dwarf_nextcu(symbols->dwarf, offset, &next, &header_len, NULL,
			    NULL, NULL) == 0) {
		if (dwarf_offdie(symbols->dwarf, offset + header_len, &unit)) {
			ret = visit(&unit, context);
			if (ret)
				return ret;
		}
		offset = next;
	}
	return 0;
}

#define NAMESPACES_DEEP	64	/* in each other */
#define NAMESPACES_MAX	4096	/* siblings may lead in a circle */

struct descent {
	int (*visit)(Dwarf_Die *in, void *context);
	void *context;
	unsigned int depth;
	unsigned int count;
};

static int namespaces_visit(Dwarf_Die *in, void *context)
{
	struct descent *descent = context;
	int ret = descent->visit(in, descent->context);
	Dwarf_Die child;

	if (ret || descent->depth == NAMESPACES_DEEP || dwarf_child(in, &child))
		return ret;
	descent->depth++;
	do {
		if (dwarf_tag(&child) == DW_TAG_namespace &&
		    descent->count++ < NAMESPACES_MAX)
			ret = namespaces_visit(&child, descent);
	} while (!ret && dwarf_siblingof(&child, &child) == 0);
	descent->depth--;
	return ret;
}

int gtdbg_namespace_each(struct gtdbg_symbols *symbols,
			 int (*visit)(Dwarf_Die *in, void *context),
			 void *context)
{
	struct descent descent = { .visit = visit, .context = context };

	return gtdbg_unit_each(symbols, namespaces_visit, &descent);
}

const char *gtdbg_die_name(Dwarf_Die *die)
{
	Dwarf_Attribute attribute;

	if (!dwarf_attr_integrate(die, DW_AT_name, &attribute))
		return NULL;
	return dwarf_formstring(&attribute);
}

const char *gtdbg_die_file(Dwarf_Die *die)
{
	return dwarf_decl_file(die);
}

bool gtdbg_die_holds(Dwarf_Die *die, uint64_t pc)
{
	return dwarf_haspc(die, pc) == 1;
}

bool gtdbg_die_is_new(Dwarf_Die *die, Dwarf_Off *last)
{
	Dwarf_Off offset = dwarf_dieoffset(die);

	if (offset <= *last)
		return false;
	*last = offset;
	return true;
}

struct lookup {
	uint64_t pc;
	const char *name;
	Dwarf_Die die;
};

static int unit_find_pc(Dwarf_Die *unit, void *context)
{
	struct lookup *lookup = context;
	Dwarf_Die child;

	if (dwarf_child(unit, &child))
		return 0;
	do {
		if (dwarf_tag(&child) == DW_TAG_subprogram &&
		    gtdbg_die_holds(&child, lookup->pc)) {
			lookup->die = child;
			return 1;
		}
	} while (dwarf_siblingof(&child, &child) == 0);
	return 0;
}

/* A step asks for the same few places again and again: they are looked up once. */
static struct found_function *found_get(struct gtdbg_symbols *symbols,
					uint64_t pc)
{
	struct found_function *found =
		&symbols->found[pc / FOUND_STEP % FOUND_COUNT];
	struct lookup lookup = { .pc = pc };

	if (found->is_set && found->pc == pc)
		return found;
	*found = (struct found_function){ .is_set = true, .pc = pc };
	if (gtdbg_namespace_each(symbols, unit_find_pc, &lookup)) {
		found->has_die = true;
		found->die = lookup.die;
	}
	return found;
}

int gtdbg_subprogram_find(struct gtdbg_symbols *symbols, uint64_t pc,
			  Dwarf_Die *out)
{
	const struct found_function *found = found_get(symbols, pc);

	if (!found->has_die)
		return -ENOENT;
	*out = found->die;
	return 0;
}

static int unit_holds(Dwarf_Die *unit, void *context)
{
	struct lookup *lookup = context;

	if (!gtdbg_die_holds(unit, lookup->pc))
		return 0;
	lookup->die = *unit;
	return 1;
}

int gtdbg_unit_find(struct gtdbg_symbols *symbols, uint64_t pc,
		    Dwarf_Die *unit_out)
{
	struct lookup lookup = { .pc = pc };

	if (gtdbg_unit_each(symbols, unit_holds, &lookup)) {
		*unit_out = lookup.die;
		return 0;
	}
	/* A unit need not say which code is its own. */
	if (gtdbg_subprogram_find(symbols, pc, &lookup.die) ||
	    !dwarf_diecu(&lookup.die, unit_out, NULL, NULL))
		return -ENOENT;
	return 0;
}

/*
 * The prologue ends where the line table says so. Without that mark it ends
 * at the second row of the function, as compilers have long done it.
 */
static uint64_t function_body(Dwarf_Die *unit, uint64_t start, uint64_t end)
{
	Dwarf_Lines *lines;
	uint64_t second = start;
	size_t count, i;

	if (dwarf_getsrclines(unit, &lines, &count))
		return start;
	for (i = 0; i < count; i++) {
		Dwarf_Line *line = dwarf_onesrcline(lines, i);
		bool is_end = false;
		Dwarf_Addr address;

		if (dwarf_lineaddr(line, &address) || address < start ||
		    address >= end)
			continue;
		if (!dwarf_lineprologueend(line, &is_end) && is_end)
			return address;
		if (second == start)
			second = address;
	}
	return second;
}

static void function_fill(Dwarf_Die *die, struct gtdbg_function *out)
{
	Dwarf_Addr start = 0, end = 0;
	Dwarf_Die unit;
	int line = 0;

	dwarf_lowpc(die, &start);
	dwarf_highpc(die, &end);
	dwarf_decl_line(die, &line);
	out->name = gtdbg_die_name(die);
	out->file = gtdbg_die_file(die);
	out->line = line;
	out->start = start;
	out->end = end;
	out->body = start;
	if (dwarf_diecu(die, &unit, NULL, NULL))
		out->body = function_body(&unit, start, end);
}

int gtdbg_function_find(struct gtdbg_symbols *symbols, uint64_t pc,
			struct gtdbg_function *out)
{
	struct found_function *found = found_get(symbols, pc);

	if (!found->has_die)
		return -ENOENT;
	if (!found->is_filled)
		function_fill(&found->die, &found->function);
	found->is_filled = true;
	*out = found->function;
	return 0;
}

/* Names of C++ functions are also known as the linker sees them. */
static bool die_is_called(Dwarf_Die *die, const char *name)
{
	Dwarf_Attribute attribute;
	const char *other = gtdbg_die_name(die);

	if (other && strcmp(other, name) == 0)
		return true;
	if (!dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute) &&
	    !dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &attribute))
		return false;
	other = dwarf_formstring(&attribute);
	return other && strcmp(other, name) == 0;
}

static int unit_find_name(Dwarf_Die *unit, void *context)
{
	struct lookup *lookup = context;
	Dwarf_Die child;
	Dwarf_Addr start;

	if (dwarf_child(unit, &child))
		return 0;
	do {
		if (dwarf_tag(&child) != DW_TAG_subprogram ||
		    dwarf_lowpc(&child, &start))
			continue;
		if (die_is_called(&child, lookup->name)) {
			lookup->die = child;
			return 1;
		}
	} while (dwarf_siblingof(&child, &child) == 0);
	return 0;
}

int gtdbg_function_find_name(struct gtdbg_symbols *symbols, const char *name,
			     struct gtdbg_function *out)
{
	struct lookup lookup = { .name = name };

	if (!gtdbg_namespace_each(symbols, unit_find_name, &lookup))
		return -ENOENT;
	function_fill(&lookup.die, out);
	return 0;
}

#define DEPTH_MAX 64 /* of blocks and merged calls in one another */

struct copies {
	const char *name;
	struct gtdbg_function *list;
	size_t capacity;
	size_t count;
	Dwarf_Off last;		/* that was looked at */
};

/* It may lie in several ranges. */
static void copy_fill(Dwarf_Die *die, struct gtdbg_function *out)
{
	Dwarf_Addr base, begin, end;
	ptrdiff_t at = 0;
	Dwarf_Die unit;

	function_fill(die, out);
	out->start = UINT64_MAX;
	out->end = 0;
	while ((at = dwarf_ranges(die, at, &base, &begin, &end)) > 0) {
		if (begin < out->start)
			out->start = begin;
		if (end > out->end)
			out->end = end;
	}
	out->body = out->start;
	if (dwarf_diecu(die, &unit, NULL, NULL))
		out->body = function_body(&unit, out->start, out->end);
}

static void copies_find(Dwarf_Die *scope, struct copies *copies, int depth)
{
	struct gtdbg_function copy;
	Dwarf_Die child;
	int tag;

	if (depth > DEPTH_MAX || dwarf_child(scope, &child))
		return;
	do {
		if (!gtdbg_die_is_new(&child, &copies->last))
			return;
		tag = dwarf_tag(&child);
		if (tag == DW_TAG_inlined_subroutine &&
		    copies->count < copies->capacity &&
		    die_is_called(&child, copies->name)) {
			copy_fill(&child, &copy);
			if (copy.start < copy.end)
				copies->list[copies->count++] = copy;
		}
		if (tag == DW_TAG_inlined_subroutine ||
		    tag == DW_TAG_lexical_block || tag == DW_TAG_subprogram)
			copies_find(&child, copies, depth + 1);
	} while (dwarf_siblingof(&child, &child) == 0);
}

static int unit_find_copies(Dwarf_Die *unit, void *context)
{
	struct copies *copies = context;

	/* What a namespace holds was passed by in its unit. */
	copies->last = 0;
	copies_find(unit, copies, 0);
	return 0;
}

int gtdbg_function_find_copies(struct gtdbg_symbols *symbols, const char *name,
			       struct gtdbg_function *list, size_t capacity)
{
	struct copies copies = {
		.name = name, .list = list, .capacity = capacity,
	};

	gtdbg_namespace_each(symbols, unit_find_copies, &copies);
	return copies.count;
}
