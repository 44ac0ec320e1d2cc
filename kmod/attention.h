/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef GTDBG_ATTENTION_H
#define GTDBG_ATTENTION_H

#include <linux/types.h>

struct gtdbg_gt;

/*
 * Look once at all attention bits of a GT, find new stops, decide about each,
 * and report them to the sessions. The GT's lock is held. Returns the number of
 * new stops.
 */
u32 gtdbg_attention_scan(struct gtdbg_gt *gt);

#endif
