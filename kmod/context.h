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
#include <linux/types.h>

#include "batch.h"
#include "launch.h"
#include "savearea.h"

struct gtdbg_gt;

struct gtdbg_context {
	struct list_head node;
	u32 id;
	u64 pml4; /* physical address of the top page table */
	u32 lrca; /* of its image, in the global translation table */
	struct gtdbg_batch_bases bases; /* 0: unknown */
	struct gtdbg_savearea savearea;
	ktime_t next_search; /* earliest time to look for the save area again */
	u32 search_backoff_ms;
	u64 search_cursor; /* where the search goes on */
	u64 search_ns; /* what it has taken so far */
	bool search_foreign; /* it has come by another client's area */
	bool searched; /* at least once from beginning to end */
	u32 unavailable_told; /* bits 1 << GTDBG_UNAVAILABLE_* */
	struct list_head loads; /* struct gtdbg_load */
	u32 load_count;
	struct list_head sites; /* struct gtdbg_site */
	u32 site_count;
	u32 synced_generation; /* of the client's breakpoints */
	bool sites_missing; /* memory was short: sync again */
	struct gtdbg_position followed; /* launches up to here were told */
	struct gtdbg_position sighted; /* this one was left to its threads */
	ktime_t next_follow;

	/*
	 * Valid within one hold of the GT's lock: the last page table used, and
	 * that the save area's magic was seen.
	 */
	u64 walk_tag, walk_table;
	bool savearea_seen;
};

/* The context that the engine is at, or was at last, made known if it is new. */
struct gtdbg_context *gtdbg_context_current(struct gtdbg_gt *gt, u32 lrca);

struct gtdbg_context *gtdbg_context_find(struct gtdbg_gt *gt, u32 id);

/* Find the save area and instruction base, if missing and it is time to. */
void gtdbg_context_search(struct gtdbg_gt *gt, struct gtdbg_context *context);

/* Learn the bases anew. */
void gtdbg_context_rebase(struct gtdbg_gt *gt, struct gtdbg_context *context);

/* Another client comes: all is to be learned anew. */
void gtdbg_contexts_forget(struct gtdbg_gt *gt);

/* The GT goes, and no one uses it any more. */
void gtdbg_contexts_destroy(struct gtdbg_gt *gt);

/* The event that describes @context. */
struct gtdbg_event_context_add;
void gtdbg_context_describe(const struct gtdbg_gt *gt,
			    const struct gtdbg_context *context,
			    struct gtdbg_event_context_add *payload);

#endif
