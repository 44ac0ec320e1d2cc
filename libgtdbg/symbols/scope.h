/* SPDX-License-Identifier: MIT */
/* The functions that code belongs to: its own, and those inlined into it. */
#ifndef LIBGTDBG_SCOPE_H
#define LIBGTDBG_SCOPE_H

#include <elfutils/libdw.h>
#include <stdint.h>

struct gtdbg_symbols;

#define SCOPES_MAX 64

/*
 * Finds the functions at @pc, from the one that has the code to the innermost
 * that was inlined there. Returns their number, at most SCOPES_MAX; 0 if the
 * debug information knows of none.
 */
int gtdbg_scopes_find(struct gtdbg_symbols *symbols, uint64_t pc,
		      Dwarf_Die scopes[SCOPES_MAX]);

/* The line of the call that a function was inlined for; 0 if unknown. */
uint32_t gtdbg_scope_call_line(Dwarf_Die *inlined);
/* The file of that line, NULL if unknown. */
const char *gtdbg_scope_call_file(Dwarf_Die *inlined);

#endif
