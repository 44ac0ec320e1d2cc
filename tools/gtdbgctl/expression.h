/* SPDX-License-Identifier: MIT */
/*
 * Expressions as in OpenCL C: variables, members, indices, pointers, casts, vectors,
 * names of enums, arithmetic, assignment; registers are $r10, $acc0, $pc and so on, $N and $
 * are values printed before, and P@N is an array of N elements from P on. $item and
 * $group are what get_global_id() and get_group_id() give, with members x, y and z.
 */
#ifndef GTDBGCTL_EXPRESSION_H
#define GTDBGCTL_EXPRESSION_H

#include <stdbool.h>
#include <stdint.h>

struct debugger;
struct place;
struct gtdbg_type;
struct value;

/* The value of an expression; NULL after saying what is wrong with it. */
struct value *expression_evaluate(struct debugger *debugger, const char *text);
/* The type that a text names; NULL if it names none, or a variable of that name hides it. */
const struct gtdbg_type *expression_type(struct debugger *debugger,
					 const char *text);
/* A number; -1 after saying that it is none, or has no value. */
int expression_integer(struct debugger *debugger, const char *text,
		       int64_t *out);
int expression_condition(struct debugger *debugger, const char *text,
			 bool *holds_out);
/* Its type in a value without contents, at a place where no thread need stand. */
struct value *expression_evaluate_at(struct debugger *debugger,
				     const struct place *place,
				     const char *text);
/*
 * Whether it is a number at a place where no thread need stand: syntax, names
 * and types, without a value. A negative errno after saying what is wrong.
 */
int expression_check(struct debugger *debugger, const struct place *place,
		     const char *text);

#endif
