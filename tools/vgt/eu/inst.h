/* SPDX-License-Identifier: MIT */
/*
 * A decoded instruction. decode.c fills it in from the KV API once; handlers
 * read nothing else. The first cache line is all that a fast handler needs.
 */
#ifndef VGT_INST_H
#define VGT_INST_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct vgt_eu_thread;
struct vgt_inst;
struct vgt_code;
struct vgt_unit;

/*
 * Carries out one instruction. Returns the next one, or NULL if the run loop
 * has to look up: then thread->ip and thread->status are valid.
 */
typedef const struct vgt_inst *(*vgt_exec)(struct vgt_eu_thread *thread,
					   const struct vgt_inst *inst);

/* Opcodes, as the KV API numbers them. */
enum vgt_op {
	VGT_OP_ADD = 1,
	VGT_OP_ADDC = 3,
	VGT_OP_AND = 4,
	VGT_OP_ASR = 5,
	VGT_OP_AVG = 6,
	VGT_OP_BFE = 7,
	VGT_OP_BFI1 = 8,
	VGT_OP_BFI2 = 9,
	VGT_OP_BFREV = 11,
	VGT_OP_BREAK = 14,
	VGT_OP_CALL = 15,
	VGT_OP_CBIT = 17,
	VGT_OP_CMP = 18,
	VGT_OP_CMPN = 19,
	VGT_OP_CONT = 20,
	VGT_OP_CSEL = 21,
	VGT_OP_DP4A = 26,
	VGT_OP_ELSE = 30,
	VGT_OP_ENDIF = 31,
	VGT_OP_FBH = 34,
	VGT_OP_FBL = 35,
	VGT_OP_FRC = 36,
	VGT_OP_GOTO = 39,
	VGT_OP_IF = 41,
	VGT_OP_ILLEGAL = 42,
	VGT_OP_JMPI = 43,
	VGT_OP_JOIN = 44,
	VGT_OP_LZD = 47,
	VGT_OP_MAC = 48,
	VGT_OP_MACH = 49,
	VGT_OP_MAD = 51,
	VGT_OP_MATH = 55,
	VGT_OP_MOV = 56,
	VGT_OP_MUL = 58,
	VGT_OP_NOP = 59,
	VGT_OP_NOT = 60,
	VGT_OP_OR = 61,
	VGT_OP_RET = 63,
	VGT_OP_RNDD = 64,
	VGT_OP_RNDE = 65,
	VGT_OP_RNDU = 66,
	VGT_OP_RNDZ = 67,
	VGT_OP_ROL = 68,
	VGT_OP_ROR = 69,
	VGT_OP_SEL = 74,
	VGT_OP_SEND = 75,
	VGT_OP_SENDC = 76,
	VGT_OP_SHL = 82,
	VGT_OP_SHR = 83,
	VGT_OP_SUBB = 86,
	VGT_OP_SYNC = 87,
	VGT_OP_WHILE = 89,
	VGT_OP_XOR = 90,
};

/* Element types, as the KV API numbers them. */
enum vgt_type {
	VGT_TYPE_NONE = 0,
	VGT_TYPE_UB = 6,
	VGT_TYPE_B = 7,
	VGT_TYPE_UW = 8,
	VGT_TYPE_W = 9,
	VGT_TYPE_UD = 10,
	VGT_TYPE_D = 11,
	VGT_TYPE_UQ = 12,
	VGT_TYPE_Q = 13,
	VGT_TYPE_HF = 14,
	VGT_TYPE_F = 20,
	VGT_TYPE_DF = 21,
	VGT_TYPE_V = 23,
	VGT_TYPE_UV = 24,
	VGT_TYPE_VF = 25,
};

enum vgt_cond {
	VGT_COND_NONE = 0,
	VGT_COND_EQ = 1,
	VGT_COND_NE = 2,
	VGT_COND_GT = 3,
	VGT_COND_GE = 4,
	VGT_COND_LT = 5,
	VGT_COND_LE = 6,
	VGT_COND_OV = 8,
	VGT_COND_UN = 9,
};

/* Predicate: how the flag bits of a group of channels combine. */
enum vgt_pred {
	VGT_PRED_NONE = 0,
	VGT_PRED_PLAIN = 1,
	VGT_PRED_ANYV = 2,
	VGT_PRED_ALLV = 3,
	VGT_PRED_ANY2H = 4, /* then all2h, any4h, all4h, ... all32h */
	VGT_PRED_ALL32H = 13,
};

enum vgt_operand_kind {
	VGT_OPERAND_NONE = 0,
	VGT_OPERAND_REG = 1,
	VGT_OPERAND_IMM = 2,
	VGT_OPERAND_INDIRECT = 3, /* one address for all channels */
	VGT_OPERAND_VXH = 4, /* an address per row of channels */
};

/* Register files that need more than a place in thread->reg. */
enum vgt_arf {
	VGT_ARF_PLAIN = 0,
	VGT_ARF_NULL = 1,
	VGT_ARF_ACC = 3,
	VGT_ARF_CE = 6,
	VGT_ARF_SR = 9,
	VGT_ARF_CR = 10,
	VGT_ARF_IP = 12,
	VGT_ARF_TM = 14,
	VGT_ARF_FC = 15,
};

enum {
	VGT_MOD_ABS = 1 << 0,
	VGT_MOD_NEG = 1 << 1,
};

/* vgt_inst.flags: what makes the run loop look before it executes. */
enum {
	VGT_INST_BREAK = 1 << 0, /* the breakpoint bit is set */
	VGT_INST_LABEL = 1 << 1, /* channels may wait here */
	VGT_INST_HEAD = 1 << 2, /* a compiled region may begin here */
	VGT_INST_LOOP = 1 << 3, /* a division may begin here (division.h) */
};

#define VGT_STRIDE_NONE 255 /* a region of several rows */

struct vgt_operand {
	uint8_t kind; /* enum vgt_operand_kind */
	uint8_t type; /* enum vgt_type */
	uint8_t bytes; /* of an element */
	uint8_t mod; /* VGT_MOD_* */
	uint8_t arf; /* enum vgt_arf */
	uint8_t vstride, width, hstride; /* in elements; dst: hstride */
	uint8_t stride; /* where one number says it all, else 255 */
	uint16_t offset; /* into thread->reg; VXH and INDIRECT: of a0.s */
	int16_t disp; /* added to the address */
	uint32_t imm;
};

struct vgt_inst {
	_Alignas(64) vgt_exec exec;
	_Atomic uint32_t flags; /* VGT_INST_* */
	uint32_t ip; /* offset from instruction base */
	uint32_t nomask; /* all ones: write-enable of every channel */
	uint32_t lanes; /* 2^exec_size - 1 */
	uint16_t d, s[3]; /* byte offsets of direct operands */
	uint32_t x[3]; /* fast paths: immediate, or what negates a source */
	uint8_t chan; /* first channel: M0, M8, ... */
	uint8_t pred; /* enum vgt_pred */
	uint8_t flag_bit; /* first bit in the 64-bit flag file */
	uint8_t cond; /* enum vgt_cond */
	bool pred_inverse;
	bool saturate;
	uint8_t bytes; /* 8 or 16 */
	uint8_t exec_size;
	uint8_t form[3]; /* enum vgt_vector_form */

	vgt_exec plain; /* what a wrapping handler wraps */
	uint8_t op; /* enum vgt_op */
	uint8_t function; /* math, sync, SFID, branch control */
	uint8_t sources;
	bool acc_write; /* AccWrEn */
	bool eot;
	uint8_t desc_reg, exdesc_reg; /* a0 dword, or 255 */
	uint32_t jip, uip; /* branch targets: offsets from instruction base */
	uint32_t desc, exdesc;
	struct vgt_operand dst, src[3];

	/* Of the compiler of regions: tier/. */
	uint8_t vector; /* enum vgt_vector_op */
	_Atomic uint32_t heat; /* visits as a head, one of 16 counted (tier.c) */
	struct vgt_unit *_Atomic unit; /* the region that begins here */

	struct vgt_division *_Atomic division; /* the loop that begins here */
};

struct kv;

/*
 * Fill in @inst from what @kv says about @pc, and choose its handler. @kv
 * starts at @base, an offset from instruction base.
 */
void vgt_inst_decode(struct vgt_inst *inst, const struct kv *kv, int32_t pc,
		     uint32_t base);

/* Bytes between its first and its last in a register file; 0 for immediates. */
uint32_t vgt_operand_span(const struct vgt_operand *operand, uint32_t lanes);

static inline bool vgt_type_float(uint8_t type)
{
	return type == VGT_TYPE_HF || type == VGT_TYPE_F ||
	       type == VGT_TYPE_VF;
}

static inline bool vgt_type_signed(uint8_t type)
{
	return type == VGT_TYPE_B || type == VGT_TYPE_W ||
	       type == VGT_TYPE_D || type == VGT_TYPE_V;
}

#endif
