// SPDX-License-Identifier: GPL-2.0-only
/*
 * Whether a bit is wanted is asked of the client's breakpoints, the context's
 * loads, or both, whenever one of them changes: for the place concerned where
 * that is known, else for all. A site that is in memory as wanted costs nothing;
 * where the program may have written the code anew, memory is looked at.
 */
#include "site.h"

#include <linux/bitops.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/rbtree.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "client.h"
#include "context.h"
#include "gt.h"
#include "gtdbg.h"
#include "load.h"
#include "platform.h"
#include "ppgtt.h"
#include "program.h"
#include "table.h"
#include "trace.h"
#include "window.h"

#define SITES_MAX (4 * GTDBG_BREAKPOINTS_MAX) /* of a context */
#define RETRY_MS 100 /* where something was missing */
#define WINDOW_BYTES 128

struct gtdbg_site {
	struct rb_node node; /* in the context's, by address */
	u64 address;
	bool wanted; /* a breakpoint is here */
	bool entry; /* a kernel's first instruction */
	bool armed; /* and it is to stop there */
	bool original; /* the bit, as it was found */
	bool certain; /* and it is none that was left behind */
	bool set; /* the bit, as it was written last */
	u32 dword0; /* of the instruction, without the bit */
};

/* Code that was read in one piece, as sites are often close to each other. */
struct window {
	u64 address;
	u32 len_bytes; /* 0: nothing was read */
	u8 bytes[WINDOW_BYTES];
};

static struct gtdbg_site *site_of(const struct rb_node *node)
{
	return rb_entry_safe(node, struct gtdbg_site, node);
}

/* The first one that is not below @address. */
static struct gtdbg_site *site_from(struct gtdbg_context *context, u64 address)
{
	struct rb_node *node = context->sites.rb_node;
	struct gtdbg_site *found = NULL;

	while (node) {
		if (site_of(node)->address >= address) {
			found = site_of(node);
			node = node->rb_left;
		} else {
			node = node->rb_right;
		}
	}
	return found;
}

static struct gtdbg_site *site_next(const struct gtdbg_site *site)
{
	return site_of(rb_next(&site->node));
}

static struct gtdbg_site *site_find(struct gtdbg_context *context, u64 address)
{
	struct gtdbg_site *site = site_from(context, address);

	return site && site->address == address ? site : NULL;
}

static bool site_below(struct rb_node *node, const struct rb_node *other)
{
	return site_of(node)->address < site_of(other)->address;
}

static struct gtdbg_site *site_alloc(struct gtdbg_context *context)
{
	struct gtdbg_site *site;

	if (gtdbg_context_charge(context, sizeof(*site)))
		return ERR_PTR(-EDQUOT);
	site = kzalloc(sizeof(*site), GFP_KERNEL_ACCOUNT);
	if (site)
		return site;
	gtdbg_context_uncharge(context, sizeof(*site));
	return ERR_PTR(-ENOMEM);
}

/* What the memory holds, as if no one had set a bit in it. */
static void site_learn(struct gtdbg_site *site, u32 dword0)
{
	u32 bit = gtdbg_inst_break_bit(dword0);

	site->original = dword0 & bit;
	site->set = site->original;
	site->dword0 = dword0 & ~bit;
}

/* As much as there is in one page. */
static int window_move(struct gtdbg_gt *gt, struct gtdbg_context *context,
		       u64 address, struct window *window)
{
	ssize_t done = gtdbg_ppgtt_copy(gt, context, address, window->bytes,
					min_t(u64, sizeof(window->bytes),
					      SZ_4K - address % SZ_4K), false);

	window->address = address;
	window->len_bytes = max(done, 0);
	return min(done, 0);
}

/* What a site will be in, if it is none of ours yet; @window may be NULL. */
static int window_read(struct gtdbg_gt *gt, struct gtdbg_context *context,
		       u64 address, struct window *window, u32 *dword0)
{
	u64 end = address + sizeof(*dword0);
	int ret = 0;

	if (!window || address % sizeof(*dword0))
		return gtdbg_ppgtt_read(gt, context, address, dword0,
					sizeof(*dword0));
	if (address < window->address ||
	    end > window->address + window->len_bytes)
		ret = window_move(gt, context, address, window);
	if (!ret)
		memcpy(dword0, window->bytes + (address - window->address),
		       sizeof(*dword0));
	return ret;
}

/*
 * What could not be read or written as the context has left the engine meanwhile is
 * done when it is back.
 */
static int site_missed(struct gtdbg_context *context, int ret)
{
	if (ret == -EAGAIN)
		context->late = true;
	return ret;
}

/* A site at @address, where none is, or an error. */
static struct gtdbg_site *site_make(struct gtdbg_gt *gt,
				    struct gtdbg_context *context, u64 address,
				    struct window *window)
{
	struct gtdbg_site *site;
	u32 dword0;
	int ret;

	if (context->site_count >= SITES_MAX)
		return ERR_PTR(-EDQUOT);
	ret = site_missed(context, window_read(gt, context, address, window,
					       &dword0));
	if (ret)
		return ERR_PTR(ret);
	site = site_alloc(context);
	if (IS_ERR(site)) {
		context->sites_retry = ktime_add_ms(ktime_get(), RETRY_MS);
		return site;
	}
	site->address = address;
	site_learn(site, dword0);
	rb_add(&site->node, &context->sites, site_below);
	context->site_count++;
	return site;
}

static struct gtdbg_site *site_get(struct gtdbg_gt *gt,
				   struct gtdbg_context *context, u64 address)
{
	return site_find(context, address) ?:
	       site_make(gt, context, address, NULL);
}

static void site_free(struct gtdbg_context *context, struct gtdbg_site *site)
{
	rb_erase(&site->node, &context->sites);
	context->site_count--;
	gtdbg_context_uncharge(context, sizeof(*site));
	kfree(site);
}

/*
 * Set or clear the bit, where the memory is as the site knows it. Returns 1 if the
 * memory was written.
 */
static int site_put(struct gtdbg_gt *gt, struct gtdbg_context *context,
		    struct gtdbg_site *site, bool set)
{
	u32 bit = gtdbg_inst_break_bit(site->dword0), wanted;
	int ret;

	if (site->set == set)
		return 0;
	/* Code that is new has been entered by nobody who was seen. */
	if (set)
		gtdbg_windows_close(gt, context);
	site->set = set;
	wanted = site->dword0 | (set ? bit : 0);
	ret = gtdbg_ppgtt_write(gt, context, site->address, &wanted,
				sizeof(wanted));
	if (ret) {
		site->set = !set;
		return site_missed(context, ret);
	}
	gt->code_dirty = true;
	trace_gtdbg_breakpoint(gt->id, context->id, site->address, set);
	return 1;
}

/* The same, unless the memory holds something else by now: -ESTALE. */
static int site_write(struct gtdbg_gt *gt, struct gtdbg_context *context,
		      struct gtdbg_site *site, bool set)
{
	u32 bit = gtdbg_inst_break_bit(site->dword0), dword0;
	int ret;

	ret = gtdbg_ppgtt_read(gt, context, site->address, &dword0,
			       sizeof(dword0));
	if (ret)
		return site_missed(context, ret);
	if ((dword0 & ~bit) != site->dword0)
		return -ESTALE;
	site->set = dword0 & bit;
	return site_put(gt, context, site, set);
}

/*
 * The program of the only breakpoint at @address. With several, or with one without
 * a program, the host decides.
 */
static bool site_program(struct gtdbg_gt *gt, struct gtdbg_context *context,
			 u64 address, struct gtdbg_program *program)
{
	struct gtdbg_load *load = gtdbg_load_find(gt, context, address);
	struct gtdbg_breakpoint_at at = {
		.device = gt->id, .context = context->id, .offset = address,
	};
	struct gtdbg_client *client = gt->client;
	bool has = false;
	u32 count;

	mutex_lock(&client->lock);
	count = gtdbg_breakpoint_decides(client, &at, program, &has);
	if (load && load->kernel) {
		at = (struct gtdbg_breakpoint_at){
			.kernel = load->kernel,
			.offset = address - load->address,
		};
		count += gtdbg_breakpoint_decides(client, &at, program, &has);
	}
	mutex_unlock(&client->lock);
	return has && count == 1;
}

/*
 * A bit that was found is one of ours if the code was registered without: it may have
 * been away when it was to be cleared, and be mapped again.
 */
static void site_check_original(struct gtdbg_gt *gt,
				struct gtdbg_context *context,
				struct gtdbg_site *site)
{
	u32 dword0;

	if (!site->original || site->certain)
		return;
	site->certain = true;
	if (gtdbg_load_registered(gt, context, site->address, &dword0))
		site->original = dword0 != site->dword0;
}

/* Who decides there, the SIP or the host? */
static void site_decide(struct gtdbg_gt *gt, struct gtdbg_context *context,
			struct gtdbg_site *site)
{
	struct gtdbg_program program;

	/* Each thread is to stop there. */
	if (site->wanted && site->entry)
		gtdbg_table_uncount(gt, context, site->address);
	if (!context->table &&
	    (!READ_ONCE(gt->client->program_count) || !site->wanted))
		return;
	/* Who stops at an entry announces a launch. */
	if (site->wanted && !site->entry &&
	    site_program(gt, context, site->address, &program))
		gtdbg_table_bind(gt, context, site->address, &program);
	else
		gtdbg_table_unbind(gt, context, site->address);
}

/* Put into memory what the site is wanted for, and forget one that is not. */
static int site_apply(struct gtdbg_gt *gt, struct gtdbg_context *context,
		      struct gtdbg_site *site)
{
	int ret;

	site_check_original(gt, context, site);
	site_decide(gt, context, site);
	ret = site_write(gt, context, site, site->wanted ||
			 (site->entry ? site->armed : site->original));
	if (!site->wanted && !site->entry && ret != -EAGAIN)
		site_free(context, site);
	return ret;
}

/* As if it had never been made. */
static void site_drop(struct gtdbg_gt *gt, struct gtdbg_context *context,
		      struct gtdbg_site *site)
{
	site->wanted = false;
	site_decide(gt, context, site);
	site_free(context, site);
}

static bool sites_apply_to(const struct gtdbg_gt *gt)
{
	return gt->client && gt->active && !gt->patched;
}

/*
 * The code cannot be used now, or is not the client's: all is done when its context
 * runs again.
 */
static bool sites_postpone(struct gtdbg_gt *gt, struct gtdbg_context *context)
{
	if (!gt->ops->is_shared || !gtdbg_savearea_check(gt, context))
		return false;
	context->late = true;
	return true;
}

/*
 * All of them
 */

static void site_want_entry(struct gtdbg_gt *gt, struct gtdbg_load *load)
{
	struct gtdbg_site *site = site_get(gt, load->context, load->address);

	if (IS_ERR(site))
		return;
	site->entry = true;
	site->armed = load->armed;
}

/*
 * What the breakpoints at @at, from its offset on, want of @context. Places that are
 * not mapped are tried for as long as @tries lasts: the client waits meanwhile.
 */
static void sites_want(struct gtdbg_gt *gt, struct gtdbg_context *context,
		       const struct gtdbg_breakpoint_at *at, u64 base,
		       u32 *tries)
{
	struct gtdbg_breakpoint *breakpoint;
	struct gtdbg_site *site = NULL;
	u64 address;

	lockdep_assert_held(&gt->client->lock);
	for (breakpoint = gtdbg_breakpoint_first(gt->client, at); breakpoint;
	     breakpoint = gtdbg_breakpoint_next(breakpoint)) {
		address = (base + breakpoint->at.offset) & GTDBG_ADDRESS_MASK;
		if (!IS_ERR_OR_NULL(site) && site->address == address)
			continue;
		site = site_get(gt, context, address);
		/* There is room for no more: none that follows has any. */
		if (site == ERR_PTR(-EDQUOT) || (IS_ERR(site) && !--*tries))
			break;
		if (!IS_ERR(site))
			site->wanted = true;
		/* With this lock no register is read, so no look at the engine either. */
		cond_resched();
	}
}

static void sites_want_load(struct gtdbg_gt *gt, struct gtdbg_load *load,
			    u32 *tries)
{
	struct gtdbg_breakpoint_at at = { .kernel = load->kernel };

	if (at.kernel && *tries)
		sites_want(gt, load->context, &at, load->address, tries);
}

/* Find out anew what each site is wanted for. */
static void sites_collect(struct gtdbg_gt *gt, struct gtdbg_context *context)
{
	struct gtdbg_breakpoint_at at = {
		.device = gt->id, .context = context->id,
	};
	struct gtdbg_client *client = gt->client;
	u32 tries = SITES_MAX;
	struct gtdbg_site *site;
	struct gtdbg_load *load;

	gtdbg_loads_check(gt, context);
	context->sites_retry = 0;
	for (site = site_from(context, 0); site; site = site_next(site)) {
		site->wanted = false;
		site->entry = false;
	}
	list_for_each_entry(load, &context->loads, node)
		site_want_entry(gt, load);
	mutex_lock(&client->lock);
	context->synced_generation = client->breakpoint_generation;
	list_for_each_entry(load, &context->loads, node)
		sites_want_load(gt, load, &tries);
	if (tries)
		sites_want(gt, context, &at, 0, &tries);
	mutex_unlock(&client->lock);
}

void gtdbg_sites_sync(struct gtdbg_gt *gt, struct gtdbg_context *context)
{
	struct gtdbg_site *site, *next;

	lockdep_assert_held(&gt->lock);
	if (!sites_apply_to(gt) || sites_postpone(gt, context))
		return;
	sites_collect(gt, context);
	for (site = site_from(context, 0); site; site = next) {
		next = site_next(site);
		site_apply(gt, context, site);
		gtdbg_context_yield(gt, context);
	}
}

bool gtdbg_sites_due(const struct gtdbg_gt *gt,
		     const struct gtdbg_context *context)
{
	lockdep_assert_held(&gt->lock);
	if (!sites_apply_to(gt))
		return false;
	if (context->synced_generation !=
	    READ_ONCE(gt->client->breakpoint_generation))
		return true;
	return context->sites_retry &&
	       ktime_after(ktime_get(), context->sites_retry);
}

/*
 * Those of one load
 */

void gtdbg_sites_load(struct gtdbg_gt *gt, struct gtdbg_load *load)
{
	struct gtdbg_context *context = load->context;
	struct gtdbg_site *site, *next;
	u32 tries = SITES_MAX;

	lockdep_assert_held(&gt->lock);
	if (!sites_apply_to(gt) || sites_postpone(gt, context))
		return;
	site_want_entry(gt, load);
	mutex_lock(&gt->client->lock);
	sites_want_load(gt, load, &tries);
	mutex_unlock(&gt->client->lock);
	for (site = site_from(context, load->address);
	     site && site->address - load->address < load->len_bytes;
	     site = next) {
		next = site_next(site);
		site_apply(gt, context, site);
		gtdbg_context_yield(gt, context);
	}
}

bool gtdbg_site_entry(struct gtdbg_gt *gt, struct gtdbg_load *load)
{
	struct gtdbg_site *site;

	lockdep_assert_held(&gt->lock);
	if (!sites_apply_to(gt) || sites_postpone(gt, load->context))
		return false;
	site_want_entry(gt, load);
	site = site_find(load->context, load->address);
	return site && site_apply(gt, load->context, site) == 1;
}

/*
 * One place
 */

/* The first of the breakpoints at @address, 0 if there is none. */
static u32 site_first(struct gtdbg_gt *gt, struct gtdbg_context *context,
		      const struct gtdbg_load *load, u64 address)
{
	struct gtdbg_breakpoint_at at = {
		.device = gt->id, .context = context->id, .offset = address,
	};
	struct gtdbg_client *client = gt->client;
	u32 id, other = 0;

	mutex_lock(&client->lock);
	id = gtdbg_breakpoint_find(client, &at);
	if (load && load->kernel) {
		at = (struct gtdbg_breakpoint_at){
			.kernel = load->kernel,
			.offset = address - load->address,
		};
		other = gtdbg_breakpoint_find(client, &at);
	}
	mutex_unlock(&client->lock);
	return min_not_zero(id, other);
}

/*
 * Is there a breakpoint for it? If one was set, and none has gone since, that need
 * not be looked up: whoever removes it waits for this GT's lock after that.
 */
static bool change_wants(struct gtdbg_gt *gt,
			 const struct gtdbg_site_change *change,
			 struct gtdbg_context *context,
			 const struct gtdbg_load *load, u64 address)
{
	return (change->set && change->removals ==
		READ_ONCE(gt->client->breakpoint_removals)) ||
	       site_first(gt, context, load, address);
}

/* Is it in memory as it is @wanted? */
static int site_update(struct gtdbg_gt *gt, struct gtdbg_context *context,
		       u64 address, bool wanted, struct window *window)
{
	struct gtdbg_site *site = site_find(context, address);
	bool fresh = wanted && !site;
	int ret;

	if (fresh)
		site = site_make(gt, context, address, window);
	if (IS_ERR_OR_NULL(site))
		return PTR_ERR_OR_ZERO(site);
	site->wanted = wanted;
	if (fresh) {
		/* What was read a moment ago is not read again. */
		site_check_original(gt, context, site);
		site_decide(gt, context, site);
		ret = site_put(gt, context, site, true);
		if (ret < 0 && ret != -EAGAIN)
			site_drop(gt, context, site);
	} else {
		ret = site_apply(gt, context, site);
	}
	return min(ret, 0);
}

static void change_count(struct gtdbg_gt *gt, struct gtdbg_site_change *change,
			 struct gtdbg_context *context,
			 const struct gtdbg_load *load, u64 address,
			 struct window *window)
{
	int ret = -ENOENT;

	if (context)
		ret = site_update(gt, context, address,
				  change_wants(gt, change, context, load,
					       address), window);
	/* As where it could not even be tried. */
	if (ret == -EAGAIN)
		return;
	if (!ret) {
		change->planted++;
		change->decided += gtdbg_table_decides(context, load, address);
		return;
	}
	change->failed++;
	change->error = change->error ?: ret;
}

/*
 * Code that cannot be changed now stops as many threads as it did. What decides about
 * those has to change, as the next launch may end before the code can be reached.
 */
static void change_decide(struct gtdbg_gt *gt, struct gtdbg_site_change *change,
			  struct gtdbg_context *context,
			  const struct gtdbg_load *load, u64 address)
{
	struct gtdbg_site *site = site_find(context, address);

	if (!site)
		return;
	site->wanted = change_wants(gt, change, context, load, address);
	site_decide(gt, context, site);
	if (!site->wanted || !site->set)
		return;
	change->planted++;
	change->decided += gtdbg_table_decides(context, load, address);
}

static void change_by_address(struct gtdbg_gt *gt,
			      struct gtdbg_site_change *change)
{
	const struct gtdbg_breakpoint_at *at = &change->at;
	struct gtdbg_context *context;
	struct gtdbg_load *load;

	if (at->device != gt->id || change->skip)
		return;
	context = gtdbg_context_find(gt, at->context);
	load = context ? gtdbg_load_find(gt, context, at->offset) : NULL;
	if (context && sites_postpone(gt, context))
		change_decide(gt, change, context, load, at->offset);
	else
		change_count(gt, change, context, load, at->offset, NULL);
}

/* @changes are at the kernel of @load, if it is still that kernel's. */
static void changes_at_load(struct gtdbg_gt *gt,
			    struct gtdbg_site_change *changes, u32 count,
			    const struct gtdbg_load *load)
{
	struct window window = { .len_bytes = 0 };
	/* Memory of a shared GPU may become another's at any time. */
	struct window *code = gt->ops->is_shared ? NULL : &window;
	bool away;
	u64 address;
	u32 i;

	if (load->kernel != changes->at.kernel)
		return;
	away = sites_postpone(gt, load->context);
	for (i = 0; i < count; i++) {
		address = (load->address + changes[i].at.offset) &
			  GTDBG_ADDRESS_MASK;
		if (changes[i].skip)
			continue;
		if (away)
			change_decide(gt, &changes[i], load->context, load,
				      address);
		else
			change_count(gt, &changes[i], load->context, load,
				     address, code);
		gtdbg_context_yield(gt, load->context);
	}
}

void gtdbg_sites_change(struct gtdbg_gt *gt, struct gtdbg_site_change *changes,
			u32 count)
{
	struct gtdbg_load *load = NULL;
	u32 cookie = 0, i;

	lockdep_assert_held(&gt->lock);
	if (!sites_apply_to(gt))
		return;
	for (i = 0; i < count && !cookie; i++) {
		if (!changes[i].at.kernel)
			change_by_address(gt, &changes[i]);
		/* One that was not set does not say it. */
		cookie = changes[i].cookie;
	}
	/* Of who is killed the poller does the rest. */
	while (cookie && !fatal_signal_pending(current) &&
	       (load = gtdbg_load_next(gt, cookie, load)))
		changes_at_load(gt, changes, count, load);
}

u32 gtdbg_site_breakpoint(struct gtdbg_gt *gt, struct gtdbg_context *context,
			  u64 address)
{
	struct gtdbg_site *site = site_find(context, address);

	lockdep_assert_held(&gt->lock);
	if (!site || !site->wanted || !gt->client)
		return 0;
	return site_first(gt, context, gtdbg_load_find(gt, context, address),
			  address);
}

bool gtdbg_site_is_set(struct gtdbg_context *context, u64 address)
{
	struct gtdbg_site *site = site_find(context, address);

	return site && site->set;
}

bool gtdbg_site_is_planted(struct gtdbg_context *context, u64 address)
{
	struct gtdbg_site *site = site_find(context, address);

	return site && site->set && !site->original;
}

/*
 * What a debugger sees of them
 */

/* The first site of which a byte is at @address or behind it. */
static struct gtdbg_site *site_around(struct gtdbg_context *context, u64 address)
{
	u64 reach = sizeof(u32) - 1;

	return site_from(context, address > reach ? address - reach : 0);
}

void gtdbg_sites_hide(struct gtdbg_gt *gt, struct gtdbg_context *context,
		      u64 address, void *buf, u32 len_bytes)
{
	struct gtdbg_site *site;
	u32 bit, dword0;
	u64 at;

	lockdep_assert_held(&gt->lock);
	for (site = site_around(context, address);
	     site && site->address < address + len_bytes;
	     site = site_next(site)) {
		bit = gtdbg_inst_break_bit(site->dword0);
		at = site->address + __ffs(bit) / 8;
		if (at < address || at >= address + len_bytes ||
		    gtdbg_ppgtt_read(gt, context, site->address, &dword0,
				     sizeof(dword0)) ||
		    (dword0 & ~bit) != site->dword0)
			continue;
		if (site->original)
			((u8 *)buf)[at - address] |= 1U << __ffs(bit) % 8;
		else
			((u8 *)buf)[at - address] &= ~(1U << __ffs(bit) % 8);
	}
}

/*
 * The bit is the debugger's where it has written it, else what it was before. Where there
 * is no site this is not known: see site_check_original().
 */
static void site_written(struct gtdbg_gt *gt, struct gtdbg_context *context,
			 struct gtdbg_site *site, u64 first, u64 end)
{
	u32 bit = gtdbg_inst_break_bit(site->dword0), dword0;
	u64 at = site->address + __ffs(bit) / 8;
	bool set = site->set;

	if (gtdbg_ppgtt_read(gt, context, site->address, &dword0,
			     sizeof(dword0)))
		return;
	if (at < first || at >= end)
		dword0 = (dword0 & ~bit) | (site->original ? bit : 0);
	site_learn(site, dword0);
	site->certain = true;
	site_write(gt, context, site, set);
}

void gtdbg_sites_written(struct gtdbg_gt *gt, struct gtdbg_context *context,
			 u64 address, u32 len_bytes)
{
	struct gtdbg_site *site;

	lockdep_assert_held(&gt->lock);
	for (site = site_around(context, address);
	     site && site->address < address + len_bytes;
	     site = site_next(site))
		site_written(gt, context, site, address, address + len_bytes);
}

/*
 * The end
 */

void gtdbg_sites_restore(struct gtdbg_gt *gt, struct gtdbg_context *context)
{
	struct gtdbg_site *site;

	lockdep_assert_held(&gt->lock);
	if (context->site_count && sites_postpone(gt, context))
		return;
	while ((site = site_from(context, 0))) {
		if (site_write(gt, context, site, site->original) == -EAGAIN)
			return;
		site_free(context, site);
	}
}

void gtdbg_sites_destroy(struct gtdbg_context *context)
{
	struct gtdbg_site *site;

	while ((site = site_from(context, 0)))
		site_free(context, site);
}
