/* SPDX-License-Identifier: MIT */
/*
 * Arithmetic of 32 bits in conditions, as C has it: the types of operands say what is
 * signed; of 64 bits as long as 31 hold it, else the thread stops. Floats are compared with
 * floats. The routine has one value and one more that is kept beside it.
 */
#ifndef GTDBG_SYMBOLS_FORMULA_H
#define GTDBG_SYMBOLS_FORMULA_H

#include "operand.h"

#define FORMULA_NODES_MAX	32
#define FORMULA_OPERANDS_MAX	4

struct formula_node {
	uint8_t kind;		/* GTDBG_SIP_COMPUTE_*, or one that formula.c adds */
	uint8_t left, right;	/* of two others */
	bool is_unsigned, is_float;
	bool is_long;		/* of 64 bits, as long as it fits in 31 */
	uint32_t number;	/* or of the operand */
};

struct formula {
	struct formula_node node[FORMULA_NODES_MAX];
	struct operand operand[FORMULA_OPERANDS_MAX];
	uint8_t count, operands, top;
};

/* All of @text: -EOPNOTSUPP with a reason. */
int gtdbg_formula_parse(struct compiler *compiler, const char *text,
			struct formula *formula);

/* Its value, in all lanes that are left. */
int gtdbg_formula_emit_value(struct compiler *compiler,
			     const struct formula *formula);
bool gtdbg_formula_is_unsigned(const struct formula *formula);
bool gtdbg_formula_is_long(const struct formula *formula);
/* Does it take two numbers of the thread's at once? Then what was kept is lost. */
bool gtdbg_formula_needs_both(const struct formula *formula);
/* Is it a number that the text has? */
bool gtdbg_formula_number(const struct formula *formula, int64_t *out);

/* That it is not zero, or that it is. */
int gtdbg_formula_emit(struct compiler *compiler,
		       const struct formula *formula, bool is_not);

#endif
