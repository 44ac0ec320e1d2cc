// SPDX-License-Identifier: GPL-2.0-only
/*
 * All breakpoints of a client stand in one tree, by kernel and offset (or by
 * device, context and address), so those at a place and those of a kernel are
 * found at once; and in an array by id. Those of a removed kernel are in neither
 * tree nor code: they hang at what is left of it, its name and length.
 */
#include "breakpoint.h"

#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/xarray.h>

#include "client.h"
#include "code.h"
#include "gtdbg.h"
#include "kernel.h"
#include "program.h"
#include "site.h"

static struct kmem_cache *breakpoint_cache;

int gtdbg_breakpoint_init(void)
{
	breakpoint_cache = kmem_cache_create("gtdbg_breakpoint",
					     sizeof(struct gtdbg_breakpoint), 0,
					     SLAB_ACCOUNT, NULL);
	return breakpoint_cache ? 0 : -ENOMEM;
}

void gtdbg_breakpoint_fini(void)
{
	kmem_cache_destroy(breakpoint_cache);
}

/*
 * The index
 */

void gtdbg_breakpoints_init(struct gtdbg_client *client)
{
	xa_init_flags(&client->breakpoint_ids,
		      XA_FLAGS_ALLOC1 | XA_FLAGS_ACCOUNT);
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

/*
 * Many are set in order: then the next one's place is behind the @last one, which
 * is known, and need not be looked for.
 */
static void breakpoint_link(struct gtdbg_client *client,
			    struct gtdbg_breakpoint *breakpoint,
			    struct gtdbg_breakpoint *last)
{
	struct rb_node *node = &breakpoint->node, *next;

	next = last ? rb_next(&last->node) : NULL;
	if (!last || !breakpoint_before(&last->node, node) ||
	    (next && !breakpoint_before(node, next))) {
		rb_add(node, &client->breakpoints, breakpoint_before);
		return;
	}
	/* The next one is below the last one, or the other way round. */
	if (!last->node.rb_right)
		rb_link_node(node, &last->node, &last->node.rb_right);
	else
		rb_link_node(node, next, &next->rb_left);
	rb_insert_color(node, &client->breakpoints);
}

static void breakpoint_unlink(struct gtdbg_client *client,
			      struct gtdbg_breakpoint *breakpoint)
{
	rb_erase(&breakpoint->node, &client->breakpoints);
	WRITE_ONCE(client->breakpoint_removals,
		   client->breakpoint_removals + 1);
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

void gtdbg_breakpoints_changed(struct gtdbg_client *client)
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
		breakpoint_unlink(client, breakpoint);
	}
	xa_erase(&client->breakpoint_ids, breakpoint->id);
	client->breakpoint_count--;
	if (breakpoint->program)
		WRITE_ONCE(client->program_count, client->program_count - 1);
	kfree(breakpoint->program);
	kmem_cache_free(breakpoint_cache, breakpoint);
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
		breakpoint_unlink(client, breakpoint);
		breakpoint->orphan_of = removed;
		list_add_tail(&breakpoint->orphan_node, &removed->orphans);
	}
	if (found)
		gtdbg_breakpoints_changed(client);
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
	gtdbg_breakpoints_changed(client);
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
	gtdbg_breakpoints_changed(client);
	mutex_unlock(&client->lock);
}

void gtdbg_breakpoint_batch_init(struct gtdbg_breakpoint_batch *batch,
				 u32 count)
{
	batch->count = count ? kmem_cache_alloc_bulk(breakpoint_cache,
						     GFP_KERNEL | __GFP_ZERO,
						     count, batch->fresh) : 0;
	batch->kernel = NULL;
	batch->last = NULL;
}

void gtdbg_breakpoint_batch_fini(struct gtdbg_breakpoint_batch *batch)
{
	if (batch->count)
		kmem_cache_free_bulk(breakpoint_cache, batch->count,
				     batch->fresh);
}

static int breakpoint_check_kernel(struct gtdbg_client *client,
				   struct gtdbg_site_change *change,
				   struct gtdbg_breakpoint_batch *batch)
{
	int ret;

	if (!batch->kernel || batch->kernel->id != change->at.kernel)
		batch->kernel = gtdbg_kernel_find(client, change->at.kernel);
	if (!batch->kernel)
		return -ENOENT;
	ret = gtdbg_code_check_offset(batch->kernel->code, change->at.offset);
	if (!ret)
		change->cookie = batch->kernel->cookie;
	return ret;
}

int gtdbg_breakpoint_add(struct gtdbg_client *client,
			 struct gtdbg_site_change *change, bool is_assert,
			 struct gtdbg_breakpoint_batch *batch)
{
	struct gtdbg_breakpoint *breakpoint;
	int ret = 0;

	lockdep_assert_held(&client->lock);
	if (client->gone)
		return -ESRCH;
	if (change->at.kernel)
		ret = breakpoint_check_kernel(client, change, batch);
	if (!ret && client->breakpoint_count >= GTDBG_BREAKPOINTS_MAX)
		ret = -EDQUOT;
	if (!ret && !batch->count)
		ret = -ENOMEM;
	if (ret)
		return ret;
	breakpoint = batch->fresh[batch->count - 1];
	breakpoint->at = change->at;
	breakpoint->is_assert = is_assert;
	ret = xa_alloc_cyclic(&client->breakpoint_ids, &breakpoint->id,
			      breakpoint, xa_limit_31b,
			      &client->next_breakpoint, GFP_KERNEL_ACCOUNT);
	if (ret < 0)
		return ret;
	batch->count--;
	breakpoint_link(client, breakpoint, batch->last);
	batch->last = breakpoint;
	client->breakpoint_count++;
	change->set = true;
	change->removals = client->breakpoint_removals;
	return breakpoint->id;
}

int gtdbg_breakpoint_remove(struct gtdbg_client *client, u32 id,
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

/*
 * Assertions
 */

void gtdbg_breakpoints_assert(struct gtdbg_client *client,
			      struct gtdbg_kernel *kernel)
{
	struct gtdbg_site_change change = { .at.kernel = kernel->id };
	u64 end = kernel->isa_len_bytes;
	u64 *offset = &change.at.offset;
	struct gtdbg_breakpoint_batch batch;
	int ret = 0;

	lockdep_assert_held(&client->lock);
	for (*offset = gtdbg_code_next_assert(kernel->code, 0);
	     *offset < end && ret >= 0;
	     *offset = gtdbg_code_next_assert(kernel->code, *offset + 1)) {
		gtdbg_breakpoint_batch_init(&batch, 1);
		ret = gtdbg_breakpoint_add(client, &change, true, &batch);
		gtdbg_breakpoint_batch_fini(&batch);
		if (ret > 0)
			gtdbg_breakpoints_changed(client);
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
		if (breakpoint->program)
			breakpoint->program->breakpoint = id;
	}
	mutex_unlock(&client->lock);
	return breakpoint ? 0 : -ENOENT;
}

u32 gtdbg_breakpoint_ignore_hold(struct gtdbg_client *client, u32 id,
				 u64 serial)
{
	struct gtdbg_breakpoint *breakpoint;
	struct gtdbg_program *program;
	u32 left = 0;

	mutex_lock(&client->lock);
	breakpoint = xa_load(&client->breakpoint_ids, id);
	program = breakpoint ? breakpoint->program : NULL;
	if (program && program->serial == serial && !program->ignore_held &&
	    program->ignored < program->ignore) {
		program->ignore_held = true;
		left = program->ignore - program->ignored;
	}
	mutex_unlock(&client->lock);
	return left;
}

bool gtdbg_breakpoint_ignore_pass(struct gtdbg_client *client, u32 id,
				  u64 serial, s32 passed, bool leaves)
{
	struct gtdbg_breakpoint *breakpoint;
	struct gtdbg_program *program;
	bool current_one;

	mutex_lock(&client->lock);
	breakpoint = xa_load(&client->breakpoint_ids, id);
	program = breakpoint ? breakpoint->program : NULL;
	current_one = program && program->serial == serial;
	if (current_one) {
		program->ignored += passed;
		if (leaves)
			program->ignore_held = false;
	}
	if (breakpoint)
		breakpoint->ignored += passed;
	mutex_unlock(&client->lock);
	return current_one;
}

int gtdbg_breakpoint_ignore_take(struct gtdbg_client *client, u32 id)
{
	struct gtdbg_breakpoint *breakpoint;
	struct gtdbg_program *program;
	int ret = -ENOENT;

	mutex_lock(&client->lock);
	breakpoint = xa_load(&client->breakpoint_ids, id);
	if (breakpoint) {
		program = breakpoint->program;
		ret = program && !program->ignore_held &&
		      program->ignored < program->ignore;
		if (ret) {
			program->ignored++;
			breakpoint->ignored++;
		}
	}
	mutex_unlock(&client->lock);
	return ret;
}

int gtdbg_breakpoint_ignored(struct gtdbg_client *client, u32 id,
			     u64 *ignored_out)
{
	struct gtdbg_breakpoint *breakpoint;

	mutex_lock(&client->lock);
	breakpoint = xa_load(&client->breakpoint_ids, id);
	if (breakpoint)
		*ignored_out = breakpoint->ignored;
	mutex_unlock(&client->lock);
	return breakpoint ? 0 : -ENOENT;
}

int gtdbg_breakpoint_change(struct gtdbg_client *client, u32 id,
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
