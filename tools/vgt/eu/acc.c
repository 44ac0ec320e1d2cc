// SPDX-License-Identifier: MIT
/*
 * The accumulator as integers see it: wider than 32 bits. Its low halves lie
 * in thread->reg, where explicit operands find them, its high halves beside.
 *
 * mul to acc0 leaves 48 bits there, which mach and macl complete. Implicit
 * uses start at element 0 whatever the M-offset. Explicit operands see 32
 * bits, but for the system routine: it saves and restores all of them with
 * shifts, so inside of it the accumulator is as wide as it is.
 */
#include "eu/alu.h"

#include <string.h>

#define ACC_ELEMENTS 16
#define CR0_ACC_DISABLE (1U << 1)

void vgt_acc_settle(struct vgt_eu_thread *thread)
{
	for (uint32_t i = 0; i < ACC_ELEMENTS; i++) {
		int32_t low = vgt_load32(thread->reg + VGT_REG_ACC + 4 * i);

		if (!(thread->acc_wide >> i & 1))
			thread->acc_hi[i] = thread->acc_signed >> i & 1 ?
					    low >> 31 : 0;
	}
}

static int64_t acc_read(const struct vgt_eu_thread *thread, uint32_t i)
{
	uint32_t low;

	i %= ACC_ELEMENTS;
	low = vgt_load32(thread->reg + VGT_REG_ACC + 4 * i);
	if (thread->acc_wide >> i & 1)
		return (int64_t)((uint64_t)(uint32_t)thread->acc_hi[i] << 32 |
				 low);
	return thread->acc_signed >> i & 1 ? (int32_t)low : (int64_t)low;
}

static void acc_write(struct vgt_eu_thread *thread, uint32_t i, int64_t value)
{
	i %= ACC_ELEMENTS;
	thread->acc_hi[i] = value >> 32;
	thread->acc_wide |= 1U << i;
	vgt_store32(thread->reg + VGT_REG_ACC + 4 * i, value);
}

static bool implicit_off(const struct vgt_eu_thread *thread)
{
	return vgt_load32(thread->reg + VGT_REG_CR) & CR0_ACC_DISABLE;
}

bool vgt_acc_is_wide(const struct vgt_operand *operand)
{
	return operand->kind == VGT_OPERAND_REG &&
	       operand->arf == VGT_ARF_ACC && operand->bytes == 4 &&
	       operand->type != VGT_TYPE_F &&
	       operand->offset < VGT_REG_ACC + 4 * ACC_ELEMENTS;
}

static uint32_t acc_element(const struct vgt_operand *operand, uint32_t lane)
{
	uint32_t stride = operand->stride == VGT_STRIDE_NONE ? 1 :
			  operand->stride;

	return (operand->offset - VGT_REG_ACC) / 4 + lane * stride;
}

/* mul to the accumulator: the whole product stays. */
static const struct vgt_inst *mul_exec(struct vgt_eu_thread *thread,
				       const struct vgt_inst *inst)
{
	uint32_t lanes = vgt_exec_lanes(thread, inst);
	int64_t a[VGT_LANES], b[VGT_LANES];

	vgt_source_ints(thread, inst, 0, a);
	vgt_source_ints(thread, inst, 1, b);
	for (; lanes; lanes &= lanes - 1) {
		uint32_t i = __builtin_ctz(lanes);

		acc_write(thread, acc_element(&inst->dst, i),
			  (int64_t)((uint64_t)a[i] * (uint64_t)b[i]));
	}
	return inst + 1;
}

/* mach with AccWrEn gives the upper half; without it, macl, the lower one. */
static const struct vgt_inst *mach_exec(struct vgt_eu_thread *thread,
					const struct vgt_inst *inst)
{
	uint32_t lanes = vgt_exec_lanes(thread, inst);
	bool high = inst->acc_write;
	int64_t a[VGT_LANES], b[VGT_LANES];
	uint32_t bits[VGT_LANES];

	vgt_source_ints(thread, inst, 0, a);
	vgt_source_ints(thread, inst, 1, b);
	for (uint32_t i = 0; i < inst->exec_size; i++) {
		uint64_t part = (uint64_t)a[i] * (uint64_t)(b[i] >> 16) << 16;
		uint64_t full = (uint64_t)acc_read(thread, i) + part;

		bits[i] = high ? full >> 32 : full;
		if (high && lanes >> i & 1 && !implicit_off(thread))
			acc_write(thread, i, (uint32_t)full);
	}
	return vgt_alu_finish(thread, inst, bits);
}

/* addc, subb: the carry or borrow goes to the accumulator. */
static const struct vgt_inst *carry_exec(struct vgt_eu_thread *thread,
					 const struct vgt_inst *inst)
{
	uint32_t lanes = vgt_exec_lanes(thread, inst);
	bool write = inst->acc_write && !implicit_off(thread);
	int64_t a[VGT_LANES], b[VGT_LANES];
	uint32_t bits[VGT_LANES];

	vgt_source_ints(thread, inst, 0, a);
	vgt_source_ints(thread, inst, 1, b);
	for (uint32_t i = 0; i < inst->exec_size; i++) {
		uint32_t x = a[i], y = b[i];
		bool carry = inst->op == VGT_OP_ADDC ?
			((uint64_t)x + y) >> 32 : x < y;

		bits[i] = inst->op == VGT_OP_ADDC ? x + y : x - y;
		if (carry && inst->saturate)
			bits[i] = inst->op == VGT_OP_ADDC ? UINT32_MAX : 0;
		if (write && lanes >> i & 1)
			acc_write(thread, i, carry);
	}
	return vgt_alu_finish(thread, inst, bits);
}

vgt_exec vgt_acc_handler(const struct vgt_inst *inst)
{
	switch (inst->op) {
	case VGT_OP_MACH:
		return mach_exec;
	case VGT_OP_ADDC:
	case VGT_OP_SUBB:
		return carry_exec;
	case VGT_OP_MUL:
		return vgt_acc_is_wide(&inst->dst) && !inst->saturate ? mul_exec :
		       NULL;
	default:
		return NULL;
	}
}

/* What a system routine moves an accumulator with. */
static bool wide_form(const struct vgt_inst *inst)
{
	switch (inst->op) {
	case VGT_OP_MOV:
	case VGT_OP_ADD:
	case VGT_OP_OR:
	case VGT_OP_SHL:
	case VGT_OP_SHR:
	case VGT_OP_ASR:
		return !inst->cond && !inst->saturate && inst->dst.bytes == 4 &&
		       !vgt_type_float(inst->dst.type) &&
		       !vgt_type_float(inst->src[0].type);
	default:
		return false;
	}
}

bool vgt_acc_explicit(const struct vgt_inst *inst)
{
	if (vgt_acc_handler(inst))
		return false;
	if (vgt_acc_is_wide(&inst->dst))
		return true;
	return wide_form(inst) && (vgt_acc_is_wide(&inst->src[0]) ||
				   vgt_acc_is_wide(&inst->src[1]));
}

static void wide_source(const struct vgt_eu_thread *thread,
			const struct vgt_inst *inst, uint32_t i,
			int64_t out[VGT_LANES])
{
	vgt_source_ints(thread, inst, i, out);
	if (!vgt_acc_is_wide(&inst->src[i]) || inst->src[i].mod)
		return;
	for (uint32_t k = 0; k < inst->exec_size; k++)
		out[k] = acc_read(thread, acc_element(&inst->src[i], k));
}

static int64_t wide_op(uint8_t op, int64_t a, int64_t b)
{
	switch (op) {
	case VGT_OP_ADD:
		return (int64_t)((uint64_t)a + (uint64_t)b);
	case VGT_OP_OR:
		return a | b;
	case VGT_OP_SHL:
		return (int64_t)((uint64_t)a << (b & 31));
	case VGT_OP_SHR:
		return (int64_t)((uint64_t)a >> (b & 31));
	case VGT_OP_ASR:
		return a >> (b & 31);
	default:
		return a;
	}
}

static const struct vgt_inst *wide_exec(struct vgt_eu_thread *thread,
					const struct vgt_inst *inst)
{
	uint32_t lanes = vgt_exec_lanes(thread, inst);
	int64_t a[VGT_LANES], b[VGT_LANES] = { 0 };
	uint32_t bits[VGT_LANES];

	wide_source(thread, inst, 0, a);
	if (inst->sources > 1)
		wide_source(thread, inst, 1, b);
	for (uint32_t i = 0; i < inst->exec_size; i++) {
		a[i] = wide_op(inst->op, a[i], b[i]);
		bits[i] = a[i];
	}
	vgt_result_bits(thread, inst, bits, lanes);
	if (!vgt_acc_is_wide(&inst->dst))
		return inst + 1;
	for (; lanes; lanes &= lanes - 1) {
		uint32_t i = __builtin_ctz(lanes);

		acc_write(thread, acc_element(&inst->dst, i), a[i]);
	}
	return inst + 1;
}

/* What an instruction of 32 bits writes in @lanes has its upper halves implied. */
static void imply(struct vgt_eu_thread *thread, const struct vgt_inst *inst,
		  uint32_t lanes)
{
	uint32_t elements = 0;

	if (inst->dst.stride == 1)
		elements = lanes << acc_element(&inst->dst, 0);
	else
		for (; lanes; lanes &= lanes - 1)
			elements |= 1U << acc_element(&inst->dst,
						      __builtin_ctz(lanes)) %
					  ACC_ELEMENTS;
	thread->acc_wide &= ~elements;
	thread->acc_signed &= ~elements;
	if (inst->dst.type == VGT_TYPE_D)
		thread->acc_signed |= elements;
}

const struct vgt_inst *vgt_acc_exec(struct vgt_eu_thread *thread,
				    const struct vgt_inst *inst)
{
	const struct vgt_inst *next;
	uint32_t lanes;

	if (thread->in_sip && wide_form(inst))
		return wide_exec(thread, inst);
	/* It may change the flags that its predicate comes from. */
	lanes = inst->op == VGT_OP_SEL || inst->op == VGT_OP_CSEL ?
		vgt_lanes(thread, inst) : vgt_exec_lanes(thread, inst);
	next = inst->plain(thread, inst);
	if (vgt_acc_is_wide(&inst->dst) && inst->plain != mul_exec)
		imply(thread, inst, lanes);
	return next;
}
