// SPDX-License-Identifier: GPL-2.0-only
/*
 * The replay. Everything that can be the subject of an event is locked while it
 * is reported, and it is queued in one piece: so nothing is reported twice, and
 * nothing is missed between the replay and the events that follow it.
 */
#include "snapshot.h"

#include <linux/delay.h>
#include <linux/kernel.h>
#include <linux/pid.h>
#include <linux/sched/signal.h>
#include <linux/string.h>

#include "client.h"
#include "event_queue.h"
#include "gt.h"
#include "gtdbg.h"
#include "kernel.h"
#include "load.h"
#include "module.h"
#include "queue.h"
#include "session.h"
#include "thread.h"

/* Several locks of one kind: nobody who has one waits for another. */
static int snapshot_lock_gt(struct gtdbg_gt *gt, bool first)
{
	if (first)
		return mutex_lock_killable(&gt->lock);
	while (!mutex_trylock(&gt->lock)) {
		if (fatal_signal_pending(current))
			return -EINTR;
		usleep_range(50, 100);
	}
	return 0;
}

static int snapshot_lock_gts(struct gtdbg_client *client,
			     struct gtdbg_session_gts *gts)
{
	u32 i, locked;
	int ret = 0;

	gtdbg_client_gts_get(client, gts);
	for (locked = 0; locked < gts->count && !ret; locked += !ret)
		ret = snapshot_lock_gt(gts->gt[locked], !locked);
	if (!ret)
		return 0;
	for (i = 0; i < locked; i++)
		mutex_unlock(&gts->gt[i]->lock);
	gtdbg_session_gts_put(gts);
	return ret;
}

/* Are these all that it has? One may have come, or gone, meanwhile. */
static bool snapshot_is_of(const struct gtdbg_client *client,
			   const struct gtdbg_session_gts *gts)
{
	u32 i, count = 0;

	lockdep_assert_held(&client->lock);
	for (i = 0; i < ARRAY_SIZE(client->gts); i++)
		if (client->gts[i] && (count >= gts->count ||
				       client->gts[i] != gts->gt[count++]))
			return false;
	return count == gts->count;
}

void gtdbg_snapshot_unlock_gts(struct gtdbg_session_gts *gts)
{
	u32 i;

	for (i = 0; i < gts->count; i++)
		mutex_unlock(&gts->gt[i]->lock);
	gtdbg_session_gts_put(gts);
}

int gtdbg_snapshot_lock(struct gtdbg_client *client,
			struct gtdbg_session_gts *gts)
{
	int ret;

	for (;;) {
		ret = snapshot_lock_gts(client, gts);
		if (ret)
			return ret;
		mutex_lock(&client->lock);
		if (snapshot_is_of(client, gts))
			return 0;
		mutex_unlock(&client->lock);
		gtdbg_snapshot_unlock_gts(gts);
	}
}

static int snapshot_put(struct gtdbg_session *session, u16 kind,
			const void *payload, size_t payload_bytes)
{
	struct gtdbg_event_parts parts = {
		.kind = kind,
		.payload = payload,
		.payload_bytes = payload_bytes,
	};

	return gtdbg_session_replay(session, &parts);
}

static int snapshot_client(struct gtdbg_session *session)
{
	struct gtdbg_client *client = session->client;
	struct gtdbg_event_client_add payload = {
		.pid = pid_vnr(client->pid),
		.flags = client->flags,
		.token = client->token,
	};

	memcpy(payload.comm, client->comm, sizeof(payload.comm));
	return snapshot_put(session, GTDBG_EVENT_CLIENT_ADD, &payload,
			    sizeof(payload));
}

/* A device and its contexts. */
static int snapshot_device(struct gtdbg_session *session, struct gtdbg_gt *gt)
{
	struct gtdbg_event_device_add device;
	struct gtdbg_event_context_add payload;
	struct gtdbg_context *context;
	int ret;

	gtdbg_gt_describe(gt, &device);
	ret = snapshot_put(session, GTDBG_EVENT_DEVICE_ADD, &device,
			   sizeof(device));
	list_for_each_entry(context, &gt->contexts, node) {
		if (!context->reported)
			continue;
		gtdbg_context_describe(gt, context, &payload);
		ret = ret ?: snapshot_put(session, GTDBG_EVENT_CONTEXT_ADD,
					  &payload, sizeof(payload));
	}
	return ret;
}

/* A launch that waits gets a second number, by which it can be acknowledged. */
static int snapshot_submit(struct gtdbg_session *session,
			   struct gtdbg_load *load)
{
	struct gtdbg_event_parts parts = {
		.kind = GTDBG_EVENT_KERNEL_SUBMIT,
		.payload = &load->submit,
		.payload_bytes = sizeof(load->submit),
		.seqno_out = &load->replay_seqno,
	};

	return load->ack_seqno ? gtdbg_session_replay(session, &parts) : 0;
}

/* Likewise a page fault. */
static int snapshot_fault(struct gtdbg_session *session, struct gtdbg_gt *gt)
{
	struct gtdbg_event_parts parts = {
		.kind = GTDBG_EVENT_PAGE_FAULT,
		.payload = &gt->fault,
		.payload_bytes = sizeof(gt->fault),
		.seqno_out = &gt->fault_replay_seqno,
	};

	return gt->fault_seqno ? gtdbg_session_replay(session, &parts) : 0;
}

static int snapshot_loads(struct gtdbg_session *session, struct gtdbg_gt *gt,
			  struct gtdbg_context *context)
{
	struct gtdbg_event_kernel_load payload;
	struct gtdbg_load *load;
	int ret;

	list_for_each_entry(load, &context->loads, node) {
		gtdbg_load_describe(gt, context, load, &payload);
		ret = snapshot_put(session, GTDBG_EVENT_KERNEL_LOAD, &payload,
				   sizeof(payload)) ?:
		      snapshot_submit(session, load);
		if (ret)
			return ret;
	}
	return 0;
}

/* Those that wait with others at their kernel's entry are in its submit. */
static bool snapshot_wants(const struct gtdbg_thread *thread)
{
	if (thread->state == GTDBG_THREAD_STOPPED)
		return !thread->entry || thread->reasons != GTDBG_STOP_ENTRY;
	return thread->state == GTDBG_THREAD_UNAVAILABLE;
}

static int snapshot_threads(struct gtdbg_session *session, struct gtdbg_gt *gt)
{
	struct gtdbg_event_thread_stop payload;
	u32 slot;
	int ret;

	for (slot = 0; slot < gt->topology.slots; slot++) {
		if (!snapshot_wants(&gt->threads[slot]))
			continue;
		gtdbg_thread_describe(gt, slot, &payload.thread);
		ret = snapshot_put(session, payload.thread.state ==
					    GTDBG_THREAD_STOPPED ?
					    GTDBG_EVENT_THREAD_STOP :
					    GTDBG_EVENT_THREAD_UNAVAILABLE,
				   &payload, sizeof(payload));
		if (ret)
			return ret;
	}
	return 0;
}

/* What runs on a device, in terms of what was reported before. */
static int snapshot_state(struct gtdbg_session *session, struct gtdbg_gt *gt)
{
	struct gtdbg_context *context;
	int ret;

	list_for_each_entry(context, &gt->contexts, node) {
		ret = snapshot_loads(session, gt, context);
		if (ret)
			return ret;
	}
	return snapshot_fault(session, gt) ?: snapshot_threads(session, gt);
}

static int snapshot_stage(struct gtdbg_session *session)
{
	struct gtdbg_client *client = session->client;
	int ret = snapshot_client(session);
	u32 i;

	for (i = 0; i < ARRAY_SIZE(client->gts); i++)
		if (client->gts[i] && !client->gts[i]->lost)
			ret = ret ?: snapshot_device(session, client->gts[i]);
	ret = ret ?: gtdbg_modules_replay(client, session) ?:
		     gtdbg_kernels_replay(client, session);
	for (i = 0; i < ARRAY_SIZE(client->gts); i++)
		if (client->gts[i] && !client->gts[i]->lost)
			ret = ret ?: snapshot_state(session, client->gts[i]);
	return ret ?: snapshot_put(session, GTDBG_EVENT_SYNCED, NULL, 0);
}

int gtdbg_snapshot_take(struct gtdbg_session *session,
			struct gtdbg_event_snapshot *out)
{
	u64 first, last;
	int ret;

	lockdep_assert_held(&session->client->lock);
	ret = snapshot_stage(session);
	if (ret) {
		gtdbg_event_queue_drop(&session->events);
		return ret;
	}
	gtdbg_event_queue_commit(&session->events, &first, &last);
	if (out) {
		out->first_seqno = first;
		out->last_seqno = last;
	}
	return 0;
}

/* What threads have written so far comes before it. */
static int snapshot_drain(struct gtdbg_client *client)
{
	struct gtdbg_session_gts gts;
	int ret = 0;
	u32 i;

	gtdbg_client_gts_get(client, &gts);
	for (i = 0; i < gts.count && !ret; i++) {
		ret = mutex_lock_killable(&gts.gt[i]->lock);
		if (ret)
			break;
		gtdbg_gt_begin(gts.gt[i]);
		if (gts.gt[i]->active && !gts.gt[i]->lost)
			gtdbg_queues_drain(gts.gt[i]);
		mutex_unlock(&gts.gt[i]->lock);
	}
	gtdbg_session_gts_put(&gts);
	return ret;
}

int gtdbg_ioctl_event_snapshot(struct gtdbg_session *session, void *arg)
{
	struct gtdbg_event_snapshot *request = arg;
	struct gtdbg_client *client = session->client;
	struct gtdbg_session_gts gts;
	int ret;

	if (request->flags || request->__reserved)
		return -EINVAL;
	if (!gtdbg_client_check(client))
		return -ESRCH;
	ret = session->observer ? 0 : snapshot_drain(client);
	ret = ret ?: gtdbg_snapshot_lock(client, &gts);
	if (ret)
		return ret;
	/* Nothing comes behind the event of its end. */
	ret = client->gone ? -ESRCH : gtdbg_snapshot_take(session, request);
	mutex_unlock(&client->lock);
	gtdbg_snapshot_unlock_gts(&gts);
	return ret;
}
