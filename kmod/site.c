// SPDX-License-Identifier: GPL-2.0-only
#include "site.h"

#include <linux/kernel.h>
#include <linux/slab.h>

#include "breakpoint.h"
#include "client.h"
#include "context.h"
#include "gt.h"
#include "gtdbg.h"
#include "load.h"
#include "platform.h"
#include "ppgtt.h"
#include "trace.h"

#define SITES_MAX (4 * GTDBG_BREAKPOINTS_MAX) /* of a context */

struct gtdbg_site {
	struct list_head node;
	u64 address;
	u32 refs; /* breakpoints here */
	bool entry; /* a kernel's first instruction */
	bool armed; /* and it is to stop there */
	bool original; /* the bit, as it was found */
	u32 dword0; /* of the instruction, without the bit */
};

static struct gtdbg_site *site_find(struct gtdbg_context *context, u64 address)
{
	struct gtdbg_site *site;

	list_for_each_entry(site, &context->sites, node)
		if (site->address == address)
			return site;
	return NULL;
}

/* The site at @address, made if there is none; NULL if that fails. */
static struct gtdbg_site *site_want(struct gtdbg_gt *gt,
				    struct gtdbg_context *context, u64 address)
{
	struct gtdbg_site *site = site_find(context, address);
	u32 dword0;

	if (site || context->site_count >= SITES_MAX)
		return site;
	if (gtdbg_ppgtt_read(gt, context, address, &dword0, sizeof(dword0)))
		return NULL;
	site = kzalloc(sizeof(*site), GFP_KERNEL);
	if (!site) {
		context->sites_missing = true;
		return NULL;
	}
	site->address = address;
	site->original = dword0 & gtdbg_inst_break_bit(dword0);
	site->dword0 = dword0 & ~gtdbg_inst_break_bit(dword0);
	list_add_tail(&site->node, &context->sites);
	context->site_count++;
	return site;
}

/* Set or clear the bit, unless the memory holds something else by now. */
static int site_write(struct gtdbg_gt *gt, struct gtdbg_context *context,
		      const struct gtdbg_site *site, bool set)
{
	u32 bit = gtdbg_inst_break_bit(site->dword0), dword0, wanted;
	int ret;

	ret = gtdbg_ppgtt_read(gt, context, site->address, &dword0,
			       sizeof(dword0));
	if (ret)
		return ret;
	wanted = site->dword0 | (set ? bit : 0);
	if ((dword0 & ~bit) != site->dword0 || dword0 == wanted)
		return 0;
	ret = gtdbg_ppgtt_write(gt, context, site->address, &wanted,
				sizeof(wanted));
	if (ret)
		return ret;
	gt->code_dirty = true;
	trace_gtdbg_breakpoint(gt->id, context->id, site->address, set);
	return 0;
}

static void site_free(struct gtdbg_context *context, struct gtdbg_site *site)
{
	list_del(&site->node);
	context->site_count--;
	kfree(site);
}

static void site_want_breakpoint(struct gtdbg_gt *gt,
				 struct gtdbg_context *context, u64 address)
{
	struct gtdbg_site *site = site_want(gt, context, address);

	if (site)
		site->refs++;
}

static void sites_collect_breakpoint(struct gtdbg_gt *gt,
				     struct gtdbg_context *context,
				     const struct gtdbg_breakpoint *breakpoint)
{
	struct gtdbg_load *load;

	if (breakpoint->orphan)
		return;
	if (!breakpoint->kernel) {
		if (breakpoint->device == gt->id &&
		    breakpoint->context == context->id)
			site_want_breakpoint(gt, context, breakpoint->offset);
		return;
	}
	list_for_each_entry(load, &context->loads, node)
		if (load->kernel == breakpoint->kernel)
			site_want_breakpoint(gt, context, load->address +
					     breakpoint->offset);
}

/* Count anew what each site is wanted for. */
static void sites_collect(struct gtdbg_gt *gt, struct gtdbg_context *context)
{
	struct gtdbg_breakpoint *breakpoint;
	struct gtdbg_client *client = gt->client;
	struct gtdbg_site *site;
	struct gtdbg_load *load;

	gtdbg_loads_check(gt, context);
	context->sites_missing = false;
	list_for_each_entry(site, &context->sites, node) {
		site->refs = 0;
		site->entry = false;
	}
	list_for_each_entry(load, &context->loads, node) {
		site = site_want(gt, context, load->address);
		if (site) {
			site->entry = true;
			site->armed = load->armed;
		}
	}
	mutex_lock(&client->lock);
	context->synced_generation = client->breakpoint_generation;
	list_for_each_entry(breakpoint, &client->breakpoints, node)
		sites_collect_breakpoint(gt, context, breakpoint);
	/* The next scan tries again. */
	if (context->sites_missing)
		context->synced_generation--;
	mutex_unlock(&client->lock);
}

void gtdbg_sites_sync(struct gtdbg_gt *gt, struct gtdbg_context *context)
{
	struct gtdbg_site *site, *next;

	lockdep_assert_held(&gt->lock);
	if (!gt->client || !gt->active || gt->patched)
		return;
	sites_collect(gt, context);
	list_for_each_entry_safe(site, next, &context->sites, node) {
		bool set = site->refs || (site->entry ? site->armed :
							site->original);

		site_write(gt, context, site, set);
		if (!site->refs && !site->entry)
			site_free(context, site);
	}
}

u32 gtdbg_site_breakpoint(struct gtdbg_gt *gt, struct gtdbg_context *context,
			  u64 address)
{
	struct gtdbg_site *site = site_find(context, address);
	struct gtdbg_client *client = gt->client;
	struct gtdbg_load *load = gtdbg_load_find(gt, context, address);
	struct gtdbg_breakpoint *breakpoint;
	u32 id = 0;

	lockdep_assert_held(&gt->lock);
	if (!site || !site->refs || !client)
		return 0;
	mutex_lock(&client->lock);
	list_for_each_entry(breakpoint, &client->breakpoints, node) {
		bool here = breakpoint->kernel ?
			load && !breakpoint->orphan &&
			load->kernel == breakpoint->kernel &&
			load->address + breakpoint->offset == address :
			breakpoint->device == gt->id &&
			breakpoint->context == context->id &&
			breakpoint->offset == address;

		if (here) {
			id = breakpoint->id;
			break;
		}
	}
	mutex_unlock(&client->lock);
	return id;
}

void gtdbg_sites_restore(struct gtdbg_gt *gt, struct gtdbg_context *context)
{
	struct gtdbg_site *site, *next;

	lockdep_assert_held(&gt->lock);
	list_for_each_entry_safe(site, next, &context->sites, node) {
		site_write(gt, context, site, site->original);
		site_free(context, site);
	}
}

void gtdbg_sites_destroy(struct gtdbg_context *context)
{
	struct gtdbg_site *site, *next;

	list_for_each_entry_safe(site, next, &context->sites, node)
		site_free(context, site);
}
