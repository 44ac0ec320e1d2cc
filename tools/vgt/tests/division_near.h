/* SPDX-License-Identifier: MIT */
/* What a loop could do that is not a division, and almost always does nothing. */
#ifndef VGT_TESTS_DIVISION_NEAR_H
#define VGT_TESTS_DIVISION_NEAR_H

#include <stddef.h>

#define DIVISION_NEAR_LINES 8
#define DIVISION_NEAR_BEHIND "L1680:" /* the line that it follows */

/* Registers of a number that R is in one of the turns. */
#define DIVISION_NEAR_LOW 70
#define DIVISION_NEAR_HIGH 72

struct division_near {
	const char *does, *line[DIVISION_NEAR_LINES]; /* up to a NULL */
};

extern const struct division_near division_near[];
extern const size_t division_near_count;

#endif
