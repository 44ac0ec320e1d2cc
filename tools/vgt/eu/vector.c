// SPDX-License-Identifier: MIT
/*
 * Which instructions the vector handlers can take, and which of them.
 * Everything that is refused here runs on the general path of alu.c.
 */
#include "eu/vector.h"

#include <cpuid.h>

static bool baseline_only;

void vgt_vector_baseline(bool baseline)
{
	baseline_only = baseline;
}

static bool has_avx2(void)
{
	return !baseline_only && __builtin_cpu_supports("avx2") &&
	       __builtin_cpu_supports("fma");
}

/* Not every compiler knows a name for F16C. */
static bool has_halves(void)
{
	unsigned int eax, ebx, ecx, edx;

	return has_avx2() && __get_cpuid(1, &eax, &ebx, &ecx, &edx) &&
	       ecx & bit_F16C;
}

static const struct vgt_vector_table *table(void)
{
	return has_avx2() ? &vgt_vector_avx2 : &vgt_vector_sse2;
}

static bool all_float(const struct vgt_inst *inst)
{
	for (uint32_t i = 0; i < inst->sources; i++)
		if (inst->src[i].type != VGT_TYPE_F)
			return false;
	return true;
}

static bool is_integer(uint8_t type)
{
	return type >= VGT_TYPE_UB && type <= VGT_TYPE_D;
}

static bool all_integer(const struct vgt_inst *inst)
{
	for (uint32_t i = 0; i < inst->sources; i++)
		if (!is_integer(inst->src[i].type) &&
		    inst->src[i].type != VGT_TYPE_V &&
		    inst->src[i].type != VGT_TYPE_UV)
			return false;
	return true;
}

static bool negative_immediate(const struct vgt_operand *operand)
{
	if (operand->kind != VGT_OPERAND_IMM)
		return false;
	switch (operand->type) {
	case VGT_TYPE_D:
		return operand->imm >> 31;
	case VGT_TYPE_W:
		return operand->imm >> 15 & 1;
	default:
		return operand->type == VGT_TYPE_V;
	}
}

/* Values that are never below zero, and the same in 32 bits. */
static bool is_unsigned(const struct vgt_operand *operand)
{
	if (operand->mod)
		return false;
	if (operand->kind == VGT_OPERAND_IMM)
		return !negative_immediate(operand);
	return !vgt_type_signed(operand->type);
}

static bool is_signed(const struct vgt_operand *operand)
{
	return operand->type != VGT_TYPE_UD ||
	       (operand->kind == VGT_OPERAND_IMM && !(operand->imm >> 31));
}

enum order {
	ORDER_NONE = 0, /* more than 32 bits decide */
	ORDER_SIGNED,
	ORDER_UNSIGNED,
};

/* In which 32-bit order the first two sources compare as in 64 bits. */
static enum order source_order(const struct vgt_inst *inst)
{
	const struct vgt_operand *a = &inst->src[0], *b = &inst->src[1];

	if (is_unsigned(a) && is_unsigned(b))
		return ORDER_UNSIGNED;
	/* -INT_MIN is no 32-bit number, -5:ud no positive one */
	if (is_signed(a) && is_signed(b) && !(a->mod && a->bytes == 4) &&
	    !(b->mod && b->bytes == 4))
		return ORDER_SIGNED;
	return ORDER_NONE;
}

static enum vgt_vector_op compare_op(const struct vgt_inst *inst)
{
	enum order order;

	if (inst->cond < VGT_COND_EQ || inst->cond > VGT_COND_LE)
		return VGT_VECTOR_NONE;
	if (inst->dst.arf != VGT_ARF_NULL && !is_integer(inst->dst.type) &&
	    inst->dst.type != VGT_TYPE_F)
		return VGT_VECTOR_NONE;
	if (all_float(inst))
		return VGT_VECTOR_EQ_F + inst->cond - VGT_COND_EQ;
	if (!all_integer(inst))
		return VGT_VECTOR_NONE;
	order = source_order(inst);
	if (order == ORDER_NONE)
		return VGT_VECTOR_NONE;
	if (order == ORDER_SIGNED || inst->cond <= VGT_COND_NE)
		return VGT_VECTOR_EQ_D + inst->cond - VGT_COND_EQ;
	return VGT_VECTOR_GT_UD + inst->cond - VGT_COND_GT;
}

static enum vgt_vector_op minmax_op(const struct vgt_inst *inst)
{
	bool max = inst->cond == VGT_COND_GE;
	enum order order;

	if (!max && inst->cond != VGT_COND_LT)
		return VGT_VECTOR_NONE;
	if (all_float(inst))
		return inst->dst.type != VGT_TYPE_F ? VGT_VECTOR_NONE :
		       max ? VGT_VECTOR_MAX_F : VGT_VECTOR_MIN_F;
	if (!all_integer(inst) || !is_integer(inst->dst.type))
		return VGT_VECTOR_NONE;
	order = source_order(inst);
	if (order == ORDER_NONE)
		return VGT_VECTOR_NONE;
	if (order == ORDER_SIGNED)
		return max ? VGT_VECTOR_MAX_D : VGT_VECTOR_MIN_D;
	return max ? VGT_VECTOR_MAX_UD : VGT_VECTOR_MIN_UD;
}

static enum vgt_vector_op sel_op(const struct vgt_inst *inst)
{
	if (inst->cond)
		return inst->pred ? VGT_VECTOR_NONE : minmax_op(inst);
	if (!inst->pred)
		return VGT_VECTOR_NONE;
	if (all_float(inst) && inst->dst.type == VGT_TYPE_F)
		return VGT_VECTOR_SEL;
	if (all_integer(inst) && is_integer(inst->dst.type))
		return VGT_VECTOR_SEL;
	return VGT_VECTOR_NONE;
}

static enum vgt_vector_op mov_op(const struct vgt_inst *inst)
{
	const struct vgt_operand *src = &inst->src[0];
	uint8_t dst = inst->dst.type;

	if (src->type == VGT_TYPE_F && dst == VGT_TYPE_F)
		return VGT_VECTOR_MOV;
	if (src->type == VGT_TYPE_F)
		return dst == VGT_TYPE_D ? VGT_VECTOR_D_FROM_F :
		       VGT_VECTOR_NONE;
	if (!all_integer(inst))
		return VGT_VECTOR_NONE;
	if (is_integer(dst))
		return VGT_VECTOR_MOV;
	if (dst != VGT_TYPE_F || src->mod)
		return VGT_VECTOR_NONE;
	return src->type == VGT_TYPE_UD ? VGT_VECTOR_F_FROM_UD :
	       VGT_VECTOR_F_FROM_D;
}

static enum vgt_vector_op float_op(const struct vgt_inst *inst)
{
	if (inst->dst.type != VGT_TYPE_F)
		return VGT_VECTOR_NONE;
	switch (inst->op) {
	case VGT_OP_ADD:
		return VGT_VECTOR_ADD_F;
	case VGT_OP_MUL:
		return VGT_VECTOR_MUL_F;
	case VGT_OP_MAD:
		return VGT_VECTOR_MAD_F;
	case VGT_OP_RNDD:
		return VGT_VECTOR_RNDD;
	case VGT_OP_RNDZ:
		return VGT_VECTOR_RNDZ;
	default:
		return VGT_VECTOR_NONE;
	}
}

static enum vgt_vector_op shift_op(const struct vgt_inst *inst)
{
	const struct vgt_operand *src = &inst->src[0];

	if (src->mod || inst->src[1].mod)
		return VGT_VECTOR_NONE;
	switch (inst->op) {
	case VGT_OP_SHL:
		return VGT_VECTOR_SHL;
	case VGT_OP_SHR:
		return src->bytes == 4 || is_unsigned(src) ? VGT_VECTOR_SHR :
		       VGT_VECTOR_NONE;
	case VGT_OP_ASR:
		return is_unsigned(src) ? VGT_VECTOR_SHR : VGT_VECTOR_ASR;
	default:
		return inst->dst.bytes == 4 ? VGT_VECTOR_ROL : VGT_VECTOR_NONE;
	}
}

/* acc0 as the implicit or explicit target holds 16 lanes from its start. */
static enum vgt_vector_op wide_op(const struct vgt_inst *inst)
{
	if (inst->exec_size > 16 || inst->cond || inst->saturate ||
	    inst->src[0].mod || inst->src[1].mod ||
	    inst->dst.bytes != 4 || inst->dst.hstride != 1 ||
	    inst->dst.kind != VGT_OPERAND_REG)
		return VGT_VECTOR_NONE;
	switch (inst->op) {
	case VGT_OP_MUL:
		return inst->dst.offset == VGT_REG_ACC ? VGT_VECTOR_MUL_ACC :
		       VGT_VECTOR_NONE;
	case VGT_OP_MACH:
		return VGT_VECTOR_MACH;
	case VGT_OP_ADDC:
		return VGT_VECTOR_ADDC;
	default:
		return VGT_VECTOR_SUBB;
	}
}

static enum vgt_vector_op integer_op(const struct vgt_inst *inst)
{
	if (!is_integer(inst->dst.type))
		return VGT_VECTOR_NONE;
	switch (inst->op) {
	case VGT_OP_ADD:
		return VGT_VECTOR_ADD_D;
	case VGT_OP_MUL:
		return VGT_VECTOR_MUL_D;
	case VGT_OP_MAD:
		return VGT_VECTOR_MAD_D;
	case VGT_OP_NOT:
		return VGT_VECTOR_NOT;
	case VGT_OP_AND:
		return VGT_VECTOR_AND;
	case VGT_OP_OR:
		return VGT_VECTOR_OR;
	case VGT_OP_XOR:
		return VGT_VECTOR_XOR;
	case VGT_OP_SHL:
	case VGT_OP_SHR:
	case VGT_OP_ASR:
	case VGT_OP_ROL:
		return shift_op(inst);
	default:
		return VGT_VECTOR_NONE;
	}
}

static enum vgt_vector_op find_op(const struct vgt_inst *inst)
{
	switch (inst->op) {
	case VGT_OP_CMP:
		return compare_op(inst);
	case VGT_OP_SEL:
		return sel_op(inst);
	case VGT_OP_MOV:
		return mov_op(inst);
	}
	if (all_float(inst))
		return float_op(inst);
	return all_integer(inst) ? integer_op(inst) : VGT_VECTOR_NONE;
}

static bool destination_fits(const struct vgt_inst *inst)
{
	bool flags = inst->cond && inst->op != VGT_OP_CMP &&
		     inst->op != VGT_OP_SEL;

	if (inst->dst.kind == VGT_OPERAND_VXH ||
	    (flags && inst->cond > VGT_COND_LE))
		return false;
	return !inst->saturate || inst->dst.type == VGT_TYPE_F;
}

static bool saturates(const struct vgt_inst *inst, enum vgt_vector_op op)
{
	switch (op) {
	case VGT_VECTOR_ADD_F:
	case VGT_VECTOR_MUL_F:
	case VGT_VECTOR_MAD_F:
		return true;
	default:
		return !inst->saturate;
	}
}

static uint32_t immediate_value(const struct vgt_operand *operand, bool logic)
{
	uint32_t value = operand->imm;
	bool number = operand->type == VGT_TYPE_F;

	if (operand->type == VGT_TYPE_UW)
		value = (uint16_t)value;
	else if (operand->type == VGT_TYPE_W)
		value = (uint32_t)(int16_t)value;
	if (logic)
		return operand->mod ? ~value : value;
	if (operand->mod & VGT_MOD_ABS)
		value = number ? value & INT32_MAX :
			value >> 31 ? -value : value;
	if (operand->mod & VGT_MOD_NEG)
		value = number ? value ^ 0x80000000 : -value;
	return value;
}

static bool is_logic(uint8_t op)
{
	return op == VGT_OP_AND || op == VGT_OP_OR || op == VGT_OP_XOR ||
	       op == VGT_OP_NOT;
}

/* As a product of 32 bits has its second source: a half of each dword, or one of all. */
static bool is_half(const struct vgt_operand *operand)
{
	return operand->bytes == 2 && is_integer(operand->type) &&
	       (operand->stride == 0 || operand->stride == 2);
}

#define NOT_DIRECT 255

/* How a direct handler takes source @i, if it can; sets what it needs. */
static uint8_t direct_form(struct vgt_inst *inst, uint32_t i,
			   enum vgt_vector_op op)
{
	const struct vgt_operand *operand = &inst->src[i];
	bool number = operand->type == VGT_TYPE_F;

	inst->x[i] = 0;
	inst->s[i] = operand->offset;
	if (operand->kind == VGT_OPERAND_IMM && operand->type != VGT_TYPE_V &&
	    operand->type != VGT_TYPE_UV) {
		inst->x[i] = immediate_value(operand, is_logic(inst->op));
		return VGT_FORM_IMM;
	}
	if (operand->kind != VGT_OPERAND_REG)
		return NOT_DIRECT;
	if (op == VGT_VECTOR_MUL_ACC && i == 1 && inst->exec_size > 1 &&
	    is_half(operand)) {
		inst->x[i] = operand->type == VGT_TYPE_W ? 0x8000 : 0;
		return operand->stride ? VGT_FORM_WORDS : VGT_FORM_WORD;
	}
	if (operand->bytes != 4)
		return inst->exec_size == 1 && !operand->mod &&
		       is_integer(operand->type) ? VGT_FORM_NARROW : NOT_DIRECT;
	if (operand->mod && !is_logic(inst->op)) {
		if (operand->mod & VGT_MOD_ABS ||
		    (!number && op != VGT_VECTOR_ADD_D))
			return NOT_DIRECT;
		inst->x[i] = number ? 0x80000000 : UINT32_MAX;
	} else if (operand->mod) {
		inst->x[i] = UINT32_MAX;
	}
	if (operand->stride > 1)
		return NOT_DIRECT;
	return operand->stride ? VGT_FORM_VECTOR : VGT_FORM_SCALAR;
}

static bool direct_forms(struct vgt_inst *inst, enum vgt_vector_op op)
{
	bool direct = inst->dst.kind == VGT_OPERAND_REG &&
		      (inst->exec_size == 1 || (inst->dst.bytes == 4 &&
						inst->dst.hstride == 1));

	inst->d = inst->dst.arf == VGT_ARF_NULL ? VGT_REG_SINK :
		  inst->dst.offset;
	for (uint32_t i = 0; i < 3; i++) {
		inst->form[i] = VGT_FORM_IMM;
		if (i < inst->sources)
			inst->form[i] = direct_form(inst, i, op);
		if (inst->form[i] == NOT_DIRECT)
			direct = false;
	}
	return direct;
}

/* Direct forms of vectors leave out what is rare. */
static bool plain_modifiers(const struct vgt_inst *inst)
{
	if (inst->saturate || inst->pred > VGT_PRED_PLAIN)
		return false;
	return !inst->cond || inst->op == VGT_OP_CMP || inst->op == VGT_OP_SEL;
}

static vgt_exec direct_handler(const struct vgt_inst *inst,
			       enum vgt_vector_op op)
{
	bool sixteen = inst->exec_size == 16;
	const uint8_t *form = inst->form;

	if (inst->exec_size == 1)
		return table()->one[op];
	if ((inst->exec_size != 8 && !sixteen) || !plain_modifiers(inst))
		return NULL;
	if (op == VGT_VECTOR_MAD_F)
		return form[0] > 1 || form[1] > 1 || form[2] > 1 ? NULL :
		       table()->mad[sixteen][form[0]][form[1]][form[2]];
	if (op >= VGT_VECTOR_BINARY_END)
		return NULL;
	if (op == VGT_VECTOR_MUL_ACC && form[1] >= VGT_FORM_WORDS)
		return form[0] > 1 ? NULL : table()->mul_words[sixteen][form[0]]
						[form[1] == VGT_FORM_WORD];
	return table()->direct[op][sixteen][form[0]]
			      [inst->sources > 1 ? form[1] : 0];
}

static enum vgt_vector_size size_of(uint32_t lanes)
{
	return lanes <= 8 ? VGT_VECTOR_8 :
	       lanes == 16 ? VGT_VECTOR_16 : VGT_VECTOR_32;
}

static bool is_wide(const struct vgt_inst *inst)
{
	switch (inst->op) {
	case VGT_OP_ADDC:
	case VGT_OP_SUBB:
	case VGT_OP_MACH:
		return true;
	default:
		return inst->op == VGT_OP_MUL &&
		       inst->dst.arf == VGT_ARF_ACC &&
		       is_integer(inst->dst.type);
	}
}

static const struct vgt_inst *all_equal_exec(struct vgt_eu_thread *thread,
					     const struct vgt_inst *inst)
{
	vgt_flag_write(thread, inst, UINT32_MAX, vgt_exec_lanes(thread, inst));
	return inst + 1;
}

/* The compiler's way to ask which channels are enabled. */
static bool all_equal(const struct vgt_inst *inst)
{
	const struct vgt_operand *a = &inst->src[0], *b = &inst->src[1];

	return inst->op == VGT_OP_CMP && inst->cond == VGT_COND_EQ &&
	       inst->dst.arf == VGT_ARF_NULL && is_integer(a->type) &&
	       a->kind == VGT_OPERAND_REG && b->kind == VGT_OPERAND_REG &&
	       a->type == b->type && a->offset == b->offset &&
	       a->stride == 0 && b->stride == 0 && !a->mod && !b->mod;
}

/* Half floats that only move are words. */
static void move_words(struct vgt_inst *inst)
{
	if (inst->op != VGT_OP_MOV || inst->dst.type != VGT_TYPE_HF ||
	    inst->src[0].type != VGT_TYPE_HF || inst->src[0].mod ||
	    inst->cond || inst->saturate)
		return;
	inst->dst.type = VGT_TYPE_UW;
	inst->src[0].type = VGT_TYPE_UW;
}

static bool half_source(const struct vgt_operand *operand)
{
	if (operand->type != VGT_TYPE_HF && operand->type != VGT_TYPE_F)
		return false;
	return operand->kind == VGT_OPERAND_IMM ||
	       (operand->kind == VGT_OPERAND_REG &&
		(operand->arf == VGT_ARF_PLAIN || operand->arf == VGT_ARF_ACC) &&
		operand->stride != VGT_STRIDE_NONE);
}

/* Can floats compute it with what halves are rounded to in the end? */
static bool half_sources(const struct vgt_inst *inst)
{
	uint32_t halves = 0;

	for (uint32_t i = 0; i < inst->sources; i++) {
		if (!half_source(&inst->src[i]))
			return false;
		halves += inst->src[i].type == VGT_TYPE_HF;
	}
	if (inst->op == VGT_OP_MOV)
		return inst->src[0].type != inst->dst.type;
	return halves == inst->sources;
}

/* NULL for all others, and where the processor lacks something. */
static vgt_exec half_exec(const struct vgt_inst *inst)
{
	const struct vgt_operand *dst = &inst->dst;

	if (inst->acc_write || !half_sources(inst) || !has_halves())
		return NULL;
	if (inst->op == VGT_OP_CMP)
		return dst->arf == VGT_ARF_NULL && inst->cond >= VGT_COND_EQ &&
		       inst->cond <= VGT_COND_LE ? vgt_half.cmp : NULL;
	if (inst->cond || dst->kind != VGT_OPERAND_REG ||
	    dst->arf != VGT_ARF_PLAIN ||
	    (dst->type != VGT_TYPE_HF &&
	     (dst->type != VGT_TYPE_F || inst->op != VGT_OP_MOV)))
		return NULL;
	switch (inst->op) {
	case VGT_OP_MOV:
		return vgt_half.mov;
	case VGT_OP_ADD:
		return vgt_half.add;
	case VGT_OP_MUL:
		return vgt_half.mul;
	case VGT_OP_MAD:
		return vgt_half.mad;
	default:
		return NULL;
	}
}

/* Immediates with their modifiers, for the compiler of regions. */
static void half_forms(struct vgt_inst *inst)
{
	for (uint32_t i = 0; i < inst->sources; i++) {
		const struct vgt_operand *operand = &inst->src[i];
		bool half = operand->type == VGT_TYPE_HF;
		uint32_t sign = half ? 0x8000 : 0x80000000;

		if (operand->kind != VGT_OPERAND_IMM)
			continue;
		inst->form[i] = VGT_FORM_IMM;
		inst->x[i] = half ? (uint16_t)operand->imm : operand->imm;
		if (operand->mod & VGT_MOD_ABS)
			inst->x[i] &= ~sign;
		if (operand->mod & VGT_MOD_NEG)
			inst->x[i] ^= sign;
	}
}

static vgt_exec half_handler(struct vgt_inst *inst)
{
	vgt_exec exec = half_exec(inst);

	if (!exec)
		return NULL;
	inst->vector = VGT_VECTOR_HALF;
	half_forms(inst);
	return exec;
}

vgt_exec vgt_vector_handler(struct vgt_inst *inst)
{
	bool wide = is_wide(inst);
	enum vgt_vector_op op;
	vgt_exec exec = NULL;

	if (all_equal(inst)) {
		inst->vector = VGT_VECTOR_ALL_EQUAL;
		return all_equal_exec;
	}
	move_words(inst);
	op = wide ? wide_op(inst) : find_op(inst);
	if (!op && !wide)
		return half_handler(inst);
	if (!op || (wide && !all_integer(inst)))
		return NULL;
	if (!wide && (!destination_fits(inst) || !saturates(inst, op)))
		return NULL;
	inst->vector = op;
	if (direct_forms(inst, op))
		exec = direct_handler(inst, op);
	return exec ? exec : table()->any[op][size_of(inst->exec_size)];
}
