// SPDX-License-Identifier: GPL-2.0-only
#include "control.h"

#include <linux/kernel.h>
#include <linux/ktime.h>

#include "client.h"
#include "fault.h"
#include "front.h"
#include "gt.h"
#include "gtdbg.h"
#include "hw.h"
#include "load.h"
#include "poller.h"
#include "queue.h"
#include "record.h"
#include "session.h"
#include "site.h"
#include "table.h"
#include "thread.h"

#define DRAIN_MS 2000
#define STALLS_MAX 8 /* in a row, each within STALLS_MS of the last */
#define STALLS_MS (10 * 60 * 1000)

/* Whether its threads are to stop, for their SIP to see. */
static void control_mark(struct gtdbg_gt *gt, struct gtdbg_context *context)
{
	/* Once more as soon as it runs, in case that its process did so, too. */
	context->late = gt->ops->is_shared;
	context->passing = false;
	gtdbg_queues_set_active(gt, context, gt->active);
}

void gtdbg_control_activate(struct gtdbg_gt *gt)
{
	struct gtdbg_context *context;

	lockdep_assert_held(&gt->lock);
	gt->active = true;
	gt->hunting = false;
	gt->drain_end = 0;
	gt->last_scan = ktime_get();
	gtdbg_gt_begin(gt);
	list_for_each_entry(context, &gt->contexts, node) {
		context->next_search = 0;
		control_mark(gt, context);
		gtdbg_sites_sync(gt, context);
	}
	gt->counting = gtdbg_hw_idle(gt) && !gt->stopped;
	gtdbg_poller_kick(gt);
}

/*
 * Do threads stop although no session wants them to? gtdbg's SIP asks the flag
 * in its save area, which an armed client's contexts start with, whenever it
 * makes one. Other SIPs stop whatever happens. A queue whose area was not mapped has
 * not been told yet. On a shared GPU, what is in memory cannot be seen nor changed
 * while its context is not on the engine.
 */
static bool control_stops_unasked(const struct gtdbg_gt *gt)
{
	const struct gtdbg_context *context;

	if (gt->client && gt->client->flags & GTDBG_CLIENT_F_ARMED)
		return true;
	if (gt->ops->is_shared)
		return true;
	list_for_each_entry(context, &gt->contexts, node)
		if (context->queues_late ||
		    (context->savearea.sip != GTDBG_SIP_OWN &&
		     context->savearea.address))
			return true;
	return false;
}

/*
 * First no thread stops any more, then the code is restored, then those that
 * are stopped go on with it. Nothing here can fail for good: what cannot be
 * written belongs to a device or a page table that is gone.
 */
void gtdbg_control_quiesce(struct gtdbg_gt *gt)
{
	struct gtdbg_context *context;
	struct gtdbg_load *load;

	lockdep_assert_held(&gt->lock);
	if (!gt->active)
		return;
	gt->active = false;
	gt->posting = gt->lost;
	gtdbg_gt_begin(gt);
	gtdbg_fault_end(gt);
	/* A device that was lost meanwhile could not be asked. */
	if (gt->halted)
		gtdbg_hw_halt(gt, false);
	list_for_each_entry(context, &gt->contexts, node) {
		control_mark(gt, context);
		gtdbg_sites_restore(gt, context);
		gtdbg_table_clear(gt, context);
		gtdbg_ring_end(gt, context);
		gtdbg_queues_leave(gt, context);
		gtdbg_front_destroy(gt, context);
		list_for_each_entry(load, &context->loads, node) {
			load->armed = true;
			load->ack_seqno = 0;
			/* The next session has had no report of it. */
			load->launch_address = 0;
		}
	}
	gt->hunting = control_stops_unasked(gt);
	gt->drain_end = ktime_add_ms(ktime_get(), DRAIN_MS);
	gtdbg_threads_resume_all(gt);
	if (gt->lost && !gt->posting) {
		gt->posting = true;
		gtdbg_threads_flush(gt);
	}
	gt->posting = false;
	gtdbg_poller_kick(gt);
}

/* It has done all that it was asked for, however long that took. */
static void control_regain(struct gtdbg_gt *gt)
{
	if (ktime_ms_delta(ktime_get(), gt->stalled) > STALLS_MS)
		gt->stalls = 0;
	gt->stalled = ktime_get();
	gt->stalls++;
	gt->awake = false;
	gt->code_dirty = true;
	gtdbg_gt_regain(gt);
	/* What was on its way into the SIP has stood still as well. */
	gt->drain_end = ktime_add_ms(ktime_get(), DRAIN_MS);
	if (gt->client && gtdbg_client_controlled(gt->client))
		gtdbg_control_activate(gt);
	else
		gtdbg_poller_kick(gt);
}

bool gtdbg_control_stalled(struct gtdbg_gt *gt)
{
	int ret;

	lockdep_assert_held(&gt->lock);
	gtdbg_control_quiesce(gt);
	if (gt->gone)
		return false;
	if (gt->broken || gt->stalls >= STALLS_MAX) {
		gt->broken = true;
		gt->ops->hangup(gt->backend);
		return false;
	}
	ret = gt->ops->settled(gt->backend);
	if (ret < 0)
		gtdbg_gt_lose(gt, GTDBG_LOSS_GONE);
	else if (ret)
		control_regain(gt);
	return ret >= 0;
}

bool gtdbg_control_lingers(const struct gtdbg_gt *gt)
{
	return gt->hunting || gt->drain_end;
}

bool gtdbg_control_looks(const struct gtdbg_gt *gt)
{
	return gt->active || gtdbg_control_lingers(gt) ||
	       (gt->client && gtdbg_watch_is_on());
}

/*
 * A thread that had passed the check of the session-active flag may stop after
 * the flag was cleared: none is left once the engine is idle, and none that
 * makes any progress after a while. The save areas of an armed client start with
 * the flag set, whenever it makes a context: they are looked for to its end.
 */
void gtdbg_control_linger_check(struct gtdbg_gt *gt, bool busy)
{
	lockdep_assert_held(&gt->lock);
	if (gt->active || !gtdbg_control_lingers(gt))
		return;
	if (gt->hunting && !control_stops_unasked(gt)) {
		gt->hunting = false;
		gt->drain_end = ktime_add_ms(ktime_get(), DRAIN_MS);
	}
	if (!busy || ktime_after(ktime_get(), gt->drain_end))
		gt->drain_end = 0;
	if (!gtdbg_control_looks(gt))
		gtdbg_hw_wake(gt, false);
}

void gtdbg_control_quiesce_all(struct gtdbg_client *client)
{
	struct gtdbg_session_gts gts;
	u32 i;

	gtdbg_client_gts_get(client, &gts);
	for (i = 0; i < gts.count; i++) {
		mutex_lock(&gts.gt[i]->lock);
		if (gts.gt[i]->client == client)
			gtdbg_control_quiesce(gts.gt[i]);
		mutex_unlock(&gts.gt[i]->lock);
	}
	gtdbg_session_gts_put(&gts);
}
