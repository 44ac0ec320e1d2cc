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

/* A place among the GTs of @client, unless that is on its way out. */
static bool registry_bind(struct gtdbg_gt *gt, struct gtdbg_client *client)
{
	u32 i, place = ARRAY_SIZE(client->gts);

	lockdep_assert_held(&gt->lock);
	mutex_lock(&client->lock);
	for (i = 0; i < ARRAY_SIZE(client->gts) && !READ_ONCE(client->ending);
	     i++)
		if (!client->gts[i])
			place = min(place, i);
	if (place < ARRAY_SIZE(client->gts)) {
		client->gts[place] = gt;
		gt->client = gtdbg_client_get(client);
		gt->client_place = place;
	}
	mutex_unlock(&client->lock);
	return gt->client;
}

/* Leave it as if never debugged. */
static void registry_part(struct gtdbg_gt *gt)
{
	struct gtdbg_client *client = gt->client;

	lockdep_assert_held(&gt->lock);
	if (!client)
		return;
	gtdbg_control_quiesce(gt);
	gt->hunting = false;
	mutex_lock(&client->lock);
	client->gts[gt->client_place] = NULL;
	gt->client = NULL;
	mutex_unlock(&client->lock);
	gtdbg_client_put(client);
}

/*
 * @gt runs the work of @client's process. Who offers it and who registers may
 * both come here, and find what the other one has done. What the process was
 * before may still be about to end.
 */
static void registry_join(struct gtdbg_gt *gt, struct gtdbg_client *client)
{
	struct gtdbg_event_device_add payload;

	mutex_lock(&gt->lock);
	if (gt->client && READ_ONCE(gt->client->ending))
		registry_part(gt);
	if (gt->gone || gt->client)
		goto out;
	/* What another client's kernels were called there means nothing now. */
	gtdbg_contexts_forget(gt);
	if (!registry_bind(gt, client))
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
}

void gtdbg_registry_adopt(struct gtdbg_client *client)
{
	struct gtdbg_session_gts found = { .count = 0 };
	struct gtdbg_gt *gt;
	u32 i;

	mutex_lock(&gtdbg_registry_lock);
	list_for_each_entry(gt, &gts, node)
		if (gt->owner == client->pid &&
		    found.count < ARRAY_SIZE(found.gt))
			found.gt[found.count++] = gtdbg_gt_get(gt);
	mutex_unlock(&gtdbg_registry_lock);
	for (i = 0; i < found.count; i++)
		registry_join(found.gt[i], client);
	gtdbg_session_gts_put(&found);
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

static int registry_add(struct gtdbg_gt *gt)
{
	int ret = -EDQUOT;

	mutex_lock(&gtdbg_registry_lock);
	if (registry_count_of(gt->owner) < GTDBG_DEVICES_OF_CLIENT_MAX) {
		gt->id = next_gt;
		next_gt = next_gt % INT_MAX + 1;
		ret = gt->id;
		list_add_tail(&gt->node, &gts);
	}
	mutex_unlock(&gtdbg_registry_lock);
	return ret;
}

/* A client that registers from here on finds it; one that has done so is found. */
int gtdbg_registry_publish(struct gtdbg_gt *gt)
{
	struct gtdbg_client *client;
	int ret, id = registry_add(gt);

	if (id < 0)
		return id;
	ret = gtdbg_poller_start(gt);
	if (ret) {
		gtdbg_registry_withdraw(gt);
		return ret;
	}
	client = gtdbg_client_find(gt->owner);
	if (client)
		registry_join(gt, client);
	gtdbg_client_put(client);
	return id;
}

void gtdbg_registry_withdraw(struct gtdbg_gt *gt)
{
	mutex_lock(&gt->lock);
	gt->gone = true;
	gtdbg_gt_lose(gt, GTDBG_LOSS_GONE);
	registry_part(gt);
	mutex_unlock(&gt->lock);
	gtdbg_poller_stop(gt);
	mutex_lock(&gtdbg_registry_lock);
	list_del(&gt->node);
	mutex_unlock(&gtdbg_registry_lock);
}

static void gt_show(struct seq_file *out, struct gtdbg_gt *gt)
{
	struct gtdbg_context *context;

	seq_printf(out, "device %u %s pid=%d slots=%u stopped=%u scans=%llu%s%s%s\n",
		   gt->id, gt->platform->name, pid_nr(gt->owner),
		   gt->topology.slots, gt->stopped, gt->scans,
		   gt->active ? " active" : "", gt->lost ? " lost" : "",
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
			seq_printf(out, "device %u %s pid=%d busy\n", gt->id,
				   gt->platform->name, pid_nr(gt->owner));
			continue;
		}
		gt_show(out, gt);
		mutex_unlock(&gt->lock);
	}
}
