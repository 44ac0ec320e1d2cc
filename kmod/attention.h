/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef GTDBG_ATTENTION_H
#define GTDBG_ATTENTION_H

#include <linux/types.h>

struct gtdbg_gt;

/*
 * A thread that steps is back soon, mostly, and is who is waited for: so until it is, for
 * two milliseconds at most, only its own attention bit is looked at. Not for one while
 * another one is. The GT's lock is held.
 */
void gtdbg_attention_await(struct gtdbg_gt *gt, u32 slot);

enum gtdbg_awaited {
	GTDBG_AWAITED_NONE, /* or nobody has seen it: all are to be looked at */
	GTDBG_AWAITED_STILL,
	GTDBG_AWAITED_CAME, /* likewise */
};
enum gtdbg_awaited gtdbg_attention_awaited(struct gtdbg_gt *gt);

/*
 * Look once at all attention bits of a GT, find new stops, decide about each,
 * and report them to the sessions. The GT's lock is held. Returns the number of
 * new stops.
 */
u32 gtdbg_attention_scan(struct gtdbg_gt *gt);

#endif
