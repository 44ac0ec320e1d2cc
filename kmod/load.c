// SPDX-License-Identifier: GPL-2.0-only
#include "load.h"

#include <linux/kernel.h>
#include <linux/slab.h>

#include "blob.h"
#include "client.h"
#include "code.h"
#include "context.h"
#include "gt.h"
#include "kernel.h"
#include "platform.h"
#include "ppgtt.h"
#include "site.h"
#include "table.h"

#define ENTRY_DWORDS 4 /* the instruction with the cookie */
#define ENTRY_COOKIE 3 /* dword of it */
#define ENTRY_OPCODE_MASK 0x7f
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

static void load_report(struct gtdbg_gt *gt,
			const struct gtdbg_context *context,
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
	load->generation = client->kernel_generation;
	load->len_bytes = ENTRY_DWORDS * sizeof(u32);
	if (!kernel || kernel->cookie != load->cookie)
		kernel = gtdbg_kernel_find_cookie(client, load->cookie);
	load->kernel = kernel ? kernel->id : 0;
	if (kernel)
		load->len_bytes = max(load->len_bytes, kernel->isa_len_bytes);
}

/* The kernel may have been removed since, or made again. */
static void load_refresh(struct gtdbg_gt *gt,
			 const struct gtdbg_context *context,
			 struct gtdbg_load *load)
{
	struct gtdbg_client *client = gt->client;
	u32 kernel = load->kernel;

	if (!client ||
	    load->generation == READ_ONCE(client->kernel_generation))
		return;
	mutex_lock(&client->lock);
	load_identify(load, client);
	mutex_unlock(&client->lock);
	if (load->kernel != kernel)
		load_report(gt, context, load, GTDBG_EVENT_KERNEL_LOAD);
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
	/* It is looked at when it can be. */
	if (!gtdbg_context_reachable(gt, context, false))
		return true;
	if (!load->ack_seqno &&
	    (!entry_read(gt, context, load->address, dword) ||
	     dword[ENTRY_COOKIE] != load->cookie))
		return false;
	load->hold = gt->hold;
	load_refresh(gt, context, load);
	return true;
}

void gtdbg_loads_report(struct gtdbg_gt *gt,
			const struct gtdbg_context *context)
{
	const struct gtdbg_load *load;

	list_for_each_entry(load, &context->loads, node)
		load_report(gt, context, load, GTDBG_EVENT_KERNEL_LOAD);
}

static struct gtdbg_load *load_at(const struct rb_node *node)
{
	return rb_entry(node, struct gtdbg_load, by_address);
}

static struct gtdbg_load *load_of_cookie(const struct rb_node *node)
{
	return rb_entry(node, struct gtdbg_load, by_cookie);
}

static bool load_below(struct rb_node *node, const struct rb_node *other)
{
	return load_at(node)->address < load_at(other)->address;
}

static bool cookie_below(struct rb_node *node, const struct rb_node *other)
{
	return load_of_cookie(node)->cookie < load_of_cookie(other)->cookie;
}

static int cookie_compare(const void *key, const struct rb_node *node)
{
	u32 cookie = *(const u32 *)key, other = load_of_cookie(node)->cookie;

	return cookie < other ? -1 : cookie > other;
}

static void load_free(struct gtdbg_gt *gt, struct gtdbg_load *load)
{
	struct gtdbg_context *context = load->context;

	list_del(&load->node);
	list_del(&load->lifted);
	list_del(&load->waiting);
	rb_erase(&load->by_address, &context->loads_by_address);
	rb_erase(&load->by_cookie, &gt->loads);
	context->load_count--;
	gtdbg_context_uncharge(context, sizeof(*load));
	kfree(load);
}

static void load_remove(struct gtdbg_gt *gt, struct gtdbg_load *load)
{
	load_report(gt, load->context, load, GTDBG_EVENT_KERNEL_UNLOAD);
	gtdbg_table_uncount(gt, load->context, load->address);
	load_free(gt, load);
}

/* The last one that does not begin behind @address. */
static struct gtdbg_load *load_floor(struct gtdbg_context *context, u64 address)
{
	struct rb_node *node = context->loads_by_address.rb_node;
	struct gtdbg_load *found = NULL;

	while (node) {
		if (load_at(node)->address <= address) {
			found = load_at(node);
			node = node->rb_right;
		} else {
			node = node->rb_left;
		}
	}
	return found;
}

struct gtdbg_load *gtdbg_load_known(struct gtdbg_context *context, u64 address)
{
	struct gtdbg_load *load = load_floor(context, address);

	return load && address - load->address < load->len_bytes ? load : NULL;
}

struct gtdbg_load *gtdbg_load_find(struct gtdbg_gt *gt,
				   struct gtdbg_context *context, u64 address)
{
	struct gtdbg_load *load;

	lockdep_assert_held(&gt->lock);
	while ((load = load_floor(context, address)) &&
	       !load_valid(gt, context, load))
		load_remove(gt, load);
	return gtdbg_load_known(context, address);
}

bool gtdbg_load_registered(struct gtdbg_gt *gt, struct gtdbg_context *context,
			   u64 address, u32 *dword0_out)
{
	struct gtdbg_load *load = gtdbg_load_known(context, address);
	struct gtdbg_client *client = gt->client;
	struct gtdbg_kernel *kernel;
	ssize_t bytes = 0;

	lockdep_assert_held(&gt->lock);
	if (!load || !load->kernel || !client)
		return false;
	mutex_lock(&client->lock);
	kernel = gtdbg_kernel_find(client, load->kernel);
	if (kernel)
		bytes = gtdbg_blob_read(&kernel->code->isa,
					address - load->address, dword0_out,
					sizeof(*dword0_out));
	mutex_unlock(&client->lock);
	return bytes == sizeof(*dword0_out);
}

void gtdbg_loads_check(struct gtdbg_gt *gt, struct gtdbg_context *context)
{
	struct gtdbg_load *load, *next;

	lockdep_assert_held(&gt->lock);
	list_for_each_entry_safe(load, next, &context->loads, node)
		if (!load_valid(gt, context, load))
			load_remove(gt, load);
}

struct gtdbg_load *gtdbg_load_next(struct gtdbg_gt *gt, u32 cookie,
				   struct gtdbg_load *last)
{
	struct gtdbg_load *load;
	struct rb_node *node;

	lockdep_assert_held(&gt->lock);
	node = last ? rb_next(&last->by_cookie) :
		      rb_find_first(&cookie, &gt->loads, cookie_compare);
	while (node) {
		load = load_of_cookie(node);
		if (load->cookie != cookie)
			break;
		if (load_valid(gt, load->context, load))
			return load;
		node = rb_next(node);
		load_remove(gt, load);
	}
	return NULL;
}

/* There are too many: an old one is learned again at its next launch. */
static void load_evict(struct gtdbg_gt *gt, struct gtdbg_context *context)
{
	struct gtdbg_load *load;

	list_for_each_entry(load, &context->loads, node) {
		if (!load->ack_seqno) {
			load_remove(gt, load);
			return;
		}
	}
}

static struct gtdbg_load *load_create(struct gtdbg_gt *gt,
				      struct gtdbg_context *context,
				      u64 address, u32 cookie)
{
	struct gtdbg_load *load;

	if (context->load_count >= LOADS_MAX)
		load_evict(gt, context);
	if (gtdbg_context_charge(context, sizeof(*load)))
		return NULL;
	load = kzalloc(sizeof(*load), GFP_KERNEL_ACCOUNT);
	if (!load) {
		gtdbg_context_uncharge(context, sizeof(*load));
		return NULL;
	}
	load->context = context;
	load->address = address;
	load->cookie = cookie;
	INIT_LIST_HEAD(&load->lifted);
	INIT_LIST_HEAD(&load->waiting);
	list_add_tail(&load->node, &context->loads);
	rb_add(&load->by_address, &context->loads_by_address, load_below);
	rb_add(&load->by_cookie, &gt->loads, cookie_below);
	context->load_count++;
	return load;
}

/* The place for a kernel at @address, what was there before being gone. */
static struct gtdbg_load *load_place(struct gtdbg_gt *gt,
				     struct gtdbg_context *context,
				     u64 address, u32 cookie)
{
	struct gtdbg_load *load = load_floor(context, address);

	if (!load || load->address != address)
		return load_create(gt, context, address, cookie);
	if (load->cookie == cookie)
		return load;
	rb_erase(&load->by_cookie, &gt->loads);
	load->cookie = cookie;
	rb_add(&load->by_cookie, &gt->loads, cookie_below);
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
	load = load_place(gt, context, address, dword[ENTRY_COOKIE]);
	if (!load)
		return NULL;
	load->armed = true;
	load->hold = gt->hold;
	mutex_lock(&gt->client->lock);
	load_identify(load, gt->client);
	mutex_unlock(&gt->client->lock);
	load_report(gt, context, load, GTDBG_EVENT_KERNEL_LOAD);
	gtdbg_sites_load(gt, load);
	return load;
}

u32 gtdbg_load_peek(struct gtdbg_gt *gt, struct gtdbg_context *context,
		    u64 address)
{
	const struct gtdbg_kernel *kernel;
	u32 dword[ENTRY_DWORDS], id;

	lockdep_assert_held(&gt->lock);
	if (!gt->client || !entry_read(gt, context, address, dword))
		return 0;
	mutex_lock(&gt->client->lock);
	kernel = gtdbg_kernel_find_cookie(gt->client, dword[ENTRY_COOKIE]);
	id = kernel ? kernel->id : 0;
	mutex_unlock(&gt->client->lock);
	return id;
}

void gtdbg_loads_destroy(struct gtdbg_gt *gt, struct gtdbg_context *context)
{
	struct gtdbg_load *load, *next;

	list_for_each_entry_safe(load, next, &context->loads, node)
		load_free(gt, load);
}
