/* SPDX-License-Identifier: MIT */
/* Letting threads run, and waiting for them. */
#ifndef GTDBGCTL_WAIT_H
#define GTDBGCTL_WAIT_H

#include <gtdbg.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

struct debugger;

enum wait_result {
	WAIT_STOPPED = 1,	/* a thread is current now */
	WAIT_EXITED = 2,
	WAIT_INTERRUPTED = 3,	/* by Ctrl-C, and nothing has stopped */
	WAIT_TIMED_OUT = 4,
	WAIT_UNREADABLE = 5,	/* what has stopped is gone, as was said */
};

/* Until there are events of what is gone. */
#define GONE_MS 2000

/* @alone: the only thread that was let go, or NULL. */
enum wait_result wait_stop(struct debugger *debugger,
			   const struct gtdbg_thread_info *alone,
			   int timeout_ms);
/*
 * Makes a thread current that stands at another breakpoint than the one that was said. As
 * long as there is one, none is to be let go.
 */
bool wait_missed(struct debugger *debugger);
int resume_all(struct debugger *debugger);
/* The list of those that stay stopped. */
void stopped_keep(struct debugger *debugger,
		 const struct gtdbg_thread_info *thread);
void stopped_forget(struct debugger *debugger,
		    const struct gtdbg_thread_info *thread);
/* Is it there, and has not gone on since? After an overflow a stop may come twice. */
bool stopped_is_known(const struct debugger *debugger,
		      const struct gtdbg_thread_info *thread);
bool thread_is_same(const struct gtdbg_thread_info *a,
		    const struct gtdbg_thread_info *b);
/* The thread itself, whatever is watched. */
int resume_slot(struct debugger *debugger,
		const struct gtdbg_thread_info *thread, uint32_t command);
/* Stops what runs on all devices: how many threads, or a negative errno. */
int threads_interrupt(struct debugger *debugger, uint32_t *refusal);
int resume_thread(struct debugger *debugger,
		  const struct gtdbg_thread_info *thread, uint32_t command);
#define COMPACT_BYTES 8 /* the shortest instruction */
/* Code as gtdbg_thread_info.ip says where a thread is. */
struct step_range {
	uint64_t first, end;
	uint32_t steps; /* 0: any number */
	uint32_t lanes; /* that step: while none is active others do; 0: all */
	/* To go on in calls: the function around, and its frame register. */
	uint64_t function_first, function_end;
	uint32_t frame_register; /* 0: a call is the end */
	/* Before messages that go there it ends. */
	uint32_t watch; /* GTDBG_RESUME_WATCH_*, 0: none */
	uint32_t watch_bytes;
	uint64_t watch_first;
};

/* The thread itself, whatever is watched; a negative errno: the GPU does not make them. */
int resume_slot_range(struct debugger *debugger,
		      const struct gtdbg_thread_info *thread,
		      const struct step_range *range);

/* Where the GPU makes these steps itself; a negative errno: it does not. */
int resume_range(struct debugger *debugger,
		 const struct gtdbg_thread_info *thread,
		 const struct step_range *range);

/* interrupt.c: signals end every wait */
void interrupt_catch(void);
/*
 * Serves someone else while the tool waits for a descriptor (-1: none); true if
 * it did, false if the descriptor is ready or the time is up. NULL: no one.
 */
extern bool (*wait_serve)(int fd, int timeout_ms);
/*
 * Hands on what others write to the tool's descriptors, for some time or until @fd is ready;
 * false if it is to end. NULL: they write elsewhere.
 */
extern bool (*wait_hand_on)(int fd);
/* Ctrl-C, or a signal to end the tool. */
extern volatile sig_atomic_t wait_is_interrupted;
/* The signal that is to end the tool, 0: none. */
extern volatile sig_atomic_t wait_is_ended;

#endif
