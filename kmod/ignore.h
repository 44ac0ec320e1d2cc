/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Ignore counts: so many threads that would stop at a breakpoint run on. Threads take
 * from a count themselves, at one of the breakpoint's places; who has been told of a stop
 * takes from the same one. All functions need the GT's lock, where not said otherwise.
 */
#ifndef GTDBG_IGNORE_H
#define GTDBG_IGNORE_H

#include <linux/bitops.h>
#include <linux/gtdbg_sip.h>
#include <linux/types.h>

struct gtdbg_client;
struct gtdbg_context;
struct gtdbg_gt;
struct gtdbg_program;
struct gtdbg_session;

/* One that threads of an area take from: what it is for. */
struct gtdbg_ignore {
	u32 breakpoint; /* id */
	u64 serial; /* of its program */
	u32 limit;
	u32 passed; /* so many, as was last seen */
};

/* Those of an area, zeroed at first. */
struct gtdbg_ignores {
	DECLARE_BITMAP(used, GTDBG_SIP_IGNORES_MAX);
	u32 next; /* to use next: as long after its last use as can be */
	struct gtdbg_ignore ignore[GTDBG_SIP_IGNORES_MAX];
};

/*
 * Which one threads of the @program take from that is about to be bound; 0: one that lets
 * nobody run on, as others take at another place. The context has a table.
 */
u32 gtdbg_ignore_begin(struct gtdbg_gt *gt, struct gtdbg_context *context,
		       const struct gtdbg_program *program);

/* Nobody runs on by @number any more; another place may have what is left. */
void gtdbg_ignore_end(struct gtdbg_gt *gt, struct gtdbg_context *context,
		      u32 number);

/* All of them; if they are not @readable, as the area is gone, nothing more is counted. */
void gtdbg_ignores_end(struct gtdbg_gt *gt, struct gtdbg_context *context,
		       bool readable);

/* What threads have taken by now, before their area may go. */
void gtdbg_ignores_count(struct gtdbg_gt *gt, struct gtdbg_context *context);

/*
 * No lock held. What threads have taken from the count of breakpoint @id is counted, and
 * with @take one more is taken, if there is one left: then 1, else 0. -ENOENT.
 */
int gtdbg_ignore_take(struct gtdbg_session *session, u32 id, bool take);

#endif
