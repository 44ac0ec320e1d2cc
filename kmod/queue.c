// SPDX-License-Identifier: GPL-2.0-only
/*
 * Breakpoints are decided on the EU only in the area of the queue that runs. Threads of
 * another one stop, which is never wrong, until that is seen to run. But what they do in
 * between must not get lost: a flag that lets them pass is taken back there, too, and
 * records that they wrote are reported.
 *
 * For either, a queue's area is the context's for a moment. Its table is empty.
 */
#include "queue.h"

#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include "context.h"
#include "front.h"
#include "gt.h"
#include "ppgtt.h"
#include "record.h"
#include "savearea.h"
#include "table.h"

static void queue_exchange(struct gtdbg_context *context,
			   struct gtdbg_queue *queue)
{
	swap(context->savearea, queue->savearea);
	swap(context->front, queue->front);
	swap(context->ring, queue->ring);
	swap(context->table, queue->table);
	swap(context->savearea_seen, queue->savearea_seen);
}

static void queue_enter(struct gtdbg_gt *gt, struct gtdbg_context *context,
			struct gtdbg_queue *queue)
{
	/* What was seen of the context's area holds as long as it did. */
	gtdbg_context_refresh(gt, context);
	queue_exchange(context, queue);
	context->savearea_seen = false;
}

/* What was left of it may be nothing: its area is gone. */
static void queue_leave(struct gtdbg_context *context,
			struct gtdbg_queue *queue)
{
	if (!context->savearea.address)
		gtdbg_ring_destroy(context);
	queue_exchange(context, queue);
}

/*
 * What is not mapped while another queue runs, or leads to the driver's empty page, may
 * be its area again when it runs itself. Only something else there says that it is gone.
 */
static bool queue_is_away(struct gtdbg_gt *gt, struct gtdbg_context *context)
{
	const struct gtdbg_savearea *area = &context->savearea;
	u64 magic = 0;

	return area->sip == GTDBG_SIP_OWN && !context->front &&
	       (gtdbg_ppgtt_read(gt, context, area->address, &magic,
				 sizeof(magic)) || !magic);
}

/* Records in an area that is away are lost, but not where it is. */
static void queue_end(struct gtdbg_gt *gt, struct gtdbg_context *context,
		      struct gtdbg_queue *queue)
{
	queue_enter(gt, context, queue);
	if (queue_is_away(gt, context))
		gtdbg_ring_destroy(context);
	else
		gtdbg_ring_end(gt, context);
	gtdbg_front_destroy(gt, context);
	queue_leave(context, queue);
}

/* Those whose areas are gone. */
static void queues_forget(struct gtdbg_context *context)
{
	struct gtdbg_queue *queues = context->queues;
	u32 i, left = 0;

	for (i = 0; i < context->queue_count; i++)
		if (queues[i].savearea.address)
			queues[left++] = queues[i];
	context->queue_count = left;
}

/*
 * The one with an area at @address, or a new one. If there is room for no more the one
 * that ran longest ago gives way: it is not told of the session's end.
 */
static struct gtdbg_queue *queue_get(struct gtdbg_gt *gt,
				     struct gtdbg_context *context, u64 address)
{
	struct gtdbg_queue *queues = context->queues;
	u32 i;

	queues_forget(context);
	for (i = 0; i < context->queue_count; i++)
		if (queues[i].savearea.address == address)
			return &queues[i];
	if (i == GTDBG_QUEUES_MAX) {
		queue_end(gt, context, queues);
		memmove(queues, queues + 1, --i * sizeof(*queues));
	}
	context->queue_count = i + 1;
	memset(&queues[i], 0, sizeof(queues[i]));
	return &queues[i];
}

/* The last one is the one that ran last. */
static void queue_move_last(struct gtdbg_context *context,
			    const struct gtdbg_queue *queue)
{
	struct gtdbg_queue *queues = context->queues, moved = *queue;
	u32 at = queue - queues, last = context->queue_count - 1;

	memmove(queues + at, queues + at + 1, (last - at) * sizeof(*queues));
	queues[last] = moved;
}

/* The area @found is the context's; what it had before is that queue's. */
static void queue_take(struct gtdbg_gt *gt, struct gtdbg_context *context,
		       const struct gtdbg_savearea *found)
{
	struct gtdbg_queue *queue = queue_get(gt, context, found->address);

	queue_exchange(context, queue);
	queue_move_last(context, queue);
	context->savearea = *found;
	context->savearea_seen = false;
	/* Another buffer may be there by now. */
	if (gtdbg_front_check(gt, context) == -ENOENT) {
		gtdbg_ring_end(gt, context);
		gtdbg_front_destroy(gt, context);
	}
}

int gtdbg_queue_follow(struct gtdbg_gt *gt, struct gtdbg_context *context)
{
	struct gtdbg_savearea found;

	lockdep_assert_held(&gt->lock);
	if (gtdbg_savearea_named(gt, context, &found))
		return -ENOENT;
	context->area_lrca = context->lrca;
	if (found.address == context->savearea.address)
		return 0;
	/*
	 * Its threads must not come upon what is out of date by then. Those that have found
	 * a program before may still write records. What is away is cleared when it is back.
	 */
	if (queue_is_away(gt, context))
		gtdbg_table_destroy(gt, context);
	else
		gtdbg_table_clear(gt, context);
	queue_take(gt, context, &found);
	return 1;
}

void gtdbg_queue_forget(struct gtdbg_gt *gt, struct gtdbg_context *context,
			u64 address)
{
	u32 i;

	lockdep_assert_held(&gt->lock);
	for (i = 0; i < context->queue_count; i++) {
		if (context->queues[i].savearea.address != address)
			continue;
		queue_end(gt, context, &context->queues[i]);
		context->queues[i].savearea.address = 0;
	}
	queues_forget(context);
}

static int queue_set_active(struct gtdbg_gt *gt, struct gtdbg_context *context,
			    bool active)
{
	return queue_is_away(gt, context) ?
		       -EAGAIN :
		       gtdbg_savearea_set_active(gt, context, active);
}

int gtdbg_queues_set_active(struct gtdbg_gt *gt, struct gtdbg_context *context,
			    bool active)
{
	bool passing = context->passing;
	u32 i;
	int ret;

	lockdep_assert_held(&gt->lock);
	context->passing = false;
	context->queues_late = false;
	for (i = 0; i < context->queue_count; i++) {
		queue_enter(gt, context, &context->queues[i]);
		ret = queue_set_active(gt, context, active);
		queue_leave(context, &context->queues[i]);
		if (ret < 0 && ret != -ENOENT)
			context->queues_late = true;
	}
	context->passing = passing;
	return gtdbg_savearea_set_active(gt, context, active);
}

static void queues_drain(struct gtdbg_gt *gt, struct gtdbg_context *context)
{
	u32 i;

	for (i = 0; i < context->queue_count; i++) {
		if (!context->queues[i].ring)
			continue;
		queue_enter(gt, context, &context->queues[i]);
		if (!queue_is_away(gt, context))
			gtdbg_ring_drain(gt, context);
		queue_leave(context, &context->queues[i]);
	}
}

void gtdbg_queues_drain(struct gtdbg_gt *gt)
{
	struct gtdbg_context *context;

	lockdep_assert_held(&gt->lock);
	list_for_each_entry(context, &gt->contexts, node) {
		queues_drain(gt, context);
		gtdbg_ring_drain(gt, context);
	}
}

void gtdbg_queues_leave(struct gtdbg_gt *gt, struct gtdbg_context *context)
{
	u32 i;

	lockdep_assert_held(&gt->lock);
	for (i = 0; i < context->queue_count; i++)
		queue_end(gt, context, &context->queues[i]);
}

void gtdbg_queues_destroy(struct gtdbg_gt *gt, struct gtdbg_context *context)
{
	u32 i;

	for (i = 0; i < context->queue_count; i++) {
		queue_exchange(context, &context->queues[i]);
		gtdbg_ring_destroy(context);
		gtdbg_front_destroy(gt, context);
		queue_exchange(context, &context->queues[i]);
	}
	context->queue_count = 0;
}
