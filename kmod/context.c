// SPDX-License-Identifier: GPL-2.0-only
#include "context.h"

#include <linux/kernel.h>
#include <linux/moduleparam.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "account.h"
#include "batch.h"
#include "client.h"
#include "front.h"
#include "ggtt.h"
#include "gt.h"
#include "gtdbg.h"
#include "hw.h"
#include "load.h"
#include "platform.h"
#include "ppgtt.h"
#include "queue.h"
#include "record.h"
#include "site.h"
#include "table.h"
#include "thread.h"
#include "trace.h"

#define LRCA_MASK 0xfffff000U
#define FOLLOW_MS 1 /* until commands that name no area are looked at again */
#define SEARCH_BACKOFF_MAX_MS 1000
#define SEARCH_PAUSE 10 /* times the search's own time, at least */
#define SEARCH_EAGER_NS (500 * NSEC_PER_MSEC) /* before that: its own time */

static unsigned int contexts_max = GTDBG_CONTEXTS_MAX;
module_param(contexts_max, uint, 0644);
MODULE_PARM_DESC(contexts_max,
		 "address spaces of a GPU that are known at a time (2 at least)");

void gtdbg_context_describe(const struct gtdbg_gt *gt,
			    const struct gtdbg_context *context,
			    struct gtdbg_event_context_add *payload)
{
	*payload = (struct gtdbg_event_context_add){
		.device = gt->id,
		.context = context->id,
		.sip = context->savearea.sip,
		.save_area = context->savearea.address,
		.instruction_base = context->bases.instruction,
		.general_base = context->bases.general,
	};
}

static void context_report(struct gtdbg_gt *gt, struct gtdbg_context *context,
			 u16 kind)
{
	struct gtdbg_event_context_add payload;

	gtdbg_context_describe(gt, context, &payload);
	gtdbg_gt_emit(gt, kind, 0, &payload, sizeof(payload));
}

static void context_report_remove(struct gtdbg_gt *gt,
				const struct gtdbg_context *context)
{
	struct gtdbg_event_context_remove payload = {
		.device = gt->id,
		.context = context->id,
	};

	gtdbg_gt_emit(gt, GTDBG_EVENT_CONTEXT_REMOVE, 0, &payload,
		      sizeof(payload));
}

void gtdbg_context_refresh(const struct gtdbg_gt *gt,
			   struct gtdbg_context *context)
{
	if (context->hold == gt->hold)
		return;
	context->hold = gt->hold;
	gtdbg_ppgtt_forget(context);
	context->savearea_seen = false;
}

int gtdbg_context_charge(struct gtdbg_context *context, u64 bytes)
{
	if (!context->account)
		return 0;
	return gtdbg_account_charge(context->account, GTDBG_ACCOUNT_BYTES,
				    bytes);
}

void gtdbg_context_uncharge(struct gtdbg_context *context, u64 bytes)
{
	if (context->account)
		gtdbg_account_uncharge(context->account, GTDBG_ACCOUNT_BYTES,
				       bytes);
}

static void context_free(struct gtdbg_gt *gt, struct gtdbg_context *context)
{
	gtdbg_loads_destroy(gt, context);
	gtdbg_sites_destroy(context);
	gtdbg_table_destroy(gt, context);
	gtdbg_ring_destroy(context);
	gtdbg_queues_destroy(gt, context);
	gtdbg_front_destroy(gt, context);
	list_del(&context->node);
	gt->context_count--;
	gtdbg_context_uncharge(context, sizeof(*context));
	gtdbg_account_put(context->account);
	kfree(context);
}

/*
 * That is not pinned: one at most is, by the only interrupt under way. Rather one of
 * another client, of which there is nothing to be restored.
 */
static struct gtdbg_context *context_oldest(struct gtdbg_gt *gt)
{
	struct gtdbg_context *context;

	list_for_each_entry(context, &gt->contexts, node)
		if (!context->pinned && !context->reported)
			return context;
	list_for_each_entry(context, &gt->contexts, node)
		if (!context->pinned)
			break;
	return context;
}

/*
 * Make room: programs may come through any number of address spaces. The one
 * that ran longest ago has probably been freed; if not it is left as if never
 * debugged, and learned about anew when it runs again.
 */
static void context_evict(struct gtdbg_gt *gt)
{
	struct gtdbg_context *context = context_oldest(gt);

	gtdbg_queues_set_active(gt, context, false);
	gtdbg_sites_restore(gt, context);
	gtdbg_table_clear(gt, context);
	gtdbg_ring_end(gt, context);
	gtdbg_queues_leave(gt, context);
	gtdbg_threads_leave(gt, context);
	if (context->reported)
		context_report_remove(gt, context);
	context_free(gt, context);
}

static struct gtdbg_context *context_create(struct gtdbg_gt *gt, u32 lrca,
					    u64 pml4)
{
	struct gtdbg_context *context;

	context = kzalloc(sizeof(*context), GFP_KERNEL_ACCOUNT);
	if (!context)
		return NULL;
	if (gt->client)
		context->account = gtdbg_account_share(gt->client->account);
	if (gtdbg_context_charge(context, sizeof(*context))) {
		gtdbg_account_put(context->account);
		kfree(context);
		return NULL;
	}
	/* Of two, one at least is not pinned. */
	while (gt->context_count >= max(READ_ONCE(contexts_max), 2U))
		context_evict(gt);
	context->id = gt->next_context;
	gt->next_context = context->id % INT_MAX + 1;
	gt->context_count++;
	context->lrca = lrca;
	context->pml4 = pml4;
	context->search_backoff_ms = 1;
	INIT_LIST_HEAD(&context->loads);
	context->loads_by_address = RB_ROOT;
	context->sites = RB_ROOT;
	list_add_tail(&context->node, &gt->contexts);
	/* On a shared GPU it may be anyone's, until it is found to be ours. */
	context->reported = !gt->ops->is_shared;
	if (context->reported)
		context_report(gt, context, GTDBG_EVENT_CONTEXT_ADD);
	return context;
}

/* The top page table of the context whose image is at @lrca; 0: none. */
static u64 context_pml4(struct gtdbg_gt *gt, u32 lrca)
{
	u32 pdp0[3];

	/* At once: to find the page takes longer than to read. */
	if (gtdbg_ggtt_read(gt, lrca + gt->platform->image_pdp0, pdp0,
			    sizeof(pdp0)))
		return 0;
	return ((u64)pdp0[0] << 32 | pdp0[2]) & ~0xfffULL;
}

/* What the engine is at, from the register @lrca, for this hold of the lock. */
static void context_note_engine(struct gtdbg_gt *gt, u32 lrca)
{
	gt->engine_hold = gt->hold;
	gt->engine_pml4 = lrca & GTDBG_LRCA_VALID ?
				  context_pml4(gt, lrca & LRCA_MASK) : 0;
}

static bool context_was_on_engine(const struct gtdbg_gt *gt,
				  const struct gtdbg_context *context)
{
	return gt->engine_pml4 && gt->engine_pml4 == context->pml4;
}

bool gtdbg_context_on_engine(struct gtdbg_gt *gt, struct gtdbg_context *context)
{
	if (!gt->ops->is_shared)
		return true;
	/* Another context may have come to where the image of the last one was. */
	context_note_engine(gt, gtdbg_hw_read(gt, gt->platform->current_lrca));
	return context_was_on_engine(gt, context);
}

bool gtdbg_context_reachable(struct gtdbg_gt *gt, struct gtdbg_context *context,
			     bool fresh)
{
	lockdep_assert_held(&gt->lock);
	if (!gt->ops->is_shared)
		return true;
	if (!fresh && gt->engine_hold == gt->hold)
		return context_was_on_engine(gt, context);
	if (!gtdbg_context_on_engine(gt, context))
		return false;
	/* The top table may be another process's by now: that has no such area. */
	return !fresh || gtdbg_savearea_is_there(gt, context);
}

void gtdbg_context_yield(struct gtdbg_gt *gt, struct gtdbg_context *context)
{
	lockdep_assert_held(&gt->lock);
	if (!cond_resched())
		return;
	gtdbg_ppgtt_forget(context);
	/* At once: with the client's lock, which may be taken next, no register is read. */
	gtdbg_context_on_engine(gt, context);
}

struct gtdbg_context *gtdbg_context_current(struct gtdbg_gt *gt, u32 lrca)
{
	struct gtdbg_context *context;
	u64 pml4;

	lockdep_assert_held(&gt->lock);
	lrca &= LRCA_MASK;
	pml4 = lrca ? context_pml4(gt, lrca) : 0;
	if (!pml4)
		return NULL;
	/* Mostly it is the one that ran last. */
	list_for_each_entry_reverse(context, &gt->contexts, node) {
		if (context->pml4 == pml4) {
			context->lrca = lrca;
			list_move_tail(&context->node, &gt->contexts);
			return context;
		}
	}
	return context_create(gt, lrca, pml4);
}

/*
 * Not one of another process, which on a shared GPU may have got its page table
 * meanwhile; what is not on the engine is not reachable anyway.
 */
static bool context_is_known(struct gtdbg_gt *gt, struct gtdbg_context *context)
{
	return context->reported &&
	       (!gt->ops->is_shared ||
		gtdbg_savearea_check(gt, context) != -ENOENT);
}

struct gtdbg_context *gtdbg_context_find(struct gtdbg_gt *gt, u32 id)
{
	struct gtdbg_context *context;

	lockdep_assert_held(&gt->lock);
	list_for_each_entry(context, &gt->contexts, node)
		if (context->id == id)
			return context_is_known(gt, context) ? context : NULL;
	return NULL;
}

/* Nothing is in the table of the area that is there now: sites come next. */
static void context_table_begin(struct gtdbg_gt *gt,
				struct gtdbg_context *context)
{
	gtdbg_table_clear(gt, context);
	if (context->site_count)
		context->sites_retry = ktime_get();
}

void gtdbg_context_rebase(struct gtdbg_gt *gt, struct gtdbg_context *context)
{
	struct gtdbg_batch_bases bases = context->bases;

	lockdep_assert_held(&gt->lock);
	if (gtdbg_batch_find_bases(gt, context, &bases) ||
	    (bases.instruction == context->bases.instruction &&
	     bases.general == context->bases.general))
		return;
	context->bases = bases;
	/* What it holds is relative to the base. */
	context_table_begin(gt, context);
	context_report(gt, context, GTDBG_EVENT_CONTEXT_UPDATE);
}

/* The search has made a piece of its way and found nothing so far. */
static void context_search_pause(struct gtdbg_gt *gt,
				 struct gtdbg_context *context, int ret,
				 ktime_t start)
{
	ktime_t now = ktime_get();
	u64 took = ktime_to_ns(ktime_sub(now, start)), pause = took;

	context->search_ns += took;
	if (ret != -EAGAIN || context->search_ns > SEARCH_EAGER_NS)
		pause = SEARCH_PAUSE * took;
	gt->next_search = ktime_add_ns(now, pause);
	if (ret == -EAGAIN)
		return;
	context->searched = true;
	context->next_search = ktime_add_ms(now, context->search_backoff_ms);
	context->search_backoff_ms = min(2 * context->search_backoff_ms,
					 SEARCH_BACKOFF_MAX_MS);
}

/*
 * Its save area is not there any more, or another client's: so is what its memory
 * holds, and nothing is written back to it. If it is ever the client's again it is
 * a new one.
 */
static void context_disown(struct gtdbg_gt *gt, struct gtdbg_context *context)
{
	gtdbg_threads_leave(gt, context);
	/* Their last records say of which kernel they are. */
	gtdbg_queues_leave(gt, context);
	gtdbg_loads_destroy(gt, context);
	gtdbg_sites_destroy(context);
	gtdbg_table_destroy(gt, context);
	gtdbg_ring_destroy(context);
	context_report_remove(gt, context);
	context->reported = false;
	context->late = false;
	context->queues_late = false;
	context->id = gt->next_context;
	gt->next_context = context->id % INT_MAX + 1;
}

/* It has a save area: it is the client's, and from now on sessions know it. */
static void context_found(struct gtdbg_gt *gt, struct gtdbg_context *context)
{
	u16 kind = context->reported ? GTDBG_EVENT_CONTEXT_UPDATE :
				   GTDBG_EVENT_CONTEXT_ADD;
	int ret;

	trace_gtdbg_savearea(gt->id, context->id, context->savearea.sip);
	context_table_begin(gt, context);
	context->passing = false;
	ret = gtdbg_queues_set_active(gt, context, gt->active);
	if (ret < 0)
		context->late = true;
	/* Some threads of what runs may have come when it was not set yet. */
	if (ret && !gtdbg_hw_idle(gt))
		gt->counting = false;
	context->reported = true;
	context_report(gt, context, kind);
}

/*
 * Queues of the runtime have images of their own in one address space, and areas of their own.
 * While threads stand the engine stays at theirs.
 */
static void context_follow(struct gtdbg_gt *gt, struct gtdbg_context *context,
			   ktime_t now)
{
	int ret;

	if (context->area_lrca == context->lrca || gt->stopped ||
	    !context->savearea.address ||
	    ktime_before(now, context->next_search))
		return;
	ret = gtdbg_queue_follow(gt, context);
	if (ret < 0)
		context->next_search = ktime_add_ms(now, FOLLOW_MS);
	if (ret <= 0)
		return;
	gtdbg_threads_leave(gt, context);
	context_found(gt, context);
	gtdbg_context_rebase(gt, context);
}

/*
 * A search costs a look at every mapped page, so it is made in pieces, with
 * pauses that are short at first; failures are repeated at growing intervals:
 * pages may be mapped later, or the SIP may be an unknown one.
 */
void gtdbg_context_search(struct gtdbg_gt *gt, struct gtdbg_context *context)
{
	ktime_t start = ktime_get();
	int ret;

	lockdep_assert_held(&gt->lock);
	/* First, as what the one before it had may not be mapped by now. */
	context_follow(gt, context, start);
	ret = gtdbg_savearea_check(gt, context);
	if (ret == -ENOENT && gt->ops->is_shared && context->reported)
		context_disown(gt, context);
	if (ret != -ENOENT || ktime_before(start, context->next_search) ||
	    ktime_before(start, gt->next_search))
		return;
	ret = gtdbg_savearea_find(gt, context);
	if (ret) {
		context_search_pause(gt, context, ret, start);
		return;
	}
	context->search_cursor = 0;
	context->search_ns = 0;
	context->search_backoff_ms = 1;
	/* Its counts say nothing about stops and records in one that was there before. */
	gtdbg_threads_leave(gt, context);
	gtdbg_ring_destroy(context);
	gtdbg_queue_forget(gt, context, context->savearea.address);
	context_found(gt, context);
}

void gtdbg_context_catch_up(struct gtdbg_gt *gt, struct gtdbg_context *context)
{
	bool late = context->late;

	lockdep_assert_held(&gt->lock);
	if ((!late && !context->queues_late) || !context->reported ||
	    gtdbg_savearea_check(gt, context))
		return;
	context->late = false;
	/* What is not done when it leaves the engine makes it late again. */
	if (gtdbg_queues_set_active(gt, context, gt->active) == -EAGAIN)
		context->late = true;
	/* Else some queue's area is to be told, and nothing else. */
	if (!late)
		return;
	if (gt->active)
		gtdbg_sites_sync(gt, context);
	else
		gtdbg_sites_restore(gt, context);
}

void gtdbg_contexts_destroy(struct gtdbg_gt *gt)
{
	struct gtdbg_context *context, *next;

	list_for_each_entry_safe(context, next, &gt->contexts, node)
		context_free(gt, context);
}
