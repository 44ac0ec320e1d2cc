// SPDX-License-Identifier: MIT
/*
 * Architecture registers whose contents are computed when they are read, or
 * whose writes do something. An instruction that names one runs through
 * vgt_arf_exec(), which stands around its own handler.
 */
#include "eu/handler.h"
#include "gt/device.h"

#include <time.h>
#include <xmmintrin.h>

#define SR0_DISPATCH_MASK (VGT_REG_SR + 8)

static void read_timestamp(struct vgt_eu_thread *thread)
{
	struct timespec now;
	uint64_t ns;

	clock_gettime(CLOCK_MONOTONIC, &now);
	ns = (uint64_t)now.tv_sec * 1000000000ULL + (uint64_t)now.tv_nsec;
	memcpy(thread->reg + VGT_REG_TM, &ns, sizeof(ns));
}

static void prepare(struct vgt_eu_thread *thread, const struct vgt_inst *inst,
		    uint8_t arf)
{
	switch (arf) {
	case VGT_ARF_IP:
		vgt_store32(thread->reg + VGT_REG_IP, inst->ip);
		break;
	case VGT_ARF_CE:
		vgt_store32(thread->reg + VGT_REG_CE, thread->enabled);
		break;
	case VGT_ARF_TM:
		read_timestamp(thread);
		break;
	case VGT_ARF_FC:
		vgt_flow_read_fc(thread, inst->ip);
		break;
	}
}

/*
 * Bits that a kernel adds to its dispatch mask make (W) instructions of upper
 * channels run on hardware. Here they always do, so such channels stay out of
 * the control flow.
 */
static void write_state(struct vgt_eu_thread *thread)
{
	uint32_t mask = vgt_load32(thread->reg + SR0_DISPATCH_MASK);

	thread->dispatch_mask = thread->launch_mask & mask;
	thread->enabled &= thread->dispatch_mask;
}

/* ip is the next instruction's now; the hook may move it. */
static void write_control(struct vgt_eu_thread *thread, uint32_t old_cr0)
{
	uint32_t mxcsr = vgt_eu_float_mode(thread);

	if (mxcsr != thread->mxcsr) {
		thread->mxcsr = mxcsr;
		_mm_setcsr(mxcsr);
	}
	vgt_exception_cr_written(thread, old_cr0);
}

const struct vgt_inst *vgt_arf_exec(struct vgt_eu_thread *thread,
				    const struct vgt_inst *inst)
{
	uint32_t old_cr0 = vgt_load32(thread->reg + VGT_REG_CR);
	uint32_t after = inst->ip + inst->bytes;
	const struct vgt_inst *next;

	for (uint32_t i = 0; i < inst->sources; i++)
		prepare(thread, inst, inst->src[i].arf);
	if (inst->dst.arf == VGT_ARF_FC) /* a part of them is written */
		vgt_flow_read_fc(thread, inst->ip);
	next = inst->plain(thread, inst);
	thread->ip = after;
	if (inst->dst.arf == VGT_ARF_SR)
		write_state(thread);
	else if (inst->dst.arf == VGT_ARF_FC)
		vgt_flow_write_fc(thread);
	else if (inst->dst.arf == VGT_ARF_CR)
		write_control(thread, old_cr0);
	return thread->ip == after ? next : NULL;
}
