/* SPDX-License-Identifier: MIT */
/*
 * What trace_bpf.c reports to the tool, in a ring: each record begins with a head.
 */
#ifndef GTDBGCTL_TRACE_RECORD_H
#define GTDBGCTL_TRACE_RECORD_H

#include <linux/gtdbg.h>

enum trace_kind {
	TRACE_CALL = 1,		/* struct trace_call */
	TRACE_RETURN = 2,	/* struct trace_return */
	TRACE_LAUNCH_BEGIN = 3,	/* struct trace_launch */
	TRACE_LAUNCH_END = 4,	/* struct trace_launch */
	TRACE_SWITCH = 5,	/* struct trace_switch */
	TRACE_STOP = 6,		/* struct trace_event and its values */
	TRACE_RESUME = 7,
	TRACE_FAULT = 8,
	TRACE_EVENT_LOST = 9,
	TRACE_SCHED_RUN = 10,	/* struct trace_sched */
	TRACE_SCHED_LEAVE = 11,	/* struct trace_sched */
	TRACE_REQUEST_ADD = 12,	/* struct trace_request, of i915 */
	TRACE_REQUEST_DONE = 13,
	TRACE_REQUEST_RETIRE = 14,
	TRACE_REQUEST_WAIT = 15,
	TRACE_REQUEST_WAITED = 16,
	TRACE_FREQUENCY = 17,	/* struct trace_level, of the tool itself */
	TRACE_POWER = 18,
	TRACE_SCHED_WAKE = 19,	/* struct trace_sched */
	TRACE_DECISION = 20,	/* struct trace_event and its values */
	TRACE_RESET = 21,
	TRACE_DEVICE_LOST = 22,
	TRACE_PRINT = 23,	/* struct trace_print */
	TRACE_LOST = 24,	/* no record: what had no room for one */
};

struct trace_head {
	__u32 kind;
	__u32 pid;	/* of whose call it is, 0: it is the module's event */
	__u32 tid;
	__u32 function;	/* its place in the table of calls */
	__u64 time_ns;	/* CLOCK_MONOTONIC */
};

#define TRACE_ARGS 5 /* no row shows those behind */
#define TRACE_NAME_BYTES 64

struct trace_call {
	struct trace_head head;
	__u64 arg[TRACE_ARGS];	/* the first ones, all of which are in registers */
	__u64 size[3];		/* of an enqueued kernel: its items */
	__u32 cpu;
	__u32 __reserved;
	char comm[16];
	char name[TRACE_NAME_BYTES];	/* of a kernel that is made */
};

struct trace_return {
	struct trace_head head;
	__u64 value;
};

struct trace_launch {
	struct trace_head head;
	struct gtdbg_watch_launch launch;
};

struct trace_switch {
	struct trace_head head;
	struct gtdbg_watch_switch change;
};

/* A host thread has got a CPU, left it, or was woken. */
struct trace_sched {
	struct trace_head head;
	__u32 cpu;
	__u32 state;	/* that it leaves it in, 0: it would go on; TASK_* of the kernel */
	__u32 waker;	/* the thread that was on the CPU when it was woken */
	__u32 __reserved;
	char comm[16];	/* its own, or the waker's */
};

/* Of a request to i915, whose numbers count up on a time line of the driver's own. */
struct trace_request {
	struct trace_head head;	/* whose it is, or who waits */
	__u64 timeline, number;
	__u32 card;
	__u16 engine, instance;	/* I915_ENGINE_CLASS_* */
};

#define TRACE_GAUGE_BYTES 40

/* What a file of the system has said. */
struct trace_level {
	struct trace_head head;
	__u64 value;
	__u32 place;
	__u32 __reserved;
	char name[TRACE_GAUGE_BYTES];
};

/* Arguments of the tracepoint, in order. */
struct trace_event {
	struct trace_head head;
	__u64 value[5];
};

/* What a thread has written down and ran on. */
struct trace_print {
	struct trace_head head;
	__u32 device, context;
	struct gtdbg_thread_record record;
};

/* What of a call is of interest beyond its arguments; a mask. */
enum trace_call_flag {
	TRACE_CALL_NAME = 1,	/* argument 1 is a name */
	TRACE_CALL_SIZE = 2,	/* argument 4 is a size in as many directions as 2 says */
	TRACE_CALL_POINTER = 4,	/* it returns a pointer, and no status */
};

#endif
