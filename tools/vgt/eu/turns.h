/* SPDX-License-Identifier: MIT */
/* The turns of one division: which of them have to be run, and what all count. */
#ifndef VGT_EU_TURNS_H
#define VGT_EU_TURNS_H

#include <stdint.h>

struct vgt_division;

/* What channels divide; quotients of those that are not enabled are 0. */
struct vgt_turns {
	uint64_t n[32], d[32], q[32], q_before[32];
	uint64_t any, all; /* bits that some quotient has, and that all have */
};

/* Instructions, and how many of them only find the next. */
struct vgt_turns_count {
	uint64_t all, links;
};

/* Once all is known of @division: what the other two look up. */
void vgt_turns_index(struct vgt_division *division);

/*
 * Turns that have to be run, as bits: those that write something that no later one
 * of them writes for all the same channels, or that one of them copies.
 */
uint64_t vgt_turns_to_run(const struct vgt_division *division,
			  const struct vgt_turns *turns);

/* Do no quotients have bit @i, some or all? An index of vgt_division.count. */
uint32_t vgt_turns_kind(const struct vgt_turns *turns, uint32_t i);

/* Of all turns. */
struct vgt_turns_count vgt_turns_count(const struct vgt_division *division,
				       const struct vgt_turns *turns);

/* How many bits of @set are 1. */
static inline uint32_t vgt_turns_number(uint64_t set)
{
	set -= set >> 1 & 0x5555555555555555;
	set = (set & 0x3333333333333333) + (set >> 2 & 0x3333333333333333);
	set = (set + (set >> 4)) & 0x0f0f0f0f0f0f0f0f;
	return set * 0x0101010101010101 >> 56;
}

#endif
