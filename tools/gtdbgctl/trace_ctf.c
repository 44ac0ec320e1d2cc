// SPDX-License-Identifier: MIT
/*
 * Records of different processors come out of order, by as much as the one that has
 * found its place in the ring first was held up. So what has the host's time waits,
 * sorted, until no earlier one can come. Those of one device are in order already.
 */
#include "trace_ctf.h"

#include "ctf.h"
#include "trace.h"

#include <errno.h>
#include <gtdbg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define UNKNOWN UINT64_MAX
#define SCHED_ID 1000 /* behind those of calls */

enum {
	CALLS = 0,
	EVENTS = 1,
	GPU = 2,
};

static const struct ctf_class classes[] = {
	[CALLS] = { CALLS, true, "u32 _pid; u32 _tid; string _procname;" },
	[EVENTS] = { EVENTS, false, NULL },
	[GPU] = { GPU, false, NULL },
};

#define FENCE_FIELDS "u32 pid; u32 tid; u64 timeline; u64 number;"
#define REQUEST_FIELDS FENCE_FIELDS " u32 card; string engine;"
#define LEVEL_FIELDS "string gauge; u64 value;"

/* Calls have two each, in the order of the table of calls. */
static const struct {
	uint32_t class, id;
	const char *name, *fields;
} events[] = {
	{ CALLS, SCHED_ID + TRACE_SCHED_RUN, "sched:run", "u32 cpu;" },
	{ CALLS, SCHED_ID + TRACE_SCHED_LEAVE, "sched:leave",
	  "u32 cpu; string then;" },
	{ CALLS, SCHED_ID + TRACE_SCHED_WAKE, "sched:wake",
	  "u32 cpu; u32 by_tid; string by;" },
	{ EVENTS, TRACE_STOP, "gtdbg:thread_stop",
	  "u32 device; u32 slot; u64 generation; x32 reasons; string reason; x32 ip;" },
	{ EVENTS, TRACE_RESUME, "gtdbg:thread_resume",
	  "u32 device; u32 slot; u64 generation; u32 step;" },
	{ EVENTS, TRACE_DECISION, "gtdbg:decision",
	  "u32 device; u32 context_id; u32 kernel; x64 address; u32 passed;" },
	{ EVENTS, TRACE_FAULT, "gtdbg:page_fault",
	  "u32 device; u32 context_id; x64 address; u32 type;" },
	{ EVENTS, TRACE_EVENT_LOST, "gtdbg:event_lost", "u32 kind;" },
	{ EVENTS, TRACE_RESET, "gtdbg:reset",
	  "u32 device; u32 context_id; u32 slot;" },
	{ EVENTS, TRACE_DEVICE_LOST, "gtdbg:device_lost",
	  "u32 device; u32 reason;" },
	{ EVENTS, TRACE_PRINT, "gtdbg:thread_record",
	  "u32 device; u32 context_id; u32 slot; u32 kernel; x64 address; "
	  "u64 thread_time; u32 tag; string values;" },
	{ EVENTS, TRACE_REQUEST_ADD, "i915:request_add", REQUEST_FIELDS },
	{ EVENTS, TRACE_REQUEST_DONE, "i915:request_done", FENCE_FIELDS },
	{ EVENTS, TRACE_REQUEST_RETIRE, "i915:request_retire", REQUEST_FIELDS },
	{ EVENTS, TRACE_REQUEST_WAIT, "i915:wait_begin", REQUEST_FIELDS },
	{ EVENTS, TRACE_REQUEST_WAITED, "i915:wait_end", REQUEST_FIELDS },
	{ EVENTS, TRACE_FREQUENCY, "gtdbg:frequency", LEVEL_FIELDS },
	{ EVENTS, TRACE_POWER, "gtdbg:power", LEVEL_FIELDS },
	{ EVENTS, TRACE_LOST, "gtdbg:lost", "u32 cpu; u64 count;" },
	{ GPU, TRACE_LAUNCH_BEGIN, "gtdbg:launch_begin",
	  "u32 device; u32 context_id; u64 serial; string kernel; u32 pid; x64 address; "
	  "u32 groups_x; u32 groups_y; u32 groups_z; u32 items_of_group; u32 simd; "
	  "u64 gpu_time; u64 open_ns; u64 error_ns; u64 flow; u64 waited_ns;" },
	{ GPU, TRACE_LAUNCH_END, "gtdbg:launch_end",
	  "u32 device; u32 context_id; u64 serial; string kernel; "
	  "u64 gpu_time; u64 open_ns; u64 error_ns;" },
	{ GPU, TRACE_SWITCH, "gtdbg:context_switch",
	  "u32 device; u32 context_id; u32 previous; u32 pid; "
	  "u64 gpu_time; u64 open_ns; u64 error_ns;" },
};

/* By enum trace_sort. What a call returns follows its kind, too. */
static const char *const call_fields[] = {
	[TRACE_SORT_OTHER] = "",
	[TRACE_SORT_LAUNCH] = "x64 queue; string kernel; u32 dimensions; "
		"u64 items_x; u64 items_y; u64 items_z; u64 flow;",
	[TRACE_SORT_KERNEL] = "string kernel;",
	[TRACE_SORT_FINISH] = "x64 queue;",
	[TRACE_SORT_TRANSFER] = "x64 queue; u32 blocking; u64 bytes;",
};

struct waiting {
	uint64_t time_ns;
	struct ctf_stream *stream;
	uint32_t id;
	struct ctf_fields fields;
};

struct trace_ctf {
	struct ctf ctf;
	struct ctf_stream *calls, *events;
	struct waiting *waiting;	/* by their times */
	size_t count, room;
	uint64_t lost;		/* here, for want of memory */
};

static bool returns_pointer(const struct trace_function *function)
{
	return function->flags & TRACE_CALL_POINTER;
}

static void calls_declare(struct ctf *ctf)
{
	const struct trace_function *function;
	char name[64];
	uint32_t i;

	for (i = 0; (function = trace_function_at(i)); i++) {
		snprintf(name, sizeof(name), "opencl:%s_entry", function->name);
		ctf_class_event(ctf, &classes[CALLS], 2 * i, name,
				call_fields[function->sort]);
		snprintf(name, sizeof(name), "opencl:%s_exit", function->name);
		ctf_class_event(ctf, &classes[CALLS], 2 * i + 1, name,
				returns_pointer(function) ? "x64 result;" :
							    "i32 result;");
	}
}

static int declare(struct ctf *ctf)
{
	size_t i;

	for (i = 0; i < sizeof(classes) / sizeof(classes[0]); i++)
		ctf_class(ctf, &classes[i]);
	calls_declare(ctf);
	for (i = 0; i < sizeof(events) / sizeof(events[0]); i++)
		ctf_class_event(ctf, &classes[events[i].class], events[i].id,
				events[i].name, events[i].fields);
	return ctf_metadata_end(ctf);
}

int trace_ctf_create(const char *folder, uint64_t begin_ns,
		     struct trace_ctf **out)
{
	struct trace_ctf *trace = calloc(1, sizeof(*trace));
	int ret;

	if (!trace)
		return -ENOMEM;
	ret = ctf_init(&trace->ctf, folder, gtdbg_version());
	if (ret) {
		free(trace);
		return ret;
	}
	ret = declare(&trace->ctf);
	trace->calls = ctf_stream(&trace->ctf, &classes[CALLS], 0, "calls");
	trace->events = ctf_stream(&trace->ctf, &classes[EVENTS], 0, "events");
	if (!ret && (!trace->calls || !trace->events))
		ret = -ENOMEM;
	if (!ret) {
		/* A packet without an event: nothing is lost so far. */
		ctf_discard(&trace->ctf, trace->calls, 0, begin_ns);
		ret = ctf_flush(&trace->ctf);
	}
	if (ret) {
		trace_ctf_destroy(trace);
		return ret;
	}
	*out = trace;
	return 0;
}

void trace_ctf_destroy(struct trace_ctf *trace)
{
	if (!trace)
		return;
	ctf_fini(&trace->ctf);
	free(trace->waiting);
	free(trace);
}

/* A place by its time, behind others of that time. */
static struct ctf_fields *wait_at(struct trace_ctf *trace,
				  struct ctf_stream *stream, uint32_t id,
				  uint64_t time_ns)
{
	size_t room = trace->room ? 2 * trace->room : 1024, at;
	struct waiting *waiting;

	if (trace->count == trace->room) {
		waiting = realloc(trace->waiting, room * sizeof(*waiting));
		if (!waiting) {
			trace->lost++;
			return NULL;
		}
		trace->waiting = waiting;
		trace->room = room;
	}
	for (at = trace->count++; at && trace->waiting[at - 1].time_ns > time_ns;
	     at--)
		trace->waiting[at] = trace->waiting[at - 1];
	waiting = &trace->waiting[at];
	waiting->time_ns = time_ns;
	waiting->stream = stream;
	waiting->id = id;
	waiting->fields.len = 0;
	return &waiting->fields;
}

static struct ctf_fields *call_at(struct trace_ctf *trace,
				  const struct trace_head *head, uint32_t id,
				  const char comm[16])
{
	struct ctf_fields *fields;
	char name[17];

	fields = wait_at(trace, trace->calls, id, head->time_ns);
	if (!fields)
		return NULL;
	snprintf(name, sizeof(name), "%.16s", comm);
	ctf_put32(fields, head->pid);
	ctf_put32(fields, head->tid);
	ctf_put_text(fields, name);
	return fields;
}

static void put_launch_call(struct ctf_fields *fields,
			    const struct trace_call *call,
			    const struct trace_enqueued *enqueued)
{
	uint32_t i;

	ctf_put64(fields, call->arg[0]);
	ctf_put_text(fields, enqueued ? trace_kernel_name(enqueued->kernel) : "");
	ctf_put32(fields, (uint32_t)call->arg[2]);
	for (i = 0; i < 3; i++)
		ctf_put64(fields, call->size[i]);
	ctf_put64(fields, enqueued ? enqueued->flow : 0);
}

void trace_ctf_call(struct trace_ctf *trace, const struct trace_call *call,
		    const struct trace_enqueued *enqueued)
{
	uint32_t place = call->head.function;
	struct ctf_fields *fields;

	fields = call_at(trace, &call->head, 2 * place, call->comm);
	if (!fields)
		return;
	switch (trace_function_at(place)->sort) {
	case TRACE_SORT_LAUNCH:
		put_launch_call(fields, call, enqueued);
		break;
	case TRACE_SORT_KERNEL:
		ctf_put_text(fields, call->name);
		break;
	case TRACE_SORT_FINISH:
		ctf_put64(fields, call->arg[0]);
		break;
	case TRACE_SORT_TRANSFER:
		ctf_put64(fields, call->arg[0]);
		ctf_put32(fields, (uint32_t)call->arg[TRACE_ARG_BLOCKING]);
		ctf_put64(fields, call->arg[TRACE_ARG_BYTES]);
		break;
	case TRACE_SORT_OTHER:
		break;
	}
}

void trace_ctf_sched(struct trace_ctf *trace, const struct trace_sched *record)
{
	/* Whom it wakes has a name, but not in the record. */
	static const char nobody[16] = "";
	bool is_wake = record->head.kind == TRACE_SCHED_WAKE;
	struct ctf_fields *fields;
	char waker[17];

	fields = call_at(trace, &record->head, SCHED_ID + record->head.kind,
			 is_wake ? nobody : record->comm);
	if (!fields)
		return;
	ctf_put32(fields, record->cpu);
	if (is_wake) {
		snprintf(waker, sizeof(waker), "%.16s", record->comm);
		ctf_put32(fields, record->waker);
		ctf_put_text(fields, waker);
	}
	if (record->head.kind == TRACE_SCHED_LEAVE)
		ctf_put_text(fields, trace_sched_state(record->state));
}

void trace_ctf_return(struct trace_ctf *trace, const struct trace_call *call,
		      const struct trace_return *record)
{
	uint32_t place = call->head.function;
	struct ctf_fields *fields;

	fields = call_at(trace, &record->head, 2 * place + 1, call->comm);
	if (!fields)
		return;
	if (returns_pointer(trace_function_at(place)))
		ctf_put64(fields, record->value);
	else
		ctf_put32(fields, (uint32_t)record->value);
}

/* In words: "breakpoint" or "step+entry". */
static void put_reason(struct ctf_fields *fields, uint32_t reasons)
{
	static const char *const words[] = {
		"entry", "breakpoint", "step", "interrupt", "illegal",
		"software", "mask_stack", "unknown", "assert",
	};
	char text[96] = "";
	uint32_t i;

	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (!(reasons & 1u << i))
			continue;
		if (*text)
			strcat(text, "+");
		strcat(text, words[i]);
	}
	ctf_put_text(fields, text);
}

static void put_stop(struct ctf_fields *fields, const struct trace_event *record)
{
	ctf_put32(fields, (uint32_t)record->value[0]);
	ctf_put32(fields, (uint32_t)record->value[1]);
	ctf_put64(fields, record->value[2]);
	ctf_put32(fields, (uint32_t)record->value[3]);
	if (record->head.kind == TRACE_RESUME)
		return;
	put_reason(fields, (uint32_t)record->value[3]);
	ctf_put32(fields, (uint32_t)record->value[4]);
}

void trace_ctf_event(struct trace_ctf *trace, const struct trace_event *record)
{
	struct ctf_fields *fields;

	fields = wait_at(trace, trace->events, record->head.kind,
			 record->head.time_ns);
	if (!fields)
		return;
	switch (record->head.kind) {
	case TRACE_STOP:
	case TRACE_RESUME:
		put_stop(fields, record);
		break;
	case TRACE_FAULT:
		ctf_put32(fields, (uint32_t)record->value[0]);
		ctf_put32(fields, (uint32_t)record->value[1]);
		ctf_put64(fields, record->value[2]);
		ctf_put32(fields, (uint32_t)record->value[3]);
		break;
	case TRACE_DECISION:
		ctf_put32(fields, (uint32_t)record->value[0]);
		ctf_put32(fields, (uint32_t)record->value[1]);
		ctf_put32(fields, (uint32_t)record->value[2]);
		ctf_put64(fields, record->value[3]);
		ctf_put32(fields, (uint32_t)record->value[4]);
		break;
	case TRACE_RESET:
		ctf_put32(fields, (uint32_t)record->value[0]);
		ctf_put32(fields, (uint32_t)record->value[1]);
		ctf_put32(fields, (uint32_t)record->value[2]);
		break;
	case TRACE_DEVICE_LOST:
		ctf_put32(fields, (uint32_t)record->value[0]);
		ctf_put32(fields, (uint32_t)record->value[1]);
		break;
	case TRACE_EVENT_LOST:
		ctf_put32(fields, (uint32_t)record->value[0]);
		break;
	}
}

void trace_ctf_print(struct trace_ctf *trace, const struct trace_print *print,
		     const char *values)
{
	const struct gtdbg_thread_record *record = &print->record;
	struct ctf_fields *fields;

	fields = wait_at(trace, trace->events, print->head.kind,
			 print->head.time_ns);
	if (!fields)
		return;
	ctf_put32(fields, print->device);
	ctf_put32(fields, print->context);
	ctf_put32(fields, record->slot);
	ctf_put32(fields, record->kernel);
	ctf_put64(fields, record->address);
	ctf_put64(fields, record->time);
	ctf_put32(fields, record->tag);
	ctf_put_text(fields, values);
}

void trace_ctf_request(struct trace_ctf *trace, const struct trace_request *record)
{
	struct ctf_fields *fields;
	char name[32];

	fields = wait_at(trace, trace->events, record->head.kind,
			 record->head.time_ns);
	if (!fields)
		return;
	ctf_put32(fields, record->head.pid);
	ctf_put32(fields, record->head.tid);
	ctf_put64(fields, record->timeline);
	ctf_put64(fields, record->number);
	/* A fence does not name its engine. */
	if (record->head.kind == TRACE_REQUEST_DONE)
		return;
	trace_engine_name(record, name, sizeof(name));
	ctf_put32(fields, record->card);
	ctf_put_text(fields, name);
}

void trace_ctf_level(struct trace_ctf *trace, const struct trace_level *level)
{
	struct ctf_fields *fields;

	fields = wait_at(trace, trace->events, level->head.kind,
			 level->head.time_ns);
	if (!fields)
		return;
	ctf_put_text(fields, level->name);
	ctf_put64(fields, level->value);
}

void trace_ctf_lost(struct trace_ctf *trace, uint32_t cpu, uint64_t count,
		    uint64_t time_ns)
{
	struct ctf_fields *fields = wait_at(trace, trace->events, TRACE_LOST,
					    time_ns);

	if (!fields)
		return;
	ctf_put32(fields, cpu);
	ctf_put64(fields, count);
}

/* NULL, and counted: no memory. */
static struct ctf_stream *device_stream(struct trace_ctf *trace, uint32_t device)
{
	struct ctf_stream *stream;
	char file[32];

	snprintf(file, sizeof(file), "gpu-%u", device);
	stream = ctf_stream(&trace->ctf, &classes[GPU], device, file);
	if (!stream)
		trace->lost++;
	return stream;
}

/* One that is before the last event becomes that one's, and is wrong by as much more. */
static struct trace_time time_in(const struct ctf_stream *stream,
				 const struct trace_time *time)
{
	uint64_t last_ns = ctf_last_ns(stream);

	if (time->time_ns >= last_ns)
		return *time;
	return (struct trace_time){
		last_ns, time->error_ns + last_ns - time->time_ns
	};
}

static void put_stamp(struct ctf_fields *fields,
		      const struct gtdbg_watch_stamp *stamp,
		      const struct trace_time *time)
{
	ctf_put64(fields, stamp->gpu_time);
	ctf_put64(fields, stamp->since_ns);
	ctf_put64(fields, time->error_ns);
}

static void put_size(struct ctf_fields *fields,
		     const struct gtdbg_watch_launch *launch)
{
	int i;

	ctf_put32(fields, launch->pid);
	ctf_put64(fields, launch->address);
	for (i = 0; i < 3; i++)
		ctf_put32(fields, launch->groups[i]);
	ctf_put32(fields, launch->items);
	ctf_put32(fields, launch->simd);
}

void trace_ctf_launch(struct trace_ctf *trace, const struct trace_launch *record,
		      const struct trace_time *time,
		      const struct trace_enqueued *enqueued)
{
	const struct gtdbg_watch_launch *launch = &record->launch;
	struct ctf_stream *stream = device_stream(trace, launch->device);
	bool is_begin = record->head.kind == TRACE_LAUNCH_BEGIN;
	struct ctf_fields fields = { .len = 0 };
	char name[sizeof(launch->name) + 1];
	struct trace_time at;

	if (!stream)
		return;
	at = time_in(stream, time);
	snprintf(name, sizeof(name), "%.64s", launch->name);
	ctf_put32(&fields, launch->device);
	ctf_put32(&fields, launch->context);
	ctf_put64(&fields, launch->serial);
	ctf_put_text(&fields, name);
	if (is_begin)
		put_size(&fields, launch);
	put_stamp(&fields, &launch->stamp, &at);
	if (is_begin) {
		ctf_put64(&fields, enqueued ? enqueued->flow : 0);
		ctf_put64(&fields,
			  enqueued ? at.time_ns - enqueued->time_ns : 0);
	}
	ctf_event(&trace->ctf, stream, record->head.kind, at.time_ns, &fields);
}

void trace_ctf_switch(struct trace_ctf *trace, const struct trace_switch *record,
		      const struct trace_time *time)
{
	const struct gtdbg_watch_switch *change = &record->change;
	struct ctf_stream *stream = device_stream(trace, change->device);
	struct ctf_fields fields = { .len = 0 };
	struct trace_time at;

	if (!stream)
		return;
	at = time_in(stream, time);
	ctf_put32(&fields, change->device);
	ctf_put32(&fields, change->context);
	ctf_put32(&fields, change->previous);
	ctf_put32(&fields, change->pid);
	put_stamp(&fields, &change->stamp, &at);
	ctf_event(&trace->ctf, stream, TRACE_SWITCH, at.time_ns, &fields);
}

int trace_ctf_write(struct trace_ctf *trace, uint64_t complete_ns, uint64_t lost)
{
	const struct waiting *waiting = trace->waiting;
	size_t i = 0;

	for (; i < trace->count && waiting[i].time_ns < complete_ns; i++)
		ctf_event(&trace->ctf, waiting[i].stream, waiting[i].id,
			  waiting[i].time_ns, &waiting[i].fields);
	trace->count -= i;
	if (i)
		memmove(trace->waiting, trace->waiting + i,
			trace->count * sizeof(*waiting));
	ctf_discard(&trace->ctf, trace->calls, lost + trace->lost, complete_ns);
	return ctf_flush(&trace->ctf);
}
