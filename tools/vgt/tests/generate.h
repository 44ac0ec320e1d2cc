/* SPDX-License-Identifier: MIT */
/*
 * Makes random instructions that the hardware accepts: for each operation and
 * each type it takes, with random regions, modifiers and predicates.
 */
#ifndef VGT_TESTS_GENERATE_H
#define VGT_TESTS_GENERATE_H

#include "model.h"

#include <stddef.h>

/* An operation with the types it is defined for. */
struct generate_row {
	const char *name; /* mnemonic */
	enum model_op op;
	unsigned int sources;
	unsigned int dst, src; /* sets of types: 1 << MODEL_... */
	unsigned int src1; /* of the second source, 0: as src */
	unsigned int flags; /* GENERATE_* */
};

enum {
	GENERATE_PRED = 1 << 0,
	GENERATE_COND = 1 << 1, /* may have a condition modifier */
	GENERATE_CONDS = 1 << 2, /* must have one */
	GENERATE_SAT = 1 << 3,
	GENERATE_MOD = 1 << 4,
	GENERATE_SAME = 1 << 5, /* all types are the destination's */
	GENERATE_NARROW = 1 << 6, /* at most 8 channels */
	GENERATE_CARRY = 1 << 7, /* AccWrEn */
	GENERATE_LIMITS = 1 << 8, /* only < and >= */
	GENERATE_MATH = 1 << 9,
	GENERATE_FLOATS = 1 << 10, /* all floats or all integers */
};

extern const struct generate_row generate_rows[];

uint32_t generate_random(uint64_t *state);

/*
 * Fills in @inst for @row, @exec channels and a destination of type @dst.
 * Returns false if no instruction of that kind exists.
 */
bool generate_inst(struct model_inst *inst, const struct generate_row *row,
		   enum model_type dst, unsigned int exec, uint64_t *random);

/* Contents for every register, special values where @inst reads. */
void generate_state(struct model_state *state, const struct model_inst *inst,
		    uint64_t *random);

/* The assembler's text of @inst, one line without its end. */
void generate_text(const struct model_inst *inst, char *text, size_t bytes);

#endif
