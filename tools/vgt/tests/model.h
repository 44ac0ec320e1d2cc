/* SPDX-License-Identifier: MIT */
/*
 * What one EU instruction does, one channel after the other and with no regard
 * for speed: the reference that the engine is held against. It shares nothing
 * with the engine and never sees an encoded instruction; the generator makes
 * both this form and the text that the assembler turns into bits.
 */
#ifndef VGT_TESTS_MODEL_H
#define VGT_TESTS_MODEL_H

#include <stdbool.h>
#include <stdint.h>

enum model_type {
	MODEL_UB, MODEL_B, MODEL_UW, MODEL_W, MODEL_UD, MODEL_D, MODEL_HF,
	MODEL_F, MODEL_V, MODEL_UV, MODEL_VF,
};

enum model_kind {
	MODEL_NULL,
	MODEL_GRF, /* place: byte in the GRF */
	MODEL_ACC, /* place: byte in the accumulators */
	MODEL_IMM,
	MODEL_INDIRECT, /* place: number of the a0 element */
	MODEL_VXH, /* the same, one element per @width channels */
};

enum model_op {
	MODEL_MOV, MODEL_NOT, MODEL_LZD, MODEL_FBH, MODEL_FBL, MODEL_CBIT,
	MODEL_BFREV, MODEL_FRC, MODEL_RNDU, MODEL_RNDD, MODEL_RNDE,
	MODEL_RNDZ, MODEL_INV, MODEL_LOG, MODEL_EXP, MODEL_SQT, MODEL_RSQT,
	MODEL_SIN, MODEL_COS,
	MODEL_ADD, MODEL_MUL, MODEL_AVG, MODEL_AND, MODEL_OR, MODEL_XOR,
	MODEL_SHL, MODEL_SHR, MODEL_ASR, MODEL_ROL, MODEL_ROR, MODEL_CMP,
	MODEL_SEL, MODEL_ADDC, MODEL_SUBB, MODEL_IQOT, MODEL_IREM, MODEL_BFI1,
	MODEL_MAD, MODEL_CSEL, MODEL_BFE, MODEL_BFI2, MODEL_DP4A,
	MODEL_OPS,
};

enum model_cond {
	MODEL_ALWAYS, MODEL_EQ, MODEL_NE, MODEL_GT, MODEL_GE, MODEL_LT,
	MODEL_LE,
};

struct model_operand {
	enum model_kind kind;
	enum model_type type;
	unsigned int place;
	unsigned int vstride, width, hstride; /* elements; dst: hstride */
	int disp; /* bytes, indirect */
	bool abs, neg;
	uint32_t imm; /* raw bits */
};

struct model_inst {
	enum model_op op;
	unsigned int exec, first; /* channels, channel offset */
	bool nomask, saturate, acc_write;
	unsigned int pred; /* 0 none, 1 plain, else channels of a group */
	bool pred_all, pred_inverse;
	unsigned int flag; /* 0 to 3: f0.0, f0.1, f1.0, f1.1 */
	enum model_cond cond;
	unsigned int sources;
	struct model_operand dst, src[3];
};

struct model_state {
	uint8_t grf[128 * 32];
	uint8_t acc[8 * 32];
	uint16_t a0[16];
	uint64_t flags;
	uint32_t enabled; /* channels */
	unsigned int rounding; /* cr0.0[5:4] */
};

unsigned int model_type_bytes(enum model_type type);
bool model_type_float(enum model_type type);
bool model_type_signed(enum model_type type);

/* Carries out @inst. Rounding of the host is as before afterwards. */
void model_execute(struct model_state *state, const struct model_inst *inst);

/* Relative error that the engine's result may have; 0: must be exact. */
double model_tolerance(enum model_op op);

#endif
