/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Page faults of a GT, and holding its threads at one. All functions need the
 * GT's lock.
 */
#ifndef GTDBG_FAULT_H
#define GTDBG_FAULT_H

#include <linux/types.h>

struct gtdbg_context;
struct gtdbg_gt;

/* Is there one that a look would report? Not on a GPU whose driver looks at them. */
bool gtdbg_fault_is_due(struct gtdbg_gt *gt);

/* Report one that is new, of @context or, NULL, of no one knows whom. */
void gtdbg_fault_check(struct gtdbg_gt *gt, const struct gtdbg_context *context);

/* Threads that start from now on run again; -ENOENT: it is not held. */
int gtdbg_fault_ack(struct gtdbg_gt *gt, u64 seqno);

/* The same for whichever is held, if any. */
void gtdbg_fault_end(struct gtdbg_gt *gt);

#endif
