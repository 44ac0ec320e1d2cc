/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Queues of one address space: the runtime gives each an image and a save area of its
 * own. The area of the one that runs is the context's; what the others' areas have is
 * kept here, and is the context's again when they run. All functions need the GT's lock.
 */
#ifndef GTDBG_QUEUE_H
#define GTDBG_QUEUE_H

#include <linux/types.h>

#include "savearea.h"

struct gtdbg_context;
struct gtdbg_front;
struct gtdbg_gt;
struct gtdbg_ring;
struct gtdbg_table;

/* Of an address space, beside the one that runs. */
#define GTDBG_QUEUES_MAX 8

/* One that does not run. While it is visited, what the context has is here instead. */
struct gtdbg_queue {
	struct gtdbg_savearea savearea;
	struct gtdbg_front *front; /* NULL: no pages are kept */
	struct gtdbg_ring *ring; /* NULL: nothing writes records */
	struct gtdbg_table *table; /* of the context: nothing is in the queue's */
	bool savearea_seen; /* likewise */
};

/*
 * Take the area that the commands of the image name which runs now, if it is not the one
 * in use: 1; 0: it is. ENOENT: they name none so far. What was in use decides nothing
 * any more.
 */
int gtdbg_queue_follow(struct gtdbg_gt *gt, struct gtdbg_context *context);

/* The area at @address was found in another way: it is the context's. */
void gtdbg_queue_forget(struct gtdbg_gt *gt, struct gtdbg_context *context,
			u64 address);

/*
 * Whether threads are to stop at all, in the areas of all queues. 1: those of the one
 * that runs were to do the other until now. -EAGAIN: its area cannot be reached now; others
 * that cannot are told when the context catches up.
 */
int gtdbg_queues_set_active(struct gtdbg_gt *gt, struct gtdbg_context *context,
			    bool active);

/* Report the records of all contexts, as far as the reader keeps up. */
void gtdbg_queues_drain(struct gtdbg_gt *gt);

/* The session ends: report all records, keep nothing but where the areas are. */
void gtdbg_queues_leave(struct gtdbg_gt *gt, struct gtdbg_context *context);

/* The areas are gone. */
void gtdbg_queues_destroy(struct gtdbg_gt *gt, struct gtdbg_context *context);

#endif
