// SPDX-License-Identifier: MIT
/*
 * What the module sees of devices: a row for each with the launches that ran, each at
 * the device's own time, and counters of what is busy and of threads that are stopped.
 */
#include "trace.h"

#include <gtdbg.h>
#include <stdio.h>
#include <stdlib.h>

#define ROW_DEVICE (3ull << 60)
#define ROW_BUSY (4ull << 60)
#define ROW_STOPPED (5ull << 60)
#define ROW_CONTEXT (6ull << 60)
#define ROW_EVENTS (7ull << 60)
#define CONTEXT_SHIFT 32
#define PAIR_NS 10000000ull /* a pair then, whatever is known */
#define NS_PER_S 1000000000ull
#define UNKNOWN UINT64_MAX

#define LAUNCHES_MAX 64 /* of a context, that may go on */

/* It may run in parts: its context leaves the engine and comes back. */
struct launch {
	uint64_t serial, row, ran_ns;
	struct trace_kernel *kernel;	/* NULL: it is none */
};

struct context {
	struct context *next;
	uint32_t id;
	uint64_t row;
	struct launch launches[LAUNCHES_MAX];
	uint32_t oldest;	/* of them */
};

struct trace_device {
	struct trace_device *next;
	uint32_t id;
	struct gtdbg_clock *clock;	/* NULL: not known yet */
	uint64_t paired_ns;
	uint64_t error_ns;	/* the worst */
	struct context *contexts;
	uint64_t highest;	/* serial */
	struct launch *running;	/* or NULL */
	uint64_t begin_ns;	/* of the part that runs */
	int64_t stopped;
};

static struct trace_device *device_find(struct trace *trace, uint32_t id,
					uint32_t pid)
{
	struct trace_device *device = trace->devices;
	uint64_t row = ROW_DEVICE | id, parent;
	char name[32];

	while (device && device->id != id)
		device = device->next;
	if (device)
		return device;
	device = calloc(1, sizeof(*device));
	if (!device)
		return NULL;
	device->id = id;
	device->next = trace->devices;
	trace->devices = device;
	snprintf(name, sizeof(name), "GPU %u", id);
	parent = pid ? trace_process_row(trace, pid) : 0;
	perfetto_row(&trace->to, row, parent, name);
	perfetto_counter(&trace->to, ROW_BUSY | id, row, "busy");
	perfetto_counter(&trace->to, ROW_STOPPED | id, row, "stopped threads");
	perfetto_row(&trace->to, ROW_EVENTS | id, row, "events");
	return device;
}

static struct context *context_find(struct trace *trace,
				    struct trace_device *device, uint32_t id)
{
	struct context *context = device->contexts;
	char name[32];

	while (context && context->id != id)
		context = context->next;
	if (context)
		return context;
	context = calloc(1, sizeof(*context));
	if (!context)
		return NULL;
	context->id = id;
	context->row = ROW_CONTEXT | (uint64_t)id << CONTEXT_SHIFT | device->id;
	context->next = device->contexts;
	device->contexts = context;
	snprintf(name, sizeof(name), "context %u", id);
	perfetto_row(&trace->to, context->row, ROW_DEVICE | device->id, name);
	return context;
}

/* When that was, by what is known of the device's clock so far. */
static bool clock_says(const struct trace_device *device,
		       const struct gtdbg_watch_stamp *stamp,
		       struct trace_time *time)
{
	return device->clock &&
	       !gtdbg_clock_time(device->clock, stamp->gpu_time, stamp->time_ns,
				 &time->time_ns, &time->error_ns);
}

static void clock_learn(struct trace_device *device,
			const struct gtdbg_watch_stamp *stamp)
{
	const struct gtdbg_device_clock pair = {
		.gpu_time = stamp->gpu_time,
		.time_ns = stamp->time_ns,
		.span_ns = stamp->span_ns,
		.timestamp_hz = stamp->timestamp_hz,
	};

	if (!device->clock &&
	    gtdbg_clock_create(stamp->timestamp_hz, &device->clock))
		return;
	device->paired_ns = stamp->time_ns;
	gtdbg_clock_add(device->clock, &pair);
}

/* When what it stamps was seen, by the device's clock if that can be told. */
static struct trace_time stamp_time(struct trace_device *device,
				    const struct gtdbg_watch_stamp *stamp)
{
	struct trace_time time = { stamp->time_ns, stamp->span_ns };
	bool is_known, is_due = stamp->time_ns - device->paired_ns >= PAIR_NS;

	/* The device has gone. */
	if (!stamp->timestamp_hz)
		return time;
	is_known = clock_says(device, stamp, &time);
	/* A stamp is a pair, and tells its own time to half of what that took, and a tick. */
	if (is_due || !is_known ||
	    time.error_ns > stamp->span_ns / 2 + NS_PER_S / stamp->timestamp_hz + 2) {
		clock_learn(device, stamp);
		is_known = clock_says(device, stamp, &time);
	}
	if (!is_known)
		return time;
	if (time.error_ns > device->error_ns)
		device->error_ns = time.error_ns;
	return time;
}

static void put_stamp(struct trace *trace, const struct gtdbg_watch_stamp *stamp)
{
	/* The device has gone. */
	if (!stamp->timestamp_hz)
		return;
	perfetto_number(&trace->to, "gpu_time", stamp->gpu_time);
	if (stamp->since_ns != UNKNOWN)
		perfetto_number(&trace->to, "open_ns", stamp->since_ns);
}

/* It will not come back. */
static void launch_done(struct launch *launch)
{
	if (launch->kernel)
		trace_kernel_ran(launch->kernel, launch->ran_ns);
	launch->kernel = NULL;
	launch->ran_ns = 0;
}

static void launch_close(struct trace *trace, struct trace_device *device,
			 uint64_t time_ns, const struct gtdbg_watch_stamp *stamp)
{
	struct launch *launch = device->running;

	if (time_ns > device->begin_ns)
		launch->ran_ns += time_ns - device->begin_ns;
	device->running = NULL;
	trace_span_add(&trace->busy, device->begin_ns, time_ns);
	perfetto_event(&trace->to, PERFETTO_END, launch->row, time_ns, NULL);
	if (stamp && stamp->timestamp_hz) {
		perfetto_number(&trace->to, "end_gpu_time", stamp->gpu_time);
		if (stamp->since_ns != UNKNOWN)
			perfetto_number(&trace->to, "end_open_ns",
					stamp->since_ns);
	}
	perfetto_event_end(&trace->to);
	perfetto_count(&trace->to, ROW_BUSY | device->id, time_ns, 0);
}

static void put_launch(struct trace *trace,
		       const struct gtdbg_watch_launch *launch)
{
	put_stamp(trace, &launch->stamp);
	perfetto_number(&trace->to, "serial", launch->serial);
	perfetto_address(&trace->to, "address", launch->address);
	perfetto_number(&trace->to, "groups_x", launch->groups[0]);
	perfetto_number(&trace->to, "groups_y", launch->groups[1]);
	perfetto_number(&trace->to, "groups_z", launch->groups[2]);
	perfetto_number(&trace->to, "items_of_group", launch->items);
	perfetto_number(&trace->to, "simd", launch->simd);
	perfetto_number(&trace->to, "pid", launch->pid);
}

/* NULL: it was not seen yet. */
static struct launch *launch_find(struct context *context, uint64_t serial)
{
	struct launch *launch = context->launches;

	for (; launch < context->launches + LAUNCHES_MAX; launch++)
		if (launch->kernel && launch->serial == serial)
			return launch;
	return NULL;
}

static struct launch *launch_new(struct trace *trace, struct context *context,
				 uint64_t serial, const char *name)
{
	struct launch *launch = &context->launches[context->oldest];

	context->oldest = (context->oldest + 1) % LAUNCHES_MAX;
	launch_done(launch);
	launch->serial = serial;
	launch->row = context->row;
	launch->kernel = trace_kernel_find(trace, name);
	return launch;
}

/* The first part of it, or another one. */
static struct trace_enqueued *
launch_begin(struct trace *trace, struct trace_device *device,
	     struct context *context, const struct gtdbg_watch_launch *launch,
	     const char *name, uint64_t time_ns)
{
	struct trace_enqueued *enqueued;

	device->begin_ns = time_ns;
	device->running = launch_find(context, launch->serial);
	if (device->running)
		return NULL;
	device->running = launch_new(trace, context, launch->serial, name);
	/* Else it was seen long ago. */
	if (launch->serial <= device->highest)
		return NULL;
	device->highest = launch->serial;
	trace->launches++;
	enqueued = trace_enqueued_take(trace, launch, name, time_ns);
	if (enqueued)
		trace_kernel_waited(device->running->kernel,
				    time_ns - enqueued->time_ns);
	return enqueued;
}

void trace_launch_begin(struct trace *trace, const struct trace_launch *record)
{
	const struct gtdbg_watch_launch *launch = &record->launch;
	struct trace_device *device =
		device_find(trace, launch->device, launch->pid);
	char name[sizeof(launch->name) + 1];
	struct trace_enqueued *enqueued;
	struct context *context;
	struct trace_time time;
	uint64_t time_ns;

	context = device ? context_find(trace, device, launch->context) : NULL;
	if (!context)
		return;
	time = stamp_time(device, &launch->stamp);
	time_ns = time.time_ns;
	if (device->running)
		launch_close(trace, device, time_ns, NULL);
	snprintf(name, sizeof(name), "%.64s",
		 *launch->name ? launch->name : "unknown kernel");
	enqueued = launch_begin(trace, device, context, launch, name, time_ns);
	perfetto_event(&trace->to, PERFETTO_BEGIN, context->row, time_ns, name);
	put_launch(trace, launch);
	if (enqueued) {
		perfetto_flow(&trace->to, enqueued->flow, true);
		perfetto_number(&trace->to, "waited_ns",
				time_ns - enqueued->time_ns);
	}
	perfetto_event_end(&trace->to);
	if (trace->ctf)
		trace_ctf_launch(trace->ctf, record, &time, enqueued);
	free(enqueued);
	perfetto_count(&trace->to, ROW_BUSY | device->id, time_ns, 1);
}

void trace_launch_end(struct trace *trace, const struct trace_launch *record)
{
	const struct gtdbg_watch_launch *launch = &record->launch;
	struct trace_device *device =
		device_find(trace, launch->device, launch->pid);
	struct trace_time time;

	if (!device)
		return;
	time = stamp_time(device, &launch->stamp);
	if (trace->ctf)
		trace_ctf_launch(trace->ctf, record, &time, NULL);
	/* Else it began before the trace, or its begin was lost. */
	if (device->running && device->running->serial == launch->serial)
		launch_close(trace, device, time.time_ns, &launch->stamp);
}

void trace_switch(struct trace *trace, const struct trace_switch *record)
{
	const struct gtdbg_watch_switch *change = &record->change;
	struct trace_device *device =
		device_find(trace, change->device, change->pid);
	struct trace_time time;
	char name[48];

	if (!device)
		return;
	time = stamp_time(device, &change->stamp);
	if (change->context)
		snprintf(name, sizeof(name), "context %u on the engine",
			 change->context);
	else
		snprintf(name, sizeof(name), "engine is left");
	perfetto_event(&trace->to, PERFETTO_INSTANT, ROW_EVENTS | device->id,
		       time.time_ns, name);
	put_stamp(trace, &change->stamp);
	perfetto_event_end(&trace->to);
	if (trace->ctf)
		trace_ctf_switch(trace->ctf, record, &time);
}

static void put_stop(struct trace *trace, struct trace_device *device,
		     const struct trace_event *record)
{
	bool is_stop = record->head.kind == TRACE_STOP;

	trace->stops += is_stop;
	device->stopped += is_stop ? 1 : -1;
	if (device->stopped < 0)
		device->stopped = 0;
	perfetto_count(&trace->to, ROW_STOPPED | device->id,
		       record->head.time_ns, device->stopped);
	perfetto_event(&trace->to, PERFETTO_INSTANT, ROW_EVENTS | device->id,
		       record->head.time_ns, is_stop ? "stop" : "resume");
	perfetto_number(&trace->to, "slot", (uint32_t)record->value[1]);
	perfetto_number(&trace->to, "generation", record->value[2]);
	if (is_stop) {
		perfetto_address(&trace->to, "reasons",
				 (uint32_t)record->value[3]);
		perfetto_address(&trace->to, "ip", (uint32_t)record->value[4]);
	}
	perfetto_event_end(&trace->to);
}

/* Of several threads, some time before. */
static void put_decision(struct trace *trace, struct trace_device *device,
			 const struct trace_event *record)
{
	trace->decided += (uint32_t)record->value[4];
	perfetto_event(&trace->to, PERFETTO_INSTANT, ROW_EVENTS | device->id,
		       record->head.time_ns, "decided on the EU");
	perfetto_address(&trace->to, "address", record->value[3]);
	perfetto_number(&trace->to, "passed", (uint32_t)record->value[4]);
	perfetto_event_end(&trace->to);
}

static void put_fault(struct trace *trace, struct trace_device *device,
		      const struct trace_event *record)
{
	trace->faults++;
	perfetto_event(&trace->to, PERFETTO_INSTANT, ROW_EVENTS | device->id,
		       record->head.time_ns, "page fault");
	perfetto_address(&trace->to, "address", record->value[2]);
	perfetto_event_end(&trace->to);
}

static void put_reset(struct trace *trace, struct trace_device *device,
		      const struct trace_event *record)
{
	perfetto_event(&trace->to, PERFETTO_INSTANT, ROW_EVENTS | device->id,
		       record->head.time_ns, "reset by the driver");
	perfetto_number(&trace->to, "context", (uint32_t)record->value[1]);
	perfetto_number(&trace->to, "slot", (uint32_t)record->value[2]);
	perfetto_event_end(&trace->to);
}

/* As with its program, or before; after the one it may come back. */
static void put_loss(struct trace *trace, struct trace_device *device,
		     const struct trace_event *record)
{
	uint32_t reason = (uint32_t)record->value[1];

	perfetto_event(&trace->to, PERFETTO_INSTANT, ROW_EVENTS | device->id,
		       record->head.time_ns,
		       reason == GTDBG_LOSS_TIMEOUT ? "does not answer" : "is gone");
	perfetto_event_end(&trace->to);
}

void trace_event(struct trace *trace, const struct trace_event *record)
{
	struct trace_device *device;

	if (trace->ctf)
		trace_ctf_event(trace->ctf, record);
	if (record->head.kind == TRACE_EVENT_LOST)
		return;
	/* Of whose process it is only a launch says. */
	device = device_find(trace, (uint32_t)record->value[0], 0);
	if (!device)
		return;
	switch (record->head.kind) {
	case TRACE_DECISION:
		put_decision(trace, device, record);
		break;
	case TRACE_FAULT:
		put_fault(trace, device, record);
		break;
	case TRACE_RESET:
		put_reset(trace, device, record);
		break;
	case TRACE_DEVICE_LOST:
		put_loss(trace, device, record);
		break;
	default:
		put_stop(trace, device, record);
	}
}

/*
 * "LANE:VALUE,VALUE,VALUE" for each lane, up to eight; how many of the three the program
 * has captured, and what they are, knows who wrote it.
 */
static void print_values(const struct gtdbg_thread_record *record, char *text,
			 size_t size)
{
	size_t len = 0;
	int i;

	*text = '\0';
	for (i = 0; i < 8 && len < size; i++)
		if (record->lanes & 1 << i)
			len += (size_t)snprintf(text + len, size - len,
						"%s%d:0x%x,0x%x,0x%x",
						len ? " " : "", record->first + i,
						record->value[0][i],
						record->value[1][i],
						record->value[2][i]);
}

void trace_print(struct trace *trace, const struct trace_print *print)
{
	const struct gtdbg_thread_record *record = &print->record;
	struct trace_device *device = device_find(trace, print->device, 0);
	char values[304];

	if (!device)
		return;
	trace->prints++;
	print_values(record, values, sizeof(values));
	if (trace->ctf)
		trace_ctf_print(trace->ctf, print, values);
	perfetto_event(&trace->to, PERFETTO_INSTANT, ROW_EVENTS | device->id,
		       print->head.time_ns, "dprintf");
	perfetto_number(&trace->to, "slot", record->slot);
	perfetto_address(&trace->to, "address", record->address);
	perfetto_number(&trace->to, "thread_time", record->time);
	perfetto_number(&trace->to, "tag", record->tag);
	perfetto_text(&trace->to, "values", values);
	perfetto_event_end(&trace->to);
}

void trace_launches_finish(struct trace *trace)
{
	struct trace_device *device = trace->devices;
	struct context *context;

	for (; device; device = device->next) {
		if (device->running)
			launch_close(trace, device, trace->last_ns, NULL);
		for (context = device->contexts; context; context = context->next)
			for (int i = 0; i < LAUNCHES_MAX; i++)
				launch_done(&context->launches[i]);
	}
}

uint64_t trace_error_ns(const struct trace *trace)
{
	const struct trace_device *device = trace->devices;
	uint64_t worst = 0;

	for (; device; device = device->next)
		if (device->error_ns > worst)
			worst = device->error_ns;
	return worst;
}

static void device_free(struct trace_device *device)
{
	struct context *next;

	for (; device->contexts; device->contexts = next) {
		next = device->contexts->next;
		free(device->contexts);
	}
	gtdbg_clock_destroy(device->clock);
	free(device);
}

void trace_launches_fini(struct trace *trace)
{
	struct trace_device *next;

	for (; trace->devices; trace->devices = next) {
		next = trace->devices->next;
		device_free(trace->devices);
	}
}
