// SPDX-License-Identifier: GPL-2.0-only
#include "entry.h"

#include <linux/kernel.h>
#include <linux/slab.h>

#include "breakpoint.h"
#include "client.h"
#include "context.h"
#include "gt.h"
#include "gtdbg.h"
#include "module.h"
#include "platform.h"
#include "poll.h"
#include "thread.h"
#include "trace.h"
#include "walk.h"

#define ENTRY_DWORDS 4 /* the instruction with the cookie */
#define ENTRY_COOKIE 3 /* dword of it */
#define ENTRY_OPCODE_MASK 0x7F

struct gtdbg_load *gtdbg_load_find(struct gtdbg_context *context, u64 address)
{
	struct gtdbg_load *load;

	list_for_each_entry(load, &context->loads, node)
		if (address - load->address < load->len_bytes)
			return load;
	return NULL;
}

/* What the client says about the kernel with @load's cookie. */
static void load_identify(struct gtdbg_gt *gt, struct gtdbg_load *load)
{
	struct gtdbg_kernel *kernel;

	load->kernel = 0;
	load->len_bytes = ENTRY_DWORDS * sizeof(u32);
	mutex_lock(&gt->client->lock);
	kernel = gtdbg_kernel_find_cookie(gt->client, load->cookie);
	if (kernel) {
		load->kernel = kernel->id;
		load->len_bytes = max(load->len_bytes, kernel->isa.len_bytes);
	}
	mutex_unlock(&gt->client->lock);
}

/* The place for a kernel at @address, what was there before being gone. */
static struct gtdbg_load *load_place(struct gtdbg_context *context,
				     u64 address, u32 cookie)
{
	struct gtdbg_load *load;

	list_for_each_entry(load, &context->loads, node)
		if (load->address == address || load->cookie == cookie)
			return load;
	load = kzalloc(sizeof(*load), GFP_KERNEL);
	if (load)
		list_add_tail(&load->node, &context->loads);
	return load;
}

struct gtdbg_load *gtdbg_load_learn(struct gtdbg_gt *gt,
				    struct gtdbg_context *context, u64 address)
{
	u32 dword[ENTRY_DWORDS];
	struct gtdbg_load *load;

	lockdep_assert_held(&gt->lock);
	if (!gt->client ||
	    gtdbg_walk_read(gt, context, address, dword, sizeof(dword)))
		return NULL;
	if (dword[0] & GTDBG_INST_COMPACT ||
	    (dword[0] & ENTRY_OPCODE_MASK) != gt->platform->inst_mov ||
	    !(dword[0] & GTDBG_INST_BREAK_NATIVE))
		return NULL;
	load = load_place(context, address, dword[ENTRY_COOKIE]);
	if (!load)
		return NULL;
	load->cookie = dword[ENTRY_COOKIE];
	load->address = address;
	load->armed = true;
	load_identify(gt, load);
	gtdbg_sites_sync(gt, context);
	return load;
}

void gtdbg_loads_destroy(struct gtdbg_context *context)
{
	struct gtdbg_load *load, *next;

	list_for_each_entry_safe(load, next, &context->loads, node) {
		list_del(&load->node);
		kfree(load);
	}
}

static void entry_submit(struct gtdbg_gt *gt, struct gtdbg_context *context,
			 struct gtdbg_load *load, u32 slot)
{
	struct gtdbg_event_kernel_submit payload = {
		.device = gt->id,
		.context = context->id,
		.kernel = load->kernel,
		.cookie = load->cookie,
		.slot = slot,
		.address = load->address,
	};

	load->ack_seqno = gtdbg_gt_emit(gt, GTDBG_EVENT_KERNEL_SUBMIT, 0,
					&payload, sizeof(payload));
	trace_gtdbg_kernel_submit(gt->id, context->id, load->kernel,
				  load->cookie);
}

static void entry_lift(struct gtdbg_gt *gt, struct gtdbg_context *context,
		       struct gtdbg_load *load)
{
	load->armed = false;
	load->ack_seqno = 0;
	gtdbg_sites_sync(gt, context);
}

bool gtdbg_entry_reached(struct gtdbg_gt *gt, struct gtdbg_context *context,
			 struct gtdbg_load *load, u32 slot)
{
	lockdep_assert_held(&gt->lock);
	if (load->armed && !load->ack_seqno) {
		if (!load->kernel)
			load_identify(gt, load);
		entry_submit(gt, context, load, slot);
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
	entry_lift(gt, context, load);
	for (slot = 0; slot < gt->topology.slots; slot++)
		if (gt->threads[slot].entry == load &&
		    gt->threads[slot].state == GTDBG_THREAD_STOPPED &&
		    gt->threads[slot].reasons == GTDBG_STOP_ENTRY)
			gtdbg_thread_resume(gt, slot, false);
	trace_gtdbg_event_ack(gt->id, seqno);
	gtdbg_poll_kick(gt);
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
