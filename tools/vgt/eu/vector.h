/* SPDX-License-Identifier: MIT */
/*
 * Vector handlers, the fast path: one per operation, width and kind of sources.
 * vector.c names the operation that an instruction is; vector_body.h has the
 * handlers, compiled once for any x86-64 and once for AVX2 with FMA.
 *
 * All of them compute in 32-bit lanes, integer or float. "Direct" forms take
 * each source as a vector, a scalar or an immediate; the "any" form gathers
 * whatever region and integer type it is first, and scatters the result.
 */
#ifndef VGT_VECTOR_H
#define VGT_VECTOR_H

#include "eu/handler.h"

enum vgt_vector_op {
	VGT_VECTOR_NONE = 0,
	/* one source */
	VGT_VECTOR_MOV,
	VGT_VECTOR_NOT,
	VGT_VECTOR_F_FROM_D,
	VGT_VECTOR_F_FROM_UD,
	VGT_VECTOR_D_FROM_F,
	VGT_VECTOR_RNDD,
	VGT_VECTOR_RNDZ,
	VGT_VECTOR_UNARY_END,
	/* two sources */
	VGT_VECTOR_ADD_D = VGT_VECTOR_UNARY_END,
	VGT_VECTOR_MUL_D,
	VGT_VECTOR_AND,
	VGT_VECTOR_OR,
	VGT_VECTOR_XOR,
	VGT_VECTOR_SHL,
	VGT_VECTOR_SHR,
	VGT_VECTOR_ASR,
	VGT_VECTOR_ROL,
	VGT_VECTOR_ADD_F,
	VGT_VECTOR_MUL_F,
	VGT_VECTOR_MIN_D,
	VGT_VECTOR_MAX_D,
	VGT_VECTOR_MIN_UD,
	VGT_VECTOR_MAX_UD,
	VGT_VECTOR_MIN_F,
	VGT_VECTOR_MAX_F,
	VGT_VECTOR_SEL,
	VGT_VECTOR_EQ_D, /* comparisons, in the order of enum vgt_cond */
	VGT_VECTOR_NE_D,
	VGT_VECTOR_GT_D,
	VGT_VECTOR_GE_D,
	VGT_VECTOR_LT_D,
	VGT_VECTOR_LE_D,
	VGT_VECTOR_GT_UD,
	VGT_VECTOR_GE_UD,
	VGT_VECTOR_LT_UD,
	VGT_VECTOR_LE_UD,
	VGT_VECTOR_EQ_F,
	VGT_VECTOR_NE_F,
	VGT_VECTOR_GT_F,
	VGT_VECTOR_GE_F,
	VGT_VECTOR_LT_F,
	VGT_VECTOR_LE_F,
	VGT_VECTOR_ADDC,
	VGT_VECTOR_SUBB,
	VGT_VECTOR_MUL_ACC,
	VGT_VECTOR_MACH,
	VGT_VECTOR_BINARY_END,
	/* three sources */
	VGT_VECTOR_MAD_F = VGT_VECTOR_BINARY_END,
	VGT_VECTOR_MAD_D,
	VGT_VECTOR_OPS,
	/* no handlers of their own here: for the compiler of regions */
	VGT_VECTOR_NOTHING,
	VGT_VECTOR_ALL_EQUAL,
	VGT_VECTOR_HALF, /* one of struct vgt_half_table */
};

/* How a direct form takes a source. */
enum vgt_vector_form {
	VGT_FORM_VECTOR = 0,
	VGT_FORM_SCALAR = 1,
	VGT_FORM_IMM = 2,
	VGT_FORMS = 3,
	VGT_FORM_NARROW = 3, /* a scalar of fewer bits: single lanes only */
	/* Of a product to the accumulator, the second source: */
	VGT_FORM_WORDS = 4, /* the halves of dwords, */
	VGT_FORM_WORD = 5, /* or one word for all lanes */
};

enum vgt_vector_size {
	VGT_VECTOR_8 = 0, /* or fewer */
	VGT_VECTOR_16 = 1,
	VGT_VECTOR_32 = 2,
	VGT_VECTOR_SIZES = 3,
};

/* Null where there is no such handler. */
struct vgt_vector_table {
	vgt_exec one[VGT_VECTOR_OPS]; /* one lane, 32-bit scalars, immediates */
	vgt_exec any[VGT_VECTOR_OPS][VGT_VECTOR_SIZES];
	/* [op][16 lanes?][form of source 0][of source 1] */
	vgt_exec direct[VGT_VECTOR_OPS][2][VGT_FORMS][VGT_FORMS];
	/* mad of floats: [16 lanes?][form of source 0][1][2] */
	vgt_exec mad[2][2][2][2];
	/* mul of words to acc: [16 lanes?][form of source 0][one word?] */
	vgt_exec mul_words[2][2][2];
};

extern const struct vgt_vector_table vgt_vector_sse2, vgt_vector_avx2;

/* Those of half floats, which need more than AVX2: any width, and regions of one stride. */
struct vgt_half_table {
	vgt_exec mov, add, mul, mad, cmp;
};

extern const struct vgt_half_table vgt_half;

#endif
