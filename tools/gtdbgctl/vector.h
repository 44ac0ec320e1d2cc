/* SPDX-License-Identifier: MIT */
/*
 * Vectors as OpenCL C has them: elements by names, literals, and operators, which work
 * element by element, also with a number on one side. What is compared is -1 or 0.
 */
#ifndef GTDBGCTL_VECTOR_H
#define GTDBGCTL_VECTOR_H

#include <stdbool.h>
#include <stdint.h>

struct debugger;
struct gtdbg_type;
struct value;

/* A literal, while its parts are added. */
struct vector_maker {
	struct debugger *debugger;
	struct value *out;
	uint64_t count;
};

bool value_is_vector(const struct value *value);

/* Is one of them a vector, and the other one, too, or a number? */
bool vector_takes(const struct value *left, const struct value *right);

/* "float2", in programs that have none as well; NULL: it is no vector. */
const struct gtdbg_type *vector_type_find(const char *name);

/* "xy", "lo", "s01": what lies side by side has a place. NULL: it has none, which is not said. */
struct value *vector_member(const struct value *value, const char *name);

/* 0, or -1 after saying why not; then @out is to be freed by the caller. */
int vector_begin(struct vector_maker *maker, const struct gtdbg_type *type);
/* A number or a vector, which is freed. */
int vector_add(struct vector_maker *maker, struct value *part);
/* One number stands for all elements. NULL after saying that some are missing. */
struct value *vector_end(struct vector_maker *maker);

/* As operators do, these free what they are given. NULL after saying why not. */
struct value *vector_splat(struct debugger *debugger, struct value *number,
			   const struct gtdbg_type *type);
struct value *vector_unary(struct debugger *debugger, char prefix,
			   struct value *value);
struct value *vector_binary(struct debugger *debugger, const char *text,
			    struct value *left, struct value *right);

#endif
