// SPDX-License-Identifier: MIT
#include "eu/operand.h"

#include "eu/half.h"

#include <math.h>
#include <string.h>

#define GRF_BYTES 4096

/* Byte offset into thread->reg of lane @lane; indirect ones stay in the GRF. */
static uint32_t lane_offset(const struct vgt_eu_thread *thread,
			    const struct vgt_operand *operand, uint32_t lane)
{
	uint32_t row = lane / operand->width;
	uint32_t offset = (row * operand->vstride +
			   lane % operand->width * operand->hstride) *
			  operand->bytes;
	uint16_t address;

	if (operand->kind == VGT_OPERAND_REG)
		return operand->offset + offset;
	if (operand->kind == VGT_OPERAND_VXH)
		memcpy(&address, thread->reg + operand->offset + 2 * row, 2);
	else
		memcpy(&address, thread->reg + operand->offset, 2);
	return (address + operand->disp + offset) % GRF_BYTES;
}

/* A sign, three bits of exponent with bias 3, and four of fraction; no denormals. */
static uint32_t small_float(uint8_t bits)
{
	uint32_t sign = (uint32_t)(bits >> 7) << 31;

	return bits & 0x7f ? sign | (((bits & 0x7f) << 19) + (124U << 23)) :
			     sign;
}

static uint32_t immediate_lane(const struct vgt_operand *operand,
			       uint32_t lane)
{
	uint32_t nibble = operand->imm >> 4 * (lane % 8) & 15;

	switch (operand->type) {
	case VGT_TYPE_V:
		return (uint32_t)((int32_t)(nibble << 28) >> 28);
	case VGT_TYPE_UV:
		return nibble;
	case VGT_TYPE_VF:
		return small_float(operand->imm >> 8 * (lane % 4));
	default:
		return operand->imm;
	}
}

static uint32_t modify_float(uint32_t bits, const struct vgt_operand *operand)
{
	uint32_t sign = operand->type == VGT_TYPE_HF ? 0x8000 : 0x80000000;

	if (operand->mod & VGT_MOD_ABS)
		bits &= ~sign;
	if (operand->mod & VGT_MOD_NEG)
		bits ^= sign;
	return bits;
}

static void raw_bits(const struct vgt_eu_thread *thread,
		     const struct vgt_inst *inst,
		     const struct vgt_operand *operand,
		     uint32_t out[VGT_LANES])
{
	for (uint32_t i = 0; i < inst->exec_size; i++) {
		if (operand->kind == VGT_OPERAND_IMM) {
			out[i] = immediate_lane(operand, i);
			continue;
		}
		out[i] = 0;
		memcpy(&out[i],
		       thread->reg + lane_offset(thread, operand, i),
		       operand->bytes);
	}
}

void vgt_source_bits(const struct vgt_eu_thread *thread,
		     const struct vgt_inst *inst, uint32_t i,
		     uint32_t out[VGT_LANES])
{
	const struct vgt_operand *operand = &inst->src[i];

	raw_bits(thread, inst, operand, out);
	if (operand->mod && vgt_type_float(operand->type))
		for (uint32_t k = 0; k < inst->exec_size; k++)
			out[k] = modify_float(out[k], operand);
}

int64_t vgt_bits_int(uint32_t bits, uint8_t type)
{
	switch (type) {
	case VGT_TYPE_UB:
		return (uint8_t)bits;
	case VGT_TYPE_B:
		return (int8_t)bits;
	case VGT_TYPE_UW:
		return (uint16_t)bits;
	case VGT_TYPE_W:
	case VGT_TYPE_V:
		return (int16_t)bits;
	case VGT_TYPE_D:
		return (int32_t)bits;
	default:
		return bits;
	}
}

double vgt_bits_float(uint32_t bits, uint8_t type)
{
	float value;

	if (type == VGT_TYPE_HF)
		return vgt_half_to_double(bits);
	if (!vgt_type_float(type))
		return (double)vgt_bits_int(bits, type);
	memcpy(&value, &bits, 4);
	return value;
}

static bool logic_op(uint8_t op)
{
	return op == VGT_OP_AND || op == VGT_OP_OR || op == VGT_OP_XOR ||
	       op == VGT_OP_NOT;
}

void vgt_source_ints(const struct vgt_eu_thread *thread,
		     const struct vgt_inst *inst, uint32_t i,
		     int64_t out[VGT_LANES])
{
	const struct vgt_operand *operand = &inst->src[i];
	uint32_t bits[VGT_LANES];

	raw_bits(thread, inst, operand, bits);
	for (uint32_t k = 0; k < inst->exec_size; k++)
		out[k] = vgt_bits_int(bits[k], operand->type);
	if (!operand->mod)
		return;
	for (uint32_t k = 0; k < inst->exec_size; k++) {
		if (logic_op(inst->op))
			out[k] = ~out[k];
		else if (operand->mod & VGT_MOD_ABS && out[k] < 0)
			out[k] = -out[k];
		if (operand->mod & VGT_MOD_NEG && !logic_op(inst->op))
			out[k] = -out[k];
	}
}

void vgt_source_floats(const struct vgt_eu_thread *thread,
		       const struct vgt_inst *inst, uint32_t i,
		       double out[VGT_LANES])
{
	const struct vgt_operand *operand = &inst->src[i];
	int64_t ints[VGT_LANES];
	uint32_t bits[VGT_LANES];

	if (!vgt_type_float(operand->type)) {
		vgt_source_ints(thread, inst, i, ints);
		for (uint32_t k = 0; k < inst->exec_size; k++)
			out[k] = (double)ints[k];
		return;
	}
	vgt_source_bits(thread, inst, i, bits);
	for (uint32_t k = 0; k < inst->exec_size; k++)
		out[k] = vgt_bits_float(bits[k], operand->type);
}

void vgt_result_bits(struct vgt_eu_thread *thread, const struct vgt_inst *inst,
		     const uint32_t bits[VGT_LANES], uint32_t lanes)
{
	const struct vgt_operand *dst = &inst->dst;

	if (dst->arf == VGT_ARF_NULL || dst->kind == VGT_OPERAND_NONE)
		return;
	for (; lanes; lanes &= lanes - 1) {
		uint32_t i = __builtin_ctz(lanes);

		memcpy(thread->reg + lane_offset(thread, dst, i), &bits[i],
		       dst->bytes);
	}
}

static enum vgt_round rounding(const struct vgt_eu_thread *thread)
{
	return vgt_load32(thread->reg + VGT_REG_CR) >> 4 & 3;
}

static int64_t clamp(int64_t value, uint8_t type, uint8_t bytes)
{
	uint32_t bits = 8 * bytes;
	int64_t low = vgt_type_signed(type) ? -(1LL << (bits - 1)) : 0;
	int64_t high = low + (1LL << bits) - 1;

	return value < low ? low : value > high ? high : value;
}

static uint32_t float_bits(float value)
{
	uint32_t bits;

	memcpy(&bits, &value, 4);
	return bits;
}

uint32_t vgt_result_int(const struct vgt_eu_thread *thread,
			const struct vgt_inst *inst, int64_t value)
{
	const struct vgt_operand *dst = &inst->dst;

	if (vgt_type_float(dst->type))
		return vgt_result_float(thread, inst, (double)value);
	return inst->saturate ? clamp(value, dst->type, dst->bytes) : value;
}

static int64_t to_integer(double value, uint8_t type, uint8_t bytes)
{
	if (isnan(value))
		return 0;
	if (value >= 0x1p62)
		value = 0x1p62;
	if (value <= -0x1p62)
		value = -0x1p62;
	return clamp((int64_t)value, type, bytes);
}

uint32_t vgt_result_float(const struct vgt_eu_thread *thread,
			  const struct vgt_inst *inst, double value)
{
	const struct vgt_operand *dst = &inst->dst;

	if (!vgt_type_float(dst->type))
		return to_integer(value, dst->type, dst->bytes);
	if (inst->saturate)
		value = value > 0 ? value < 1 ? value : 1 : 0;
	if (dst->type == VGT_TYPE_HF)
		return vgt_half_from_double(value, rounding(thread));
	return float_bits((float)value);
}
