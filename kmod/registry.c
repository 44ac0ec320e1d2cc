// SPDX-License-Identifier: GPL-2.0-only
#include "registry.h"

#include <linux/delay.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/pid.h>
#include <linux/seq_file.h>

#include "attention.h"
#include "client.h"
#include "context.h"
#include "control.h"
#include "file.h"
#include "gt.h"
#include "gtdbg.h"
#include "platform.h"
#include "poller.h"
#include "session.h"

#define DRAIN_US 1000 /* between two looks at what ends */

DEFINE_MUTEX(gtdbg_registry_lock);
static LIST_HEAD(gts); /* protected by gtdbg_registry_lock */
static u32 next_gt = 1; /* likewise */

/* A place among the GTs of @client, unless that is on its way out. */
static int registry_bind(struct gtdbg_gt *gt, struct gtdbg_client *client)
{
	int ret = READ_ONCE(client->ending) ? -ESRCH : -EDQUOT;
	u32 i;

	lockdep_assert_held(&gt->lock);
	lockdep_assert_held(&client->lock);
	for (i = 0; i < ARRAY_SIZE(client->gts) && ret == -EDQUOT; i++) {
		if (client->gts[i])
			continue;
		client->gts[i] = gt;
		gt->client = gtdbg_client_get(client);
		gt->client_place = i;
		ret = 0;
	}
	return ret;
}

/* Leave it as if never debugged. */
static void registry_part(struct gtdbg_gt *gt)
{
	struct gtdbg_client *client = gt->client;

	lockdep_assert_held(&gt->lock);
	if (!client)
		return;
	gtdbg_control_quiesce(gt);
	gtdbg_watch_look(gt, NULL);
	gt->hunting = false;
	mutex_lock(&client->lock);
	client->gts[gt->client_place] = NULL;
	gt->client = NULL;
	mutex_unlock(&client->lock);
	gtdbg_client_put(client);
}

/* @gt runs the work of @client, and of no other ever. */
static int registry_join(struct gtdbg_gt *gt, struct gtdbg_client *client)
{
	struct gtdbg_event_device_add payload;
	int ret;

	mutex_lock(&gt->lock);
	mutex_lock(&client->lock);
	ret = registry_bind(gt, client);
	mutex_unlock(&client->lock);
	if (ret)
		goto out;
	gtdbg_gt_describe(gt, &payload);
	if (!gt->lost)
		gtdbg_gt_emit(gt, GTDBG_EVENT_DEVICE_ADD, 0, &payload,
			      sizeof(payload));
	gt->hunting = client->flags & GTDBG_CLIENT_F_ARMED;
	if (!gt->lost && gtdbg_client_controlled(client))
		gtdbg_control_activate(gt);
	else
		gtdbg_poller_kick(gt);
out:
	mutex_unlock(&gt->lock);
	return ret;
}

void gtdbg_registry_disown(struct gtdbg_client *client)
{
	struct gtdbg_session_gts found;
	u32 i;

	gtdbg_client_gts_get(client, &found);
	for (i = 0; i < found.count; i++) {
		mutex_lock(&found.gt[i]->lock);
		if (found.gt[i]->client == client)
			registry_part(found.gt[i]);
		mutex_unlock(&found.gt[i]->lock);
	}
	gtdbg_session_gts_put(&found);
}

static int registry_publish(struct gtdbg_gt *gt, struct gtdbg_client *client)
{
	int ret;

	mutex_lock(&gtdbg_registry_lock);
	gt->id = next_gt;
	next_gt = next_gt % INT_MAX + 1;
	list_add_tail(&gt->node, &gts);
	mutex_unlock(&gtdbg_registry_lock);
	ret = gtdbg_poller_start(gt) ?: registry_join(gt, client);
	if (ret)
		gtdbg_registry_withdraw(gt);
	return ret ?: gt->id;
}

int gtdbg_registry_publish(struct gtdbg_gt *gt, int client_fd)
{
	struct gtdbg_client *client = gtdbg_file_client_get(client_fd);
	int ret;

	if (IS_ERR(client))
		return PTR_ERR(client);
	ret = gtdbg_client_runs(client) ? registry_publish(gt, client) : -ESRCH;
	gtdbg_client_put(client);
	return ret;
}
EXPORT_SYMBOL_NS_GPL(gtdbg_registry_publish, GTDBG);

/* Nothing of it is stopped any more; is a context of the client's on the engine? */
static bool registry_runs(struct gtdbg_gt *gt)
{
	struct gtdbg_context *context;
	bool runs = false;

	mutex_lock(&gt->lock);
	gtdbg_control_quiesce(gt);
	gtdbg_gt_begin(gt);
	list_for_each_entry(context, &gt->contexts, node)
		runs = runs || (context->reported &&
				gtdbg_context_reachable(gt, context, true));
	mutex_unlock(&gt->lock);
	return runs;
}

/* The poller goes on, and wakes what stops late. */
void gtdbg_registry_drain(struct gtdbg_gt *gt, ktime_t end)
{
	while (registry_runs(gt) && ktime_before(ktime_get(), end))
		usleep_range(DRAIN_US, 2 * DRAIN_US);
}
EXPORT_SYMBOL_NS_GPL(gtdbg_registry_drain, GTDBG);

void gtdbg_registry_withdraw(struct gtdbg_gt *gt)
{
	mutex_lock(&gt->lock);
	/*
	 * A view of a GPU goes while that is there: it is left in order, and what the
	 * driver has ended is said before nobody can see it any more.
	 */
	if (gt->ops->is_shared) {
		gtdbg_attention_scan(gt);
		gtdbg_control_quiesce(gt);
	}
	gtdbg_gt_lose(gt, GTDBG_LOSS_GONE);
	registry_part(gt);
	mutex_unlock(&gt->lock);
	gtdbg_poller_stop(gt);
	mutex_lock(&gtdbg_registry_lock);
	list_del(&gt->node);
	mutex_unlock(&gtdbg_registry_lock);
}
EXPORT_SYMBOL_NS_GPL(gtdbg_registry_withdraw, GTDBG);

void gtdbg_registry_wake(void)
{
	struct gtdbg_gt *gt;

	mutex_lock(&gtdbg_registry_lock);
	list_for_each_entry(gt, &gts, node)
		gtdbg_poller_wake(gt);
	mutex_unlock(&gtdbg_registry_lock);
}

static pid_t registry_pid(const struct gtdbg_gt *gt)
{
	return gt->client ? pid_nr(gt->client->pid) : 0;
}

static void gt_show(struct seq_file *out, struct gtdbg_gt *gt)
{
	struct gtdbg_context *context;

	seq_printf(out, "device %u %s pid=%d slots=%u stopped=%u scans=%llu%s%s%s%s\n",
		   gt->id, gt->platform->name, registry_pid(gt),
		   gt->topology.slots, gt->stopped, gt->scans,
		   gt->active ? " active" : "", gt->lost ? " lost" : "",
		   gt->gone ? " gone" : "",
		   gtdbg_control_lingers(gt) ? " lingering" : "");
	list_for_each_entry(context, &gt->contexts, node)
		seq_printf(out, "  context %u sip=%u save_area=%#llx instruction_base=%#llx sites=%u\n",
			   context->id, context->savearea.sip,
			   context->savearea.address,
			   context->bases.instruction, context->site_count);
}

void gtdbg_registry_show(struct seq_file *out)
{
	struct gtdbg_gt *gt;

	lockdep_assert_held(&gtdbg_registry_lock);
	list_for_each_entry(gt, &gts, node) {
		/* Whoever has locked it may wait for a server. */
		if (!mutex_trylock(&gt->lock)) {
			seq_printf(out, "device %u %s busy\n", gt->id,
				   gt->platform->name);
			continue;
		}
		gt_show(out, gt);
		mutex_unlock(&gt->lock);
	}
}
