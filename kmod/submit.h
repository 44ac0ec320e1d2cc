/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Kernel submits: the first thread that stops at a kernel's entry shows that it
 * was launched. All functions need the GT's lock.
 */
#ifndef GTDBG_SUBMIT_H
#define GTDBG_SUBMIT_H

#include <linux/types.h>

struct gtdbg_context;
struct gtdbg_gt;
struct gtdbg_load;

enum gtdbg_submit {
	GTDBG_SUBMIT_PASSES,
	GTDBG_SUBMIT_WAITS, /* until its launch is acknowledged */
	GTDBG_SUBMIT_EARLY, /* the first thread of its launch is to be seen before it */
};

/* What is to become of thread @slot, which has reached @load? */
enum gtdbg_submit
gtdbg_submit_reached(struct gtdbg_gt *gt, struct gtdbg_context *context,
		     struct gtdbg_load *load, u32 slot);

/* Let the threads that wait for event @seqno run; -ENOENT: none does. */
int gtdbg_submit_ack(struct gtdbg_gt *gt, u64 seqno);

/*
 * Threads are to stop at entries that they pass so far: somebody wants to know of
 * launches, or sets breakpoints.
 */
void gtdbg_submits_hold(struct gtdbg_gt *gt);

/*
 * Sessions may want to know of launches from now on, or do not any more: then threads
 * may pass entries, where the SIP can do that and there are no breakpoints.
 */
void gtdbg_submits_want(struct gtdbg_gt *gt);

/*
 * What @context had in flight was reset: counts of it do not say who comes next, and windows
 * are closed with them.
 */
void gtdbg_submits_cut(struct gtdbg_gt *gt, struct gtdbg_context *context);

/* The GT is idle: the next launch of each kernel is to be seen again. */
void gtdbg_submits_rearm(struct gtdbg_gt *gt);

/*
 * The GT is busy with @context. Report the launch that runs if none of its
 * threads does, because the entry was lifted for the one before it.
 */
void gtdbg_submits_follow(struct gtdbg_gt *gt, struct gtdbg_context *context);

#endif
