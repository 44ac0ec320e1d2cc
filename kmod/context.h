/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Contexts: address spaces of a GT. They are found by looking at what runs,
 * from the register that names the running context through its image to its
 * page tables. All functions need the GT's lock.
 */
#ifndef GTDBG_CONTEXT_H
#define GTDBG_CONTEXT_H

#include <linux/ktime.h>
#include <linux/list.h>
#include <linux/rbtree.h>
#include <linux/types.h>

#include "batch.h"
#include "launch.h"
#include "queue.h"
#include "savearea.h"
#include "watch.h"

struct gtdbg_account;
struct gtdbg_front;
struct gtdbg_gt;
struct gtdbg_ring;
struct gtdbg_table;

struct gtdbg_context {
	struct list_head node;
	u32 id;
	bool pinned; /* someone keeps a pointer to it across scans */
	bool reported; /* sessions know of it: on a shared GPU the client's alone */
	bool late; /* changes wait until it is on the engine */
	bool queues_late; /* likewise, of flags of queues that do not run */
	bool passing; /* its SIP lets threads pass at entries */
	u64 pml4; /* physical address of the top page table */
	u32 lrca; /* of its image, in the global translation table */
	struct gtdbg_batch_bases bases; /* 0: unknown */
	struct gtdbg_savearea savearea;
	u32 area_lrca; /* the image whose commands name it; 0: it was searched for */
	struct gtdbg_front *front; /* pages that are kept; NULL: none are */
	ktime_t front_retry; /* earliest time to try again, if they were refused */
	struct gtdbg_table *table; /* NULL: nothing is in it */
	struct gtdbg_ring *ring; /* NULL: nothing writes records */
	/* Of other images in this address space, the last one ran last. */
	struct gtdbg_queue queues[GTDBG_QUEUES_MAX];
	u32 queue_count;
	ktime_t next_search; /* earliest time to look for the save area again */
	u32 search_backoff_ms;
	u64 search_cursor; /* where the search goes on */
	u64 search_ns; /* what it has taken so far */
	bool search_foreign; /* it has come by another client's area */
	bool searched; /* at least once from beginning to end */
	u32 unavailable_reported; /* bits 1 << GTDBG_UNAVAILABLE_* */
	struct gtdbg_account *account; /* of the client; NULL: there is none */
	struct list_head loads; /* struct gtdbg_load */
	struct rb_root loads_by_address;
	u32 load_count;
	struct rb_root sites; /* struct gtdbg_site, by address */
	u32 site_count;
	u32 synced_generation; /* of the client's breakpoints */
	ktime_t sites_retry; /* not 0: memory was short, sync again then */
	struct gtdbg_position followed; /* launches up to here were reported */
	struct gtdbg_position sighted; /* this one was left to its threads */
	ktime_t next_follow;
	struct gtdbg_watch_mark watched[GTDBG_WATCH_MARKS];
	u32 watched_next; /* which makes room, by their number */

	/*
	 * Valid within the @hold of the GT's lock: the last page table used, the
	 * last page, and that the save area's magic was seen.
	 */
	u64 hold;
	u64 walk_tag, walk_table;
	u64 page_tag, page_phys;
	bool walk_writable, page_writable; /* all the way */
	bool savearea_seen;
};

/* The context that the engine is at, or was at last, made known if it is new. */
struct gtdbg_context *gtdbg_context_current(struct gtdbg_gt *gt, u32 lrca);

/* One that sessions know of; NULL: there is none, or it is not the client's. */
struct gtdbg_context *gtdbg_context_find(struct gtdbg_gt *gt, u32 id);

/*
 * May its memory be used? On a shared GPU it may go, or become another context's,
 * as soon as it is not on the engine. The answer lasts for one hold of the lock, or,
 * if it is @fresh, for as long as it takes to use it: then the client's area was there.
 */
bool gtdbg_context_reachable(struct gtdbg_gt *gt, struct gtdbg_context *context,
			     bool fresh);

/* The same as it is now, whoever's the area there is. */
bool gtdbg_context_on_engine(struct gtdbg_gt *gt, struct gtdbg_context *context);

/*
 * Let others run in the middle of one hold of the lock. Where any did, @context may have
 * left the engine: that, and where its pages are, is looked at anew. That may find the
 * device gone, so the client's lock is not held.
 */
void gtdbg_context_yield(struct gtdbg_gt *gt, struct gtdbg_context *context);

/* It is on the engine: do what could not be done to it while it was not. */
void gtdbg_context_catch_up(struct gtdbg_gt *gt, struct gtdbg_context *context);

/* Find the save area and instruction base, if missing and it is time to. */
void gtdbg_context_search(struct gtdbg_gt *gt, struct gtdbg_context *context);

/* Learn the bases anew. */
void gtdbg_context_rebase(struct gtdbg_gt *gt, struct gtdbg_context *context);

/* Call this before what is valid within one hold of the lock is used. */
void gtdbg_context_refresh(const struct gtdbg_gt *gt,
			   struct gtdbg_context *context);

/*
 * What is remembered of a context is charged to its client's user: 0 or -EDQUOT,
 * and the end of it.
 */
int gtdbg_context_charge(struct gtdbg_context *context, u64 bytes);
void gtdbg_context_uncharge(struct gtdbg_context *context, u64 bytes);

/* The GT goes, and no one uses it any more. */
void gtdbg_contexts_destroy(struct gtdbg_gt *gt);

/* The event that describes @context. */
struct gtdbg_event_context_add;
void gtdbg_context_describe(const struct gtdbg_gt *gt,
			    const struct gtdbg_context *context,
			    struct gtdbg_event_context_add *payload);

#endif
