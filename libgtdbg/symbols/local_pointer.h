/* SPDX-License-Identifier: MIT */
/*
 * Pointers to local memory in unoptimised code. Of such a variable the compiler
 * says that a register holds the pointer, for all lanes. In truth it holds, as
 * for other variables, the address of the variable in private memory, per lane,
 * and there lie the 32 bits of the pointer.
 */
#ifndef LIBGTDBG_LOCAL_POINTER_H
#define LIBGTDBG_LOCAL_POINTER_H

#include "gtdbg_symbols.h"

#define LOCAL_EXPRESSION_MAX 16
#define LOCAL_LANES 16	/* whose addresses are known to lie together */

/*
 * The expression for where the pointer lies if @bytes is what the compiler says
 * of one: its length, or 0 if @bytes is anything else.
 */
size_t gtdbg_local_pointer_expression(const uint8_t *bytes, size_t len_bytes,
				      uint8_t out[LOCAL_EXPRESSION_MAX]);

/* Makes of where a pointer lies its value, a tagged address. */
int gtdbg_local_pointer_load(const struct gtdbg_machine *machine,
			     struct gtdbg_location *location);

#endif
