// SPDX-License-Identifier: MIT
#include "eu/dispatch.h"

#include "eu/handler.h"
#include "gt/device.h"
#include "gt/group.h"
#include "gt/walker.h"

#define GRF_BYTES 32
#define FFID_GPGPU (7U << 24)

/* sr0.0: where the thread runs. Slots count as the save area does. */
static uint32_t location(uint32_t slot)
{
	uint32_t dss = slot / 112, half = slot / 56 % 2, row = slot / 28 % 2;
	uint32_t column = slot / 7 % 4, tid = slot % 7;

	return tid | column << 4 | row << 7 | half << 8 | dss << 9 |
	       FFID_GPGPU;
}

static void header(struct vgt_eu_thread *thread, const struct vgt_group *group)
{
	const struct vgt_walker *walker = group->walker;
	uint32_t scratch = 0;
	uint32_t r0[8] = { 0 };

	if (walker->state.scratch_base)
		scratch = walker->state.scratch_base +
			  thread->fftid * (1024U << walker->state.scratch_code);
	r0[1] = group->id[0];
	r0[3] = walker->sampler_offset | walker->state.scratch_code;
	r0[4] = walker->binding_table;
	r0[5] = (scratch & ~0x3ffU) | thread->fftid;
	r0[6] = group->id[1];
	r0[7] = group->id[2];
	memcpy(thread->reg, r0, sizeof(r0));
}

/* Absent pages read as zero; the fault is reported. */
static void payload_read(struct vgt_eu_thread *thread, uint8_t *to,
			 uint64_t va, uint32_t bytes)
{
	struct vgt_tlb *tlb = &thread->worker->tlb;

	while (bytes) {
		uint32_t step = VGT_PAGE_BYTES - va % VGT_PAGE_BYTES;
		const uint8_t *host = vgt_tlb_host(tlb, va, VGT_ACCESS_READ);

		if (step > bytes)
			step = bytes;
		if (host)
			memcpy(to, host, step);
		else
			vgt_device_fault(thread->group->walker->device, thread,
					 va, VGT_ACCESS_READ);
		to += step;
		va += step;
		bytes -= step;
	}
}

static void payload(struct vgt_eu_thread *thread,
		    const struct vgt_walker *walker, uint32_t index)
{
	uint32_t own = walker->per_thread_grfs * GRF_BYTES;
	uint32_t cross = walker->cross_grfs * GRF_BYTES;
	uint32_t room = VGT_REG_A0 - GRF_BYTES;

	if (own > room)
		own = room;
	if (cross > room - own)
		cross = room - own;
	payload_read(thread, thread->reg + GRF_BYTES,
		     walker->payload + walker->cross_grfs * GRF_BYTES +
		     (uint64_t)index * walker->per_thread_grfs * GRF_BYTES,
		     own);
	payload_read(thread, thread->reg + GRF_BYTES + own, walker->payload,
		     cross);
}

static void masks(struct vgt_eu_thread *thread, const struct vgt_walker *walker,
		  uint32_t index)
{
	uint32_t mask = walker->simd >= 32 ? UINT32_MAX :
			(1U << walker->simd) - 1;

	if (index + 1 == walker->threads)
		mask &= walker->right_mask;
	thread->launch_mask = mask;
	thread->dispatch_mask = mask;
	thread->call_mask = UINT32_MAX;
	thread->enabled = mask;
	thread->waits = 0;
	vgt_store32(thread->reg + VGT_REG_SR + 8, mask);
	vgt_store32(thread->reg + VGT_REG_SR + 12, mask);
}

void vgt_dispatch(struct vgt_eu_thread *thread, struct vgt_group *group,
		  uint32_t index)
{
	const struct vgt_walker *walker = group->walker;

	memset(thread->reg, 0, sizeof(thread->reg));
	thread->acc_wide = 0;
	thread->acc_signed = 0;
	thread->group = group;
	thread->ip = walker->kernel;
	thread->in_sip = false;
	thread->instructions = 0;
	thread->status = VGT_EU_YIELD;
	thread->error[0] = '\0';
	header(thread, group);
	payload(thread, walker, index);
	masks(thread, walker, index);
	vgt_store32(thread->reg + VGT_REG_SR, location(thread->slot));
	vgt_store32(thread->reg + VGT_REG_CR, walker->cr0);
	vgt_store32(thread->reg + VGT_REG_CR + 4, walker->exceptions);
	thread->mxcsr = vgt_eu_float_mode(thread);
}
