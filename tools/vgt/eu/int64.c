// SPDX-License-Identifier: MIT
/*
 * This device has no 64-bit arithmetic, but it can widen: the compiler puts
 * the lower half of a long in its place with a shift by 32 from :d to :q.
 */
#include "eu/int64.h"

#include "eu/handler.h"
#include "eu/operand.h"

#include <string.h>

static bool is_quad(uint8_t type)
{
	return type == VGT_TYPE_Q || type == VGT_TYPE_UQ;
}

static bool narrow_int(const struct vgt_operand *src)
{
	return !is_quad(src->type) && !vgt_type_float(src->type);
}

static const struct vgt_inst *int64_exec(struct vgt_eu_thread *thread,
					 const struct vgt_inst *inst)
{
	uint32_t lanes = vgt_exec_lanes(thread, inst);
	int64_t a[VGT_LANES], b[VGT_LANES] = { 0 };

	vgt_source_ints(thread, inst, 0, a);
	if (inst->sources > 1)
		vgt_source_ints(thread, inst, 1, b);
	for (; lanes; lanes &= lanes - 1) {
		uint32_t i = __builtin_ctz(lanes);
		uint64_t value = (uint64_t)a[i] << (b[i] & 63);

		memcpy(thread->reg + inst->dst.offset + 8 * i * inst->dst.hstride,
		       &value, 8);
	}
	return inst + 1;
}

vgt_exec vgt_int64_handler(const struct vgt_inst *inst)
{
	if (inst->op != VGT_OP_MOV && inst->op != VGT_OP_SHL)
		return NULL;
	if (!is_quad(inst->dst.type) || inst->dst.kind != VGT_OPERAND_REG ||
	    inst->dst.arf != VGT_ARF_PLAIN || inst->cond || inst->saturate)
		return NULL;
	for (uint32_t i = 0; i < inst->sources; i++)
		if (!narrow_int(&inst->src[i]))
			return NULL;
	return int64_exec;
}
