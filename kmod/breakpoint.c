// SPDX-License-Identifier: GPL-2.0-only
#include "breakpoint.h"

#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "client.h"
#include "context.h"
#include "gt.h"
#include "gtdbg.h"
#include "hw.h"
#include "kernel.h"
#include "load.h"
#include "ppgtt.h"
#include "session.h"
#include "site.h"

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

/* Bring all code up to date, at once if no resume will do it. */
static void breakpoint_sync_gt(struct gtdbg_gt *gt)
{
	struct gtdbg_context *context;

	mutex_lock(&gt->lock);
	gtdbg_gt_begin(gt);
	list_for_each_entry(context, &gt->contexts, node)
		gtdbg_sites_sync(gt, context);
	if (!gt->stopped)
		gtdbg_hw_sync_code(gt);
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
	u64 address = request->offset;
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
	if (!request->kernel && request->offset > GTDBG_ADDRESS_MASK)
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
	breakpoint->offset = request->offset;
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
