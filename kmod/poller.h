/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The poller of a GT: the one reader of its attention bits.
 */
#ifndef GTDBG_POLLER_H
#define GTDBG_POLLER_H

struct gtdbg_gt;

void gtdbg_poller_init(struct gtdbg_gt *gt);

/*
 * Start and stop, once each. The GT's lock is not held: to stop it is to wait
 * until it has looked.
 */
int gtdbg_poller_start(struct gtdbg_gt *gt);
void gtdbg_poller_stop(struct gtdbg_gt *gt);

/* What it is to look for has changed. No lock is needed. */
void gtdbg_poller_wake(struct gtdbg_gt *gt);

/* Something is going to happen: look at once, and often. GT's lock held. */
void gtdbg_poller_kick(struct gtdbg_gt *gt);

#endif
