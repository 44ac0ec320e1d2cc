/* SPDX-License-Identifier: MIT */
/*
 * Fast handlers: one per operation, width and kind of sources. fast.c names
 * the operation that an instruction is; fast_body.h has the handlers, compiled
 * once for any x86-64 and once for AVX2 with FMA.
 *
 * All of them compute in 32-bit lanes, integer or float. "Direct" forms take
 * each source as a vector, a scalar or an immediate; the "any" form gathers
 * whatever region and integer type it is first, and scatters the result.
 */
#ifndef VGT_FAST_H
#define VGT_FAST_H

#include "handler.h"

enum vgt_fast_op {
	VGT_FAST_NONE = 0,
	/* one source */
	VGT_FAST_MOV,
	VGT_FAST_NOT,
	VGT_FAST_F_FROM_D,
	VGT_FAST_F_FROM_UD,
	VGT_FAST_D_FROM_F,
	VGT_FAST_RNDD,
	VGT_FAST_RNDZ,
	VGT_FAST_UNARY_END,
	/* two sources */
	VGT_FAST_ADD_D = VGT_FAST_UNARY_END,
	VGT_FAST_MUL_D,
	VGT_FAST_AND,
	VGT_FAST_OR,
	VGT_FAST_XOR,
	VGT_FAST_SHL,
	VGT_FAST_SHR,
	VGT_FAST_ASR,
	VGT_FAST_ROL,
	VGT_FAST_ADD_F,
	VGT_FAST_MUL_F,
	VGT_FAST_MIN_D,
	VGT_FAST_MAX_D,
	VGT_FAST_MIN_UD,
	VGT_FAST_MAX_UD,
	VGT_FAST_MIN_F,
	VGT_FAST_MAX_F,
	VGT_FAST_SEL,
	VGT_FAST_EQ_D, /* comparisons, in the order of enum vgt_cond */
	VGT_FAST_NE_D,
	VGT_FAST_GT_D,
	VGT_FAST_GE_D,
	VGT_FAST_LT_D,
	VGT_FAST_LE_D,
	VGT_FAST_GT_UD,
	VGT_FAST_GE_UD,
	VGT_FAST_LT_UD,
	VGT_FAST_LE_UD,
	VGT_FAST_EQ_F,
	VGT_FAST_NE_F,
	VGT_FAST_GT_F,
	VGT_FAST_GE_F,
	VGT_FAST_LT_F,
	VGT_FAST_LE_F,
	VGT_FAST_ADDC,
	VGT_FAST_SUBB,
	VGT_FAST_MUL_ACC,
	VGT_FAST_MACH,
	VGT_FAST_BINARY_END,
	/* three sources */
	VGT_FAST_MAD_F = VGT_FAST_BINARY_END,
	VGT_FAST_MAD_D,
	VGT_FAST_OPS,
};

/* How a direct form takes a source. */
enum vgt_fast_form {
	VGT_FORM_VECTOR = 0,
	VGT_FORM_SCALAR = 1,
	VGT_FORM_IMM = 2,
	VGT_FORMS = 3,
	VGT_FORM_NARROW = 3, /* a scalar of fewer bits: single lanes only */
};

enum vgt_fast_size {
	VGT_FAST_8 = 0, /* or fewer */
	VGT_FAST_16 = 1,
	VGT_FAST_32 = 2,
	VGT_FAST_SIZES = 3,
};

/* Null where there is no such handler. */
struct vgt_fast_table {
	vgt_exec one[VGT_FAST_OPS]; /* one lane, 32-bit scalars, immediates */
	vgt_exec any[VGT_FAST_OPS][VGT_FAST_SIZES];
	/* [op][16 lanes?][form of source 0][of source 1] */
	vgt_exec direct[VGT_FAST_OPS][2][VGT_FORMS][VGT_FORMS];
	/* mad of floats: [16 lanes?][form of source 0][1][2] */
	vgt_exec mad[2][2][2][2];
};

extern const struct vgt_fast_table vgt_fast_sse2, vgt_fast_avx2;

#endif
