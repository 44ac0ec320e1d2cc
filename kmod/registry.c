// SPDX-License-Identifier: GPL-2.0-only
#include "registry.h"

#include <linux/kernel.h>
#include <linux/pid.h>
#include <linux/seq_file.h>

#include "client.h"
#include "control.h"
#include "gt.h"
#include "gtdbg.h"
#include "platform.h"
#include "poller.h"
#include "session.h"

DEFINE_MUTEX(gtdbg_registry_lock);
static LIST_HEAD(gts); /* protected by gtdbg_registry_lock */
static u32 next_gt = 1; /* likewise */

/*
 * Without the GT's lock: lingering begins with the registry lock held, or
 * before it is taken for this, and a poller that outlives its end only sleeps.
 */
static bool registry_wants_poll(const struct gtdbg_gt *gt)
{
	return (gt->client && gt->client->controller) ||
	       gtdbg_control_lingers(gt);
}

static int registry_update(struct gtdbg_gt *gt)
{
	int ret = 0;

	lockdep_assert_held(&gtdbg_registry_lock);
	if (!registry_wants_poll(gt))
		gtdbg_poller_stop(gt);
	else
		ret = gtdbg_poller_start(gt);
	if (ret)
		pr_warn("no poller for device %u\n", gt->id);
	return ret;
}

int gtdbg_registry_update(struct gtdbg_client *client)
{
	struct gtdbg_gt *gt;
	int ret = 0;

	lockdep_assert_held(&gtdbg_registry_lock);
	list_for_each_entry(gt, &client->gts, client_node)
		ret = registry_update(gt) ?: ret;
	return ret;
}

/* What is on its way out gets no GT that it would have to quiesce. */
static bool registry_controlled(const struct gtdbg_client *client)
{
	lockdep_assert_held(&gtdbg_registry_lock);
	return !client->ending && client->controller &&
	       !READ_ONCE(client->controller->closed);
}

/* @gt runs the work of @client's process. */
static void registry_join(struct gtdbg_gt *gt, struct gtdbg_client *client)
{
	struct gtdbg_event_device_add payload;

	lockdep_assert_held(&gtdbg_registry_lock);
	mutex_lock(&gt->lock);
	/* What another client's kernels were called there means nothing now. */
	gtdbg_contexts_forget(gt);
	gt->client = gtdbg_client_get(client);
	list_add_tail(&gt->client_node, &client->gts);
	gtdbg_gt_describe(gt, &payload);
	gtdbg_gt_emit(gt, GTDBG_EVENT_DEVICE_ADD, 0, &payload,
		      sizeof(payload));
	if (registry_controlled(client))
		gtdbg_control_activate(gt);
	else
		gt->hunting = client->flags & GTDBG_CLIENT_F_ARMED;
	mutex_unlock(&gt->lock);
	registry_update(gt);
}

static void registry_part(struct gtdbg_gt *gt)
{
	struct gtdbg_client *client = gt->client;

	lockdep_assert_held(&gtdbg_registry_lock);
	if (!client)
		return;
	mutex_lock(&gt->lock);
	gtdbg_control_quiesce(gt);
	gt->hunting = false;
	gt->client = NULL;
	list_del_init(&gt->client_node);
	mutex_unlock(&gt->lock);
	registry_update(gt);
	gtdbg_client_put(client);
}

void gtdbg_registry_adopt(struct gtdbg_client *client)
{
	struct gtdbg_gt *gt;

	lockdep_assert_held(&gtdbg_registry_lock);
	list_for_each_entry(gt, &gts, node)
		if (gt->owner == client->pid && !gt->client)
			registry_join(gt, client);
}

void gtdbg_registry_disown(struct gtdbg_client *client)
{
	struct gtdbg_gt *gt, *next;

	lockdep_assert_held(&gtdbg_registry_lock);
	list_for_each_entry_safe(gt, next, &client->gts, client_node)
		registry_part(gt);
}

static u32 registry_count_of(const struct pid *owner)
{
	struct gtdbg_gt *gt;
	u32 count = 0;

	lockdep_assert_held(&gtdbg_registry_lock);
	list_for_each_entry(gt, &gts, node)
		if (gt->owner == owner)
			count++;
	return count;
}

int gtdbg_registry_publish(struct gtdbg_gt *gt)
{
	struct gtdbg_client *client;
	int ret = -EDQUOT;

	mutex_lock(&gtdbg_registry_lock);
	if (registry_count_of(gt->owner) < GTDBG_DEVICES_OF_CLIENT_MAX) {
		gt->id = next_gt;
		next_gt = next_gt % INT_MAX + 1;
		ret = gt->id;
		list_add_tail(&gt->node, &gts);
		client = gtdbg_client_find(gt->owner);
		if (client)
			registry_join(gt, client);
	}
	mutex_unlock(&gtdbg_registry_lock);
	return ret;
}

void gtdbg_registry_withdraw(struct gtdbg_gt *gt)
{
	mutex_lock(&gtdbg_registry_lock);
	mutex_lock(&gt->lock);
	gtdbg_gt_lose(gt, GTDBG_LOSS_GONE);
	mutex_unlock(&gt->lock);
	registry_part(gt);
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
		   gtdbg_control_lingers(gt) ? " lingering" : "",
		   gt->poller ? " polled" : "");
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
		mutex_lock(&gt->lock);
		gt_show(out, gt);
		mutex_unlock(&gt->lock);
	}
}
