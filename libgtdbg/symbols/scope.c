// SPDX-License-Identifier: MIT
/*
 * A function's DIE holds blocks, and calls whose function was inlined, which
 * hold blocks and calls in turn. Each walk follows the one path that leads to
 * a pc, in a loop: how deep a file nests is up to whoever made it.
 */
#include "scope.h"

#include "symbols.h"

#include <dwarf.h>

#define DEPTH_MAX 64

/* Goes to the block or inlined function of @scope that holds @pc. */
static bool scope_descend(Dwarf_Die *scope, uint64_t pc)
{
	Dwarf_Die child;

	if (dwarf_child(scope, &child))
		return false;
	do {
		int tag = dwarf_tag(&child);

		if ((tag == DW_TAG_lexical_block ||
		     tag == DW_TAG_inlined_subroutine) &&
		    gtdbg_die_holds(&child, pc)) {
			*scope = child;
			return true;
		}
	} while (dwarf_siblingof(&child, &child) == 0);
	return false;
}

int gtdbg_scopes_find(struct gtdbg_symbols *symbols, uint64_t pc,
		      Dwarf_Die scopes[SCOPES_MAX])
{
	int count = 1, depth;
	Dwarf_Die scope;

	if (gtdbg_subprogram_find(symbols, pc, &scope))
		return 0;
	scopes[0] = scope;
	for (depth = 0; depth < DEPTH_MAX && count < SCOPES_MAX; depth++) {
		if (!scope_descend(&scope, pc))
			break;
		if (dwarf_tag(&scope) == DW_TAG_inlined_subroutine)
			scopes[count++] = scope;
	}
	return count;
}

uint32_t gtdbg_scope_call_line(Dwarf_Die *inlined)
{
	Dwarf_Attribute attribute;
	Dwarf_Word line;

	if (!dwarf_attr(inlined, DW_AT_call_line, &attribute) ||
	    dwarf_formudata(&attribute, &line))
		return 0;
	return line;
}

const char *gtdbg_scope_call_file(Dwarf_Die *inlined)
{
	Dwarf_Attribute attribute;
	Dwarf_Files *files;
	Dwarf_Word number;
	Dwarf_Die unit;
	size_t count;

	if (!dwarf_attr(inlined, DW_AT_call_file, &attribute) ||
	    dwarf_formudata(&attribute, &number) ||
	    !dwarf_diecu(inlined, &unit, NULL, NULL) ||
	    dwarf_getsrcfiles(&unit, &files, &count) || number >= count)
		return NULL;
	return dwarf_filesrc(files, number, NULL, NULL);
}
