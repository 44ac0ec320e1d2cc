// SPDX-License-Identifier: MIT
/*
 * Control flow by channel IPs. A channel runs while its IP is the thread's, and
 * its bits in the dispatch and call masks are set; "waiting" are the channels
 * of both masks whose IP is another one. All structured branches come down to
 * moving channels' IPs and then going to the next instruction if a channel is
 * there, else to the jump target (JIP).
 *
 * Channels that run have no IP of their own (eu.h). So a branch must note where
 * those that it leaves behind wait, and wherever channels may wait, the decoder
 * puts VGT_INST_LABEL, which makes the run loop collect them.
 */
#include "eu/handler.h"
#include "gt/device.h"

/* Channels that take part: dispatched, and in the function that runs. */
static uint32_t present(const struct vgt_eu_thread *thread)
{
	return thread->dispatch_mask & thread->call_mask;
}

/* @channels wait at @ip; so far they wait nowhere. */
static void wait_add(struct vgt_eu_thread *thread, uint32_t channels,
		     uint32_t ip)
{
	uint32_t i = 0;

	if (!channels)
		return;
	while (i < thread->waits && thread->wait[i].ip != ip)
		i++;
	if (i == thread->waits)
		thread->wait[thread->waits++] = (struct vgt_eu_wait){ 0, ip };
	thread->wait[i].channels |= channels;
}

/* Those present that wait at @ip, which they stop to do. */
static uint32_t wait_take(struct vgt_eu_thread *thread, uint32_t ip)
{
	uint32_t i = 0, taken;

	while (i < thread->waits && thread->wait[i].ip != ip)
		i++;
	if (i == thread->waits)
		return 0;
	taken = thread->wait[i].channels & present(thread);
	thread->wait[i].channels &= ~taken;
	/* A copy reads at once what was just written in two: that takes long. */
	if (!thread->wait[i].channels && i != --thread->waits)
		thread->wait[i] = thread->wait[thread->waits];
	return taken;
}

void vgt_flow_arrive(struct vgt_eu_thread *thread, uint32_t ip)
{
	if (thread->waits)
		thread->enabled |= wait_take(thread, ip);
}

/* Lazily kept state made explicit, for those who read fc0 to fc3. */
void vgt_flow_read_fc(struct vgt_eu_thread *thread, uint32_t ip)
{
	uint8_t *fc = thread->reg + VGT_REG_FC;
	/* the system routine sees the thread that it stopped */
	uint32_t at = thread->in_sip ?
		      vgt_load32(thread->reg + VGT_REG_CR + 8) : ip;

	for (uint32_t c = 0; c < 32; c++) {
		uint32_t own = at;

		for (uint32_t i = 0; i < thread->waits; i++)
			if (thread->wait[i].channels >> c & 1)
				own = thread->wait[i].ip;
		vgt_store32(fc + 4 * c, own);
	}
	vgt_store32(fc + 128, thread->enabled);
	vgt_store32(fc + 132, thread->call_mask);
}

void vgt_flow_write_fc(struct vgt_eu_thread *thread)
{
	const uint8_t *fc = thread->reg + VGT_REG_FC;

	thread->waits = 0;
	for (uint32_t c = 0; c < 32; c++)
		if (!(thread->enabled >> c & 1))
			wait_add(thread, 1U << c, vgt_load32(fc + 4 * c));
	thread->call_mask = vgt_load32(fc + 132);
}

static const struct vgt_inst *frozen(struct vgt_eu_thread *thread,
				     const struct vgt_inst *inst)
{
	thread->ip = inst->ip;
	vgt_eu_fail(thread, "no branch but jmpi works in the system routine");
	return NULL;
}

/* Enabled channels of the instruction's window whose predicate holds. */
static uint32_t taken(const struct vgt_eu_thread *thread,
		      const struct vgt_inst *inst)
{
	uint32_t lanes = (thread->enabled >> inst->chan) & inst->lanes;

	if (inst->pred)
		lanes &= vgt_predicate(thread, inst);
	return lanes << inst->chan;
}

static const struct vgt_inst *jump(struct vgt_eu_thread *thread, uint32_t ip)
{
	thread->enabled = wait_take(thread, ip);
	return vgt_icache_fetch(thread, ip);
}

/* @stay go to the next instruction; if nobody is there the thread goes to JIP. */
static const struct vgt_inst *go(struct vgt_eu_thread *thread,
				 const struct vgt_inst *inst, uint32_t stay)
{
	if (__builtin_expect(thread->in_sip, 0))
		return frozen(thread, inst);
	thread->enabled = stay;
	if (!stay) {
		uint32_t next = inst->ip + inst->bytes;

		thread->enabled = wait_take(thread, next);
		if (!thread->enabled && inst->jip != VGT_IP_NONE)
			return jump(thread, inst->jip);
	}
	return inst + 1;
}

/* @leave wait at @target, the other enabled channels go on. */
static const struct vgt_inst *part(struct vgt_eu_thread *thread,
				   const struct vgt_inst *inst, uint32_t leave,
				   uint32_t target)
{
	if (__builtin_expect(thread->in_sip, 0))
		return frozen(thread, inst);
	wait_add(thread, leave, target);
	return go(thread, inst, thread->enabled & ~leave);
}

static const struct vgt_inst *if_exec(struct vgt_eu_thread *thread,
				      const struct vgt_inst *inst)
{
	uint32_t leave = thread->enabled & ~taken(thread, inst);

	return part(thread, inst, leave, inst->jip);
}

static const struct vgt_inst *else_exec(struct vgt_eu_thread *thread,
					const struct vgt_inst *inst)
{
	return part(thread, inst, thread->enabled, inst->uip);
}

/* endif, join: where channels meet. */
static const struct vgt_inst *join_exec(struct vgt_eu_thread *thread,
					const struct vgt_inst *inst)
{
	return go(thread, inst, thread->enabled);
}

/* @back go to @target at once; the others wait behind the instruction. */
static const struct vgt_inst *backward(struct vgt_eu_thread *thread,
				       const struct vgt_inst *inst,
				       uint32_t back, uint32_t target)
{
	if (__builtin_expect(thread->in_sip, 0))
		return frozen(thread, inst);
	if (!back)
		return inst + 1;
	wait_add(thread, thread->enabled & ~back, inst->ip + inst->bytes);
	thread->enabled = back;
	return vgt_icache_fetch(thread, target);
}

static const struct vgt_inst *while_exec(struct vgt_eu_thread *thread,
					 const struct vgt_inst *inst)
{
	return backward(thread, inst, taken(thread, inst), inst->jip);
}

static const struct vgt_inst *goto_exec(struct vgt_eu_thread *thread,
					const struct vgt_inst *inst)
{
	uint32_t leave = taken(thread, inst);

	if (inst->function)
		return backward(thread, inst, leave, inst->uip);
	return part(thread, inst, leave, inst->uip);
}

/* Leaves the loop: its channels wait behind the while that UIP names. */
static const struct vgt_inst *break_exec(struct vgt_eu_thread *thread,
					 const struct vgt_inst *inst)
{
	const struct vgt_inst *loop_end = vgt_icache_fetch(thread, inst->uip);

	if (!loop_end)
		return NULL;
	return part(thread, inst, taken(thread, inst),
		    loop_end->ip + loop_end->bytes);
}

static const struct vgt_inst *cont_exec(struct vgt_eu_thread *thread,
					const struct vgt_inst *inst)
{
	return part(thread, inst, taken(thread, inst), inst->uip);
}

/* Return address and call mask are saved in a register; P becomes the mask. */
static const struct vgt_inst *call_exec(struct vgt_eu_thread *thread,
					const struct vgt_inst *inst)
{
	uint32_t next = inst->ip + inst->bytes, target = inst->jip;
	uint32_t go_there = taken(thread, inst);

	if (thread->in_sip)
		return frozen(thread, inst);
	if (target == VGT_IP_NONE)
		target = inst->ip +
			 vgt_load32(thread->reg + inst->src[0].offset);
	if (!go_there)
		return inst + 1;
	vgt_store32(thread->reg + inst->dst.offset, next);
	vgt_store32(thread->reg + inst->dst.offset + 4, thread->call_mask);
	wait_add(thread, thread->enabled & ~go_there, next);
	thread->call_mask = go_there;
	thread->enabled = go_there;
	return vgt_icache_fetch(thread, target);
}

static const struct vgt_inst *ret_exec(struct vgt_eu_thread *thread,
				       const struct vgt_inst *inst)
{
	uint32_t ip = vgt_load32(thread->reg + inst->src[0].offset);
	uint32_t mask = vgt_load32(thread->reg + inst->src[0].offset + 4);
	uint32_t leave = taken(thread, inst);
	uint32_t stay = thread->enabled & ~leave;

	if (!leave || thread->in_sip)
		return go(thread, inst, stay);
	wait_add(thread, leave, ip);
	if (thread->call_mask & thread->dispatch_mask & ~leave) {
		thread->call_mask &= ~leave;
		return go(thread, inst, stay);
	}
	thread->call_mask = mask;
	thread->enabled = 0;
	return jump(thread, ip);
}

/* All channels go along; what waits at the target is collected there. */
static const struct vgt_inst *jmpi_exec(struct vgt_eu_thread *thread,
					const struct vgt_inst *inst)
{
	if (inst->pred && !(vgt_predicate(thread, inst) & 1))
		return inst + 1;
	return vgt_icache_fetch(thread, inst->jip);
}

static vgt_exec branch_handler(const struct vgt_inst *inst)
{
	switch (inst->op) {
	case VGT_OP_IF:
		return if_exec;
	case VGT_OP_ELSE:
		return else_exec;
	case VGT_OP_ENDIF:
	case VGT_OP_JOIN:
		return join_exec;
	case VGT_OP_WHILE:
		return while_exec;
	case VGT_OP_GOTO:
		return goto_exec;
	case VGT_OP_BREAK:
		return break_exec;
	case VGT_OP_CONT:
		return cont_exec;
	case VGT_OP_CALL:
		return call_exec;
	case VGT_OP_RET:
		return ret_exec;
	default:
		return NULL;
	}
}

vgt_exec vgt_flow_handler(const struct vgt_inst *inst)
{
	if (inst->op == VGT_OP_JMPI)
		return inst->jip == VGT_IP_NONE ? NULL : jmpi_exec;
	return branch_handler(inst);
}
