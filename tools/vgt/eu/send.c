// SPDX-License-Identifier: MIT
/*
 * send, and what waits for messages. End of thread and the barrier never leave
 * the engine; everything else is a struct vgt_message for a shared function.
 */
#include "check/check.h"
#include "eu/handler.h"
#include "gt/attention.h"
#include "gt/device.h"
#include "gt/group.h"
#include "port/message.h"

#define GATEWAY_BARRIER 4
#define GRF_END (128 * VGT_GRF_BYTES)
#define PAYLOAD_GRFS 31 /* the most that a descriptor has room for */

enum sync_function {
	SYNC_BARRIER = 14,
	SYNC_HOST = 15,
};

static uint32_t descriptor(const struct vgt_eu_thread *thread, uint8_t reg,
			   uint32_t immediate)
{
	return reg == 255 ? immediate :
	       vgt_load32(thread->reg + VGT_REG_A0 + 4 * (reg & 7));
}

/* The SIP may restore an old n0: the notification waits until it has left. */
static void barrier_notify(struct vgt_eu_thread *thread)
{
	uint8_t *n0 = thread->reg + VGT_REG_N;

	if (thread->in_sip)
		thread->barriers++;
	else
		vgt_store32(n0, vgt_load32(n0) + 1);
}

/*
 * True: as many have arrived as the group has threads, so it opens for all that are
 * there. A thread may arrive several times without waiting, also when another has ended.
 */
static bool barrier_signal(struct vgt_group *group)
{
	if (++group->arrived < group->count)
		return false;
	group->arrived = 0;
	for (uint32_t i = 0; i < group->count; i++)
		if (group->thread[i])
			barrier_notify(group->thread[i]);
	return true;
}

static inline __attribute__((always_inline)) void
barrier_send(struct vgt_eu_thread *thread, const bool checked)
{
	bool opened = barrier_signal(thread->group);

	if (checked)
		vgt_check_barrier(thread, opened);
}

static const struct vgt_inst *stop(struct vgt_eu_thread *thread,
				   const struct vgt_inst *inst,
				   enum vgt_eu_status status)
{
	thread->ip = inst->ip;
	thread->status = status;
	return NULL;
}

bool vgt_send_in_grf(const struct vgt_operand *operand, uint32_t grfs)
{
	return operand->kind == VGT_OPERAND_NONE ||
	       operand->arf == VGT_ARF_NULL ||
	       operand->offset + grfs * VGT_GRF_BYTES <= GRF_END;
}

const uint8_t *vgt_send_payload(const struct vgt_eu_thread *thread,
				const struct vgt_operand *operand)
{
	static const _Alignas(64) uint8_t zeros[PAYLOAD_GRFS * VGT_GRF_BYTES];

	return operand->kind == VGT_OPERAND_REG &&
	       operand->arf != VGT_ARF_NULL ? thread->reg + operand->offset :
					      zeros;
}

static inline __attribute__((always_inline)) const struct vgt_inst *
message(struct vgt_eu_thread *thread, const struct vgt_inst *inst,
	uint32_t desc, uint32_t lanes, const bool checked)
{
	uint32_t exdesc = descriptor(thread, inst->exdesc_reg, inst->exdesc);
	struct vgt_message message = {
		.sfid = inst->function,
		.desc = desc,
		.exdesc = exdesc,
		.lanes = lanes,
		.exec_size = inst->exec_size,
		.mlen = desc >> 25 & 15,
		.exlen = exdesc >> 6 & 31,
		.rlen = desc >> 20 & 31,
		.src0 = vgt_send_payload(thread, &inst->src[0]),
		.src1 = vgt_send_payload(thread, &inst->src[1]),
	};

	if (inst->dst.arf != VGT_ARF_NULL && inst->dst.kind)
		message.dst = thread->reg + inst->dst.offset;
	thread->ip = inst->ip;
	if (!vgt_send_in_grf(&inst->src[0], message.mlen) ||
	    !vgt_send_in_grf(&inst->src[1], message.exlen) ||
	    !vgt_send_in_grf(&inst->dst, message.rlen)) {
		vgt_eu_fail(thread, "the message runs past r127");
		return NULL;
	}
	if (checked) {
		vgt_check_message(thread, inst, &message);
		if (vgt_exception_found(thread))
			return NULL;
	}
	if (vgt_message_execute(thread, &message)) {
		thread->status = VGT_EU_ERROR;
		return NULL;
	}
	if (checked)
		vgt_check_message_done(thread, &message);
	/* By a fault of the message, or the host: else compiled code would go on. */
	if (atomic_load_explicit(&thread->pending, memory_order_relaxed) &
	    VGT_EU_PENDING_HALT) {
		thread->ip = inst->ip + inst->bytes;
		return NULL;
	}
	return inst + 1;
}

/* Expanded twice, so that checkers which are off cost nothing. */
static inline __attribute__((always_inline)) const struct vgt_inst *
send_exec(struct vgt_eu_thread *thread, const struct vgt_inst *inst,
	  const bool checked)
{
	uint32_t lanes = vgt_exec_lanes(thread, inst);
	uint32_t desc = descriptor(thread, inst->desc_reg, inst->desc);

	if (inst->eot && inst->function == VGT_SFID_THREAD_SPAWNER)
		return stop(thread, inst, VGT_EU_END);
	if (inst->function == VGT_SFID_GATEWAY &&
	    (desc & 7) == GATEWAY_BARRIER) {
		if (lanes)
			barrier_send(thread, checked);
		return inst + 1;
	}
	return message(thread, inst, desc, lanes, checked);
}

const struct vgt_inst *vgt_send_exec(struct vgt_eu_thread *thread,
				     const struct vgt_inst *inst)
{
	return send_exec(thread, inst, false);
}

const struct vgt_inst *vgt_send_checked_exec(struct vgt_eu_thread *thread,
					     const struct vgt_inst *inst)
{
	return send_exec(thread, inst, true);
}

static const struct vgt_inst *barrier_wait(struct vgt_eu_thread *thread,
					   const struct vgt_inst *inst)
{
	uint8_t *n0 = thread->reg + VGT_REG_N;
	uint32_t notified = vgt_load32(n0);

	if (!notified)
		return stop(thread, inst, VGT_EU_BARRIER);
	vgt_store32(n0, notified - 1);
	return inst + 1;
}

/* The driver sees the attention, and answers it with a notification. */
static const struct vgt_inst *host_wait(struct vgt_eu_thread *thread,
					const struct vgt_inst *inst)
{
	if (vgt_attention_wait(thread))
		return inst + 1;
	return stop(thread, inst, VGT_EU_HOST);
}

/* Messages are complete when send returns: only real waits do anything. */
const struct vgt_inst *vgt_sync_exec(struct vgt_eu_thread *thread,
				     const struct vgt_inst *inst)
{
	if (inst->function == SYNC_BARRIER)
		return barrier_wait(thread, inst);
	if (inst->function == SYNC_HOST)
		return host_wait(thread, inst);
	return inst + 1;
}
