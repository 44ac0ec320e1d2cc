/* SPDX-License-Identifier: MIT */
/*
 * Operators on values. Each takes its operands over and frees them; NULL means
 * that the reason why not has been said.
 */
#ifndef GTDBGCTL_OPERATOR_H
#define GTDBGCTL_OPERATOR_H

#include <stdbool.h>
#include <stdint.h>

struct debugger;
struct gtdbg_symbols;
struct gtdbg_type;
struct value;

struct value *operator_cast(struct debugger *debugger, struct value *value,
			    const struct gtdbg_type *type);
struct value *operator_index(struct debugger *debugger, struct value *value,
			     struct value *index);
struct value *operator_member(struct debugger *debugger, struct value *value,
			      const char *name);
struct value *operator_dereference(struct debugger *debugger,
				   struct value *value);
struct value *operator_address(struct debugger *debugger,
			       struct gtdbg_symbols *symbols,
			       struct value *value);
struct value *operator_unary(struct debugger *debugger, char prefix,
			     struct value *value);
/* -1 after saying that it is no number. Frees nothing. */
int operator_integer(struct debugger *debugger, const struct value *value,
		     int64_t *out);
/* Is it not zero? -1 after saying that it is no number. Frees nothing. */
int operator_truth(struct debugger *debugger, const struct value *value);
/* Nobody needs what stands behind "&&" or "||". Frees nothing. */
bool operator_decides(const char *text, const struct value *left);
/* The first one, in the type that both have in common. */
struct value *operator_choose(struct debugger *debugger, struct value *chosen,
			      struct value *other);
bool operator_is_shift(const char *text);
struct value *operator_binary(struct debugger *debugger, const char *text,
			      struct value *left, struct value *right);

#endif
