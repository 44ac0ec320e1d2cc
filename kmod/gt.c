// SPDX-License-Identifier: GPL-2.0-only
#include "gt.h"
#include "hw.h"

#include <linux/kernel.h>
#include <linux/pid.h>
#include <linux/slab.h>

#include "client.h"
#include "event_queue.h"
#include "gtdbg.h"
#include "platform.h"
#include "poller.h"
#include "session.h"
#include "thread.h"
#include "trace.h"

struct gtdbg_gt *gtdbg_gt_create(const struct gtdbg_platform *platform,
				 const struct gtdbg_backend_ops *ops,
				 void *backend, struct pid *owner,
				 const struct gtdbg_topology *topology)
{
	struct gtdbg_gt *gt = kzalloc(sizeof(*gt), GFP_KERNEL);

	if (!gt)
		return NULL;
	gt->topology = *topology;
	if (gtdbg_threads_init(gt)) {
		kfree(gt);
		return NULL;
	}
	kref_init(&gt->ref);
	gt->platform = platform;
	gt->ops = ops;
	gt->backend = backend;
	gt->owner = owner;
	INIT_LIST_HEAD(&gt->node);
	init_waitqueue_head(&gt->poll_wait);
	gtdbg_poller_init(gt);
	mutex_init(&gt->lock);
	gt->next_context = 1;
	INIT_LIST_HEAD(&gt->contexts);
	INIT_LIST_HEAD(&gt->lifted);
	INIT_LIST_HEAD(&gt->waiting);
	return gt;
}

struct gtdbg_gt *gtdbg_gt_get(struct gtdbg_gt *gt)
{
	kref_get(&gt->ref);
	return gt;
}

static void gt_free(struct kref *ref)
{
	struct gtdbg_gt *gt = container_of(ref, struct gtdbg_gt, ref);

	gtdbg_contexts_destroy(gt);
	gtdbg_threads_fini(gt);
	put_pid(gt->owner);
	kfree(gt);
}

void gtdbg_gt_put(struct gtdbg_gt *gt)
{
	if (gt)
		kref_put(&gt->ref, gt_free);
}

u64 gtdbg_gt_emit(struct gtdbg_gt *gt, u16 kind, u16 flags, const void *payload,
		  size_t payload_bytes)
{
	struct gtdbg_event_parts parts = {
		.kind = kind,
		.flags = flags,
		.payload = payload,
		.payload_bytes = payload_bytes,
	};
	u64 seqno;

	lockdep_assert_held(&gt->lock);
	if (!gt->client)
		return 0;
	parts.gpu_time = gtdbg_hw_time(gt);
	mutex_lock(&gt->client->lock);
	seqno = gtdbg_client_emit(gt->client, &parts);
	mutex_unlock(&gt->client->lock);
	return seqno;
}

void gtdbg_gt_count_at(struct gtdbg_gt *gt, size_t offset, u64 amount)
{
	struct gtdbg_session *session;

	lockdep_assert_held(&gt->lock);
	if (!gt->client || !amount)
		return;
	mutex_lock(&gt->client->lock);
	list_for_each_entry(session, &gt->client->sessions, node)
		*(u64 *)((u8 *)&session->stats + offset) += amount;
	mutex_unlock(&gt->client->lock);
}

void gtdbg_gt_describe(const struct gtdbg_gt *gt,
		       struct gtdbg_event_device_add *payload)
{
	*payload = (struct gtdbg_event_device_add){
		.device = gt->id,
		.platform = gt->platform->id,
		.slices = gt->topology.slices,
		.subslices = gt->topology.subslices,
		.eus = gt->topology.eus,
		.threads = gt->topology.threads,
		.slots = gt->topology.slots,
		.is_virtual = gt->ops->is_virtual,
	};
}

void gtdbg_gt_regain(struct gtdbg_gt *gt)
{
	struct gtdbg_event_device_add device;
	struct gtdbg_event_context_add payload;
	struct gtdbg_context *context;

	lockdep_assert_held(&gt->lock);
	gt->lost = false;
	gtdbg_gt_describe(gt, &device);
	gtdbg_gt_emit(gt, GTDBG_EVENT_DEVICE_ADD, 0, &device, sizeof(device));
	list_for_each_entry(context, &gt->contexts, node) {
		gtdbg_context_describe(gt, context, &payload);
		gtdbg_gt_emit(gt, GTDBG_EVENT_CONTEXT_ADD, 0, &payload,
			      sizeof(payload));
	}
}

void gtdbg_gt_lose(struct gtdbg_gt *gt, u32 reason)
{
	struct gtdbg_event_device_lost payload = {
		.device = gt->id,
		.reason = reason,
	};

	lockdep_assert_held(&gt->lock);
	if (gt->lost)
		return;
	gt->lost = true;
	trace_gtdbg_device_lost(gt->id, reason);
	gtdbg_poller_kick(gt);
	gtdbg_gt_emit(gt, GTDBG_EVENT_DEVICE_LOST, 0, &payload,
		      sizeof(payload));
}

void gtdbg_gt_begin(struct gtdbg_gt *gt)
{
	lockdep_assert_held(&gt->lock);
	gt->hold++;
}
