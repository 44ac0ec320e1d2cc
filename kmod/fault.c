// SPDX-License-Identifier: GPL-2.0-only
/*
 * The first page fault stays in the registers until it is taken back. The
 * hardware does not say which thread it was of, nor does that thread stop: a
 * read gives zero, a write is lost. A session that acknowledges faults has all
 * threads stopped that run, as for an interrupt, and until it does those that
 * start: the one that is meant is mostly among them, near what it did.
 */
#include "fault.h"

#include <linux/bitfield.h>
#include <linux/bits.h>
#include <linux/errno.h>

#include "context.h"
#include "gt.h"
#include "gtdbg.h"
#include "hw.h"
#include "platform.h"
#include "trace.h"

#define FAULT_VALID BIT(0)
#define FAULT_TYPE GENMASK(2, 1)
#define FAULT_SOURCE GENMASK(10, 3)
/* Its address: dword 0 from bit 12 on, and what is above. */
#define FAULT_LOW_SHIFT 12
#define FAULT_HIGH GENMASK_ULL(3, 0)
#define FAULT_HIGH_SHIFT 44

/* Only a SIP that stops all kernels' threads, and can let them go. */
static bool fault_stops(const struct gtdbg_context *context)
{
	return context && context->savearea.address &&
	       context->savearea.sip != GTDBG_SIP_BINDFUL;
}

static void fault_take_back(struct gtdbg_gt *gt)
{
	gtdbg_hw_write(gt, gt->platform->fault, 0);
	gtdbg_hw_flush(gt);
}

/* The register, if it has one that nobody knows of. */
static u32 fault_new(struct gtdbg_gt *gt)
{
	u32 fault;

	/* On a shared GPU it is the driver that looks at them, and clears them. */
	if (gt->fault_seqno || gt->ops->is_shared)
		return 0;
	fault = gtdbg_hw_read(gt, gt->platform->fault);
	return fault & FAULT_VALID ? fault : 0;
}

bool gtdbg_fault_is_due(struct gtdbg_gt *gt)
{
	lockdep_assert_held(&gt->lock);
	return fault_new(gt);
}

void gtdbg_fault_check(struct gtdbg_gt *gt, const struct gtdbg_context *context)
{
	const struct gtdbg_platform *platform = gt->platform;
	u32 fault;

	lockdep_assert_held(&gt->lock);
	fault = fault_new(gt);
	if (!fault)
		return;
	gt->fault = (struct gtdbg_event_page_fault){
		.device = gt->id,
		.context = context ? context->id : 0,
		.address = (u64)gtdbg_hw_read(gt, platform->fault_low) <<
				   FAULT_LOW_SHIFT |
			   FIELD_GET(FAULT_HIGH,
				     gtdbg_hw_read(gt, platform->fault_high)) <<
				   FAULT_HIGH_SHIFT,
		.type = FIELD_GET(FAULT_TYPE, fault),
		.source = FIELD_GET(FAULT_SOURCE, fault),
	};
	trace_gtdbg_page_fault(gt->id, gt->fault.context, gt->fault.address,
			       gt->fault.type);
	gt->fault_replay_seqno = 0;
	gt->fault_seqno = gtdbg_gt_emit(gt, GTDBG_EVENT_PAGE_FAULT, 0,
					&gt->fault, sizeof(gt->fault));
	/* Who is about to leave does not acknowledge it any more. */
	if (!gt->active)
		gt->fault_seqno = 0;
	if (!gt->fault_seqno)
		fault_take_back(gt);
	else if (fault_stops(context))
		gtdbg_hw_halt(gt, true);
}

void gtdbg_fault_end(struct gtdbg_gt *gt)
{
	lockdep_assert_held(&gt->lock);
	if (!gt->fault_seqno)
		return;
	gt->fault_seqno = 0;
	gtdbg_hw_halt(gt, false);
	fault_take_back(gt);
}

int gtdbg_fault_ack(struct gtdbg_gt *gt, u64 seqno)
{
	lockdep_assert_held(&gt->lock);
	if (!seqno || !gt->fault_seqno ||
	    (seqno != gt->fault_seqno && seqno != gt->fault_replay_seqno))
		return -ENOENT;
	gtdbg_fault_end(gt);
	trace_gtdbg_event_ack(gt->id, seqno);
	return gt->lost ? -ENODEV : 0;
}
