/* SPDX-License-Identifier: MIT */
/* Regions of any shape to and from rows of 32-bit lanes. */
#ifndef VGT_REGION_H
#define VGT_REGION_H

#include "eu/handler.h"

/*
 * Source @i of @inst, modifiers applied: integers extended to 32 bits, floats
 * as they are. No half floats, no immediate vectors of floats.
 */
void vgt_region_gather(const struct vgt_eu_thread *thread,
		       const struct vgt_inst *inst, uint32_t i, uint32_t *out);

/* The low bits of @in become the destination's lanes in @lanes. */
void vgt_region_scatter(struct vgt_eu_thread *thread,
			const struct vgt_inst *inst, const uint32_t *in,
			uint32_t lanes);

#endif
