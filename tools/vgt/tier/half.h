/* SPDX-License-Identifier: MIT */
/* Half floats in translated instructions: computed as eu/vector_half.c does, in floats. */
#ifndef VGT_TIER_HALF_H
#define VGT_TIER_HALF_H

struct llvm_value;
struct vgt_emit;

/* Halves in the lower 16 bits of lanes to bits of floats. */
struct llvm_value *vgt_half_extend(struct vgt_emit *e, struct llvm_value *value);

/* The reverse, rounded as MXCSR says when it runs. */
struct llvm_value *vgt_half_round(struct vgt_emit *e, struct llvm_value *value);

/* @b * @c + @a: floats of which vgt_half_round() makes what one rounding would. */
struct llvm_value *vgt_half_mad(struct vgt_emit *e, struct llvm_value *a,
				struct llvm_value *b, struct llvm_value *c);

#endif
