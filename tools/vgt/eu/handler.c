// SPDX-License-Identifier: MIT
/* Which handler an instruction gets, once, when it is decoded. */
#include "eu/handler.h"

#include "check/check.h"
#include "eu/alu.h"
#include "eu/int64.h"
#include "eu/vector.h"
#include "port/dword.h"

static bool slow_only;

void vgt_handler_slow(bool slow)
{
	slow_only = slow;
}

bool vgt_handler_is_slow(void)
{
	return slow_only;
}

static uint32_t predicate_groups(const struct vgt_inst *inst, uint32_t flags)
{
	uint32_t size = 2U << (inst->pred - VGT_PRED_ANY2H) / 2;
	bool all = (inst->pred - VGT_PRED_ANY2H) & 1;
	uint32_t group = size == 32 ? UINT32_MAX : (1U << size) - 1;
	uint32_t out = 0;

	for (uint32_t i = 0; i < inst->exec_size; i++) {
		uint32_t first = (inst->chan + i) & ~(size - 1);
		uint32_t bits = flags >> first & group;

		out |= (uint32_t)(all ? bits == group : bits != 0) << i;
	}
	return out;
}

uint32_t vgt_predicate(const struct vgt_eu_thread *thread,
		       const struct vgt_inst *inst)
{
	const uint8_t *file = thread->reg + VGT_REG_F;
	uint32_t f0 = vgt_load32(file), f1 = vgt_load32(file + 4);
	uint64_t flags = ((uint64_t)f1 << 32 | f0) >> inst->flag_bit;
	uint32_t out;

	switch (inst->pred) {
	case VGT_PRED_NONE:
		return inst->lanes;
	case VGT_PRED_PLAIN:
		out = flags >> inst->chan;
		break;
	case VGT_PRED_ANYV:
		out = (f0 | f1) >> inst->chan;
		break;
	case VGT_PRED_ALLV:
		out = (f0 & f1) >> inst->chan;
		break;
	default:
		out = predicate_groups(inst, flags);
	}
	return (inst->pred_inverse ? ~out : out) & inst->lanes;
}

static const struct vgt_inst *refuse(struct vgt_eu_thread *thread,
				     const struct vgt_inst *inst,
				     const char *what)
{
	thread->ip = inst->ip;
	vgt_eu_fail(thread, "%s", what);
	return NULL;
}

static const struct vgt_inst *opcode_exec(struct vgt_eu_thread *thread,
					  const struct vgt_inst *inst)
{
	return refuse(thread, inst, "opcode is not implemented");
}

static const struct vgt_inst *type_exec(struct vgt_eu_thread *thread,
					const struct vgt_inst *inst)
{
	return refuse(thread, inst, "operand type is not implemented");
}

static const struct vgt_inst *range_exec(struct vgt_eu_thread *thread,
					 const struct vgt_inst *inst)
{
	return refuse(thread, inst, "operand lies outside its register file");
}

static const struct vgt_inst *option_exec(struct vgt_eu_thread *thread,
					  const struct vgt_inst *inst)
{
	return refuse(thread, inst, "modifier is not implemented");
}

static const struct vgt_inst *illegal_exec(struct vgt_eu_thread *thread,
					   const struct vgt_inst *inst)
{
	thread->ip = inst->ip;
	if (vgt_exception_illegal(thread))
		return NULL;
	return refuse(thread, inst, "illegal instruction");
}

static const struct vgt_inst *nop_exec(struct vgt_eu_thread *thread,
				       const struct vgt_inst *inst)
{
	(void)thread;
	return inst + 1;
}

static bool type_known(uint8_t type, bool immediate)
{
	switch (type) {
	case VGT_TYPE_UB:
	case VGT_TYPE_B:
	case VGT_TYPE_UW:
	case VGT_TYPE_W:
	case VGT_TYPE_UD:
	case VGT_TYPE_D:
	case VGT_TYPE_HF:
	case VGT_TYPE_F:
		return true;
	case VGT_TYPE_V:
	case VGT_TYPE_UV:
	case VGT_TYPE_VF:
		return immediate;
	default:
		return false;
	}
}

static bool types_known(const struct vgt_inst *inst)
{
	if (inst->dst.kind && inst->dst.arf != VGT_ARF_NULL &&
	    !type_known(inst->dst.type, false))
		return false;
	for (uint32_t i = 0; i < inst->sources; i++)
		if (inst->src[i].arf != VGT_ARF_NULL &&
		    !type_known(inst->src[i].type,
				inst->src[i].kind == VGT_OPERAND_IMM))
			return false;
	return true;
}

static uint32_t file_end(uint32_t offset)
{
	static const uint16_t ends[] = {
		VGT_REG_A0, VGT_REG_ACC, VGT_REG_MME, VGT_REG_F, VGT_REG_CE,
		VGT_REG_MSG, VGT_REG_SP, VGT_REG_SR, VGT_REG_CR, VGT_REG_N,
		VGT_REG_IP, VGT_REG_TDR, VGT_REG_TM, VGT_REG_FC, VGT_REG_DBG,
		VGT_REG_NULL,
	};

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		if (offset < ends[i])
			return ends[i];
	return VGT_REG_BYTES;
}

static bool in_range(const struct vgt_operand *operand, uint32_t lanes)
{
	if (operand->kind != VGT_OPERAND_REG || operand->arf == VGT_ARF_NULL)
		return true;
	return operand->offset + vgt_operand_span(operand, lanes) <=
	       file_end(operand->offset);
}

static bool operands_in_range(const struct vgt_inst *inst)
{
	if (!in_range(&inst->dst, inst->exec_size))
		return false;
	for (uint32_t i = 0; i < inst->sources; i++)
		if (!in_range(&inst->src[i], inst->exec_size))
			return false;
	return true;
}

static bool arithmetic(uint8_t op)
{
	switch (op) {
	case VGT_OP_ADD ... VGT_OP_BFI2:
	case VGT_OP_BFREV:
	case VGT_OP_CBIT ... VGT_OP_CMPN:
	case VGT_OP_CSEL:
	case VGT_OP_DP4A:
	case VGT_OP_FBH ... VGT_OP_FRC:
	case VGT_OP_LZD ... VGT_OP_MAD:
	case VGT_OP_MOV:
	case VGT_OP_MUL:
	case VGT_OP_NOT ... VGT_OP_OR:
	case VGT_OP_RNDD ... VGT_OP_ROR:
	case VGT_OP_SEL:
	case VGT_OP_SHL ... VGT_OP_SUBB:
	case VGT_OP_XOR:
		return true;
	default:
		return false;
	}
}

static bool needs_arf(const struct vgt_inst *inst)
{
	uint8_t arf = inst->dst.arf;

	if (arf == VGT_ARF_SR || arf == VGT_ARF_CR || arf == VGT_ARF_FC)
		return true;
	for (uint32_t i = 0; i < inst->sources; i++) {
		arf = inst->src[i].arf;
		if (arf == VGT_ARF_IP || arf == VGT_ARF_CE ||
		    arf == VGT_ARF_TM || arf == VGT_ARF_FC)
			return true;
	}
	return false;
}

static vgt_exec alu_handler(struct vgt_inst *inst)
{
	vgt_exec slow = vgt_acc_handler(inst), fast = NULL;

	if (vgt_int64_handler(inst))
		return vgt_int64_handler(inst);
	if (!types_known(inst))
		return type_exec;
	if ((inst->acc_write && !slow) || inst->cond == VGT_COND_OV)
		return option_exec;
	if (!slow_only)
		fast = vgt_vector_handler(inst);
	if (!slow)
		slow = vgt_alu_handler(inst);
	return fast ? fast : slow;
}

static vgt_exec send_handler(struct vgt_inst *inst)
{
	vgt_exec fast = NULL;

	if (vgt_check_mode)
		return vgt_send_checked_exec;
	if (!slow_only)
		fast = vgt_dword_handler(inst);
	return fast ? fast : vgt_send_exec;
}

/* Put a handler around the one that @inst has. */
static void wrap(struct vgt_inst *inst, vgt_exec exec)
{
	inst->plain = inst->exec;
	inst->exec = exec;
}

static bool same_operand(const struct vgt_operand *a,
			 const struct vgt_operand *b)
{
	return a->kind == VGT_OPERAND_REG && b->kind == VGT_OPERAND_REG &&
	       a->offset == b->offset && a->type == b->type &&
	       a->stride == b->stride && a->stride != VGT_STRIDE_NONE &&
	       !a->mod && !b->mod;
}

/*
 * A csel that leaves its destination as it is: the compiler puts one in front
 * of every branch, for the sake of hardware.
 */
static bool changes_nothing(const struct vgt_inst *inst)
{
	return inst->op == VGT_OP_CSEL && !inst->saturate &&
	       same_operand(&inst->src[0], &inst->src[1]) &&
	       same_operand(&inst->src[0], &inst->dst);
}

bool vgt_handler_goes_on(const struct vgt_inst *inst)
{
	return arithmetic(inst->op) && !inst->plain &&
	       inst->exec != opcode_exec && inst->exec != type_exec &&
	       inst->exec != range_exec && inst->exec != option_exec;
}

static void choose_nop(struct vgt_inst *inst)
{
	inst->exec = nop_exec;
	inst->vector = VGT_VECTOR_NOTHING;
}

static void choose_alu(struct vgt_inst *inst)
{
	if (changes_nothing(inst)) {
		choose_nop(inst);
		return;
	}
	inst->exec = alu_handler(inst);
	if (vgt_acc_explicit(inst))
		wrap(inst, vgt_acc_exec);
	else if (needs_arf(inst))
		wrap(inst, vgt_arf_exec);
}

void vgt_handler_choose(struct vgt_inst *inst)
{
	vgt_exec exec = vgt_flow_handler(inst);

	inst->exec = exec ? exec : opcode_exec;
	if (!operands_in_range(inst))
		inst->exec = range_exec;
	else if (inst->op == VGT_OP_SEND || inst->op == VGT_OP_SENDC)
		inst->exec = send_handler(inst);
	else if (inst->op == VGT_OP_SYNC)
		inst->exec = vgt_sync_exec;
	else if (inst->op == VGT_OP_NOP)
		choose_nop(inst);
	else if (inst->op == VGT_OP_ILLEGAL)
		inst->exec = illegal_exec;
	else if (inst->op == VGT_OP_MATH)
		inst->exec = types_known(inst) ? vgt_math_handler(inst) :
			     type_exec;
	else if (arithmetic(inst->op))
		choose_alu(inst);
}
