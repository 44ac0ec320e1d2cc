/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Launches: which command of a context's batches started the threads that run,
 * and what it says of their number. All functions need the GT's lock.
 */
#ifndef GTDBG_LAUNCH_H
#define GTDBG_LAUNCH_H

#include <linux/types.h>

struct gtdbg_context;
struct gtdbg_gt;

/* Where the command streamer is. */
struct gtdbg_position {
	u32 ring; /* offset in the ring, behind the batch's start */
	u64 address; /* of the command in the batch */
};

struct gtdbg_launch {
	/* Which one; an address of 0: it is not known. */
	u32 ring;
	u64 address; /* of its first command */

	u64 kernel; /* address of the first instruction; 0: not known */
	u32 slm_bytes; /* local memory of a group, if the kernel is known */
	u32 first[3], end[3]; /* groups; equal: not known */
	u32 simd, threads, items; /* of a group; 0: not known */
	u64 surfaces; /* address of the binding table; 0: not known */
	u64 surface_base; /* what is in there is relative to that */
	u64 total; /* threads of all groups; 0: not known */
	bool partial; /* of some groups, so @total is of no use */
};

void gtdbg_position_read(struct gtdbg_gt *gt, struct gtdbg_position *position);

/*
 * The launch that runs in @context, or that of @kernel if several do: of the
 * commands up to where the streamer is, the last. -ENOENT: it is not known, and
 * @launch_out is zeroed.
 */
int gtdbg_launch_find(struct gtdbg_gt *gt, struct gtdbg_context *context,
		      u64 kernel, struct gtdbg_launch *launch_out);

#endif
