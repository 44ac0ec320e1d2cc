// SPDX-License-Identifier: GPL-2.0-only
/*
 * Setting and clearing breakpoints, many in one call: first they are added to the
 * client's, in batches, then the code is brought up to date, with the GT's lock held
 * for a short time at a time.
 */
#include "place.h"

#include <linux/err.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "breakpoint.h"
#include "client.h"
#include "code.h"
#include "context.h"
#include "gt.h"
#include "gtdbg.h"
#include "hw.h"
#include "kernel.h"
#include "load.h"
#include "ppgtt.h"
#include "session.h"
#include "site.h"
#include "submit.h"

#define HOLD_MS 10 /* of a GT's lock: others want it too */
#define ALIKE_MAX 16 /* a kernel may be loaded at many places */

/* In a kernel that is loaded there, an instruction must begin at @address. */
static int place_check_load(struct gtdbg_gt *gt,
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
		ret = gtdbg_code_check_offset(kernel->code,
					      address - load->address);
	mutex_unlock(&client->lock);
	return ret;
}

/* Is there code at the address of a breakpoint that names one? */
static int place_check_address(struct gtdbg_session *session,
			       const struct gtdbg_breakpoint_at *at)
{
	struct gtdbg_context *context;
	struct gtdbg_gt *gt;
	u32 dword0;
	int ret;

	gt = gtdbg_session_gt_lock(session, at->device);
	if (IS_ERR(gt))
		return PTR_ERR(gt);
	context = gtdbg_context_find(gt, at->context);
	ret = context ? gtdbg_ppgtt_read(gt, context, at->offset, &dword0,
					 sizeof(dword0)) : -ENOENT;
	if (!ret)
		ret = place_check_load(gt, context, at->offset);
	gtdbg_session_gt_unlock(gt);
	return ret;
}

/* Take what the caller asks for, and look at it as far as no lock is needed. */
static int place_init(struct gtdbg_session *session,
		      struct gtdbg_site_change *change,
		      struct gtdbg_breakpoint_place *user)
{
	struct gtdbg_breakpoint_at *at = &change->at;

	memset(change, 0, sizeof(*change));
	user->planted = 0;
	user->failed = 0;
	if (user->offset % 8 || (user->kernel && (user->device || user->context)))
		return -EINVAL;
	at->kernel = user->kernel;
	at->device = user->device;
	at->context = user->context;
	at->offset = user->offset;
	if (at->offset > GTDBG_ADDRESS_MASK)
		return -EINVAL;
	if (at->kernel)
		return 0;
	return place_check_address(session, at);
}

/* How many of @changes, from the first on, are at one kernel. */
static u32 changes_alike(const struct gtdbg_site_change *changes, u32 count)
{
	u32 i = 1;

	count = min_t(u32, count, ALIKE_MAX);
	while (i < count && changes->at.kernel &&
	       changes[i].at.kernel == changes->at.kernel)
		i++;
	return i;
}

static bool changes_set_any(const struct gtdbg_site_change *changes, u32 count)
{
	u32 i;

	for (i = 0; i < count; i++)
		if (changes[i].set)
			return true;
	return false;
}

/* As many as one hold of the GT's lock is good for; how many that were. */
static u32 changes_plant_some(struct gtdbg_gt *gt,
			      struct gtdbg_site_change *changes, u32 count)
{
	/* To read the clock may take longer than a place does. */
	unsigned long end = jiffies + msecs_to_jiffies(HOLD_MS);
	u32 i, alike;

	gtdbg_gt_begin(gt);
	if (changes_set_any(changes, count))
		gtdbg_submits_hold(gt);
	for (i = 0; i < count && !time_after(jiffies, end); i += alike) {
		alike = changes_alike(&changes[i], count - i);
		gtdbg_sites_change(gt, &changes[i], alike);
	}
	/*
	 * Threads that run must meet new breakpoints from now on. Cleared ones may
	 * be seen until the next resume: a stop there is not reported.
	 */
	if (changes_set_any(changes, i) || (i == count && !gt->stopped))
		gtdbg_hw_sync_code(gt);
	return i;
}

/*
 * Bring the code of one GT up to date. Who is killed leaves that to the poller, as
 * others may have the session, too.
 */
static void changes_plant_on(struct gtdbg_session *session, struct gtdbg_gt *gt,
			     struct gtdbg_site_change *changes, u32 count)
{
	u32 done = 0;

	while (done < count && !mutex_lock_killable(&gt->lock)) {
		if (gtdbg_session_holds(session, gt))
			done += changes_plant_some(gt, changes + done,
						   count - done);
		else
			done = count;
		mutex_unlock(&gt->lock);
	}
	if (done == count && !fatal_signal_pending(current))
		return;
	mutex_lock(&session->client->lock);
	gtdbg_breakpoints_changed(session->client);
	mutex_unlock(&session->client->lock);
}

static void changes_plant(struct gtdbg_session *session,
			  struct gtdbg_site_change *changes, u32 count)
{
	struct gtdbg_session_gts gts;
	u32 i;

	/* A program that was executed instead is none of its business. */
	if (!gtdbg_client_check(session->client))
		return;
	gtdbg_session_gts_get(session, &gts);
	for (i = 0; i < gts.count; i++)
		changes_plant_on(session, gts.gt[i], changes, count);
	gtdbg_session_gts_put(&gts);
}

/* One by address has one place only: if that fails, there is none. */
static void place_finish(struct gtdbg_client *client,
			 const struct gtdbg_site_change *change,
			 struct gtdbg_breakpoint_place *user)
{
	struct gtdbg_site_change removed;

	user->planted = change->planted;
	user->failed = change->failed;
	if (user->breakpoint <= 0 || user->kernel || user->planted ||
	    !change->error)
		return;
	mutex_lock(&client->lock);
	gtdbg_breakpoint_remove(client, user->breakpoint, &removed);
	mutex_unlock(&client->lock);
	user->breakpoint = change->error;
}

/* Those of a batch that nothing speaks against so far. */
static void places_add(struct gtdbg_client *client,
		       struct gtdbg_site_change *changes,
		       struct gtdbg_breakpoint_place *user, u32 count)
{
	struct gtdbg_breakpoint_batch batch;
	u32 i, wanted = 0;

	for (i = 0; i < count; i++)
		wanted += !user[i].breakpoint;
	gtdbg_breakpoint_batch_init(&batch, wanted);
	mutex_lock(&client->lock);
	for (i = 0; i < count; i++)
		if (!user[i].breakpoint)
			user[i].breakpoint =
				gtdbg_breakpoint_add(client, &changes[i],
						     false, &batch);
	mutex_unlock(&client->lock);
	gtdbg_breakpoint_batch_fini(&batch);
}

/* Set those of @user, one independent of the other: each has its result. */
static void places_set(struct gtdbg_session *session,
		       struct gtdbg_site_change *changes,
		       struct gtdbg_breakpoint_place *user, u32 count)
{
	u32 i;

	for (i = 0; i < count; i++) {
		user[i].breakpoint = place_init(session, &changes[i], &user[i]);
		cond_resched();
	}
	for (i = 0; i < count; i += GTDBG_BREAKPOINT_BATCH)
		places_add(session->client, &changes[i], &user[i],
			   min_t(u32, count - i, GTDBG_BREAKPOINT_BATCH));
	for (i = 0; i < count; i++)
		changes[i].skip = user[i].breakpoint <= 0;
	changes_plant(session, changes, count);
	for (i = 0; i < count; i++)
		place_finish(session->client, &changes[i], &user[i]);
}

/* May @session set any? Not on the program that its client executes now. */
static int places_check(const struct gtdbg_session *session)
{
	if (session->observer)
		return -EPERM;
	return gtdbg_client_check(session->client) ? 0 : -ESRCH;
}

int gtdbg_ioctl_breakpoint_set(struct gtdbg_session *session, void *arg)
{
	struct gtdbg_breakpoint_set *request = arg;
	struct gtdbg_breakpoint_place user = {
		.kernel = request->kernel,
		.device = request->device,
		.context = request->context,
		.offset = request->offset,
	};
	struct gtdbg_site_change change;
	int ret;

	if (request->flags)
		return -EINVAL;
	ret = places_check(session);
	if (ret)
		return ret;
	places_set(session, &change, &user, 1);
	request->planted = user.planted;
	request->failed = user.failed;
	return user.breakpoint;
}

/* How many were set; the first error if none was. */
static int places_result(const struct gtdbg_breakpoint_place *user, u32 count)
{
	int done = 0, ret = 0;
	u32 i;

	for (i = 0; i < count; i++) {
		if (user[i].breakpoint > 0)
			done++;
		else
			ret = ret ?: user[i].breakpoint;
	}
	return done ?: ret;
}

/* How many there were of @ids; -ENOENT: none. */
static int places_clear(struct gtdbg_session *session,
			struct gtdbg_site_change *changes, const u32 *ids,
			u32 count)
{
	struct gtdbg_client *client = session->client;
	u32 i, done = 0;

	mutex_lock(&client->lock);
	for (i = 0; i < count; i++)
		if (!gtdbg_breakpoint_remove(client, ids[i], &changes[done]))
			done++;
	mutex_unlock(&client->lock);
	changes_plant(session, changes, done);
	return done ?: -ENOENT;
}

/* Nobody will ever know the ids: as if they had not been set. */
static void places_undo(struct gtdbg_session *session,
			struct gtdbg_site_change *changes,
			const struct gtdbg_breakpoint_place *user, u32 count)
{
	struct gtdbg_client *client = session->client;
	u32 i, done = 0;

	mutex_lock(&client->lock);
	for (i = 0; i < count; i++)
		if (user[i].breakpoint > 0 &&
		    !gtdbg_breakpoint_remove(client, user[i].breakpoint,
					     &changes[done]))
			done++;
	mutex_unlock(&client->lock);
	changes_plant(session, changes, done);
}

/*
 * The place of the results is tried before anything is set, so that a bad pointer
 * does no harm; one that goes bad meanwhile takes them back.
 */
static int places_copy(struct gtdbg_session *session,
		       struct gtdbg_site_change *changes,
		       const struct gtdbg_breakpoint_set_many *request)
{
	void __user *from = u64_to_user_ptr(request->places);
	size_t bytes = request->count * sizeof(struct gtdbg_breakpoint_place);
	struct gtdbg_breakpoint_place *user;
	int ret = -EFAULT;

	user = vmemdup_user(from, bytes);
	if (IS_ERR(user))
		return PTR_ERR(user);
	if (!copy_to_user(from, user, bytes)) {
		places_set(session, changes, user, request->count);
		ret = places_result(user, request->count);
		if (copy_to_user(from, user, bytes)) {
			places_undo(session, changes, user, request->count);
			ret = -EFAULT;
		}
	}
	kvfree(user);
	return ret;
}

int gtdbg_ioctl_breakpoint_set_many(struct gtdbg_session *session, void *arg)
{
	const struct gtdbg_breakpoint_set_many *request = arg;
	struct gtdbg_site_change *changes;
	int ret;

	if (request->flags || !request->count ||
	    request->count > GTDBG_BREAKPOINT_PLACES_MAX)
		return -EINVAL;
	ret = places_check(session);
	if (ret)
		return ret;
	changes = kvmalloc_array(request->count, sizeof(*changes),
				 GFP_KERNEL_ACCOUNT);
	if (!changes)
		return -ENOMEM;
	ret = places_copy(session, changes, request);
	kvfree(changes);
	return ret;
}

int gtdbg_ioctl_breakpoint_clear(struct gtdbg_session *session, void *arg)
{
	const struct gtdbg_breakpoint_clear *request = arg;
	struct gtdbg_site_change change;

	if (request->flags)
		return -EINVAL;
	if (session->observer)
		return -EPERM;
	return min(places_clear(session, &change, &request->breakpoint, 1), 0);
}

int gtdbg_ioctl_breakpoint_clear_many(struct gtdbg_session *session, void *arg)
{
	const struct gtdbg_breakpoint_clear_many *request = arg;
	struct gtdbg_site_change *changes;
	u32 *ids;
	int ret = -ENOMEM;

	if (request->flags || !request->count ||
	    request->count > GTDBG_BREAKPOINT_PLACES_MAX)
		return -EINVAL;
	if (session->observer)
		return -EPERM;
	ids = vmemdup_user(u64_to_user_ptr(request->breakpoints),
			   request->count * sizeof(*ids));
	if (IS_ERR(ids))
		return PTR_ERR(ids);
	changes = kvmalloc_array(request->count, sizeof(*changes),
				 GFP_KERNEL_ACCOUNT);
	if (changes)
		ret = places_clear(session, changes, ids, request->count);
	kvfree(changes);
	kvfree(ids);
	return ret;
}

int gtdbg_place_count(struct gtdbg_session *session,
		      struct gtdbg_breakpoint_program *request)
{
	struct gtdbg_site_change change = { .skip = false };
	int ret;

	ret = gtdbg_breakpoint_change(session->client, request->breakpoint, &change);
	if (ret)
		return ret;
	changes_plant(session, &change, 1);
	request->planted = change.planted;
	request->decided = change.decided;
	return 0;
}
