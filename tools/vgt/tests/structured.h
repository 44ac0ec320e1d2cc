/* SPDX-License-Identifier: MIT */
/*
 * Random programs with branches and loops in which channels part and meet, and
 * what they begin with. They end in an endless loop.
 *
 * Which of two NaNs survives an operation depends on the order of its sources,
 * which no compiler keeps. So floats have registers of their own, where a NaN
 * is a NaN, and no integer is made of them but by conversion.
 */
#ifndef VGT_TESTS_STRUCTURED_H
#define VGT_TESTS_STRUCTURED_H

#include "model.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define STRUCTURED_TEXT_BYTES 200000

struct structured {
	char text[STRUCTURED_TEXT_BYTES];
	size_t len;
	unsigned int labels, depth, lanes, rows;
	uint64_t random;
	/* What is asked for: an option of the assembler, or NULL; a page's end inside. */
	const char *option;
	bool crosses;
	bool few; /* registers */
	uint32_t start; /* where threads begin */
};

unsigned int structured_below(struct structured *source, unsigned int limit);

/*
 * Program @number, a loop and @items behind it: its code, which the caller frees, or
 * NULL after the assembler's complaint.
 */
uint8_t *structured_make(struct structured *source, unsigned int number,
			 unsigned int items, size_t *bytes_out);

/* The same of @items short loops with few registers, or pairs of them, for ever. */
uint8_t *structured_make_short(struct structured *source, unsigned int number,
			       unsigned int items, size_t *bytes_out);

/*
 * Text of @count instructions that take LLVM longest: with bytes, products, or loops with
 * as many branches and registers as they may have to keep these. The caller frees it.
 */
char *structured_hostile(unsigned int count);
char *structured_products(unsigned int count);
char *structured_branches(unsigned int count);

/* Registers and masks for it, some of them special. */
void structured_state(struct model_state *state, unsigned int lanes,
		      uint64_t *random);

#endif
