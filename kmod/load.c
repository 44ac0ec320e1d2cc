// SPDX-License-Identifier: GPL-2.0-only
#include "load.h"

#include <linux/kernel.h>
#include <linux/slab.h>

#include "client.h"
#include "context.h"
#include "gt.h"
#include "kernel.h"
#include "platform.h"
#include "ppgtt.h"
#include "site.h"

#define ENTRY_DWORDS 4 /* the instruction with the cookie */
#define ENTRY_COOKIE 3 /* dword of it */
#define ENTRY_OPCODE_MASK 0x7F
#define LOADS_MAX 1024 /* of a context */

void gtdbg_load_describe(const struct gtdbg_gt *gt,
			 const struct gtdbg_context *context,
			 const struct gtdbg_load *load,
			 struct gtdbg_event_kernel_load *payload)
{
	*payload = (struct gtdbg_event_kernel_load){
		.device = gt->id,
		.context = context->id,
		.kernel = load->kernel,
		.cookie = load->cookie,
		.address = load->address,
	};
}

static void load_tell(struct gtdbg_gt *gt, const struct gtdbg_context *context,
		      const struct gtdbg_load *load, u16 kind)
{
	struct gtdbg_event_kernel_load payload;

	gtdbg_load_describe(gt, context, load, &payload);
	gtdbg_gt_emit(gt, kind, 0, &payload, sizeof(payload));
}

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
static void load_refresh(struct gtdbg_gt *gt,
			 const struct gtdbg_context *context,
			 struct gtdbg_load *load)
{
	struct gtdbg_client *client = gt->client;
	u32 kernel = load->kernel;

	if (!client ||
	    load->generation == READ_ONCE(client->breakpoint_generation))
		return;
	mutex_lock(&client->lock);
	load_identify(load, client);
	mutex_unlock(&client->lock);
	if (load->kernel != kernel)
		load_tell(gt, context, load, GTDBG_EVENT_KERNEL_LOAD);
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
	load_refresh(gt, context, load);
	return true;
}

static void load_free(struct gtdbg_context *context, struct gtdbg_load *load)
{
	list_del(&load->node);
	context->load_count--;
	kfree(load);
}

static void load_remove(struct gtdbg_gt *gt, struct gtdbg_context *context,
			struct gtdbg_load *load)
{
	load_tell(gt, context, load, GTDBG_EVENT_KERNEL_UNLOAD);
	load_free(context, load);
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
			load_remove(gt, context, load);
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
			load_remove(gt, context, load);
}

/* There are too many: an old one is learned again at its next launch. */
static void load_evict(struct gtdbg_gt *gt, struct gtdbg_context *context)
{
	struct gtdbg_load *load;

	list_for_each_entry(load, &context->loads, node) {
		if (!load->ack_seqno) {
			load_remove(gt, context, load);
			return;
		}
	}
}

/* The place for a kernel at @address, what was there before being gone. */
static struct gtdbg_load *load_place(struct gtdbg_gt *gt,
				     struct gtdbg_context *context,
				     u64 address)
{
	struct gtdbg_load *load;

	list_for_each_entry(load, &context->loads, node)
		if (load->address == address)
			return load;
	if (context->load_count >= LOADS_MAX)
		load_evict(gt, context);
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
	load = load_place(gt, context, address);
	if (!load)
		return NULL;
	load->cookie = dword[ENTRY_COOKIE];
	load->address = address;
	load->armed = true;
	load->hold = gt->hold;
	mutex_lock(&gt->client->lock);
	load_identify(load, gt->client);
	mutex_unlock(&gt->client->lock);
	load_tell(gt, context, load, GTDBG_EVENT_KERNEL_LOAD);
	gtdbg_sites_sync(gt, context);
	return load;
}

void gtdbg_loads_destroy(struct gtdbg_context *context)
{
	struct gtdbg_load *load, *next;

	list_for_each_entry_safe(load, next, &context->loads, node)
		load_free(context, load);
}
