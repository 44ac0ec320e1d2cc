/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The front of a save area: all of it before its slots, which threads that run look at
 * (the flags, the table, programs, counters) or write to (records). On a shared GPU its
 * pages are kept. All functions need the GT's lock.
 */
#ifndef GTDBG_FRONT_H
#define GTDBG_FRONT_H

#include <linux/types.h>

struct gtdbg_context;
struct gtdbg_front;
struct gtdbg_gt;

/*
 * Can it be used now? On a shared GPU as soon as it was seen on the engine in a session,
 * from when on it is kept, and within reach wherever its context is.
 */
bool gtdbg_front_usable(struct gtdbg_gt *gt, struct gtdbg_context *context);

/*
 * Bytes from the area's start on: all @len_bytes or an error. -ENOENT: what is kept is
 * no area any more.
 */
int gtdbg_front_read(struct gtdbg_gt *gt, struct gtdbg_context *context,
		     u32 offset, void *buf, u32 len_bytes);
int gtdbg_front_write(struct gtdbg_gt *gt, struct gtdbg_context *context,
		      u32 offset, const void *buf, u32 len_bytes);

/*
 * The context is on the engine: are the pages that are kept the ones that it has
 * there? -ENOENT: they are not; -EAGAIN: it has left, or changed, just then.
 */
int gtdbg_front_check(struct gtdbg_gt *gt, struct gtdbg_context *context);

/* The area is gone. */
void gtdbg_front_destroy(struct gtdbg_gt *gt, struct gtdbg_context *context);

#endif
