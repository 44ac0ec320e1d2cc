// SPDX-License-Identifier: GPL-2.0-only
/*
 * The hardware does not report when a launch begins or ends. The streamer waits behind
 * a launch's command until its threads are done, so who looks where it is, often,
 * knows both but for the time since the last look, which each event has with it. It
 * has a pair of readings as well, the device's time between two of ours, so that
 * nothing else is needed to bring the two together.
 */
#include "watch.h"

#include <linux/atomic.h>
#include <linux/kernel.h>
#include <linux/pid.h>
#include <linux/string.h>

#include "batch.h"
#include "client.h"
#include "context.h"
#include "gt.h"
#include "gtdbg.h"
#include "hw.h"
#include "kernel.h"
#include "load.h"
#include "registry.h"
#include "trace.h"

static atomic_t listeners = ATOMIC_INIT(0); /* tracepoints that are on */

/* Pollers that sleep look at that when they are woken; those that do not, soon. */
int gtdbg_watch_begin(void)
{
	if (atomic_inc_return(&listeners) == 1)
		gtdbg_registry_wake();
	return 0;
}

void gtdbg_watch_end(void)
{
	if (!atomic_dec_return(&listeners))
		gtdbg_registry_wake();
}

bool gtdbg_watch_is_on(void)
{
	return atomic_read(&listeners);
}

/* A device that has gone has no time any more. */
static void watch_stamp(struct gtdbg_gt *gt, struct gtdbg_watch_stamp *stamp)
{
	struct gtdbg_hw_clock clock = { .begin = ktime_get() };

	if (!gtdbg_hw_clock(gt, &clock)) {
		stamp->gpu_time = clock.gpu_time;
		stamp->timestamp_hz = gtdbg_hw_timestamp_hz(gt);
	} else {
		clock.end = ktime_get();
	}
	stamp->time_ns = ktime_to_ns(clock.begin);
	stamp->span_ns = ktime_to_ns(ktime_sub(clock.end, clock.begin));
	stamp->since_ns = gt->watch.looked ?
		ktime_to_ns(ktime_sub(clock.end, gt->watch.looked)) : U64_MAX;
}

/* Sessions learn of what is loaded by themselves, and when it suits them. */
static void watch_identify(struct gtdbg_gt *gt, struct gtdbg_context *context,
			   struct gtdbg_watch_launch *launch)
{
	struct gtdbg_load *load = NULL;

	if (launch->address)
		load = gtdbg_load_find(gt, context, launch->address);
	if (!load && launch->address && !gt->active)
		load = gtdbg_load_learn(gt, context, launch->address);
	if (load)
		launch->kernel = load->kernel;
	else if (launch->address)
		launch->kernel = gtdbg_load_peek(gt, context, launch->address);
	gtdbg_kernel_name_copy(gt->client, launch->kernel, launch->name,
			       sizeof(launch->name));
}

static void launch_end(struct gtdbg_gt *gt)
{
	struct gtdbg_watch *watch = &gt->watch;

	if (!watch->address)
		return;
	watch->address = 0;
	memset(&watch->launch.stamp, 0, sizeof(watch->launch.stamp));
	watch_stamp(gt, &watch->launch.stamp);
	trace_gtdbg_launch_end(&watch->launch);
}

static bool mark_is_same(const struct gtdbg_watch_mark *a,
			 const struct gtdbg_watch_mark *b)
{
	return a->address == b->address && a->lrca == b->lrca &&
	       a->ring == b->ring && a->request == b->request;
}

/* The queue's, or one that makes room for it. */
static struct gtdbg_watch_mark *mark_find(struct gtdbg_context *context,
					  u32 lrca)
{
	struct gtdbg_watch_mark *free = NULL, *mark = context->watched;

	for (; mark < context->watched + GTDBG_WATCH_MARKS; mark++) {
		if (mark->lrca == lrca)
			return mark;
		if (!mark->lrca)
			free = mark;
	}
	return free ?: &context->watched[context->watched_next++ %
					 GTDBG_WATCH_MARKS];
}

/*
 * A queue that was taken off the engine comes back to the command that it was at, in the
 * same request. So does a batch that has one twice, if it is seen between the two.
 */
static u64 launch_serial(struct gtdbg_gt *gt, struct gtdbg_context *context,
			 const struct gtdbg_launch *launch)
{
	struct gtdbg_watch_mark *last = mark_find(context, context->lrca), mark = {
		.serial = gt->watch.serial + 1,
		.address = launch->address,
		.lrca = context->lrca,
		.ring = launch->ring,
	};

	if (gtdbg_batch_request_hash(gt, context, launch->ring, &mark.request))
		mark.lrca = 0;
	else if (mark_is_same(last, &mark))
		return last->serial;
	*last = mark;
	gt->watch.serial = mark.serial;
	return mark.serial;
}

static void launch_begin(struct gtdbg_gt *gt, struct gtdbg_context *context,
			 const struct gtdbg_launch *launch)
{
	struct gtdbg_watch *watch = &gt->watch;
	u32 i;

	watch->ring = launch->ring;
	watch->address = launch->address;
	watch->launch = (struct gtdbg_watch_launch){
		.pid = pid_nr(gt->client->pid),
		.device = gt->id,
		.context = context->id,
		.serial = launch_serial(gt, context, launch),
		.address = launch->kernel,
		.simd = launch->simd,
		.threads = launch->threads,
		.items = launch->items,
	};
	for (i = 0; i < ARRAY_SIZE(launch->first); i++)
		watch->launch.groups[i] = launch->end[i] - launch->first[i];
	watch_stamp(gt, &watch->launch.stamp);
	watch_identify(gt, context, &watch->launch);
	trace_gtdbg_launch_begin(&watch->launch);
}

static void watch_launch(struct gtdbg_gt *gt, struct gtdbg_context *context)
{
	struct gtdbg_watch *watch = &gt->watch;
	struct gtdbg_position position;
	struct gtdbg_launch launch;

	gtdbg_position_read(gt, &position);
	if (position.ring == watch->position.ring &&
	    position.address == watch->position.address)
		return;
	watch->position = position;
	if (!context->bases.instruction)
		gtdbg_context_rebase(gt, context);
	gtdbg_launch_find(gt, context, 0, &launch);
	if (launch.address == watch->address && launch.ring == watch->ring)
		return;
	launch_end(gt);
	if (launch.address)
		launch_begin(gt, context, &launch);
}

static void watch_switch(struct gtdbg_gt *gt, u32 context)
{
	struct gtdbg_watch_switch change = {
		.pid = pid_nr(gt->client->pid),
		.device = gt->id,
		.context = context,
		.previous = gt->watch.context,
	};

	launch_end(gt);
	memset(&gt->watch.position, 0, sizeof(gt->watch.position));
	gt->watch.context = context;
	watch_stamp(gt, &change.stamp);
	trace_gtdbg_context_switch(&change);
}

void gtdbg_watch_look(struct gtdbg_gt *gt, struct gtdbg_context *context)
{
	struct gtdbg_watch *watch = &gt->watch;
	ktime_t begin = ktime_get();
	u32 id = context && context->reported ? context->id : 0;

	lockdep_assert_held(&gt->lock);
	if (!gtdbg_watch_is_on() || !gt->client) {
		watch->on = false;
		return;
	}
	if (!watch->on)
		*watch = (struct gtdbg_watch){ .on = true,
					       .serial = watch->serial };
	if (id != watch->context)
		watch_switch(gt, id);
	if (id)
		watch_launch(gt, context);
	watch->looked = begin;
}
