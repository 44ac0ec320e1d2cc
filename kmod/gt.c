// SPDX-License-Identifier: GPL-2.0-only
#include "gt.h"
#include "hw.h"

#include <linux/bits.h>
#include <linux/kernel.h>
#include <linux/memcontrol.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "account.h"
#include "client.h"
#include "event_queue.h"
#include "gtdbg.h"
#include "load.h"
#include "platform.h"
#include "poller.h"
#include "session.h"
#include "thread.h"
#include "trace.h"

/* A bit for each that the platform numbers. */
static u64 gt_subslices(const struct gtdbg_topology *topology)
{
	return GENMASK_ULL(topology->slices * topology->subslices - 1, 0);
}

static bool gt_topology_fits(const struct gtdbg_topology *topology,
			     const struct gtdbg_platform *platform)
{
	return topology->slices && topology->slices <= platform->slices_max &&
	       topology->subslices &&
	       topology->subslices <= platform->subslices_max &&
	       topology->slices * topology->subslices * platform->att_dwords <=
		       GTDBG_ROWS_MAX &&
	       topology->eus == platform->eus &&
	       topology->threads == platform->threads &&
	       !(topology->subslice_mask & ~gt_subslices(topology));
}

static struct gtdbg_gt *gt_alloc(const struct gtdbg_backend *backend,
				 const struct gtdbg_platform *platform)
{
	struct gtdbg_gt *gt = kzalloc(sizeof(*gt), GFP_KERNEL_ACCOUNT);

	if (!gt)
		return NULL;
	gt->topology = backend->topology;
	gt->topology.slots = gt->topology.slices * gt->topology.subslices *
			     gt->topology.eus * gt->topology.threads;
	gt->topology.subslice_mask = gt->topology.subslice_mask ?:
				     gt_subslices(&gt->topology);
	if (gtdbg_threads_init(gt)) {
		kfree(gt);
		return NULL;
	}
	kref_init(&gt->ref);
	gt->platform = platform;
	gt->ops = backend->ops;
	gt->backend = backend->data;
	gt->pci_address = gt->ops->is_virtual ? GTDBG_PCI_NONE :
						backend->pci_address;
	gt->drm_minor = gt->ops->is_virtual ? -1 : backend->drm_minor;
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

struct gtdbg_gt *gtdbg_gt_create(const struct gtdbg_backend *backend)
{
	const struct gtdbg_platform *platform =
		gtdbg_platform_find(backend->platform);
	struct gtdbg_account *account;
	struct gtdbg_gt *gt;
	int ret;

	if (!platform)
		return ERR_PTR(-EOPNOTSUPP);
	if (!gt_topology_fits(&backend->topology, platform))
		return ERR_PTR(-EINVAL);
	account = gtdbg_account_get();
	if (!account)
		return ERR_PTR(-ENOMEM);
	ret = gtdbg_account_charge(account, GTDBG_ACCOUNT_DEVICES, 1);
	if (ret)
		goto err_put_account;
	ret = gtdbg_account_charge(account, GTDBG_ACCOUNT_BYTES,
				   backend->bytes);
	if (ret)
		goto err_uncharge_device;
	gt = gt_alloc(backend, platform);
	if (!gt) {
		ret = -ENOMEM;
		goto err_uncharge_bytes;
	}
	gt->account = account;
	gt->memcg = get_mem_cgroup_from_mm(current->mm);
	gt->charged_bytes = backend->bytes;
	/* Who calls is in that module, so it is not on its way out. */
	__module_get(gt->ops->owner);
	return gt;

err_uncharge_bytes:
	gtdbg_account_uncharge(account, GTDBG_ACCOUNT_BYTES, backend->bytes);
err_uncharge_device:
	gtdbg_account_uncharge(account, GTDBG_ACCOUNT_DEVICES, 1);
err_put_account:
	gtdbg_account_put(account);
	return ERR_PTR(ret);
}
EXPORT_SYMBOL_NS_GPL(gtdbg_gt_create, GTDBG);

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
	gtdbg_account_uncharge(gt->account, GTDBG_ACCOUNT_BYTES,
			       gt->charged_bytes);
	gtdbg_account_uncharge(gt->account, GTDBG_ACCOUNT_DEVICES, 1);
	gtdbg_account_put(gt->account);
	mem_cgroup_put(gt->memcg);
	module_put(gt->ops->owner);
	kfree(gt);
}

void gtdbg_gt_put(struct gtdbg_gt *gt)
{
	if (gt)
		kref_put(&gt->ref, gt_free);
}
EXPORT_SYMBOL_NS_GPL(gtdbg_gt_put, GTDBG);

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

void gtdbg_gt_describe(struct gtdbg_gt *gt,
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
		.subslice_mask = gt->topology.subslice_mask,
		.timestamp_hz = gtdbg_hw_timestamp_hz(gt),
		.slice_mask = GENMASK(gt->topology.slices - 1, 0),
		.eu_mask = GENMASK(gt->topology.eus - 1, 0),
		.engine_class = GTDBG_ENGINE_RENDER,
		.pci_address = gt->pci_address,
		.drm_minor = gt->drm_minor,
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
		if (!context->reported)
			continue;
		gtdbg_context_describe(gt, context, &payload);
		gtdbg_gt_emit(gt, GTDBG_EVENT_CONTEXT_ADD, 0, &payload,
			      sizeof(payload));
		gtdbg_loads_report(gt, context);
	}
}

void gtdbg_gt_lose(struct gtdbg_gt *gt, u32 reason)
{
	struct gtdbg_event_device_lost payload = {
		.device = gt->id,
		.reason = reason,
	};

	lockdep_assert_held(&gt->lock);
	/* One that did not answer may be found to be gone, and that never twice. */
	if (gt->lost && (reason != GTDBG_LOSS_GONE || gt->gone))
		return;
	gt->lost = true;
	gt->gone = reason == GTDBG_LOSS_GONE;
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
