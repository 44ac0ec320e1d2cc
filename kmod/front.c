// SPDX-License-Identifier: GPL-2.0-only
/*
 * Memory of a shared GPU is within reach only while its context runs, and short
 * launches are not seen at all. What the SIP decides by has to change at once, though:
 * a program that goes on deciding for a condition that was taken back hides stops. So a
 * reference is taken to each of these pages while the context is on the engine, as
 * whoever pins memory of files does. Nobody else gets such a page before it is let go
 * of, and the driver finds the same one whenever it needs that of the buffer again.
 *
 * Only pages of shared memory that the GPU may write, which is what the driver makes
 * buffers of: a private page would be exchanged for a copy when it is written.
 *
 * If the program has another area meanwhile what is changed here changes nothing: that
 * one has no programs, and its threads stop. It is noticed when it runs.
 */
#include "front.h"

#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/slab.h>

#include "context.h"
#include "gt.h"
#include "hw.h"
#include "ppgtt.h"
#include "savearea.h"

#define FRONT_PAGE_BYTES 4096U
#define FRONT_PAGES DIV_ROUND_UP(GTDBG_SIP_SLOT_OFFSET, FRONT_PAGE_BYTES)

struct gtdbg_front {
	u32 count;
	void *page[FRONT_PAGES];
};

static void front_free(struct gtdbg_gt *gt, struct gtdbg_context *context,
		       struct gtdbg_front *front)
{
	while (front->count)
		gt->ops->memory_unkeep(front->page[--front->count]);
	gtdbg_context_uncharge(context, sizeof(*front) +
			       FRONT_PAGES * FRONT_PAGE_BYTES);
	kfree(front);
}

static struct gtdbg_front *front_alloc(struct gtdbg_context *context)
{
	u64 bytes = sizeof(struct gtdbg_front) + FRONT_PAGES * FRONT_PAGE_BYTES;
	struct gtdbg_front *front;

	/* They stay, also if the program lets go of them. */
	if (gtdbg_context_charge(context, bytes))
		return NULL;
	front = kzalloc(sizeof(*front), GFP_KERNEL_ACCOUNT);
	if (!front)
		gtdbg_context_uncharge(context, bytes);
	return front;
}

/* All of them, or none; the context has to stay on the engine meanwhile. */
static bool front_keep(struct gtdbg_gt *gt, struct gtdbg_context *context)
{
	const struct gtdbg_savearea *area = &context->savearea;
	u32 pages = DIV_ROUND_UP(min(area->slots_offset, GTDBG_SIP_SLOT_OFFSET),
				 FRONT_PAGE_BYTES);
	struct gtdbg_front *front;

	if (area->sip != GTDBG_SIP_OWN || area->address % FRONT_PAGE_BYTES ||
	    gtdbg_savearea_check(gt, context))
		return false;
	front = front_alloc(context);
	if (!front)
		return false;
	if (gtdbg_ppgtt_keep(gt, context, area->address, front->page, pages)) {
		front_free(gt, context, front);
		return false;
	}
	front->count = pages;
	context->front = front;
	return true;
}

bool gtdbg_front_usable(struct gtdbg_gt *gt, struct gtdbg_context *context)
{
	lockdep_assert_held(&gt->lock);
	if (!context->savearea.address)
		return false;
	if (!gt->ops->is_shared)
		return !gtdbg_savearea_check(gt, context);
	return context->front || (gt->active && front_keep(gt, context));
}

bool gtdbg_front_in_reach(struct gtdbg_gt *gt, struct gtdbg_context *context)
{
	lockdep_assert_held(&gt->lock);
	return (context->savearea.address && context->front) ||
	       !gtdbg_savearea_check(gt, context);
}

static int front_copy(struct gtdbg_gt *gt, struct gtdbg_context *context,
		      u32 offset, void *buf, u32 len_bytes, bool write)
{
	const struct gtdbg_front *front = context->front;
	u32 done = 0;

	if (offset > front->count * FRONT_PAGE_BYTES ||
	    len_bytes > front->count * FRONT_PAGE_BYTES - offset)
		return -EFAULT;
	while (done < len_bytes) {
		u32 at = offset + done;
		u32 bytes = min(len_bytes - done,
				FRONT_PAGE_BYTES - at % FRONT_PAGE_BYTES);

		gt->ops->kept_copy(front->page[at / FRONT_PAGE_BYTES],
				   at % FRONT_PAGE_BYTES, buf + done, bytes,
				   write);
		done += bytes;
	}
	return 0;
}

int gtdbg_front_read(struct gtdbg_gt *gt, struct gtdbg_context *context,
		     u32 offset, void *buf, u32 len_bytes)
{
	lockdep_assert_held(&gt->lock);
	if (context->front)
		return front_copy(gt, context, offset, buf, len_bytes, false);
	return gtdbg_ppgtt_read(gt, context, context->savearea.address + offset,
				buf, len_bytes);
}

int gtdbg_front_write(struct gtdbg_gt *gt, struct gtdbg_context *context,
		      u32 offset, const void *buf, u32 len_bytes)
{
	lockdep_assert_held(&gt->lock);
	if (context->front)
		return front_copy(gt, context, offset, (void *)buf, len_bytes,
				  true);
	return gtdbg_ppgtt_write(gt, context,
				 context->savearea.address + offset, buf,
				 len_bytes);
}

/* Another buffer's first page is another one: the area is one buffer. */
int gtdbg_front_check(struct gtdbg_gt *gt, struct gtdbg_context *context)
{
	void *page = NULL;
	u64 phys;

	lockdep_assert_held(&gt->lock);
	if (!context->front)
		return 0;
	if (!gtdbg_ppgtt_walk(gt, context, context->savearea.address, &phys))
		page = gtdbg_hw_memory_keep(gt, phys);
	if (page)
		gt->ops->memory_unkeep(page);
	if (page == context->front->page[0])
		return 0;
	/* What is not on the engine may be anyone's. */
	return gtdbg_context_reachable(gt, context, true) ? -ENOENT : -EAGAIN;
}

void gtdbg_front_destroy(struct gtdbg_gt *gt, struct gtdbg_context *context)
{
	if (!context->front)
		return;
	front_free(gt, context, context->front);
	context->front = NULL;
}
