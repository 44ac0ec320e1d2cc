/* SPDX-License-Identifier: MIT */
/*
 * Hits that are not said yet: of threads that did not become current, and of breakpoints
 * that are not what a stop is for. The first one of each breakpoint is kept.
 */
#ifndef GTDBGCTL_MISSED_H
#define GTDBGCTL_MISSED_H

#include <gtdbg.h>
#include <stdbool.h>

struct breakpoint;
struct debugger;

/* Of nothing, NULL, or a watchpoint nothing is kept. @is_meanwhile: one thread went alone. */
void missed_keep(struct debugger *debugger,
		 const struct gtdbg_thread_info *thread,
		 const struct breakpoint *hit, int lane, bool is_meanwhile);

/* The same of all that are marked is_further, for which @thread has stopped as well. */
void missed_keep_further(struct debugger *debugger,
			 const struct gtdbg_thread_info *thread, int lane,
			 bool is_meanwhile);

/* Those of breakpoint @number, 0: of none; and what has moved since, or is deleted or disabled. */
void missed_forget(struct debugger *debugger, int number);

/* The first one, which is forgotten then; NULL: there is none. */
struct breakpoint *missed_take(struct debugger *debugger,
			       struct gtdbg_thread_info *thread_out,
			       int *lane_out);

/*
 * Those of the current stop are part of it: it is said, behind what it is for, their
 * commands follow, and temporary ones are deleted.
 * @starts: that is a line of its own
 */
void missed_announce(struct debugger *debugger, bool starts);

/* Only says what came while one thread stepped, where that one is what is shown. */
void missed_tell(struct debugger *debugger);

void missed_fini(struct debugger *debugger);

#endif
