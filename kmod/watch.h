/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Watching: what runs on a device, for who listens to the tracepoints of that. It
 * needs no session. While nobody listens nothing of it is done.
 */
#ifndef GTDBG_WATCH_H
#define GTDBG_WATCH_H

#include <linux/ktime.h>
#include <linux/types.h>

#include <linux/gtdbg.h>

#include "launch.h"

struct gtdbg_context;
struct gtdbg_gt;

#define GTDBG_WATCH_MARKS 4 /* queues of an address space that take turns */

/* A queue's last launch, which goes on if the queue comes back to it. */
struct gtdbg_watch_mark {
	u64 serial;
	u64 address;
	u32 lrca; /* the queue's image; 0: there is none, or its request is not known */
	u32 ring;
	u32 request; /* a hash of what the ring has there */
};

/* What a GT's poller remembers from look to look. */
struct gtdbg_watch {
	bool on; /* since the last look */
	ktime_t looked; /* begin of the last look */
	u32 context; /* id of the one on the engine, 0: none, or not the client's */
	struct gtdbg_position position; /* at the last look */
	u32 ring; /* of the launch that runs, with */
	u64 address; /* its command; 0: none does */
	u64 serial;
	struct gtdbg_watch_launch launch;
};

/* Called by the tracepoints when the first one listens, and after the last. */
int gtdbg_watch_begin(void);
void gtdbg_watch_end(void);

/* Does somebody listen? Any time. */
bool gtdbg_watch_is_on(void);

/* The rest needs the GT's lock. */

/* A look, with @context on the engine, or NULL: none of the client's. */
void gtdbg_watch_look(struct gtdbg_gt *gt, struct gtdbg_context *context);

#endif
