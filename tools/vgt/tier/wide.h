/* SPDX-License-Identifier: MIT */
/*
 * The accumulator in translated instructions, all of its width: as eu/acc.c and
 * vector_body.h have it.
 */
#ifndef VGT_TIER_WIDE_H
#define VGT_TIER_WIDE_H

#include "tier/operand.h"

#include <stdint.h>

struct vgt_emit;
struct vgt_inst;
struct vgt_part;

/* mul to the accumulator: the whole product stays. */
void vgt_wide_mul(struct vgt_emit *e, const struct vgt_inst *inst,
		  const struct vgt_part *parts, uint32_t count,
		  struct vgt_lanes lanes);

/* mach: the accumulator plus the first source times the upper half of the second one. */
void vgt_wide_mach(struct vgt_emit *e, const struct vgt_inst *inst,
		   const struct vgt_part *parts, uint32_t count,
		   struct vgt_lanes lanes);

/* addc and subb, of which @parts has the results: carry or borrow. */
void vgt_wide_carry(struct vgt_emit *e, const struct vgt_inst *inst,
		    const struct vgt_part *parts, uint32_t count,
		    struct vgt_lanes lanes);

/* What an explicit destination in the accumulator leaves of the upper halves. */
void vgt_wide_imply(struct vgt_emit *e, const struct vgt_inst *inst,
		    struct vgt_lanes lanes);

#endif
