// SPDX-License-Identifier: GPL-2.0-only
#include "breakpoint.h"

#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "client.h"
#include "context.h"
#include "gt.h"
#include "gtdbg.h"
#include "load.h"
#include "module.h"
#include "platform.h"
#include "poller.h"
#include "ppgtt.h"
#include "session.h"
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

static void breakpoint_free(struct gtdbg_breakpoint *breakpoint)
{
	list_del(&breakpoint->node);
	kfree(breakpoint->orphan_name);
	kfree(breakpoint);
}

static void breakpoints_changed(struct gtdbg_client *client)
{
	lockdep_assert_held(&client->lock);
	WRITE_ONCE(client->breakpoint_generation,
		   client->breakpoint_generation + 1);
}

void gtdbg_breakpoints_orphan(struct gtdbg_client *client,
			      struct gtdbg_kernel *kernel)
{
	struct gtdbg_breakpoint *breakpoint;

	lockdep_assert_held(&client->lock);
	list_for_each_entry(breakpoint, &client->breakpoints, node) {
		if (breakpoint->orphan || breakpoint->kernel != kernel->id)
			continue;
		breakpoint->orphan = true;
		/* Without memory for the name it just waits for ever. */
		breakpoint->orphan_name = kstrdup(kernel->name, GFP_KERNEL);
		breakpoint->orphan_len_bytes = kernel->isa.len_bytes;
	}
	breakpoints_changed(client);
}

void gtdbg_breakpoints_adopt(struct gtdbg_client *client,
			     const struct gtdbg_kernel *kernel)
{
	struct gtdbg_breakpoint *breakpoint;

	lockdep_assert_held(&client->lock);
	list_for_each_entry(breakpoint, &client->breakpoints, node) {
		if (!breakpoint->orphan_name ||
		    breakpoint->orphan_len_bytes != kernel->isa.len_bytes ||
		    strcmp(breakpoint->orphan_name, kernel->name) ||
		    gtdbg_kernel_check_offset(kernel, breakpoint->offset))
			continue;
		breakpoint->kernel = kernel->id;
		breakpoint->orphan = false;
		kfree(breakpoint->orphan_name);
		breakpoint->orphan_name = NULL;
	}
	breakpoints_changed(client);
}

void gtdbg_breakpoints_fini(struct gtdbg_client *client)
{
	struct gtdbg_breakpoint *breakpoint, *next;

	list_for_each_entry_safe(breakpoint, next, &client->breakpoints, node)
		breakpoint_free(breakpoint);
	client->breakpoint_count = 0;
}

void gtdbg_breakpoints_clear_all(struct gtdbg_client *client)
{
	mutex_lock(&client->lock);
	gtdbg_breakpoints_fini(client);
	breakpoints_changed(client);
	mutex_unlock(&client->lock);
}

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

/* Bring all code up to date, at once if no resume will do it. */
static void breakpoint_sync_gt(struct gtdbg_gt *gt)
{
	struct gtdbg_context *context;

	mutex_lock(&gt->lock);
	gtdbg_gt_begin(gt);
	list_for_each_entry(context, &gt->contexts, node)
		gtdbg_sites_sync(gt, context);
	if (!gt->stopped)
		gtdbg_gt_sync_code(gt);
	mutex_unlock(&gt->lock);
}

static void breakpoint_sync(struct gtdbg_session *session)
{
	struct gtdbg_session_gts gts;
	u32 i;

	gtdbg_session_gts_get(session, &gts);
	for (i = 0; i < gts.count; i++)
		breakpoint_sync_gt(gts.gt[i]);
	gtdbg_session_gts_put(&gts);
}

static int breakpoint_add(struct gtdbg_client *client,
			  struct gtdbg_breakpoint *breakpoint)
{
	struct gtdbg_kernel *kernel;
	int ret;

	lockdep_assert_held(&client->lock);
	if (client->gone)
		return -ESRCH;
	if (breakpoint->kernel) {
		kernel = gtdbg_kernel_find(client, breakpoint->kernel);
		ret = kernel ? gtdbg_kernel_check_offset(kernel,
							 breakpoint->offset) :
			       -ENOENT;
		if (ret)
			return ret;
	}
	if (client->breakpoint_count >= GTDBG_BREAKPOINTS_MAX)
		return -EDQUOT;
	breakpoint->id = client->next_breakpoint;
	client->next_breakpoint = breakpoint->id % INT_MAX + 1;
	list_add_tail(&breakpoint->node, &client->breakpoints);
	client->breakpoint_count++;
	breakpoints_changed(client);
	return breakpoint->id;
}

/* In a kernel that is loaded there, an instruction must begin at @address. */
static int breakpoint_check_load(struct gtdbg_gt *gt,
				 struct gtdbg_context *context, u64 address)
{
	struct gtdbg_load *load = gtdbg_load_find(gt, context, address);
	struct gtdbg_client *client = gt->client;
	struct gtdbg_kernel *kernel;
	int ret = 0;

	if (!load || !client)
		return 0;
	mutex_lock(&client->lock);
	kernel = gtdbg_kernel_find(client, load->kernel);
	if (kernel)
		ret = gtdbg_kernel_check_offset(kernel,
						address - load->address);
	mutex_unlock(&client->lock);
	return ret;
}

/* Is there code at the address of a breakpoint that names one? */
static int breakpoint_check_address(struct gtdbg_session *session,
				    const struct gtdbg_breakpoint_set *request)
{
	u64 address = request->offset & GTDBG_ADDRESS_MASK;
	struct gtdbg_context *context;
	struct gtdbg_gt *gt;
	u32 dword0;
	int ret;

	gt = gtdbg_session_gt_lock(session, request->device);
	if (IS_ERR(gt))
		return PTR_ERR(gt);
	context = gtdbg_context_find(gt, request->context);
	ret = context ? gtdbg_ppgtt_read(gt, context, address, &dword0,
					 sizeof(dword0)) : -ENOENT;
	if (!ret)
		ret = breakpoint_check_load(gt, context, address);
	gtdbg_session_gt_unlock(gt);
	return ret;
}

static int breakpoint_set_check(struct gtdbg_session *session,
				const struct gtdbg_breakpoint_set *request)
{
	if (request->flags || request->offset % 8)
		return -EINVAL;
	if (request->kernel && (request->device || request->context))
		return -EINVAL;
	if (session->observer)
		return -EPERM;
	return request->kernel ? 0 : breakpoint_check_address(session, request);
}

int gtdbg_ioctl_breakpoint_set(struct gtdbg_session *session, void *arg)
{
	const struct gtdbg_breakpoint_set *request = arg;
	struct gtdbg_client *client = session->client;
	struct gtdbg_breakpoint *breakpoint;
	int ret;

	ret = breakpoint_set_check(session, request);
	if (ret)
		return ret;
	breakpoint = kzalloc(sizeof(*breakpoint), GFP_KERNEL_ACCOUNT);
	if (!breakpoint)
		return -ENOMEM;
	breakpoint->kernel = request->kernel;
	breakpoint->device = request->device;
	breakpoint->context = request->context;
	breakpoint->offset = request->kernel ?
				     request->offset :
				     request->offset & GTDBG_ADDRESS_MASK;
	mutex_lock(&client->lock);
	ret = breakpoint_add(client, breakpoint);
	mutex_unlock(&client->lock);
	if (ret < 0)
		kfree(breakpoint);
	else
		breakpoint_sync(session);
	return ret;
}

static int breakpoint_remove(struct gtdbg_client *client, u32 id)
{
	struct gtdbg_breakpoint *breakpoint;

	lockdep_assert_held(&client->lock);
	list_for_each_entry(breakpoint, &client->breakpoints, node) {
		if (breakpoint->id != id)
			continue;
		breakpoint_free(breakpoint);
		client->breakpoint_count--;
		breakpoints_changed(client);
		return 0;
	}
	return -ENOENT;
}

int gtdbg_ioctl_breakpoint_clear(struct gtdbg_session *session, void *arg)
{
	const struct gtdbg_breakpoint_clear *request = arg;
	struct gtdbg_client *client = session->client;
	int ret;

	if (request->flags)
		return -EINVAL;
	if (session->observer)
		return -EPERM;
	mutex_lock(&client->lock);
	ret = breakpoint_remove(client, request->breakpoint);
	mutex_unlock(&client->lock);
	if (!ret)
		breakpoint_sync(session);
	return ret;
}
