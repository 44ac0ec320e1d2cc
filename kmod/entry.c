// SPDX-License-Identifier: GPL-2.0-only
#include "entry.h"

#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "breakpoint.h"
#include "client.h"
#include "context.h"
#include "gt.h"
#include "gtdbg.h"
#include "launch.h"
#include "module.h"
#include "platform.h"
#include "poller.h"
#include "ppgtt.h"
#include "thread.h"
#include "trace.h"

#define ENTRY_DWORDS 4 /* the instruction with the cookie */
#define ENTRY_COOKIE 3 /* dword of it */
#define ENTRY_OPCODE_MASK 0x7F
#define LOADS_MAX 1024 /* of a context */
#define FOLLOW_PAUSE 10 /* times the search's own time, at least */

/* What the client says about the kernel with @load's cookie. */
static void load_identify(struct gtdbg_load *load, struct gtdbg_client *client)
{
	struct gtdbg_kernel *kernel = gtdbg_kernel_find(client, load->kernel);

	lockdep_assert_held(&client->lock);
	load->generation = client->breakpoint_generation;
	load->len_bytes = ENTRY_DWORDS * sizeof(u32);
	if (!kernel || kernel->cookie != load->cookie)
		kernel = gtdbg_kernel_find_cookie(client, load->cookie);
	load->kernel = kernel ? kernel->id : 0;
	if (kernel)
		load->len_bytes = max(load->len_bytes, kernel->isa.len_bytes);
}

/* The kernel may have been removed since, or made again. */
static void load_refresh(struct gtdbg_gt *gt, struct gtdbg_load *load)
{
	struct gtdbg_client *client = gt->client;

	if (!client ||
	    load->generation == READ_ONCE(client->breakpoint_generation))
		return;
	mutex_lock(&client->lock);
	load_identify(load, client);
	mutex_unlock(&client->lock);
}

/* Read the instruction at @address: is it one with a cookie? */
static bool entry_read(struct gtdbg_gt *gt, struct gtdbg_context *context,
		       u64 address, u32 dword[ENTRY_DWORDS])
{
	return !gtdbg_ppgtt_read(gt, context, address, dword,
				 ENTRY_DWORDS * sizeof(u32)) &&
	       !(dword[0] & GTDBG_INST_COMPACT) &&
	       (dword[0] & ENTRY_OPCODE_MASK) == gt->platform->inst_mov;
}

/*
 * Is @load still what its memory holds? Looked at once in each hold of the
 * lock. One that threads wait at stays until they are let go.
 */
static bool load_valid(struct gtdbg_gt *gt, struct gtdbg_context *context,
		       struct gtdbg_load *load)
{
	u32 dword[ENTRY_DWORDS];

	if (load->hold == gt->hold)
		return true;
	if (!load->ack_seqno &&
	    (!entry_read(gt, context, load->address, dword) ||
	     dword[ENTRY_COOKIE] != load->cookie))
		return false;
	load->hold = gt->hold;
	load_refresh(gt, load);
	return true;
}

static void load_free(struct gtdbg_context *context, struct gtdbg_load *load)
{
	list_del(&load->node);
	context->load_count--;
	kfree(load);
}

struct gtdbg_load *gtdbg_load_find(struct gtdbg_gt *gt,
				   struct gtdbg_context *context, u64 address)
{
	struct gtdbg_load *load, *next, *found = NULL;

	lockdep_assert_held(&gt->lock);
	list_for_each_entry_safe(load, next, &context->loads, node) {
		if (address - load->address >= load->len_bytes)
			continue;
		if (!load_valid(gt, context, load))
			load_free(context, load);
		else if (!found || load->address > found->address)
			found = load;
	}
	return found;
}

void gtdbg_loads_check(struct gtdbg_gt *gt, struct gtdbg_context *context)
{
	struct gtdbg_load *load, *next;

	lockdep_assert_held(&gt->lock);
	list_for_each_entry_safe(load, next, &context->loads, node)
		if (!load_valid(gt, context, load))
			load_free(context, load);
}

/* There are too many: an old one is learned again at its next launch. */
static void load_evict(struct gtdbg_context *context)
{
	struct gtdbg_load *load;

	list_for_each_entry(load, &context->loads, node) {
		if (!load->ack_seqno) {
			load_free(context, load);
			return;
		}
	}
}

/* The place for a kernel at @address, what was there before being gone. */
static struct gtdbg_load *load_place(struct gtdbg_context *context,
				     u64 address)
{
	struct gtdbg_load *load;

	list_for_each_entry(load, &context->loads, node)
		if (load->address == address)
			return load;
	if (context->load_count >= LOADS_MAX)
		load_evict(context);
	load = kzalloc(sizeof(*load), GFP_KERNEL);
	if (load) {
		list_add_tail(&load->node, &context->loads);
		context->load_count++;
	}
	return load;
}

struct gtdbg_load *gtdbg_load_learn(struct gtdbg_gt *gt,
				    struct gtdbg_context *context, u64 address)
{
	u32 dword[ENTRY_DWORDS];
	struct gtdbg_load *load;

	lockdep_assert_held(&gt->lock);
	if (!gt->client || !entry_read(gt, context, address, dword) ||
	    !(dword[0] & GTDBG_INST_BREAK_NATIVE))
		return NULL;
	load = load_place(context, address);
	if (!load)
		return NULL;
	load->cookie = dword[ENTRY_COOKIE];
	load->address = address;
	load->armed = true;
	load->hold = gt->hold;
	mutex_lock(&gt->client->lock);
	load_identify(load, gt->client);
	mutex_unlock(&gt->client->lock);
	gtdbg_sites_sync(gt, context);
	return load;
}

void gtdbg_loads_destroy(struct gtdbg_context *context)
{
	struct gtdbg_load *load, *next;

	list_for_each_entry_safe(load, next, &context->loads, node)
		load_free(context, load);
}

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

static void entry_submit(struct gtdbg_gt *gt, struct gtdbg_context *context,
			 struct gtdbg_load *load, u32 slot,
			 const struct gtdbg_launch *launch)
{
	struct gtdbg_event_kernel_submit payload = {
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
	u32 i;

	for (i = 0; i < ARRAY_SIZE(payload.groups); i++) {
		payload.groups[i] = launch->end[i] - launch->first[i];
		payload.first_group[i] = launch->first[i];
	}
	launch_told(load, launch);
	load->ack_seqno = gtdbg_gt_emit(gt, GTDBG_EVENT_KERNEL_SUBMIT, 0,
					&payload, sizeof(payload));
	trace_gtdbg_kernel_submit(&payload);
}

static void entry_lift(struct gtdbg_gt *gt, struct gtdbg_context *context,
		       struct gtdbg_load *load)
{
	load->armed = false;
	load->ack_seqno = 0;
	/* Meanwhile another launch may have come. */
	memset(&context->followed, 0, sizeof(context->followed));
	gtdbg_sites_sync(gt, context);
}

bool gtdbg_entry_reached(struct gtdbg_gt *gt, struct gtdbg_context *context,
			 struct gtdbg_load *load, u32 slot)
{
	struct gtdbg_launch launch;

	lockdep_assert_held(&gt->lock);
	if (load->armed && !load->ack_seqno) {
		gtdbg_launch_find(gt, context, load->address, &launch);
		if (!launch_is_told(load, &launch))
			entry_submit(gt, context, load, slot, &launch);
		/*
		 * A session that will acknowledge first sets its breakpoints:
		 * no thread may get past the entry before.
		 */
		if (!load->ack_seqno)
			entry_lift(gt, context, load);
	}
	if (!load->ack_seqno)
		return false;
	gt->threads[slot].entry = load;
	return true;
}

static struct gtdbg_load *entry_find_seqno(struct gtdbg_gt *gt, u64 seqno,
					   struct gtdbg_context **context_out)
{
	struct gtdbg_context *context;
	struct gtdbg_load *load;

	list_for_each_entry(context, &gt->contexts, node) {
		*context_out = context;
		list_for_each_entry(load, &context->loads, node)
			if (load->ack_seqno == seqno)
				return load;
	}
	return NULL;
}

int gtdbg_entry_ack(struct gtdbg_gt *gt, u64 seqno)
{
	struct gtdbg_context *context;
	struct gtdbg_load *load;
	u32 slot;

	lockdep_assert_held(&gt->lock);
	gtdbg_gt_begin(gt);
	load = seqno ? entry_find_seqno(gt, seqno, &context) : NULL;
	if (!load)
		return -ENOENT;
	for (slot = 0; slot < gt->topology.slots; slot++)
		if (gt->threads[slot].entry == load &&
		    gt->threads[slot].state == GTDBG_THREAD_STOPPED &&
		    gt->threads[slot].reasons == GTDBG_STOP_ENTRY)
			gtdbg_thread_resume(gt, slot, false);
	entry_lift(gt, context, load);
	trace_gtdbg_event_ack(gt->id, seqno);
	gtdbg_poller_kick(gt);
	return gtdbg_threads_flush(gt);
}

static bool entries_wanted(struct gtdbg_client *client)
{
	bool wanted;

	mutex_lock(&client->lock);
	wanted = gtdbg_client_wants(client, GTDBG_EVENT_KERNEL_SUBMIT);
	mutex_unlock(&client->lock);
	return wanted;
}

static void entries_rearm_context(struct gtdbg_gt *gt,
				  struct gtdbg_context *context)
{
	struct gtdbg_load *load;
	bool changed = false;

	list_for_each_entry(load, &context->loads, node) {
		if (load->armed || load->ack_seqno)
			continue;
		load->armed = true;
		changed = true;
	}
	if (changed)
		gtdbg_sites_sync(gt, context);
}

void gtdbg_entries_rearm(struct gtdbg_gt *gt)
{
	struct gtdbg_context *context;

	lockdep_assert_held(&gt->lock);
	if (!gt->active || !gt->client || !entries_wanted(gt->client))
		return;
	list_for_each_entry(context, &gt->contexts, node)
		entries_rearm_context(gt, context);
	gtdbg_gt_sync_code(gt);
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
	entry_submit(gt, context, load, GTDBG_SLOT_NONE, launch);
	if (!load->ack_seqno) {
		entry_lift(gt, context, load);
	} else {
		/* Threads that have not started yet wait for it. */
		load->armed = true;
		gtdbg_sites_sync(gt, context);
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

void gtdbg_entries_follow(struct gtdbg_gt *gt, struct gtdbg_context *context)
{
	struct gtdbg_position position;
	ktime_t now = ktime_get();

	lockdep_assert_held(&gt->lock);
	if (!gt->active || !gt->client || list_empty(&context->loads) ||
	    ktime_before(now, context->next_follow))
		return;
	gtdbg_position_read(gt, &position);
	if (position_same(&position, &context->followed) ||
	    !entries_wanted(gt->client))
		return;
	if (follow_to(gt, context, &position))
		context->followed = position;
	context->next_follow = ktime_add_ns(ktime_get(), FOLLOW_PAUSE *
		ktime_to_ns(ktime_sub(ktime_get(), now)));
}
