// SPDX-License-Identifier: MIT
/*
 * Exceptions of an EU thread: entry to and exit from the system routine.
 *
 * On entry the hardware saves nothing but the address to return to (cr0.2) and
 * the cause (cr0.1), and freezes the channel enables. The write that clears
 * cr0.0[31] leaves. Then the suppress bit lets one instruction pass, and the
 * step bit, if the SIP left it set, stops before the next.
 */
#include "eu/eu.h"
#include "eu/handler.h"
#include "eu/inst.h"
#include "gt/attention.h"
#include "gt/device.h"
#include "gt/group.h"
#include "gt/tlb.h"
#include "gt/walker.h"

#include <string.h>

#define CR_MASTER (1U << 31) /* cr0.0: in the SIP */
#define CR_SUPPRESS (1U << 15)
#define CR_BREAKPOINT (1U << 31) /* cr0.1, step as well */
#define CR_HALT (1U << 30)
#define CR_SOFTWARE (1U << 29)
#define CR_ILLEGAL (1U << 28)
#define CR_FORCED (1U << 26)
#define CR_ILLEGAL_ENABLE (1U << 12)

#define PENDING_FORCED (VGT_EU_PENDING_HALT | VGT_EU_PENDING_EXCEPTION)

static uint32_t control_read(const struct vgt_eu_thread *thread, uint32_t dword)
{
	return vgt_load32(thread->reg + VGT_REG_CR + 4 * dword);
}

static void control_write(struct vgt_eu_thread *thread, uint32_t dword,
			  uint32_t value)
{
	vgt_store32(thread->reg + VGT_REG_CR + 4 * dword, value);
}

/*
 * The kernel's own cr0.2 comes back after the SIP: compilers keep call targets
 * there, and a stop between the write and the read must not lose one. Without a
 * system routine the thread fails.
 */
static void enter(struct vgt_eu_thread *thread, uint32_t ip, uint32_t cause)
{
	const struct vgt_walker *walker = thread->group->walker;
	const struct vgt_state *state = &walker->state;

	if (!state->sip_valid) {
		vgt_eu_fail(thread, "exception 0x%x at 0x%x without a system routine",
			    cause, ip);
		return;
	}
	/* A driver invalidates the TLBs, then forces threads in here. */
	if (walker->device)
		vgt_tlb_use(&thread->worker->tlb, &walker->ppgtt,
			    atomic_load(&walker->device->generation));
	vgt_flow_arrive(thread, ip);
	thread->kernel_cr2 = control_read(thread, 2);
	thread->barriers = 0;
	control_write(thread, 0, control_read(thread, 0) | CR_MASTER);
	control_write(thread, 1, control_read(thread, 1) | cause);
	control_write(thread, 2, ip);
	thread->in_sip = true;
	vgt_attention_enter(thread);
	thread->ip = (uint32_t)state->sip;
}

/* Taken before @inst, if allowed: cause bits of cr0.1. */
static uint32_t cause_find(struct vgt_eu_thread *thread,
			   const struct vgt_inst *inst, uint32_t pending)
{
	uint32_t control = vgt_attention_control(thread);
	uint32_t cause = 0;

	if (atomic_load(&inst->flags) & VGT_INST_BREAK &&
	    control & VGT_TD_CTL_BREAKPOINTS)
		cause |= CR_BREAKPOINT;
	if (pending & VGT_EU_PENDING_STEP)
		cause |= CR_BREAKPOINT;
	/* A thread is gone after its last instruction: nothing to report. */
	if (inst->eot)
		cause = 0;
	if (pending & VGT_EU_PENDING_HALT)
		cause |= CR_HALT;
	if (pending & VGT_EU_PENDING_EXCEPTION)
		cause |= CR_FORCED;
	return cause;
}

bool vgt_exception_check(struct vgt_eu_thread *thread,
			 const struct vgt_inst *inst)
{
	uint32_t pending = atomic_load(&thread->pending), cause;

	if (thread->in_sip)
		return false;
	if (pending & VGT_EU_PENDING_SUPPRESS) {
		atomic_fetch_and(&thread->pending, ~VGT_EU_PENDING_SUPPRESS);
		control_write(thread, 0,
			      control_read(thread, 0) & ~CR_SUPPRESS);
		return false;
	}
	cause = cause_find(thread, inst, pending);
	if (!cause)
		return false;
	/* What was forced since is another exception. */
	atomic_fetch_and(&thread->pending,
			 ~(pending & (VGT_EU_PENDING_STEP | PENDING_FORCED)));
	enter(thread, inst->ip, cause);
	return true;
}

bool vgt_exception_illegal(struct vgt_eu_thread *thread)
{
	if (thread->in_sip || !thread->group->walker->state.sip_valid ||
	    !(control_read(thread, 1) & CR_ILLEGAL_ENABLE))
		return false;
	enter(thread, thread->ip, CR_ILLEGAL);
	return true;
}

/* No hardware does that: where no debugger is, there is no exception. */
bool vgt_exception_found(struct vgt_eu_thread *thread)
{
	if (!(atomic_load(&thread->pending) & VGT_EU_PENDING_FOUND))
		return false;
	atomic_fetch_and(&thread->pending, ~VGT_EU_PENDING_FOUND);
	if (!(vgt_attention_control(thread) & VGT_TD_CTL_BREAKPOINTS))
		return false;
	enter(thread, thread->ip, CR_SOFTWARE);
	return true;
}

/* What was forced while the thread was stopped has no effect any more. */
static void leave(struct vgt_eu_thread *thread)
{
	uint8_t *n0 = thread->reg + VGT_REG_N;
	uint32_t pending = 0, forced;

	if (control_read(thread, 0) & CR_SUPPRESS)
		pending |= VGT_EU_PENDING_SUPPRESS;
	if (control_read(thread, 1) & CR_BREAKPOINT)
		pending |= VGT_EU_PENDING_STEP;
	forced = atomic_load(&thread->pending) & PENDING_FORCED;
	if (forced && !vgt_attention_forced(thread)) {
		atomic_fetch_and(&thread->pending, ~forced);
		/* What is forced by now may have been among them. */
		atomic_fetch_or(&thread->pending, vgt_attention_forced(thread));
	}
	atomic_fetch_or(&thread->pending, pending);
	thread->in_sip = false;
	vgt_attention_leave(thread);
	thread->ip = control_read(thread, 2);
	control_write(thread, 2, thread->kernel_cr2);
	vgt_store32(n0, vgt_load32(n0) + thread->barriers);
	vgt_flow_arrive(thread, thread->ip);
}

void vgt_exception_cr_written(struct vgt_eu_thread *thread, uint32_t old_cr0)
{
	uint32_t value = control_read(thread, 0);

	if (thread->in_sip && (old_cr0 & CR_MASTER) && !(value & CR_MASTER))
		leave(thread);
}
