/* SPDX-License-Identifier: MIT */
/* What the debug information says of a variable's place at one address. */
#ifndef LIBGTDBG_DESCRIPTION_H
#define LIBGTDBG_DESCRIPTION_H

#include <elfutils/libdw.h>
#include <stddef.h>
#include <stdint.h>

struct gtdbg_symbols;

/* An expression, and the code that it is for; no code means all of it. */
struct description {
	const uint8_t *bytes;
	size_t len_bytes;
	uint64_t start;
	uint64_t end;
};

/*
 * Finds the expression for @pc. Fails with ENODATA if there is none, EAGAIN and
 * ESTALE if all that there are begin behind or end before @pc, and EBADMSG for
 * malformed lists.
 */
int gtdbg_description_find(struct gtdbg_symbols *symbols, Dwarf_Die *die,
			   uint64_t pc, struct description *out);

#endif
