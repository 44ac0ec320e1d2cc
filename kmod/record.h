/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The ring of a save area, where threads write what they hold at a breakpoint and
 * run on. Functions that take a GT need its lock. A context without a ring has no records.
 */
#ifndef GTDBG_RECORD_H
#define GTDBG_RECORD_H

struct gtdbg_context;
struct gtdbg_gt;

/*
 * A program that writes records is about to be bound: look for them from now on.
 * -EOPNOTSUPP: the SIP writes none.
 */
int gtdbg_ring_begin(struct gtdbg_gt *gt, struct gtdbg_context *context);

/* Report what there is, and look no more. */
void gtdbg_ring_end(struct gtdbg_gt *gt, struct gtdbg_context *context);

/* The area is gone. */
void gtdbg_ring_destroy(struct gtdbg_context *context);

/* Report what there is, as far as the reader keeps up. */
void gtdbg_ring_drain(struct gtdbg_gt *gt, struct gtdbg_context *context);

#endif
