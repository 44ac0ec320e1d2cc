// SPDX-License-Identifier: GPL-2.0-only
#include "gt.h"

#include <linux/delay.h>
#include <linux/kernel.h>
#include <linux/pid.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

#include "client.h"
#include "event.h"
#include "gtdbg.h"
#include "load.h"
#include "platform.h"
#include "poller.h"
#include "ppgtt.h"
#include "session.h"
#include "site.h"
#include "thread.h"
#include "trace.h"

#define WAKE_TRIES 50
#define DRAIN_MS 2000
#define WAKE_KERNEL 1U /* bit of ours in the forcewake registers */

DEFINE_MUTEX(gtdbg_registry_lock);
static LIST_HEAD(gts); /* protected by gtdbg_registry_lock */
static u32 next_gt = 1; /* likewise */

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
	INIT_LIST_HEAD(&gt->client_node);
	init_waitqueue_head(&gt->poll_wait);
	gtdbg_poller_init(gt);
	mutex_init(&gt->lock);
	gt->next_context = 1;
	INIT_LIST_HEAD(&gt->contexts);
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

/*
 * Events
 */

u64 gtdbg_gt_time(struct gtdbg_gt *gt)
{
	u64 high = gtdbg_gt_read(gt, gt->platform->timestamp_high);

	return high << 32 | gtdbg_gt_read(gt, gt->platform->timestamp_low);
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
	parts.gpu_time = gtdbg_gt_time(gt);
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

static void gt_describe(const struct gtdbg_gt *gt,
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

int gtdbg_gt_replay(struct gtdbg_gt *gt, struct gtdbg_session *session)
{
	struct gtdbg_event_device_add device;
	struct gtdbg_event_context_add payload;
	struct gtdbg_context *context;
	struct gtdbg_event_parts parts = {
		.kind = GTDBG_EVENT_DEVICE_ADD,
		.payload = &device,
		.payload_bytes = sizeof(device),
	};
	int ret;

	lockdep_assert_held(&gt->lock);
	if (gt->lost)
		return 0;
	gt_describe(gt, &device);
	ret = gtdbg_session_replay(session, &parts);
	list_for_each_entry(context, &gt->contexts, node) {
		if (ret)
			break;
		gtdbg_context_describe(gt, context, &payload);
		parts.kind = GTDBG_EVENT_CONTEXT_ADD;
		parts.payload = &payload;
		parts.payload_bytes = sizeof(payload);
		ret = gtdbg_session_replay(session, &parts);
	}
	return ret;
}

/*
 * Registers
 */

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
	gtdbg_threads_forget(gt);
	gtdbg_gt_emit(gt, GTDBG_EVENT_DEVICE_LOST, 0, &payload,
		      sizeof(payload));
}

/* What a failed access means for the device. */
static int gt_judge(struct gtdbg_gt *gt, int ret)
{
	if (ret == -ETIMEDOUT)
		gtdbg_gt_lose(gt, GTDBG_LOSS_TIMEOUT);
	else if (ret == -ENODEV)
		gtdbg_gt_lose(gt, GTDBG_LOSS_GONE);
	return ret;
}

static u32 gt_read(struct gtdbg_gt *gt, const struct gtdbg_steer *steer,
		   u32 offset)
{
	u32 value = 0;

	lockdep_assert_held(&gt->lock);
	if (gt->lost || gt->ops->reg_read(gt->backend, steer, offset, &value))
		return 0;
	return value;
}

u32 gtdbg_gt_read(struct gtdbg_gt *gt, u32 offset)
{
	return gt_read(gt, NULL, offset);
}

u32 gtdbg_gt_read_steered(struct gtdbg_gt *gt, u32 slice, u32 subslice,
			  u32 offset)
{
	struct gtdbg_steer steer = { .slice = slice, .subslice = subslice };

	return gt_read(gt, &steer, offset);
}

int gtdbg_gt_write_steered(struct gtdbg_gt *gt, const struct gtdbg_steer *steer,
			   u32 offset, u32 value)
{
	lockdep_assert_held(&gt->lock);
	if (gt->lost)
		return -ENODEV;
	return gt_judge(gt, gt->ops->reg_write(gt->backend, steer, offset,
					       value));
}

int gtdbg_gt_write(struct gtdbg_gt *gt, u32 offset, u32 value)
{
	return gtdbg_gt_write_steered(gt, NULL, offset, value);
}

int gtdbg_gt_flush(struct gtdbg_gt *gt)
{
	lockdep_assert_held(&gt->lock);
	if (gt->lost)
		return -ENODEV;
	return gt_judge(gt, gt->ops->flush(gt->backend));
}

int gtdbg_gt_memory_read(struct gtdbg_gt *gt, u64 phys, void *buf,
			 u32 len_bytes)
{
	lockdep_assert_held(&gt->lock);
	if (gt->lost)
		return -ENODEV;
	return gt->ops->memory_read(gt->backend, phys, buf, len_bytes);
}

int gtdbg_gt_memory_write(struct gtdbg_gt *gt, u64 phys, const void *buf,
			  u32 len_bytes)
{
	lockdep_assert_held(&gt->lock);
	if (gt->lost)
		return -ENODEV;
	return gt->ops->memory_write(gt->backend, phys, buf, len_bytes);
}

int gtdbg_gt_ggtt_read(struct gtdbg_gt *gt, u32 index, u64 *entry_out)
{
	lockdep_assert_held(&gt->lock);
	if (gt->lost)
		return -ENODEV;
	return gt->ops->ggtt_read(gt->backend, index, entry_out);
}

static int gt_wait_awake(struct gtdbg_gt *gt, u32 ack)
{
	u32 tries;

	for (tries = 0; tries < WAKE_TRIES; tries++) {
		if (gtdbg_gt_read(gt, ack) & WAKE_KERNEL)
			return 0;
		usleep_range(20, 40);
	}
	gtdbg_gt_lose(gt, GTDBG_LOSS_TIMEOUT);
	return -ETIMEDOUT;
}

/* Registers of a sleeping domain read as zero, so it is kept awake. */
int gtdbg_gt_wake(struct gtdbg_gt *gt, bool awake)
{
	const struct gtdbg_forcewake *forcewake = gt->platform->forcewake;
	u32 value = WAKE_KERNEL << 16 | (awake ? WAKE_KERNEL : 0), i;
	int ret;

	lockdep_assert_held(&gt->lock);
	if (gt->awake == awake)
		return 0;
	for (i = 0; i < ARRAY_SIZE(gt->platform->forcewake); i++) {
		ret = gtdbg_gt_write(gt, forcewake[i].request, value);
		if (ret)
			return ret;
	}
	ret = gtdbg_gt_flush(gt);
	for (i = 0; awake && !ret && i < ARRAY_SIZE(gt->platform->forcewake);
	     i++)
		ret = gt_wait_awake(gt, forcewake[i].ack);
	if (!ret)
		gt->awake = awake;
	return ret;
}

int gtdbg_gt_sync_code(struct gtdbg_gt *gt)
{
	u32 bit = gt->platform->icache_invalidate;
	int ret;

	lockdep_assert_held(&gt->lock);
	if (!gt->code_dirty)
		return 0;
	ret = gtdbg_gt_wake(gt, true) ?:
	      gtdbg_gt_write(gt, gt->platform->icache, bit << 16 | bit) ?:
	      gtdbg_gt_flush(gt);
	if (ret)
		return ret;
	gt->code_dirty = false;
	gtdbg_gt_count(gt, cache_invalidates, 1);
	return 0;
}

/*
 * Sessions come and go
 */

void gtdbg_gt_begin(struct gtdbg_gt *gt)
{
	struct gtdbg_context *context;

	lockdep_assert_held(&gt->lock);
	gt->hold++;
	list_for_each_entry(context, &gt->contexts, node)
		gtdbg_ppgtt_begin(context);
}

void gtdbg_gt_activate(struct gtdbg_gt *gt)
{
	struct gtdbg_context *context;

	lockdep_assert_held(&gt->lock);
	WRITE_ONCE(gt->active, true);
	gt->hunting = false;
	gt->drain_end = 0;
	gt->last_scan = ktime_get();
	gtdbg_gt_begin(gt);
	list_for_each_entry(context, &gt->contexts, node) {
		context->next_search = 0;
		if (!gtdbg_savearea_check(gt, context))
			gtdbg_savearea_set_active(gt, context, true);
		gtdbg_sites_sync(gt, context);
	}
	gtdbg_poller_kick(gt);
}

/*
 * Do threads stop although no session wants them to? gtdbg's SIP asks the flag
 * in its save area, which an armed client's contexts start with, whenever it
 * makes one. Other SIPs stop whatever happens.
 */
static bool gt_stops_unasked(const struct gtdbg_gt *gt)
{
	const struct gtdbg_context *context;

	if (gt->client && gt->client->flags & GTDBG_CLIENT_F_ARMED)
		return true;
	list_for_each_entry(context, &gt->contexts, node)
		if (context->savearea.sip != GTDBG_SIP_OWN &&
		    context->savearea.address)
			return true;
	return false;
}

/*
 * First no thread stops any more, then the code is restored, then those that
 * are stopped go on with it. Nothing here can fail for good: what cannot be
 * written belongs to a device or a page table that is gone.
 */
void gtdbg_gt_quiesce(struct gtdbg_gt *gt)
{
	struct gtdbg_context *context;
	struct gtdbg_load *load;

	lockdep_assert_held(&gt->lock);
	if (!gt->active)
		return;
	WRITE_ONCE(gt->active, false);
	gtdbg_gt_begin(gt);
	list_for_each_entry(context, &gt->contexts, node) {
		if (!gtdbg_savearea_check(gt, context))
			gtdbg_savearea_set_active(gt, context, false);
		gtdbg_sites_restore(gt, context);
		list_for_each_entry(load, &context->loads, node) {
			load->armed = true;
			load->ack_seqno = 0;
			/* The next session has not been told of it. */
			load->launch_address = 0;
		}
	}
	gt->hunting = gt_stops_unasked(gt);
	gt->drain_end = ktime_add_ms(ktime_get(), DRAIN_MS);
	gtdbg_threads_resume_all(gt);
	gtdbg_poller_kick(gt);
}

bool gtdbg_gt_lingers(const struct gtdbg_gt *gt)
{
	return gt->hunting || gt->drain_end;
}

/*
 * A thread that had passed the check of the session-active flag may stop after
 * the flag was cleared: none is left once the engine is idle, and none that
 * makes any progress after a while. The save areas of an armed client start with
 * the flag set, whenever it makes a context: they are looked for to its end.
 */
void gtdbg_gt_linger_check(struct gtdbg_gt *gt, bool busy)
{
	lockdep_assert_held(&gt->lock);
	if (gt->active || !gtdbg_gt_lingers(gt))
		return;
	if (gt->hunting && !gt_stops_unasked(gt)) {
		gt->hunting = false;
		gt->drain_end = ktime_add_ms(ktime_get(), DRAIN_MS);
	}
	if (!busy || ktime_after(ktime_get(), gt->drain_end))
		gt->drain_end = 0;
	if (!gtdbg_gt_lingers(gt))
		gtdbg_gt_wake(gt, false);
}

/*
 * Without the GT's lock: lingering begins with the registry lock held, or
 * before it is taken for this, and a poller that outlives its end only sleeps.
 */
static bool gt_wants_poll(const struct gtdbg_gt *gt)
{
	return (gt->client && gt->client->controller) || gtdbg_gt_lingers(gt);
}

static int gt_update(struct gtdbg_gt *gt)
{
	int ret = 0;

	lockdep_assert_held(&gtdbg_registry_lock);
	if (!gt_wants_poll(gt))
		gtdbg_poller_stop(gt);
	else
		ret = gtdbg_poller_start(gt);
	if (ret)
		pr_warn("no poller for device %u\n", gt->id);
	return ret;
}

int gtdbg_gt_update(struct gtdbg_client *client)
{
	struct gtdbg_gt *gt;
	int ret = 0;

	lockdep_assert_held(&gtdbg_registry_lock);
	list_for_each_entry(gt, &client->gts, client_node)
		ret = gt_update(gt) ?: ret;
	return ret;
}

static struct gtdbg_gt *gt_first_active(struct gtdbg_client *client)
{
	struct gtdbg_gt *gt, *found = NULL;

	mutex_lock(&gtdbg_registry_lock);
	/* Without the GT's lock: no one sets it again, only others clear it. */
	list_for_each_entry(gt, &client->gts, client_node) {
		if (READ_ONCE(gt->active)) {
			found = gtdbg_gt_get(gt);
			break;
		}
	}
	mutex_unlock(&gtdbg_registry_lock);
	return found;
}

void gtdbg_gts_quiesce(struct gtdbg_client *client)
{
	struct gtdbg_gt *gt;

	while ((gt = gt_first_active(client))) {
		mutex_lock(&gt->lock);
		gtdbg_gt_quiesce(gt);
		mutex_unlock(&gt->lock);
		gtdbg_gt_put(gt);
	}
}

/* What is on its way out gets no GT that it would have to quiesce. */
static bool gt_controlled(const struct gtdbg_client *client)
{
	lockdep_assert_held(&gtdbg_registry_lock);
	return !client->ending && client->controller &&
	       !READ_ONCE(client->controller->closed);
}

/* @gt runs the work of @client's process. */
static void gt_join(struct gtdbg_gt *gt, struct gtdbg_client *client)
{
	struct gtdbg_event_device_add payload;

	lockdep_assert_held(&gtdbg_registry_lock);
	mutex_lock(&gt->lock);
	/* What another client's kernels were called there means nothing now. */
	gtdbg_contexts_forget(gt);
	gt->client = gtdbg_client_get(client);
	list_add_tail(&gt->client_node, &client->gts);
	gt_describe(gt, &payload);
	gtdbg_gt_emit(gt, GTDBG_EVENT_DEVICE_ADD, 0, &payload,
		      sizeof(payload));
	if (gt_controlled(client))
		gtdbg_gt_activate(gt);
	else
		gt->hunting = client->flags & GTDBG_CLIENT_F_ARMED;
	mutex_unlock(&gt->lock);
	gt_update(gt);
}

static void gt_part(struct gtdbg_gt *gt)
{
	struct gtdbg_client *client = gt->client;

	lockdep_assert_held(&gtdbg_registry_lock);
	if (!client)
		return;
	mutex_lock(&gt->lock);
	gtdbg_gt_quiesce(gt);
	gt->hunting = false;
	gt->client = NULL;
	list_del_init(&gt->client_node);
	mutex_unlock(&gt->lock);
	gt_update(gt);
	gtdbg_client_put(client);
}

void gtdbg_gt_adopt(struct gtdbg_client *client)
{
	struct gtdbg_gt *gt;

	lockdep_assert_held(&gtdbg_registry_lock);
	list_for_each_entry(gt, &gts, node)
		if (gt->owner == client->pid && !gt->client)
			gt_join(gt, client);
}

void gtdbg_gt_disown(struct gtdbg_client *client)
{
	struct gtdbg_gt *gt, *next;

	lockdep_assert_held(&gtdbg_registry_lock);
	list_for_each_entry_safe(gt, next, &client->gts, client_node)
		gt_part(gt);
}

static u32 gt_count_of(const struct pid *owner)
{
	struct gtdbg_gt *gt;
	u32 count = 0;

	lockdep_assert_held(&gtdbg_registry_lock);
	list_for_each_entry(gt, &gts, node)
		if (gt->owner == owner)
			count++;
	return count;
}

int gtdbg_gt_publish(struct gtdbg_gt *gt)
{
	struct gtdbg_client *client;
	int ret = -EDQUOT;

	mutex_lock(&gtdbg_registry_lock);
	if (gt_count_of(gt->owner) < GTDBG_DEVICES_OF_CLIENT_MAX) {
		gt->id = next_gt;
		next_gt = next_gt % INT_MAX + 1;
		ret = gt->id;
		list_add_tail(&gt->node, &gts);
		client = gtdbg_client_find(gt->owner);
		if (client)
			gt_join(gt, client);
	}
	mutex_unlock(&gtdbg_registry_lock);
	return ret;
}

void gtdbg_gt_withdraw(struct gtdbg_gt *gt)
{
	mutex_lock(&gtdbg_registry_lock);
	mutex_lock(&gt->lock);
	gtdbg_gt_lose(gt, GTDBG_LOSS_GONE);
	mutex_unlock(&gt->lock);
	gt_part(gt);
	gtdbg_poller_stop(gt);
	list_del(&gt->node);
	mutex_unlock(&gtdbg_registry_lock);
}

static void gt_show(struct seq_file *out, struct gtdbg_gt *gt)
{
	struct gtdbg_context *context;

	seq_printf(out, "device %u %s pid=%d slots=%u stopped=%u scans=%llu%s%s%s%s\n",
		   gt->id, gt->platform->name, pid_nr(gt->owner),
		   gt->topology.slots, gt->stopped, gt->scans,
		   gt->active ? " active" : "", gt->lost ? " lost" : "",
		   gtdbg_gt_lingers(gt) ? " lingering" : "",
		   gt->poller ? " polled" : "");
	list_for_each_entry(context, &gt->contexts, node)
		seq_printf(out, "  context %u sip=%u save_area=%#llx instruction_base=%#llx sites=%u\n",
			   context->id, context->savearea.sip,
			   context->savearea.address,
			   context->bases.instruction, context->site_count);
}

void gtdbg_gts_show(struct seq_file *out)
{
	struct gtdbg_gt *gt;

	lockdep_assert_held(&gtdbg_registry_lock);
	list_for_each_entry(gt, &gts, node) {
		mutex_lock(&gt->lock);
		gt_show(out, gt);
		mutex_unlock(&gt->lock);
	}
}
