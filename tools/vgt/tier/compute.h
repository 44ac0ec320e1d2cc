/* SPDX-License-Identifier: MIT */
/*
 * What translated instructions compute: the operations of vector_lanes.h, and the
 * steps around them in the order of any() of vector_body.h, with LLVM's builder
 * in the place of C. Floats follow the mode that the processor is in at run
 * time, so LLVM must not fold them by its own.
 */
#ifndef VGT_TIER_COMPUTE_H
#define VGT_TIER_COMPUTE_H

struct vgt_emit;
struct vgt_inst;

void vgt_compute(struct vgt_emit *e, const struct vgt_inst *inst);

#endif
