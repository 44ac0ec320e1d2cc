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
#include "queue.h"
#include "site.h"
#include "table.h"
#include "thread.h"
#include "trace.h"
#include "window.h"

/* By then who is the first would have come, on a host that is busy or slow to look, too. */
#define EARLY_LOOKS 64
#define EARLY_MS 3000
#define FOLLOW_PAUSE 10 /* times the search's own time, at least */

static void launch_reported(struct gtdbg_load *load,
			const struct gtdbg_launch *launch)
{
	load->launch_address = launch->address;
	load->launch_ring = launch->ring;
}

static bool launch_is_reported(const struct gtdbg_load *load,
			   const struct gtdbg_launch *launch)
{
	return launch->address && launch->address == load->launch_address &&
	       launch->ring == load->launch_ring;
}

static void submit_report(struct gtdbg_gt *gt, struct gtdbg_context *context,
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
	launch_reported(load, launch);
	load->replay_seqno = 0;
	load->ack_seqno = gtdbg_gt_emit(gt, GTDBG_EVENT_KERNEL_SUBMIT, 0,
					&load->submit, sizeof(load->submit));
	if (load->ack_seqno)
		list_move_tail(&load->waiting, &gt->waiting);
	trace_gtdbg_kernel_submit(&load->submit);
}

static bool submits_wanted(struct gtdbg_client *client)
{
	bool wanted;

	mutex_lock(&client->lock);
	wanted = gtdbg_client_wants(client, GTDBG_EVENT_KERNEL_SUBMIT);
	mutex_unlock(&client->lock);
	return wanted;
}

static bool context_steps(const struct gtdbg_gt *gt,
			  const struct gtdbg_context *context)
{
	u32 slot;

	for (slot = 0; slot < gt->topology.slots; slot++)
		if (gt->threads[slot].context == context &&
		    gt->threads[slot].stepping)
			return true;
	return false;
}

/*
 * An entry that was lifted on a shared GPU stops no thread before its code could be
 * changed again, for which the context has to be seen on the engine: short launches are
 * not. So where nobody wants to know of them entries stay as they are, and the SIP
 * passes them. Its flag can be changed at any time, by the program's process. Until
 * it is set each thread is let go by itself.
 */
static bool submit_passes(struct gtdbg_gt *gt, struct gtdbg_context *context)
{
	if (!gt->ops->is_shared || !gt->client ||
	    context->savearea.sip != GTDBG_SIP_OWN ||
	    context->savearea.sip_minor < GTDBG_SIP_MINOR_PASS ||
	    READ_ONCE(gt->client->breakpoint_count) ||
	    submits_wanted(gt->client))
		return false;
	/* A step that ends at an entry is to stop there. */
	if (context_steps(gt, context))
		return true;
	/* Also if it was, as the process may have taken the flag back. */
	context->passing = true;
	/* It may be set then, so it has to be taken back as if it were. */
	if (gtdbg_queues_set_active(gt, context, gt->active) < 0)
		context->late = true;
	return true;
}

void gtdbg_submits_hold(struct gtdbg_gt *gt)
{
	struct gtdbg_context *context;
	bool passed = false;

	lockdep_assert_held(&gt->lock);
	list_for_each_entry(context, &gt->contexts, node) {
		if (!context->passing)
			continue;
		context->passing = false;
		passed = true;
		/* Some threads of what runs have passed. */
		if (!gtdbg_hw_idle(gt))
			gt->counting = false;
		/* If not now, as soon as it runs. */
		if (gtdbg_queues_set_active(gt, context, gt->active) < 0)
			context->late = true;
	}
	/* It looked seldom so far. */
	if (passed)
		gtdbg_poller_kick(gt);
}

static void submits_pass(struct gtdbg_gt *gt)
{
	struct gtdbg_context *context;
	struct gtdbg_load *load;

	list_for_each_entry(context, &gt->contexts, node) {
		if (gtdbg_savearea_check(gt, context) ||
		    !submit_passes(gt, context))
			continue;
		list_for_each_entry(load, &context->loads, node) {
			if (load->armed)
				continue;
			load->armed = true;
			list_del_init(&load->lifted);
			gtdbg_site_entry(gt, load);
		}
	}
	gtdbg_hw_sync_code(gt);
}

void gtdbg_submits_want(struct gtdbg_gt *gt)
{
	lockdep_assert_held(&gt->lock);
	if (!gt->ops->is_shared || !gt->active || !gt->client)
		return;
	gtdbg_gt_begin(gt);
	if (submits_wanted(gt->client))
		gtdbg_submits_hold(gt);
	else
		submits_pass(gt);
}

static void submit_lift(struct gtdbg_gt *gt, struct gtdbg_load *load)
{
	struct gtdbg_context *context = load->context;

	load->ack_seqno = 0;
	list_del_init(&load->waiting);
	if (submit_passes(gt, context))
		return;
	load->armed = false;
	list_move_tail(&load->lifted, &gt->lifted);
	/* Meanwhile another launch may have come. */
	memset(&context->followed, 0, sizeof(context->followed));
	gtdbg_site_entry(gt, load);
}

/*
 * Counted launches: the entry stays armed, and the SIP tells the first thread of
 * each launch by a count of those that may pass. That is 0 between launches, goes down
 * with each thread that comes, and goes up by the number of all of them when the first
 * one is let go.
 */

static bool submit_counts(const struct gtdbg_load *load)
{
	u32 bucket;

	return gtdbg_table_counts(load->context, load->address, &bucket);
}

/* Can threads at @load's entry be counted, from the next one on? */
static bool submit_countable(struct gtdbg_gt *gt, const struct gtdbg_load *load)
{
	return gt->counting && gtdbg_table_usable(gt, load->context) &&
	       submits_wanted(gt->client) &&
	       !gtdbg_site_breakpoint(gt, load->context, load->address);
}

static int submit_start(struct gtdbg_gt *gt, struct gtdbg_load *load, s32 count)
{
	load->owed = 0;
	return gtdbg_table_count(gt, load->context, load->address, (u32)count);
}

/* The first one has come, and takes part in the count as if it had taken a ticket. */
static void submit_count(struct gtdbg_gt *gt, struct gtdbg_load *load,
			 const struct gtdbg_launch *launch)
{
	load->launch_threads = launch->total;
	if (!launch->total || !submit_countable(gt, load))
		gtdbg_table_uncount(gt, load->context, load->address);
	else if (!submit_counts(load))
		submit_start(gt, load, -1);
}

/* When @slot's thread goes on it lets @count pass, and what was to pass before. */
static void submit_admit(struct gtdbg_gt *gt, struct gtdbg_load *load, u32 slot,
			 s32 count)
{
	gt->threads[slot].admit += count + load->owed;
	load->owed = 0;
}

static void submit_first(struct gtdbg_gt *gt, struct gtdbg_load *load, u32 slot,
			 bool counted)
{
	struct gtdbg_launch launch;

	load->early_looks = 0;
	/* What another launch may not have is closed before any of its threads goes on. */
	gtdbg_windows_close(gt, load->context);
	gtdbg_launch_find(gt, load->context, load->address, &launch);
	if (!counted && launch_is_reported(load, &launch)) {
		submit_lift(gt, load);
		return;
	}
	/* Before it is reported: a session may let them go at once. */
	submit_count(gt, load, &launch);
	submit_report(gt, load->context, load, slot, &launch);
	list_move_tail(&load->lifted, &gt->lifted);
	/*
	 * A session that will acknowledge first sets its breakpoints: no thread
	 * may get past the entry before.
	 */
	if (load->ack_seqno)
		return;
	if (submit_counts(load)) {
		gtdbg_windows_follow(gt, load, &launch);
		submit_admit(gt, load, slot, load->launch_threads);
		load->admitted_scan = gt->scans;
	} else {
		submit_lift(gt, load);
	}
}

/*
 * A thread that is halted at its entry takes no ticket. If no thread of its launch has,
 * and none of the one before is left, it is the first one all the same.
 */
static bool submit_is_halted_first(struct gtdbg_gt *gt,
				   const struct gtdbg_load *load, u32 slot)
{
	const u32 own = GTDBG_STOP_ENTRY | GTDBG_STOP_BREAKPOINT;
	struct gtdbg_launch launch;
	s32 left;

	return gt->threads[slot].reasons & ~own &&
	       gtdbg_table_left(gt, load->context, load->address, &left) &&
	       !left &&
	       !gtdbg_launch_find(gt, load->context, load->address, &launch) &&
	       launch.address && !launch_is_reported(load, &launch);
}

/*
 * Threads are seen in the order of their slots and not in that of their tickets, so
 * others of a launch may be seen before its first one. They wait for it: once it was
 * seen they are part of a launch that was reported. Those of the launch before have as many
 * admitted as have come, or do as soon as the thread that admits them has gone on; until
 * then one cannot tell.
 */
static bool submit_is_early(struct gtdbg_gt *gt, struct gtdbg_load *load)
{
	s32 left;

	/* None of those that were resumed in this scan has gone on. */
	if (load->admitted_scan == gt->scans ||
	    !gtdbg_table_left(gt, load->context, load->address, &left) ||
	    left + load->owed >= 0)
		return false;
	if (load->early_scan + 1 < gt->scans || !load->early_looks) {
		load->early_looks = 0;
		load->early_since = ktime_get();
	}
	load->early_looks += load->early_scan != gt->scans;
	load->early_scan = gt->scans;
	if (load->early_looks < EARLY_LOOKS ||
	    ktime_ms_delta(ktime_get(), load->early_since) < EARLY_MS)
		return true;
	/* A launch that was cut short has left a count behind, or somebody wrote there. */
	gt->counting = false;
	gtdbg_table_uncount(gt, load->context, load->address);
	return false;
}

enum gtdbg_submit
gtdbg_submit_reached(struct gtdbg_gt *gt, struct gtdbg_context *context,
		     struct gtdbg_load *load, u32 slot)
{
	s32 ticket = gtdbg_savearea_ticket(gt, context, slot);
	bool counted = submit_counts(load);

	lockdep_assert_held(&gt->lock);
	/*
	 * The program may have put the code there anew, as before a launch. If the
	 * entry was lifted, only that brings a thread here that does not come late.
	 */
	if (!load->ack_seqno && (load->armed || gtdbg_site_entry(gt, load)))
		gtdbg_sites_load(gt, load);
	if (counted && ticket == GTDBG_SIP_TICKET_NONE && !load->ack_seqno &&
	    submit_is_halted_first(gt, load, slot)) {
		/* As if it had come before there was a count: that begins with it. */
		gtdbg_table_uncount(gt, context, load->address);
		counted = false;
	}
	/* It came before there was a count, which it is part of. */
	if (counted && ticket == GTDBG_SIP_TICKET_NONE)
		gt->threads[slot].admit = -1;
	else if (counted)
		ticket += load->owed;
	if (counted && ticket < 0 && !load->ack_seqno &&
	    submit_is_early(gt, load))
		return GTDBG_SUBMIT_EARLY;
	counted &= submit_counts(load);
	if (load->armed && !load->ack_seqno && (!counted || !ticket))
		submit_first(gt, load, slot, counted);
	else if (counted && load->owed && !load->ack_seqno)
		submit_admit(gt, load, slot, 0);
	if (!load->ack_seqno)
		return GTDBG_SUBMIT_PASSES;
	gt->threads[slot].entry = load;
	return GTDBG_SUBMIT_WAITS;
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

/* Threads that wait at @load go on, and one of them lets the others pass. */
static void submit_release(struct gtdbg_gt *gt, struct gtdbg_load *load)
{
	bool counted = submit_counts(load), admitted = false;
	struct gtdbg_launch launch;
	u32 slot;

	/* Not before: one whose threads were let go one by one may be followed by another. */
	if (counted && !gtdbg_launch_find(gt, load->context, load->address,
					  &launch))
		gtdbg_windows_follow(gt, load, &launch);
	for (slot = 0; slot < gt->topology.slots; slot++) {
		struct gtdbg_thread *thread = &gt->threads[slot];

		if (thread->entry != load)
			continue;
		/* Not for this any more, even if it cannot be resumed. */
		thread->entry = NULL;
		if (thread->state != GTDBG_THREAD_STOPPED ||
		    thread->reasons != GTDBG_STOP_ENTRY)
			continue;
		if (counted && !admitted)
			submit_admit(gt, load, slot, load->launch_threads);
		admitted = true;
		gtdbg_thread_resume(gt, slot, false);
	}
	/* A debugger has let them go one by one. */
	if (!admitted)
		load->owed += load->launch_threads;
	if (!counted) {
		submit_lift(gt, load);
		return;
	}
	load->ack_seqno = 0;
	list_del_init(&load->waiting);
}

int gtdbg_submit_ack(struct gtdbg_gt *gt, u64 seqno)
{
	struct gtdbg_load *load;

	lockdep_assert_held(&gt->lock);
	gtdbg_gt_begin(gt);
	load = seqno ? submit_find(gt, seqno) : NULL;
	if (!load)
		return -ENOENT;
	submit_release(gt, load);
	trace_gtdbg_event_ack(gt->id, seqno);
	gtdbg_poller_kick(gt);
	return gtdbg_threads_flush(gt);
}

/* No thread is at its entry now: those of the next launch count from the first. */
static void submit_begin(struct gtdbg_gt *gt, struct gtdbg_load *load)
{
	struct gtdbg_context *context = load->context;
	s32 left;

	load->armed = true;
	gtdbg_site_entry(gt, load);
	/* A launch that was cut short leaves a count behind. */
	if (submit_counts(load) && (load->owed ||
	    !gtdbg_table_left(gt, context, load->address, &left) || left) &&
	    gtdbg_hw_idle(gt))
		gtdbg_table_uncount(gt, context, load->address);
	if (submit_counts(load) || !submit_countable(gt, load) ||
	    submit_start(gt, load, 0))
		return;
	/* A launch that has begun has threads that do not count, or do. */
	if (!gtdbg_hw_idle(gt))
		gtdbg_table_uncount(gt, context, load->address);
}

void gtdbg_submits_cut(struct gtdbg_gt *gt, struct gtdbg_context *context)
{
	struct gtdbg_load *load;

	lockdep_assert_held(&gt->lock);
	list_for_each_entry(load, &context->loads, node)
		gtdbg_table_uncount(gt, context, load->address);
}

void gtdbg_submits_rearm(struct gtdbg_gt *gt)
{
	struct gtdbg_context *context;
	struct gtdbg_load *load;

	lockdep_assert_held(&gt->lock);
	list_for_each_entry(context, &gt->contexts, node)
		gtdbg_windows_close(gt, context);
	if (!gt->active || !gt->client || list_empty(&gt->lifted) ||
	    !submits_wanted(gt->client))
		return;
	while ((load = list_first_entry_or_null(&gt->lifted, struct gtdbg_load,
						lifted))) {
		list_del_init(&load->lifted);
		/* Once it was looked at, nothing frees it in this hold. */
		context = load->context;
		if (gtdbg_load_find(gt, context, load->address) == load)
			submit_begin(gt, load);
	}
	gtdbg_hw_sync_code(gt);
}

static bool position_same(const struct gtdbg_position *a,
			  const struct gtdbg_position *b)
{
	return a->ring == b->ring && a->address == b->address;
}

/* The load that @launch runs, if this launch was not reported yet. */
static struct gtdbg_load *follow_load(struct gtdbg_gt *gt,
				      struct gtdbg_context *context,
				      const struct gtdbg_launch *launch)
{
	struct gtdbg_load *load = gtdbg_load_find(gt, context, launch->kernel);

	if (!load || load->address != launch->kernel || load->ack_seqno ||
	    submit_counts(load))
		return NULL;
	/*
	 * One that was reported without being known might be this one. Where the
	 * entry is armed none was reported.
	 */
	if (!load->launch_address && !load->armed)
		launch_reported(load, launch);
	return launch_is_reported(load, launch) ? NULL : load;
}

static void follow_report(struct gtdbg_gt *gt, struct gtdbg_context *context,
			struct gtdbg_load *load,
			const struct gtdbg_launch *launch)
{
	WRITE_ONCE(gt->last_activity, ktime_get());
	submit_report(gt, context, load, GTDBG_SLOT_NONE, launch);
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
	 * A thread that stops at the entry shows more, if the entry was armed in
	 * time: one should have come by the next look.
	 */
	if (load->armed && !position_same(position, &context->sighted)) {
		context->sighted = *position;
		return false;
	}
	follow_report(gt, context, load, &launch);
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
