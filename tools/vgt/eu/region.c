// SPDX-License-Identifier: MIT
#include "eu/region.h"

#include "eu/vector.h"

#define GRF_BYTES 4096

/* Elements @step bytes apart, widened as their type says. */
static void row_gather(const uint8_t *from, uint8_t type, uint32_t step,
		       uint32_t count, uint32_t *out)
{
	uint16_t half;

	switch (type) {
	case VGT_TYPE_UB:
		for (uint32_t i = 0; i < count; i++)
			out[i] = from[i * step];
		break;
	case VGT_TYPE_B:
		for (uint32_t i = 0; i < count; i++)
			out[i] = (uint32_t)(int8_t)from[i * step];
		break;
	case VGT_TYPE_UW:
		for (uint32_t i = 0; i < count; i++) {
			memcpy(&half, from + i * step, 2);
			out[i] = half;
		}
		break;
	case VGT_TYPE_W:
		for (uint32_t i = 0; i < count; i++) {
			memcpy(&half, from + i * step, 2);
			out[i] = (uint32_t)(int16_t)half;
		}
		break;
	default:
		for (uint32_t i = 0; i < count; i++)
			memcpy(&out[i], from + i * step, 4);
	}
}

static uint32_t address(const struct vgt_eu_thread *thread,
			const struct vgt_operand *operand, uint32_t row)
{
	uint16_t value;

	memcpy(&value, thread->reg + operand->offset + 2 * row, 2);
	return (uint32_t)(value + operand->disp);
}

/* Row by row; @stop is the first byte that indirect rows must not read. */
static void rows_gather(const struct vgt_eu_thread *thread,
			const struct vgt_operand *operand, uint32_t lanes,
			uint32_t *out)
{
	uint32_t step = operand->hstride * operand->bytes;
	uint32_t row = 0;

	for (uint32_t i = 0; i < lanes; i += operand->width, row++) {
		uint32_t count = lanes - i < operand->width ? lanes - i :
				 operand->width;
		uint32_t at = row * operand->vstride * operand->bytes;

		if (operand->kind == VGT_OPERAND_REG)
			at += operand->offset;
		else if (operand->kind == VGT_OPERAND_VXH)
			at = address(thread, operand, row);
		else
			at += address(thread, operand, 0);
		if (operand->kind == VGT_OPERAND_REG) {
			row_gather(thread->reg + at, operand->type, step,
				   count, out + i);
			continue;
		}
		for (uint32_t k = 0; k < count; k++)
			row_gather(thread->reg + (at + k * step) % GRF_BYTES,
				   operand->type, 0, 1, out + i + k);
	}
}

static void immediate_gather(const struct vgt_operand *operand,
			     uint32_t lanes, uint32_t *out)
{
	for (uint32_t i = 0; i < lanes; i++) {
		uint32_t nibble = operand->imm >> 4 * (i % 8) & 15;

		out[i] = operand->type == VGT_TYPE_V ?
			 (uint32_t)((int32_t)(nibble << 28) >> 28) : nibble;
	}
}

static void modify(const struct vgt_inst *inst,
		   const struct vgt_operand *operand, uint32_t *out)
{
	bool logic = inst->op == VGT_OP_AND || inst->op == VGT_OP_OR ||
		     inst->op == VGT_OP_XOR || inst->op == VGT_OP_NOT;
	bool number = operand->type == VGT_TYPE_F;

	for (uint32_t i = 0; i < inst->exec_size; i++) {
		uint32_t v = out[i];

		if (logic) {
			out[i] = ~v;
			continue;
		}
		if (operand->mod & VGT_MOD_ABS)
			v = number ? v & INT32_MAX : v >> 31 ? -v : v;
		if (operand->mod & VGT_MOD_NEG)
			v = number ? v ^ 0x80000000 : -v;
		out[i] = v;
	}
}

void vgt_region_gather(const struct vgt_eu_thread *thread,
		       const struct vgt_inst *inst, uint32_t i, uint32_t *out)
{
	const struct vgt_operand *operand = &inst->src[i];
	uint32_t lanes = inst->exec_size;

	if (operand->kind == VGT_OPERAND_IMM &&
	    inst->form[i] == VGT_FORM_IMM) { /* modified already */
		for (uint32_t k = 0; k < lanes; k++)
			out[k] = inst->x[i];
		return;
	}
	if (operand->kind == VGT_OPERAND_IMM)
		immediate_gather(operand, lanes, out);
	else if (operand->kind == VGT_OPERAND_REG &&
		 operand->stride != VGT_STRIDE_NONE)
		row_gather(thread->reg + operand->offset, operand->type,
			   operand->stride * operand->bytes, lanes, out);
	else
		rows_gather(thread, operand, lanes, out);
	if (operand->mod)
		modify(inst, operand, out);
}

/* Indirect destinations; none of them leaves the GRF. */
static void indirect_scatter(struct vgt_eu_thread *thread,
			     const struct vgt_inst *inst, const uint32_t *in,
			     uint32_t lanes)
{
	uint32_t at = address(thread, &inst->dst, 0);
	uint32_t step = inst->dst.bytes * inst->dst.hstride;

	for (; lanes; lanes &= lanes - 1) {
		uint32_t i = __builtin_ctz(lanes);

		memcpy(thread->reg + (at + i * step) % GRF_BYTES, &in[i],
		       inst->dst.bytes);
	}
}

void vgt_region_scatter(struct vgt_eu_thread *thread,
			const struct vgt_inst *inst, const uint32_t *in,
			uint32_t lanes)
{
	uint8_t *to = thread->reg + inst->d;
	uint32_t step = inst->dst.bytes * inst->dst.hstride;

	if (inst->dst.kind == VGT_OPERAND_INDIRECT) {
		indirect_scatter(thread, inst, in, lanes);
		return;
	}
	switch (inst->dst.bytes) {
	case 4:
		for (uint32_t i = 0; i < inst->exec_size; i++)
			if (lanes >> i & 1)
				memcpy(to + i * step, &in[i], 4);
		break;
	case 2:
		for (uint32_t i = 0; i < inst->exec_size; i++)
			if (lanes >> i & 1)
				memcpy(to + i * step, &in[i], 2);
		break;
	default:
		for (uint32_t i = 0; i < inst->exec_size; i++)
			if (lanes >> i & 1)
				to[i * step] = in[i];
	}
}
