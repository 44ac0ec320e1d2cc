/* SPDX-License-Identifier: MIT */
/*
 * Where what a turn leaves comes from. Of each bit of the registers, the flags and the
 * accumulator it is kept, while a turn is run, what it was computed from: the remainder R, the
 * dividend N, the divisor D, the quotient Q, or what the turn has found and is none of
 * these. What comes from none of them is a constant or depends on the counter, of which
 * all values are tried. A turn is refused if it does to them what no division does: then numbers
 * that no trial has met, such as two that are equal, could make it do something else.
 */
#ifndef VGT_ORIGIN_H
#define VGT_ORIGIN_H

#include "eu/eu.h"

#include <stdbool.h>
#include <stdint.h>

struct vgt_division;
struct vgt_inst;

#define VGT_ORIGIN_BITS (8 * (VGT_REG_MME + 8)) /* the last ones are the flags */
#define VGT_ORIGIN_DEPTH 4
#define VGT_ORIGIN_PLACES 512

struct vgt_origin {
	const struct vgt_division *division;
	uint32_t enabled;

	/* Of the turn that is run: R doubled with the bit of N, and whose is not below D. */
	uint64_t doubled[32], divisor[32];
	uint32_t reached;

	/* Branches by that which have not met again: ips. */
	uint32_t depth;
	struct {
		uint32_t first, end;
	} branch[VGT_ORIGIN_DEPTH];

	/* Of each instruction whose predicate is that: in which sense, of all turns. */
	uint8_t sense[VGT_ORIGIN_PLACES];

	uint8_t of[VGT_ORIGIN_BITS];
};

/* Before the first turn. */
void vgt_origin_init(struct vgt_origin *origin,
		     const struct vgt_division *division);

/* Before each turn; then for each channel whose variables are known. */
void vgt_origin_begin(struct vgt_origin *origin, uint32_t enabled);
void vgt_origin_channel(struct vgt_origin *origin, uint32_t channel,
			uint64_t doubled, uint64_t divisor);

/* Before @inst is executed: false if it does what is not done in a division. */
bool vgt_origin_step(struct vgt_origin *origin, struct vgt_eu_thread *thread,
		     const struct vgt_inst *inst);

/* After the turn: false if a variable comes from where it does not in a division. */
bool vgt_origin_end(const struct vgt_origin *origin);

#endif
