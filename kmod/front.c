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
#include <linux/ktime.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "context.h"
#include "gt.h"
#include "hw.h"
#include "ppgtt.h"
#include "savearea.h"

#define FRONT_PAGE_BYTES 4096U
#define FRONT_PAGES DIV_ROUND_UP(GTDBG_SIP_SLOT_OFFSET, FRONT_PAGE_BYTES)
#define FRONT_RETRY_MS 1000 /* after there was no room for one */

/* What an area begins with as long as it is one, and the client's. */
struct front_mark {
	u64 magic;
	u8 control[GTDBG_SIP_CONTROL_FLAGS - GTDBG_SIP_CONTROL_OFFSET];
};

struct gtdbg_front {
	u32 count;
	u64 bytes; /* that were charged */
	struct front_mark mark;
	void *page[FRONT_PAGES];
};

static void front_free(struct gtdbg_gt *gt, struct gtdbg_context *context,
		       struct gtdbg_front *front)
{
	while (front->count)
		gt->ops->memory_unkeep(front->page[--front->count]);
	gtdbg_context_uncharge(context, front->bytes);
	kfree(front);
}

static struct gtdbg_front *front_alloc(struct gtdbg_context *context)
{
	struct gtdbg_front *front;

	if (gtdbg_context_charge(context, sizeof(*front)))
		return NULL;
	front = kzalloc(sizeof(*front), GFP_KERNEL_ACCOUNT);
	if (front)
		front->bytes = sizeof(*front);
	else
		gtdbg_context_uncharge(context, sizeof(*front));
	return front;
}

/* Its pages stay, also if the program lets go of them. */
static int front_charge(struct gtdbg_gt *gt, struct gtdbg_context *context,
			struct gtdbg_front *front)
{
	u64 bytes = gt->ops->kept_bytes(front->page, front->count);
	int ret = gtdbg_context_charge(context, bytes);

	if (!ret)
		front->bytes += bytes;
	else
		context->front_retry = ktime_add_ms(ktime_get(), FRONT_RETRY_MS);
	return ret;
}

static void front_mark(struct gtdbg_gt *gt, const struct gtdbg_front *front,
		       struct front_mark *out)
{
	gt->ops->kept_copy(front->page[0], 0, &out->magic, sizeof(out->magic),
			   false);
	gt->ops->kept_copy(front->page[0], GTDBG_SIP_CONTROL_OFFSET,
			   out->control, sizeof(out->control), false);
}

/*
 * The program may use the memory for something else when the area is gone: that is not
 * written to.
 */
static bool front_is_area(struct gtdbg_gt *gt, const struct gtdbg_front *front)
{
	struct front_mark now;

	front_mark(gt, front, &now);
	return !memcmp(&now, &front->mark, sizeof(now));
}

/* All of them, or none; the context has to stay on the engine meanwhile. */
static bool front_keep(struct gtdbg_gt *gt, struct gtdbg_context *context)
{
	const struct gtdbg_savearea *area = &context->savearea;
	u32 pages = DIV_ROUND_UP(min(area->slots_offset, GTDBG_SIP_SLOT_OFFSET),
				 FRONT_PAGE_BYTES);
	struct gtdbg_front *front;

	/* Slots that begin before the table would leave no room for it. */
	if (area->sip != GTDBG_SIP_OWN || area->address % FRONT_PAGE_BYTES ||
	    area->slots_offset < GTDBG_SIP_TABLE_OFFSET ||
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
	if (front_charge(gt, context, front)) {
		front_free(gt, context, front);
		return false;
	}
	front_mark(gt, front, &front->mark);
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
	if (context->front)
		return true;
	/* What is refused takes a look at all pages. */
	return gt->active && !ktime_before(ktime_get(), context->front_retry) &&
	       front_keep(gt, context);
}

static int front_copy(struct gtdbg_gt *gt, struct gtdbg_context *context,
		      u32 offset, void *buf, u32 len_bytes, bool write)
{
	const struct gtdbg_front *front = context->front;
	u32 done = 0;

	if (offset > front->count * FRONT_PAGE_BYTES ||
	    len_bytes > front->count * FRONT_PAGE_BYTES - offset)
		return -EFAULT;
	if (write && !front_is_area(gt, front))
		return -ENOENT;
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

/*
 * Another buffer's first page is another one: the area is one buffer. As the page is
 * kept no other one comes to where it is.
 */
int gtdbg_front_check(struct gtdbg_gt *gt, struct gtdbg_context *context)
{
	u64 phys;

	lockdep_assert_held(&gt->lock);
	if (!context->front)
		return 0;
	/* If the area is not there any more that is seen first, at the next look. */
	if (gtdbg_ppgtt_walk(gt, context, context->savearea.address, &phys))
		return -EAGAIN;
	if (gtdbg_hw_memory_is(gt, phys, context->front->page[0]))
		return 0;
	return gtdbg_context_on_engine(gt, context) ? -ENOENT : -EAGAIN;
}

void gtdbg_front_destroy(struct gtdbg_gt *gt, struct gtdbg_context *context)
{
	if (!context->front)
		return;
	front_free(gt, context, context->front);
	context->front = NULL;
}
