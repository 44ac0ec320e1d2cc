/* SPDX-License-Identifier: MIT */
/*
 * Watchpoints: a breakpoint that has no place but bytes that it looks at. Threads that
 * may change them do not run but step, and stop behind the instruction that has.
 */
#ifndef GTDBGCTL_WATCH_H
#define GTDBGCTL_WATCH_H

#include "access.h"
#include "debugger.h"

#include <gtdbg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct breakpoint;
struct debugger;
struct gtdbg_code;
struct value;

#define WATCH_NOWHERE UINT64_MAX

/* What of it stops. */
#define WATCH_WRITES	1
#define WATCH_READS	2

struct watch {
	char *expression;
	uint32_t what;		/* WATCH_* */
	bool is_location;	/* wherever the thread is, until it ends */
	bool is_shared;		/* all threads of the context are watched */
	uint32_t device;
	uint32_t context;
	uint32_t slot;		/* of the thread, if it is one */
	uint32_t lane;
	bool is_marked;		/* the thread is: another one of the slot is not */
	/* Of a variable: how deep in the stack its function is, and who called it. */
	int depth;
	uint64_t return_address;	/* WATCH_NOWHERE: no one has */
	struct value *old;
	uint64_t steps;		/* how often a thread was let go */
	uint64_t writes;	/* how often for one instruction that may write it */
	uint64_t unknown;	/* reads whose addresses are not known */

	/* The last hit. */
	bool has_ended;		/* it was none: the function has returned */
	struct value *was;	/* NULL: it was only read */
	struct value *now;
	uint64_t writer;	/* the instruction */
	uint32_t lanes;		/* that wrote or read there, 0: not known */
	uint32_t shown;		/* the one whose variables are shown */
};

/* Of an instruction that a thread is about to execute: behind it an answer may lie there. */
struct watch_accesses {
	struct access list[ACCESSES_MAX];
	int count;		/* negative: they are not known */
};

/* A thread that was let go by steps, for watchpoints or by the user. */
struct watched {
	struct gtdbg_thread_info thread;	/* as it stood then */
	bool is_single;		/* one instruction, that may write what is watched */
	bool is_driven;		/* only watchpoints wanted it to stop */
	bool is_waiting;	/* stands before such an instruction, and another */
	bool is_writing;	/* thread is at its own, alone */
	struct watch_accesses accesses;	/* of that one instruction */
};

/* watch_code.c */
enum code_kind {
	CODE_PLAIN,
	CODE_READS,	/* memory, if that matters */
	CODE_WRITES,	/* memory, perhaps */
	CODE_ENDS,	/* the thread, behind it */
	CODE_ENDS_WRITING,	/* both */
};

/* What is plain as well. */
#define CODE_PASS_READS		1	/* they do not matter */
#define CODE_PASS_SEEN		2	/* the EU looks at their addresses */

/* The most that a channel of those accesses: what has more is the host's. */
#define WATCH_ACCESS_BYTES	16

enum code_kind code_kind(struct gtdbg_code *code, uint64_t offset,
			 uint32_t passes);
/* The plain code around @offset, up to @stop. */
void code_range(struct gtdbg_code *code, uint64_t offset, uint64_t stop,
		uint32_t passes, uint64_t *first_out, uint64_t *end_out);

/* watch_step.c */
/* Is the thread one that the breakpoint watches? Also if it is disabled. */
bool watch_is_of(const struct breakpoint *breakpoint,
		 const struct gtdbg_thread_info *thread);
/* Does any watchpoint concern the thread? */
bool watch_concerns(struct debugger *debugger,
		    const struct gtdbg_thread_info *thread);
struct watched *watched_find(struct debugger *debugger,
			     const struct gtdbg_thread_info *thread);
/*
 * Lets the thread go by steps, now, or when its turn comes; false: it is not watched, or
 * about to end.
 */
bool watch_resume(struct debugger *debugger,
		  const struct gtdbg_thread_info *thread);
/* Is a thread at an instruction that may write what others watch, too? */
bool watch_is_writing(const struct debugger *debugger);
/* Whose turn it is to write goes on. */
void watch_take_turns(struct debugger *debugger);
/*
 * Waits until those that were let go stand, which they do soon: what they do until then is
 * looked at as it was watched when they went. One that waits for another thread, or has ended,
 * is waited for in vain, for a second.
 */
void watch_stand(struct debugger *debugger);
/* No one waits for it any more: the user is asked. */
void watch_settle(struct debugger *debugger);
/* The user steps it. */
void watch_note(struct debugger *debugger,
		const struct gtdbg_thread_info *thread);
/* Was the thread stepped for watchpoints alone? */
bool watch_drives(struct debugger *debugger,
		  const struct gtdbg_thread_info *thread);
/* When the session ends: the threads are gone. */
void watches_fini(struct debugger *debugger);

/* What is watched in a thread goes with it. */
void watch_thread_end(struct debugger *debugger,
		      const struct gtdbg_thread_info *thread);

/* watch.c */
/* Makes a stopped thread known from others that get its slot; false: it cannot. */
bool watch_thread_mark(struct debugger *debugger,
		       const struct gtdbg_thread_info *thread);
void watch_destroy(struct watch *watch);
/* Is it in memory of all threads? Addresses with a tag are a group's, or a thread's. */
bool watch_is_global(const struct value *value);
/* Which lanes read there; 0: none is known to. */
uint32_t watch_readers(const struct watch *watch,
		       const struct watch_accesses *accesses);
/* Which write there, 0: not known; false: none does. */
bool watch_writers(const struct watch *watch,
		   const struct watch_accesses *accesses, uint32_t *lanes_out);
/* The lane that the last hit is shown for. */
int watch_lane(const struct watch *watch);
/*
 * The watchpoint whose value the thread has just changed or read, and the lane; or NULL.
 * It is the first one, and the others are further ones.
 */
struct breakpoint *watch_hit(struct debugger *debugger,
			     const struct gtdbg_thread_info *thread,
			     int *lane_out);

/* watch_print.c: "Read watchpoint" and so on */
const char *watch_name(const struct watch *watch);
void watch_print_cost(const struct watch *watch);
void watch_print_hit(struct debugger *debugger,
		     const struct gtdbg_thread_info *thread, int lane,
		     const struct breakpoint *breakpoint);
/* The thread's further hits, those that have ended for the last time. */
void watch_print_further(struct debugger *debugger,
			 const struct gtdbg_thread_info *thread);

#endif
