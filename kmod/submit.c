// SPDX-License-Identifier: GPL-2.0-only
#include "submit.h"

#include <linux/kernel.h>
#include <linux/string.h>

#include "client.h"
#include "context.h"
#include "gt.h"
#include "gtdbg.h"
#include "hw.h"
#include "launch.h"
#include "load.h"
#include "poller.h"
#include "site.h"
#include "thread.h"
#include "trace.h"

#define FOLLOW_PAUSE 10 /* times the search's own time, at least */

static void launch_told(struct gtdbg_load *load,
			const struct gtdbg_launch *launch)
{
	load->launch_address = launch->address;
	load->launch_ring = launch->ring;
}

static bool launch_is_told(const struct gtdbg_load *load,
			   const struct gtdbg_launch *launch)
{
	return launch->address && launch->address == load->launch_address &&
	       launch->ring == load->launch_ring;
}

static void submit_tell(struct gtdbg_gt *gt, struct gtdbg_context *context,
			struct gtdbg_load *load, u32 slot,
			const struct gtdbg_launch *launch)
{
	u32 i;

	load->submit = (struct gtdbg_event_kernel_submit){
		.device = gt->id,
		.context = context->id,
		.kernel = load->kernel,
		.cookie = load->cookie,
		.slot = slot,
		.simd = launch->simd,
		.address = load->address,
		.threads = launch->threads,
		.items = launch->items,
	};
	for (i = 0; i < ARRAY_SIZE(load->submit.groups); i++) {
		load->submit.groups[i] = launch->end[i] - launch->first[i];
		load->submit.first_group[i] = launch->first[i];
	}
	launch_told(load, launch);
	load->replay_seqno = 0;
	load->ack_seqno = gtdbg_gt_emit(gt, GTDBG_EVENT_KERNEL_SUBMIT, 0,
					&load->submit, sizeof(load->submit));
	if (load->ack_seqno)
		list_move_tail(&load->waiting, &gt->waiting);
	trace_gtdbg_kernel_submit(&load->submit);
}

static void submit_lift(struct gtdbg_gt *gt, struct gtdbg_load *load)
{
	struct gtdbg_context *context = load->context;

	load->armed = false;
	load->ack_seqno = 0;
	list_del_init(&load->waiting);
	list_move_tail(&load->lifted, &gt->lifted);
	/* Meanwhile another launch may have come. */
	memset(&context->followed, 0, sizeof(context->followed));
	gtdbg_site_entry(gt, load);
}

bool gtdbg_submit_reached(struct gtdbg_gt *gt, struct gtdbg_context *context,
			  struct gtdbg_load *load, u32 slot)
{
	struct gtdbg_launch launch;

	lockdep_assert_held(&gt->lock);
	/*
	 * The program may have put the code there anew, as before a launch. If the
	 * entry was lifted, only that brings a thread here that does not come late.
	 */
	if (!load->ack_seqno && (load->armed || gtdbg_site_entry(gt, load)))
		gtdbg_sites_load(gt, load);
	if (load->armed && !load->ack_seqno) {
		gtdbg_launch_find(gt, context, load->address, &launch);
		if (!launch_is_told(load, &launch))
			submit_tell(gt, context, load, slot, &launch);
		/*
		 * A session that will acknowledge first sets its breakpoints:
		 * no thread may get past the entry before.
		 */
		if (!load->ack_seqno)
			submit_lift(gt, load);
	}
	if (!load->ack_seqno)
		return false;
	gt->threads[slot].entry = load;
	return true;
}

static struct gtdbg_load *submit_find(struct gtdbg_gt *gt, u64 seqno)
{
	struct gtdbg_load *load;

	list_for_each_entry(load, &gt->waiting, waiting)
		if (load->ack_seqno && (load->ack_seqno == seqno ||
					load->replay_seqno == seqno))
			return load;
	return NULL;
}

int gtdbg_submit_ack(struct gtdbg_gt *gt, u64 seqno)
{
	struct gtdbg_load *load;
	u32 slot;

	lockdep_assert_held(&gt->lock);
	gtdbg_gt_begin(gt);
	load = seqno ? submit_find(gt, seqno) : NULL;
	if (!load)
		return -ENOENT;
	for (slot = 0; slot < gt->topology.slots; slot++)
		if (gt->threads[slot].entry == load &&
		    gt->threads[slot].state == GTDBG_THREAD_STOPPED &&
		    gt->threads[slot].reasons == GTDBG_STOP_ENTRY)
			gtdbg_thread_resume(gt, slot, false);
	submit_lift(gt, load);
	trace_gtdbg_event_ack(gt->id, seqno);
	gtdbg_poller_kick(gt);
	return gtdbg_threads_flush(gt);
}

static bool submits_wanted(struct gtdbg_client *client)
{
	bool wanted;

	mutex_lock(&client->lock);
	wanted = gtdbg_client_wants(client, GTDBG_EVENT_KERNEL_SUBMIT);
	mutex_unlock(&client->lock);
	return wanted;
}

void gtdbg_submits_rearm(struct gtdbg_gt *gt)
{
	struct gtdbg_load *load, *next;

	lockdep_assert_held(&gt->lock);
	if (!gt->active || !gt->client || list_empty(&gt->lifted) ||
	    !submits_wanted(gt->client))
		return;
	list_for_each_entry_safe(load, next, &gt->lifted, lifted) {
		list_del_init(&load->lifted);
		load->armed = true;
		gtdbg_site_entry(gt, load);
	}
	gtdbg_hw_sync_code(gt);
}

static bool position_same(const struct gtdbg_position *a,
			  const struct gtdbg_position *b)
{
	return a->ring == b->ring && a->address == b->address;
}

/* The load that @launch runs, if this launch was not told yet. */
static struct gtdbg_load *follow_load(struct gtdbg_gt *gt,
				      struct gtdbg_context *context,
				      const struct gtdbg_launch *launch)
{
	struct gtdbg_load *load = gtdbg_load_find(gt, context, launch->kernel);

	if (!load || load->address != launch->kernel || load->ack_seqno)
		return NULL;
	/*
	 * One that was told without being known might be this one. Where the
	 * entry is armed none was told.
	 */
	if (!load->launch_address && !load->armed)
		launch_told(load, launch);
	return launch_is_told(load, launch) ? NULL : load;
}

static void follow_tell(struct gtdbg_gt *gt, struct gtdbg_context *context,
			struct gtdbg_load *load,
			const struct gtdbg_launch *launch)
{
	gt->last_activity = ktime_get();
	submit_tell(gt, context, load, GTDBG_SLOT_NONE, launch);
	if (!load->ack_seqno) {
		submit_lift(gt, load);
	} else {
		/* Threads that have not started yet wait for it. */
		load->armed = true;
		list_del_init(&load->lifted);
		gtdbg_sites_load(gt, load);
	}
}

/* Returns false if the same place has to be looked at again. */
static bool follow_to(struct gtdbg_gt *gt, struct gtdbg_context *context,
		      const struct gtdbg_position *position)
{
	struct gtdbg_launch launch;
	struct gtdbg_load *load;

	if (gtdbg_launch_find(gt, context, 0, &launch))
		return true;
	load = follow_load(gt, context, &launch);
	if (!load)
		return true;
	/*
	 * A thread that stops at the entry tells more, if the entry was armed in
	 * time: one should have come by the next look.
	 */
	if (load->armed && !position_same(position, &context->sighted)) {
		context->sighted = *position;
		return false;
	}
	follow_tell(gt, context, load, &launch);
	return true;
}

void gtdbg_submits_follow(struct gtdbg_gt *gt, struct gtdbg_context *context)
{
	struct gtdbg_position position;
	ktime_t now = ktime_get();

	lockdep_assert_held(&gt->lock);
	if (!gt->active || !gt->client || list_empty(&context->loads) ||
	    ktime_before(now, context->next_follow))
		return;
	gtdbg_position_read(gt, &position);
	if (position_same(&position, &context->followed) ||
	    !submits_wanted(gt->client))
		return;
	if (follow_to(gt, context, &position))
		context->followed = position;
	context->next_follow = ktime_add_ns(ktime_get(), FOLLOW_PAUSE *
		ktime_to_ns(ktime_sub(ktime_get(), now)));
}
