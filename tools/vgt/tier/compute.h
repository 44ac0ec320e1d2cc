/* SPDX-License-Identifier: MIT */
/*
 * What translated instructions compute: the operations of vector_lanes.h, and the
 * steps around them in the order of any() of vector_body.h, with LLVM's builder
 * in the place of C. Floats follow the mode that the processor is in at run
 * time, so LLVM must not fold them by its own.
 */
#ifndef VGT_TIER_COMPUTE_H
#define VGT_TIER_COMPUTE_H

struct llvm_value;
struct vgt_emit;
struct vgt_inst;

/* Sources and result of eight lanes, or of one; of comparisons their bits, too. */
struct vgt_part {
	struct llvm_value *a, *b, *c, *out;
	struct llvm_value *mask; /* i1 or 8 x i1 */
};

void vgt_compute(struct vgt_emit *e, const struct vgt_inst *inst);

#endif
