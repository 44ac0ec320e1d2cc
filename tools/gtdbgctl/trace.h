/* SPDX-License-Identifier: MIT */
/*
 * gtdbgctl trace, from the events to the file. Records come from a ring that programs
 * in the kernel fill, and each is written as what it is when it is taken.
 */
#ifndef GTDBGCTL_TRACE_H
#define GTDBGCTL_TRACE_H

#include "perfetto.h"
#include "trace_ctf.h"
#include "trace_record.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct trace_probe;
struct trace_process;
struct trace_task;
struct trace_device;
struct trace_kernel;
struct trace_engine;
struct trace_waiter;
struct trace_gauge;
struct trace_lost;

/* trace_span.c */
struct trace_spans {
	struct trace_span *span;
	size_t count, room;
};

struct trace {
	struct perfetto to;	/* is not open if there is another format */
	bool is_kept;		/* to.fd still has what was in the file */
	struct trace_ctf *ctf;	/* likewise NULL */
	struct trace_process *processes;
	struct trace_task *tasks;
	struct trace_device *devices;
	struct trace_kernel *kernels;
	uint32_t kernel_count;
	struct trace_engine *engines;
	struct trace_waiter *waiters;
	struct trace_gauge *gauges;
	uint32_t gauge_count;
	uint64_t flow;		/* the last one's number */
	uint64_t first_ns, last_ns;	/* of all that was traced */
	uint64_t calls, launches, unseen, stops, decided, faults, requests;
	uint64_t prints;	/* records that threads wrote */
	struct trace_lost *lost;	/* events that found no room in the ring, NULL: none */
	uint64_t transfer_ns;	/* calls that transfer, one by one */
	struct trace_spans busy, transfers;	/* of any device, of any thread */
};

/* An item of the table of calls. */
enum trace_sort {
	TRACE_SORT_OTHER = 0,
	TRACE_SORT_LAUNCH = 1,	/* enqueues a kernel */
	TRACE_SORT_KERNEL = 2,	/* makes a kernel */
	TRACE_SORT_FINISH = 3,	/* waits for all of a queue */
	TRACE_SORT_TRANSFER = 4,	/* from or to a buffer, arguments as of a read */
};

struct trace_function {
	const char *name;
	enum trace_sort sort;
	int flags;		/* enum trace_call_flag */
};

/* Arguments of a transfer. */
#define TRACE_ARG_BLOCKING 2
#define TRACE_ARG_BYTES 4

/* NULL: there is no such place. */
const struct trace_function *trace_function_at(uint32_t place);

/* Takes one record. */
typedef void (*trace_probe_put)(void *data, const struct trace_head *head);

struct trace_probe_options {
	pid_t pid;	/* of it, and what it starts; 0: of all */
	uint32_t ring_bytes;
	bool has_calls;	/* not only what the module sees */
	trace_probe_put put;
	void *data;
};

/*
 * Begins to record. Records wait in the ring until they are taken. CMD_OK, or
 * CMD_FAILED after saying why not.
 */
int trace_probe_create(const struct trace_probe_options *options,
		       struct trace_probe **out);
void trace_probe_destroy(struct trace_probe *probe);

/* Takes what there is, having waited for it up to @timeout_ms. */
int trace_probe_take(struct trace_probe *probe, int timeout_ms);

/* No record from before that is still to come. */
uint64_t trace_probe_complete_ns(const struct trace_probe *probe);

/* Can this kernel be traced at all, and i915's requests in it? */
bool trace_kernel_is_known(void);
bool trace_driver_is_known(void);

#define TRACE_CPUS_MAX 4096

/* How many records found no room, in all, and on each of so many processors. */
struct trace_lost {
	uint64_t sum;
	uint32_t cpus;
	uint64_t on[TRACE_CPUS_MAX];
};

/* As it is now; of a probe's own. */
const struct trace_lost *trace_probe_lost(struct trace_probe *probe);

#define TRACE_FILE_DEFAULT "gtdbg.pftrace"

enum trace_format {
	TRACE_FORMAT_PERFETTO = 0,
	TRACE_FORMAT_CTF = 1,
};

/*
 * trace_output.c: a file, or a folder that is new. CMD_OK, or CMD_FAILED after saying
 * why not. What is in a file is kept until the trace begins.
 */
int trace_output_open(struct trace *trace, enum trace_format format,
		      const char *name);
int trace_output_begin(struct trace *trace, const char *name);
int trace_output_close(struct trace *trace, const char *name);

/*
 * What is before @complete_ns is there for who looks, and if this program dies. 0, or a
 * negative errno if nothing more is written.
 */
int trace_output_flush(struct trace *trace, uint64_t complete_ns);

/* What was lost so far. */
void trace_output_lost(struct trace *trace, const struct trace_lost *lost);
uint64_t trace_lost_sum(const struct trace *trace);

uint64_t trace_now_ns(void);

/* trace.c: takes one record. */
void trace_put(struct trace *trace, const struct trace_head *head);

/* At the end: what is still open ends here. */
void trace_finish(struct trace *trace);
void trace_fini(struct trace *trace);

/* trace_call.c */
void trace_call_begin(struct trace *trace, const struct trace_call *call);
void trace_call_end(struct trace *trace, const struct trace_return *record);
void trace_calls_finish(struct trace *trace);
void trace_calls_fini(struct trace *trace);

void trace_calls_print(const struct trace *trace);

/* An enqueued kernel that has not been seen to run yet. */
struct trace_enqueued {
	struct trace_enqueued *next;
	uint64_t flow, queue;
	uint64_t time_ns, items;
	struct trace_kernel *kernel;
};

/* The launch of @name that began at @time_ns: what was enqueued, for the caller. */
struct trace_enqueued *
trace_enqueued_take(struct trace *trace, const struct gtdbg_watch_launch *launch,
		    const char *name, uint64_t time_ns);

/* The row of a process, made if it is new. */
uint64_t trace_process_row(struct trace *trace, uint32_t pid);
const char *trace_process_name(struct trace *trace, uint32_t pid);

/* Likewise of a thread of it. */
uint64_t trace_thread_row(struct trace *trace, uint32_t pid, uint32_t tid,
			  const char *comm);

/* trace_sched.c: when threads were on a CPU */
void trace_sched(struct trace *trace, const struct trace_sched *record);
/* Who calls has one. */
void trace_sched_call(struct trace *trace, const struct trace_call *call);
void trace_sched_finish(struct trace *trace);
void trace_sched_fini(struct trace *trace);

/* In words. */
const char *trace_sched_state(uint32_t state);

/* trace_request.c: requests to i915 */
void trace_request(struct trace *trace, const struct trace_request *record);
void trace_requests_finish(struct trace *trace);
void trace_requests_fini(struct trace *trace);

/* As i915 calls it. */
void trace_engine_name(const struct trace_request *record, char *out, size_t size);

/* trace_power.c: frequency and power, as the system's files have them now and then */
void trace_power_open(struct trace *trace);
void trace_power_read(struct trace *trace);
void trace_power_print(const struct trace *trace);
void trace_power_close(struct trace *trace);

/* trace_wait.c: what a process waits for, of its several queues */
struct trace_queue;

struct trace_waits {
	struct trace_queue *queues;
	uint32_t queue_count;	/* that something was enqueued in */
	uint64_t count, total_ns;
	uint64_t alone, alone_ns;	/* of these, while no other queue had work */
};

/* Something was enqueued in that queue. */
void trace_wait_work(struct trace_waits *waits, uint64_t handle);

/* It was waited for: whether that was alone. */
bool trace_wait_done(struct trace_waits *waits, uint64_t handle,
		     uint64_t begin_ns, uint64_t end_ns);
void trace_waits_print(const struct trace_waits *waits, uint32_t pid,
		       const char *name);
void trace_waits_fini(struct trace_waits *waits);

/* trace_launch.c */
void trace_launch_begin(struct trace *trace, const struct trace_launch *record);
void trace_launch_end(struct trace *trace, const struct trace_launch *record);
void trace_switch(struct trace *trace, const struct trace_switch *record);
void trace_event(struct trace *trace, const struct trace_event *record);
void trace_print(struct trace *trace, const struct trace_print *print);
void trace_launches_finish(struct trace *trace);
void trace_launches_fini(struct trace *trace);

/* How wrong devices' clocks may be at most. */
uint64_t trace_error_ns(const struct trace *trace);

void trace_span_add(struct trace_spans *spans, uint64_t begin_ns, uint64_t end_ns);
/* All of them, and those that are in both. */
uint64_t trace_spans_total(struct trace_spans *spans);
uint64_t trace_spans_overlap(struct trace_spans *a, struct trace_spans *b);
void trace_spans_fini(struct trace_spans *spans);

/* trace_summary.c: kernels by name, of all processes */
struct trace_kernel *trace_kernel_find(struct trace *trace, const char *name);
const char *trace_kernel_name(const struct trace_kernel *kernel);
void trace_kernel_enqueued(struct trace_kernel *kernel);
void trace_kernel_waited(struct trace_kernel *kernel, uint64_t ns);
void trace_kernel_ran(struct trace_kernel *kernel, uint64_t ns);
void trace_summary_print(struct trace *trace);
void trace_kernels_fini(struct trace *trace);

#endif
