// SPDX-License-Identifier: MIT
/*
 * OpenCL calls: a row for each thread that makes some, with a slice for each call.
 * What a process has enqueued waits here for the launch that it becomes, which the
 * module sees with the kernel's name, but not who enqueued it. So of what a process
 * has enqueued under that name before, it is the oldest of as many work-items whose
 * queue has its work in that context, as far as either is known. What a finished queue
 * has left was too short to be seen.
 */
#include "trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROW_PROCESS (1ull << 60)
#define ROW_THREAD (2ull << 60)
#define KERNEL_MAX 64
#define HANDLES_MAX 4096 /* of a process */
#define CANDIDATES_MAX 256 /* that are looked at for a launch */
#define WAITING_MAX 65536 /* enqueued by a process, and neither seen nor waited for */

/* A kernel's handle, and its name. */
struct handle {
	struct handle *next;
	uint64_t handle;
	struct trace_kernel *kernel;
};

struct thread {
	struct thread *next;
	uint32_t tid;
	bool is_in_call;
	struct trace_call call;	/* that it is in */
};

/* Where the work of a queue runs, once that is known. */
struct place {
	struct place *next;
	uint64_t queue;
	uint32_t device, context;
};

struct trace_process {
	struct trace_process *next;
	uint32_t pid;
	char name[64];
	struct thread *threads;
	struct handle *handles;
	uint32_t handle_count;
	struct trace_enqueued *first, **end;	/* the oldest first */
	uint32_t waiting;
	struct place *places;
	struct trace_waits waits;
};

/* What the system still says of a process, or of a thread. */
static void comm_read(uint32_t pid, const char *otherwise, char *out,
		      size_t size)
{
	char path[64];
	FILE *file;

	snprintf(out, size, "%s", otherwise);
	snprintf(path, sizeof(path), "/proc/%u/comm", pid);
	file = fopen(path, "r");
	if (!file)
		return;
	if (fgets(out, size, file))
		out[strcspn(out, "\n")] = 0;
	fclose(file);
}

static struct trace_process *process_find(struct trace *trace, uint32_t pid,
					  const char *comm)
{
	struct trace_process *process = trace->processes;

	while (process && process->pid != pid)
		process = process->next;
	if (process)
		return process;
	process = calloc(1, sizeof(*process));
	if (!process)
		return NULL;
	process->pid = pid;
	process->end = &process->first;
	process->next = trace->processes;
	trace->processes = process;
	comm_read(pid, comm, process->name, sizeof(process->name));
	perfetto_process(&trace->to, ROW_PROCESS | pid, pid, process->name);
	return process;
}

uint64_t trace_process_row(struct trace *trace, uint32_t pid)
{
	process_find(trace, pid, "");
	return ROW_PROCESS | pid;
}

const char *trace_process_name(struct trace *trace, uint32_t pid)
{
	const struct trace_process *process = process_find(trace, pid, "");

	return process ? process->name : "";
}

static struct thread *thread_find(struct trace *trace,
				  struct trace_process *process, uint32_t tid,
				  const char *comm)
{
	struct thread *thread = process->threads;

	while (thread && thread->tid != tid)
		thread = thread->next;
	if (thread)
		return thread;
	thread = calloc(1, sizeof(*thread));
	if (!thread)
		return NULL;
	thread->tid = tid;
	thread->next = process->threads;
	process->threads = thread;
	perfetto_thread(&trace->to, ROW_THREAD | tid, process->pid, tid, comm);
	return thread;
}

uint64_t trace_thread_row(struct trace *trace, uint32_t pid, uint32_t tid,
			  const char *comm)
{
	struct trace_process *process = process_find(trace, pid, comm);

	if (process)
		thread_find(trace, process, tid, comm);
	return ROW_THREAD | tid;
}

/* The oldest one: a program may name any number that are none. */
static void handle_forget(struct trace_process *process)
{
	struct handle **at = &process->handles;

	while ((*at)->next)
		at = &(*at)->next;
	free(*at);
	*at = NULL;
	process->handle_count--;
}

static struct handle *handle_find(struct trace *trace,
				  struct trace_process *process, uint64_t value)
{
	struct handle *handle = process->handles;
	char name[KERNEL_MAX];

	while (handle && handle->handle != value)
		handle = handle->next;
	if (handle)
		return handle;
	if (process->handle_count == HANDLES_MAX)
		handle_forget(process);
	/* Made before the trace began. */
	handle = calloc(1, sizeof(*handle));
	if (!handle)
		return NULL;
	handle->handle = value;
	handle->next = process->handles;
	process->handles = handle;
	process->handle_count++;
	snprintf(name, sizeof(name), "kernel 0x%llx", (unsigned long long)value);
	handle->kernel = trace_kernel_find(trace, name);
	return handle;
}

static void kernel_made(struct trace *trace, struct trace_process *process,
			const struct trace_call *call, uint64_t value)
{
	struct handle *handle;

	if (!value)
		return;
	handle = handle_find(trace, process, value);
	if (handle)
		handle->kernel = trace_kernel_find(trace, call->name);
}

/* Takes @enqueued, which @at points at, off the list. */
static void unlink_at(struct trace_process *process, struct trace_enqueued **at)
{
	struct trace_enqueued *enqueued = *at;

	*at = enqueued->next;
	if (process->end == &enqueued->next)
		process->end = at;
	process->waiting--;
}

/* Who waits for events only does not say which launches are done. */
static void oldest_forget(struct trace *trace, struct trace_process *process)
{
	struct trace_enqueued *oldest = process->first;

	unlink_at(process, &process->first);
	free(oldest);
	trace->unseen++;
}

/* 0: it does not say. */
static uint64_t call_items(const struct trace_call *call)
{
	uint32_t dimensions = (uint32_t)call->arg[2], i;
	uint64_t items = 1;

	for (i = 0; i < 3 && i < dimensions; i++)
		items *= call->size[i];
	return items;
}

static struct trace_enqueued *enqueue(struct trace *trace,
				      struct trace_process *process,
				      const struct trace_call *call)
{
	struct handle *handle = handle_find(trace, process, call->arg[1]);
	struct trace_enqueued *enqueued;

	enqueued = handle ? calloc(1, sizeof(*enqueued)) : NULL;
	if (!enqueued)
		return NULL;
	enqueued->flow = ++trace->flow;
	enqueued->queue = call->arg[0];
	enqueued->time_ns = call->head.time_ns;
	enqueued->kernel = handle->kernel;
	enqueued->items = call_items(call);
	if (process->waiting == WAITING_MAX)
		oldest_forget(trace, process);
	*process->end = enqueued;
	process->end = &enqueued->next;
	process->waiting++;
	return enqueued;
}

static struct place *place_find(const struct trace_process *process,
				uint64_t queue)
{
	struct place *place = process->places;

	while (place && place->queue != queue)
		place = place->next;
	return place;
}

/* Nothing else can have been enqueued for it: its queue's work is in that context. */
static void place_learn(struct trace_process *process, uint64_t queue,
			const struct gtdbg_watch_launch *launch)
{
	struct place *place = place_find(process, queue);

	if (!place) {
		place = calloc(1, sizeof(*place));
		if (!place)
			return;
		place->queue = queue;
		place->next = process->places;
		process->places = place;
	}
	place->device = launch->device;
	place->context = launch->context;
}

#define RANK_BEST 7

/* How well it fits. That of another queue's context is still better than none. */
static int enqueued_rank(const struct trace_process *process,
			 const struct trace_enqueued *enqueued,
			 const struct gtdbg_watch_launch *launch)
{
	const struct place *place = place_find(process, enqueued->queue);
	uint64_t items = (uint64_t)launch->groups[0] * launch->groups[1] *
			 launch->groups[2] * launch->items;
	int rank = 1;

	if (place)
		rank += place->device == launch->device &&
			place->context == launch->context ? 4 : -4;
	return rank + (items && items == enqueued->items ? 2 : 0);
}

struct trace_enqueued *
trace_enqueued_take(struct trace *trace, const struct gtdbg_watch_launch *launch,
		    const char *name, uint64_t time_ns)
{
	struct trace_kernel *kernel = trace_kernel_find(trace, name);
	struct trace_process *process = process_find(trace, launch->pid, "");
	struct trace_enqueued **at, **best = NULL, *enqueued;
	int rank, most = 0, seen = 0;
	bool is_sure = true;

	if (!process)
		return NULL;
	for (at = &process->first; *at && most < RANK_BEST; at = &(*at)->next) {
		enqueued = *at;
		if (enqueued->kernel != kernel || enqueued->time_ns > time_ns)
			continue;
		if (++seen > CANDIDATES_MAX) {
			is_sure = false;
			break;
		}
		is_sure = is_sure &&
			  (!best || (*best)->queue == enqueued->queue);
		rank = enqueued_rank(process, enqueued, launch);
		if (best && rank <= most)
			continue;
		best = at;
		most = rank;
	}
	if (!best)
		return NULL;
	enqueued = *best;
	unlink_at(process, best);
	if (is_sure)
		place_learn(process, enqueued->queue, launch);
	return enqueued;
}

/* It was refused. */
static void enqueue_cancel(struct trace_process *process,
			   const struct trace_call *call)
{
	struct trace_enqueued **at = &process->first, *enqueued;

	for (; *at; at = &(*at)->next) {
		enqueued = *at;
		if (enqueued->queue != call->arg[0] ||
		    enqueued->time_ns != call->head.time_ns)
			continue;
		unlink_at(process, at);
		free(enqueued);
		return;
	}
}

/* All that was enqueued in @queue before @time_ns is done. */
static void queue_done(struct trace *trace, struct trace_process *process,
		       uint64_t queue, uint64_t time_ns)
{
	struct trace_enqueued **at = &process->first, *enqueued;

	while (*at) {
		enqueued = *at;
		if (enqueued->queue != queue || enqueued->time_ns > time_ns) {
			at = &enqueued->next;
			continue;
		}
		unlink_at(process, at);
		free(enqueued);
		trace->unseen++;
	}
}

static void put_launch_call(struct trace *trace, const struct trace_call *call,
			    const struct trace_enqueued *enqueued)
{
	static const char *const names[] = { "items_x", "items_y", "items_z" };
	uint32_t i;

	perfetto_address(&trace->to, "queue", call->arg[0]);
	for (i = 0; i < 3 && i < call->arg[2]; i++)
		perfetto_number(&trace->to, names[i], call->size[i]);
	if (!enqueued)
		return;
	perfetto_text(&trace->to, "kernel",
		      trace_kernel_name(enqueued->kernel));
	perfetto_flow(&trace->to, enqueued->flow, false);
	trace_kernel_enqueued(enqueued->kernel);
}

static void put_arguments(struct trace *trace, const struct trace_call *call,
			  const struct trace_enqueued *enqueued)
{
	switch (trace_function_at(call->head.function)->sort) {
	case TRACE_SORT_LAUNCH:
		put_launch_call(trace, call, enqueued);
		break;
	case TRACE_SORT_KERNEL:
		perfetto_text(&trace->to, "kernel", call->name);
		break;
	case TRACE_SORT_FINISH:
		perfetto_address(&trace->to, "queue", call->arg[0]);
		break;
	case TRACE_SORT_TRANSFER:
		perfetto_address(&trace->to, "queue", call->arg[0]);
		perfetto_number(&trace->to, "blocking",
				(uint32_t)call->arg[TRACE_ARG_BLOCKING]);
		perfetto_number(&trace->to, "bytes", call->arg[TRACE_ARG_BYTES]);
		break;
	case TRACE_SORT_OTHER:
		break;
	}
}

/* Where a return was lost the call ends with what comes next. */
static void call_close(struct trace *trace, struct thread *thread,
		       uint64_t time_ns, bool is_alone)
{
	thread->is_in_call = false;
	perfetto_event(&trace->to, PERFETTO_END, ROW_THREAD | thread->tid,
		       time_ns, NULL);
	if (is_alone)
		perfetto_number(&trace->to, "others_had_no_work", 1);
	perfetto_event_end(&trace->to);
}

void trace_call_begin(struct trace *trace, const struct trace_call *call)
{
	const struct trace_function *function =
		trace_function_at(call->head.function);
	struct trace_process *process =
		process_find(trace, call->head.pid, call->comm);
	const struct trace_enqueued *enqueued = NULL;
	struct thread *thread;

	thread = process ? thread_find(trace, process, call->head.tid,
				       call->comm) : NULL;
	if (!thread || !function)
		return;
	if (thread->is_in_call)
		call_close(trace, thread, call->head.time_ns, false);
	trace_sched_call(trace, call);
	trace->calls++;
	thread->is_in_call = true;
	thread->call = *call;
	if (function->sort == TRACE_SORT_LAUNCH)
		enqueued = enqueue(trace, process, call);
	perfetto_event(&trace->to, PERFETTO_BEGIN, ROW_THREAD | thread->tid,
		       call->head.time_ns, function->name);
	put_arguments(trace, call, enqueued);
	perfetto_event_end(&trace->to);
	if (trace->ctf)
		trace_ctf_call(trace->ctf, call, enqueued);
}

/* The queue has done what was enqueued. Whether no other one had something to do. */
static bool queue_waited(struct trace *trace, struct trace_process *process,
			 const struct trace_call *call, uint64_t end_ns)
{
	queue_done(trace, process, call->arg[0], call->head.time_ns);
	return trace_wait_done(&process->waits, call->arg[0],
			       call->head.time_ns, end_ns) &&
	       process->waits.queue_count > 1;
}

/* Likewise, if it was a call that waits. */
static bool transfer_done(struct trace *trace, struct trace_process *process,
			  const struct trace_call *call, uint64_t end_ns)
{
	if (!(uint32_t)call->arg[TRACE_ARG_BLOCKING]) {
		trace_wait_work(&process->waits, call->arg[0]);
		return false;
	}
	trace->transfer_ns += end_ns - call->head.time_ns;
	trace_span_add(&trace->transfers, call->head.time_ns, end_ns);
	/* It waits for what is before it, unless the queue has no order. */
	return queue_waited(trace, process, call, end_ns);
}

static bool call_done(struct trace *trace, struct trace_process *process,
		      const struct trace_call *call,
		      const struct trace_return *record)
{
	uint64_t end_ns = record->head.time_ns;
	bool is_ok = !(int32_t)record->value;

	switch (trace_function_at(call->head.function)->sort) {
	case TRACE_SORT_KERNEL:
		kernel_made(trace, process, call, record->value);
		break;
	case TRACE_SORT_FINISH:
		return is_ok && queue_waited(trace, process, call, end_ns);
	case TRACE_SORT_TRANSFER:
		return is_ok && transfer_done(trace, process, call, end_ns);
	case TRACE_SORT_LAUNCH:
		if (is_ok)
			trace_wait_work(&process->waits, call->arg[0]);
		else
			enqueue_cancel(process, call);
		break;
	default:
		break;
	}
	return false;
}

void trace_call_end(struct trace *trace, const struct trace_return *record)
{
	struct trace_process *process =
		process_find(trace, record->head.pid, "");
	struct thread *thread = process ? process->threads : NULL;
	bool is_alone;

	while (thread && thread->tid != record->head.tid)
		thread = thread->next;
	/* It was called before the trace began, or its call was lost. */
	if (!thread || !thread->is_in_call ||
	    thread->call.head.function != record->head.function)
		return;
	is_alone = call_done(trace, process, &thread->call, record);
	call_close(trace, thread, record->head.time_ns, is_alone);
	if (trace->ctf)
		trace_ctf_return(trace->ctf, &thread->call, record);
}

void trace_calls_finish(struct trace *trace)
{
	const struct trace_enqueued *enqueued;
	struct trace_process *process = trace->processes;
	struct thread *thread;

	for (; process; process = process->next)
		for (thread = process->threads; thread; thread = thread->next)
			if (thread->is_in_call)
				call_close(trace, thread, trace->last_ns, false);
	for (process = trace->processes; process; process = process->next)
		for (enqueued = process->first; enqueued;
		     enqueued = enqueued->next)
			trace->unseen++;
}

void trace_calls_print(const struct trace *trace)
{
	const struct trace_process *process = trace->processes;

	for (; process; process = process->next)
		trace_waits_print(&process->waits, process->pid, process->name);
}

static void process_free(struct trace_process *process)
{
	void *next;

	for (; process->threads; process->threads = next) {
		next = process->threads->next;
		free(process->threads);
	}
	for (; process->handles; process->handles = next) {
		next = process->handles->next;
		free(process->handles);
	}
	for (; process->first; process->first = next) {
		next = process->first->next;
		free(process->first);
	}
	for (; process->places; process->places = next) {
		next = process->places->next;
		free(process->places);
	}
	trace_waits_fini(&process->waits);
	free(process);
}

void trace_calls_fini(struct trace *trace)
{
	struct trace_process *next;

	for (; trace->processes; trace->processes = next) {
		next = trace->processes->next;
		process_free(trace->processes);
	}
}
