// SPDX-License-Identifier: GPL-2.0-only
/*
 * All breakpoints of a client stand in one tree, by kernel and offset (or by
 * device, context and address), so those at a place and those of a kernel are
 * found at once; and in an array by id. Those of a removed kernel are in neither
 * tree nor code: they hang at what is left of it, its name and length.
 */
#include "breakpoint.h"

#include <linux/err.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/xarray.h>

#include "client.h"
#include "code.h"
#include "context.h"
#include "gt.h"
#include "gtdbg.h"
#include "hw.h"
#include "kernel.h"
#include "load.h"
#include "ppgtt.h"
#include "program.h"
#include "session.h"
#include "site.h"

#define HOLD_MS 10 /* of a GT's lock: others want it too */

/*
 * The index
 */

void gtdbg_breakpoints_init(struct gtdbg_client *client)
{
	xa_init_flags(&client->breakpoint_ids, XA_FLAGS_ALLOC1);
	client->breakpoints = RB_ROOT;
	client->removed = RB_ROOT;
}

static int compare(u64 a, u64 b)
{
	return a < b ? -1 : a > b;
}

static int at_compare(const struct gtdbg_breakpoint_at *a,
		      const struct gtdbg_breakpoint_at *b)
{
	return compare(a->kernel, b->kernel) ?:
	       compare(a->device, b->device) ?:
	       compare(a->context, b->context) ?:
	       compare(a->offset, b->offset);
}

static struct gtdbg_breakpoint *breakpoint_of(const struct rb_node *node)
{
	return rb_entry(node, struct gtdbg_breakpoint, node);
}

static bool breakpoint_before(struct rb_node *node, const struct rb_node *other)
{
	struct gtdbg_breakpoint *a = breakpoint_of(node);
	struct gtdbg_breakpoint *b = breakpoint_of(other);
	int order = at_compare(&a->at, &b->at);

	return order ? order < 0 : a->id < b->id;
}

static int breakpoint_compare(const void *at, const struct rb_node *node)
{
	return at_compare(at, &breakpoint_of(node)->at);
}

u32 gtdbg_breakpoint_find(struct gtdbg_client *client,
			  const struct gtdbg_breakpoint_at *at)
{
	struct rb_node *node;

	lockdep_assert_held(&client->lock);
	node = rb_find_first(at, &client->breakpoints, breakpoint_compare);
	return node ? breakpoint_of(node)->id : 0;
}

u32 gtdbg_breakpoint_decides(struct gtdbg_client *client,
			     const struct gtdbg_breakpoint_at *at,
			     struct gtdbg_program *program, bool *has_out)
{
	struct gtdbg_breakpoint *breakpoint;
	struct rb_node *node;
	u32 count = 0;

	lockdep_assert_held(&client->lock);
	for (node = rb_find_first(at, &client->breakpoints, breakpoint_compare);
	     node && !breakpoint_compare(at, node); node = rb_next(node)) {
		breakpoint = breakpoint_of(node);
		*has_out = breakpoint->program && !count;
		if (*has_out)
			*program = *breakpoint->program;
		count++;
	}
	return count;
}

static bool same_list(const struct gtdbg_breakpoint_at *a,
		      const struct gtdbg_breakpoint_at *b)
{
	return a->kernel == b->kernel && a->device == b->device &&
	       a->context == b->context;
}

struct gtdbg_breakpoint *
gtdbg_breakpoint_first(struct gtdbg_client *client,
		       const struct gtdbg_breakpoint_at *at)
{
	struct rb_node *node = client->breakpoints.rb_node, *found = NULL;

	lockdep_assert_held(&client->lock);
	while (node) {
		if (at_compare(at, &breakpoint_of(node)->at) <= 0) {
			found = node;
			node = node->rb_left;
		} else {
			node = node->rb_right;
		}
	}
	return found && same_list(&breakpoint_of(found)->at, at) ?
		       breakpoint_of(found) : NULL;
}

struct gtdbg_breakpoint *gtdbg_breakpoint_next(struct gtdbg_breakpoint *last)
{
	struct rb_node *node = rb_next(&last->node);

	return node && same_list(&breakpoint_of(node)->at, &last->at) ?
		       breakpoint_of(node) : NULL;
}

/* Sites are to follow: not where a call sees to that for what it has changed. */
static void breakpoints_changed(struct gtdbg_client *client)
{
	lockdep_assert_held(&client->lock);
	WRITE_ONCE(client->breakpoint_generation,
		   client->breakpoint_generation + 1);
}

/*
 * Kernels that are gone
 */

struct removed_key {
	u64 isa_len_bytes;
	const char *name;
};

static int removed_compare(const void *data, const struct rb_node *node)
{
	const struct gtdbg_kernel *kernel =
		rb_entry(node, struct gtdbg_kernel, node);
	const struct removed_key *key = data;

	return compare(key->isa_len_bytes, kernel->isa_len_bytes) ?:
	       strcmp(key->name, kernel->name);
}

static bool removed_before(struct rb_node *node, const struct rb_node *other)
{
	const struct gtdbg_kernel *kernel =
		rb_entry(node, struct gtdbg_kernel, node);
	struct removed_key key = { kernel->isa_len_bytes, kernel->name };

	return removed_compare(&key, other) < 0;
}

static struct gtdbg_kernel *removed_find(struct gtdbg_client *client,
					 const struct gtdbg_kernel *like)
{
	struct removed_key key = { like->isa_len_bytes, like->name };
	struct rb_node *node = rb_find(&key, &client->removed, removed_compare);

	return node ? rb_entry(node, struct gtdbg_kernel, node) : NULL;
}

/* No breakpoint waits for it any more? Then it is forgotten. */
static void removed_check(struct gtdbg_client *client,
			  struct gtdbg_kernel *kernel)
{
	if (!list_empty(&kernel->orphans))
		return;
	rb_erase(&kernel->node, &client->removed);
	gtdbg_kernel_destroy(kernel);
}

static void breakpoint_free(struct gtdbg_client *client,
			    struct gtdbg_breakpoint *breakpoint)
{
	if (breakpoint->orphan_of) {
		list_del(&breakpoint->orphan_node);
		removed_check(client, breakpoint->orphan_of);
	} else {
		rb_erase(&breakpoint->node, &client->breakpoints);
	}
	xa_erase(&client->breakpoint_ids, breakpoint->id);
	client->breakpoint_count--;
	if (breakpoint->program)
		WRITE_ONCE(client->program_count, client->program_count - 1);
	kfree(breakpoint->program);
	kfree(breakpoint);
}

bool gtdbg_breakpoints_orphan(struct gtdbg_client *client,
			      struct gtdbg_kernel *kernel)
{
	struct gtdbg_breakpoint_at at = { .kernel = kernel->id };
	struct gtdbg_kernel *removed = removed_find(client, kernel);
	struct gtdbg_breakpoint *breakpoint;
	bool found = false;

	while ((breakpoint = gtdbg_breakpoint_first(client, &at))) {
		found = true;
		/* They come with their kernel, and go with it. */
		if (breakpoint->is_assert) {
			breakpoint_free(client, breakpoint);
			continue;
		}
		if (!removed) {
			rb_add(&kernel->node, &client->removed, removed_before);
			removed = kernel;
		}
		rb_erase(&breakpoint->node, &client->breakpoints);
		breakpoint->orphan_of = removed;
		list_add_tail(&breakpoint->orphan_node, &removed->orphans);
	}
	if (found)
		breakpoints_changed(client);
	if (removed != kernel)
		return false;
	/* Its name stays, and what that costs. */
	gtdbg_blob_fini(&kernel->elf);
	gtdbg_code_put(kernel->code);
	kernel->code = NULL;
	return true;
}

void gtdbg_breakpoints_adopt(struct gtdbg_client *client,
			     struct gtdbg_kernel *kernel)
{
	struct gtdbg_kernel *removed = removed_find(client, kernel);
	struct gtdbg_breakpoint *breakpoint, *next;

	lockdep_assert_held(&client->lock);
	if (!removed)
		return;
	list_for_each_entry_safe(breakpoint, next, &removed->orphans,
				 orphan_node) {
		if (gtdbg_code_check_offset(kernel->code,
					    breakpoint->at.offset))
			continue;
		list_del(&breakpoint->orphan_node);
		breakpoint->orphan_of = NULL;
		breakpoint->at.kernel = kernel->id;
		rb_add(&breakpoint->node, &client->breakpoints,
		       breakpoint_before);
	}
	removed_check(client, removed);
	breakpoints_changed(client);
}

/*
 * Set and clear
 */

void gtdbg_breakpoints_fini(struct gtdbg_client *client)
{
	struct gtdbg_breakpoint *breakpoint;
	unsigned long id;

	xa_for_each(&client->breakpoint_ids, id, breakpoint)
		breakpoint_free(client, breakpoint);
	xa_destroy(&client->breakpoint_ids);
}

void gtdbg_breakpoints_clear_all(struct gtdbg_client *client)
{
	mutex_lock(&client->lock);
	gtdbg_breakpoints_fini(client);
	breakpoints_changed(client);
	mutex_unlock(&client->lock);
}

/* What is known of a place while its breakpoint is set or cleared. */
struct place {
	struct gtdbg_breakpoint_place *user;
	struct gtdbg_site_change change;
};

static int breakpoint_add(struct gtdbg_client *client,
			  struct gtdbg_site_change *change, bool is_assert)
{
	struct gtdbg_breakpoint *breakpoint;
	struct gtdbg_kernel *kernel;
	int ret = 0;

	lockdep_assert_held(&client->lock);
	if (client->gone)
		return -ESRCH;
	if (change->at.kernel) {
		kernel = gtdbg_kernel_find(client, change->at.kernel);
		ret = kernel ? gtdbg_code_check_offset(kernel->code,
						       change->at.offset) :
			       -ENOENT;
		change->cookie = ret ? 0 : kernel->cookie;
	}
	if (!ret && client->breakpoint_count >= GTDBG_BREAKPOINTS_MAX)
		ret = -EDQUOT;
	if (ret)
		return ret;
	breakpoint = kzalloc(sizeof(*breakpoint), GFP_KERNEL_ACCOUNT);
	if (!breakpoint)
		return -ENOMEM;
	breakpoint->at = change->at;
	breakpoint->is_assert = is_assert;
	ret = xa_alloc_cyclic(&client->breakpoint_ids, &breakpoint->id,
			      breakpoint, xa_limit_31b,
			      &client->next_breakpoint, GFP_KERNEL_ACCOUNT);
	if (ret < 0) {
		kfree(breakpoint);
		return ret;
	}
	rb_add(&breakpoint->node, &client->breakpoints, breakpoint_before);
	client->breakpoint_count++;
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
		ret = gtdbg_code_check_offset(kernel->code,
					      address - load->address);
	mutex_unlock(&client->lock);
	return ret;
}

/* Is there code at the address of a breakpoint that names one? */
static int breakpoint_check_address(struct gtdbg_session *session,
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
		ret = breakpoint_check_load(gt, context, at->offset);
	gtdbg_session_gt_unlock(gt);
	return ret;
}

/* Take what the caller asks for, and look at it as far as no lock is needed. */
static int place_init(struct gtdbg_session *session, struct place *place,
		      struct gtdbg_breakpoint_place *user)
{
	struct gtdbg_breakpoint_at *at = &place->change.at;

	memset(place, 0, sizeof(*place));
	place->user = user;
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
	return breakpoint_check_address(session, at);
}

/* As many as one hold of the GT's lock is good for; how many that were. */
static u32 places_plant_some(struct gtdbg_gt *gt, struct place *places,
			     u32 count)
{
	/* To read the clock may take longer than a place does. */
	unsigned long end = jiffies + msecs_to_jiffies(HOLD_MS);
	u32 i;

	gtdbg_gt_begin(gt);
	for (i = 0; i < count && !time_after(jiffies, end); i++)
		if (places[i].user->breakpoint > 0)
			gtdbg_sites_change(gt, &places[i].change);
	/* At once if no resume will do it. */
	if (i == count && !gt->stopped)
		gtdbg_hw_sync_code(gt);
	return i;
}

/* Bring the code of one GT up to date. Who is killed has no breakpoints soon. */
static void places_plant_on(struct gtdbg_session *session, struct gtdbg_gt *gt,
			    struct place *places, u32 count)
{
	u32 done = 0;

	while (done < count && !mutex_lock_killable(&gt->lock)) {
		if (gt->client == session->client)
			done += places_plant_some(gt, places + done,
						  count - done);
		else
			done = count;
		mutex_unlock(&gt->lock);
	}
}

static void places_plant(struct gtdbg_session *session, struct place *places,
			 u32 count)
{
	struct gtdbg_session_gts gts;
	u32 i;

	gtdbg_session_gts_get(session, &gts);
	for (i = 0; i < gts.count; i++)
		places_plant_on(session, gts.gt[i], places, count);
	gtdbg_session_gts_put(&gts);
}

static int breakpoint_remove(struct gtdbg_client *client, u32 id,
			     struct gtdbg_site_change *change)
{
	struct gtdbg_breakpoint *breakpoint;
	struct gtdbg_kernel *kernel;

	lockdep_assert_held(&client->lock);
	breakpoint = xa_load(&client->breakpoint_ids, id);
	if (!breakpoint)
		return -ENOENT;
	*change = (struct gtdbg_site_change){ .at = breakpoint->at };
	kernel = breakpoint->orphan_of ? NULL :
		 gtdbg_kernel_find(client, breakpoint->at.kernel);
	if (kernel)
		change->cookie = kernel->cookie;
	breakpoint_free(client, breakpoint);
	return 0;
}

/* One by address has one place only: if that fails, there is none. */
static void place_finish(struct gtdbg_client *client, struct place *place)
{
	struct gtdbg_breakpoint_place *user = place->user;
	struct gtdbg_site_change change;

	user->planted = place->change.planted;
	user->failed = place->change.failed;
	if (user->breakpoint <= 0 || user->kernel || user->planted ||
	    !place->change.error)
		return;
	mutex_lock(&client->lock);
	breakpoint_remove(client, user->breakpoint, &change);
	mutex_unlock(&client->lock);
	user->breakpoint = place->change.error;
}

/* Set those of @user, one independent of the other: each has its result. */
static void places_set(struct gtdbg_session *session, struct place *places,
		       struct gtdbg_breakpoint_place *user, u32 count)
{
	struct gtdbg_client *client = session->client;
	u32 i;

	for (i = 0; i < count; i++) {
		user[i].breakpoint = place_init(session, &places[i], &user[i]);
		cond_resched();
	}
	mutex_lock(&client->lock);
	for (i = 0; i < count; i++)
		if (!user[i].breakpoint)
			user[i].breakpoint = breakpoint_add(client,
							    &places[i].change,
							    false);
	mutex_unlock(&client->lock);
	places_plant(session, places, count);
	for (i = 0; i < count; i++)
		place_finish(client, &places[i]);
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
	struct place place;

	if (request->flags)
		return -EINVAL;
	if (session->observer)
		return -EPERM;
	places_set(session, &place, &user, 1);
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

/*
 * The place of the results is tried before anything is set, so that a bad pointer
 * does no harm.
 */
static int places_copy(struct gtdbg_session *session, struct place *places,
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
		places_set(session, places, user, request->count);
		ret = places_result(user, request->count);
		if (copy_to_user(from, user, bytes))
			ret = -EFAULT;
	}
	kvfree(user);
	return ret;
}

int gtdbg_ioctl_breakpoint_set_many(struct gtdbg_session *session, void *arg)
{
	const struct gtdbg_breakpoint_set_many *request = arg;
	struct place *places;
	int ret;

	if (request->flags || !request->count ||
	    request->count > GTDBG_BREAKPOINT_PLACES_MAX)
		return -EINVAL;
	if (session->observer)
		return -EPERM;
	places = kvmalloc_array(request->count, sizeof(*places),
				GFP_KERNEL_ACCOUNT);
	if (!places)
		return -ENOMEM;
	ret = places_copy(session, places, request);
	kvfree(places);
	return ret;
}

/* How many there were of @ids; -ENOENT: none. */
static int places_clear(struct gtdbg_session *session, struct place *places,
			const u32 *ids, u32 count)
{
	struct gtdbg_breakpoint_place user = { .breakpoint = 1 };
	struct gtdbg_client *client = session->client;
	u32 i, done = 0;

	mutex_lock(&client->lock);
	for (i = 0; i < count; i++) {
		places[done].user = &user;
		if (!breakpoint_remove(client, ids[i], &places[done].change))
			done++;
	}
	mutex_unlock(&client->lock);
	places_plant(session, places, done);
	return done ?: -ENOENT;
}

int gtdbg_ioctl_breakpoint_clear(struct gtdbg_session *session, void *arg)
{
	const struct gtdbg_breakpoint_clear *request = arg;
	struct place place;

	if (request->flags)
		return -EINVAL;
	if (session->observer)
		return -EPERM;
	return min(places_clear(session, &place, &request->breakpoint, 1), 0);
}

int gtdbg_ioctl_breakpoint_clear_many(struct gtdbg_session *session, void *arg)
{
	const struct gtdbg_breakpoint_clear_many *request = arg;
	struct place *places;
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
	places = kvmalloc_array(request->count, sizeof(*places),
				GFP_KERNEL_ACCOUNT);
	if (places)
		ret = places_clear(session, places, ids, request->count);
	kvfree(places);
	kvfree(ids);
	return ret;
}

/*
 * Assertions
 */

void gtdbg_breakpoints_assert(struct gtdbg_client *client,
			      struct gtdbg_kernel *kernel)
{
	struct gtdbg_site_change change = { .at.kernel = kernel->id };
	u64 end = kernel->isa_len_bytes;
	u64 *offset = &change.at.offset;

	lockdep_assert_held(&client->lock);
	for (*offset = gtdbg_code_next_assert(kernel->code, 0); *offset < end;
	     *offset = gtdbg_code_next_assert(kernel->code, *offset + 1)) {
		if (breakpoint_add(client, &change, true) < 0)
			break;
		breakpoints_changed(client);
	}
}

bool gtdbg_breakpoint_asserts(struct gtdbg_client *client, u32 id)
{
	struct gtdbg_breakpoint *breakpoint;
	struct gtdbg_breakpoint_at at;
	bool asserts = false;

	mutex_lock(&client->lock);
	breakpoint = xa_load(&client->breakpoint_ids, id);
	if (breakpoint && !breakpoint->orphan_of) {
		at = breakpoint->at;
		for (breakpoint = gtdbg_breakpoint_first(client, &at);
		     breakpoint && !asserts && !at_compare(&breakpoint->at, &at);
		     breakpoint = gtdbg_breakpoint_next(breakpoint))
			asserts = breakpoint->is_assert;
	}
	mutex_unlock(&client->lock);
	return asserts;
}

/*
 * Programs
 */

int gtdbg_breakpoint_replace(struct gtdbg_client *client, u32 id,
			     struct gtdbg_program **program)
{
	struct gtdbg_breakpoint *breakpoint;

	mutex_lock(&client->lock);
	breakpoint = xa_load(&client->breakpoint_ids, id);
	if (breakpoint) {
		WRITE_ONCE(client->program_count, client->program_count +
			   !!*program - !!breakpoint->program);
		swap(breakpoint->program, *program);
	}
	mutex_unlock(&client->lock);
	return breakpoint ? 0 : -ENOENT;
}

static int breakpoint_change(struct gtdbg_client *client, u32 id,
			     struct gtdbg_site_change *change)
{
	struct gtdbg_breakpoint *breakpoint;
	struct gtdbg_kernel *kernel = NULL;

	mutex_lock(&client->lock);
	breakpoint = xa_load(&client->breakpoint_ids, id);
	if (breakpoint) {
		change->at = breakpoint->at;
		if (!breakpoint->orphan_of)
			kernel = gtdbg_kernel_find(client,
						   breakpoint->at.kernel);
		change->cookie = kernel ? kernel->cookie : 0;
	}
	mutex_unlock(&client->lock);
	return breakpoint ? 0 : -ENOENT;
}

int gtdbg_breakpoint_count(struct gtdbg_session *session,
			   struct gtdbg_breakpoint_program *request)
{
	struct gtdbg_breakpoint_place user = {
		.breakpoint = request->breakpoint,
	};
	struct place place = { .user = &user };
	int ret;

	ret = breakpoint_change(session->client, request->breakpoint,
				&place.change);
	if (ret)
		return ret;
	places_plant(session, &place, 1);
	request->planted = place.change.planted;
	request->decided = place.change.decided;
	return 0;
}
