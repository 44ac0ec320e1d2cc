// SPDX-License-Identifier: MIT
/*
 * Requests to i915: rows for each engine, with a slice from where a request was added
 * to where its fence was signalled. Several are there at a time, so each is in the first
 * row of the engine that is free. Stock kernels have no tracepoint for where one comes to
 * the engine. What threads wait for in the driver has a row below the thread.
 */
#include "trace.h"

#include <stdio.h>
#include <stdlib.h>

#define ROW_DRIVER (10ull << 60)
#define ROW_LANE (11ull << 60)
#define ROW_REQUESTS (12ull << 60)
#define ROW_WAITS (15ull << 60)
#define CARD_SHIFT 40
#define CLASS_SHIFT 24
#define INSTANCE_SHIFT 8
#define LANES 32 /* what is more is counted only */

struct pending {
	struct pending *next;
	uint64_t timeline, number;
	int lane;	/* LANES: none was free */
};

struct trace_engine {
	struct trace_engine *next;
	uint32_t card, class, instance;
	uint64_t row;		/* without what it is a row of */
	struct pending *pending;
	int64_t count;
	uint32_t busy, known;	/* lanes, a bit each */
};

struct trace_waiter {
	struct trace_waiter *next;
	uint32_t tid;
	bool waits;
};

void trace_engine_name(const struct trace_request *record, char *out, size_t size)
{
	/* As the driver calls them. */
	static const char *const names[] = { "rcs", "bcs", "vcs", "vecs", "ccs" };

	if (record->engine < sizeof(names) / sizeof(names[0]))
		snprintf(out, size, "%s%u", names[record->engine],
			 record->instance);
	else
		snprintf(out, size, "engine %u:%u", record->engine,
			 record->instance);
}

static void engine_rows(struct trace *trace, const struct trace_engine *engine,
			const struct trace_request *record)
{
	char name[32], row[64];

	trace_engine_name(record, name, sizeof(name));
	snprintf(row, sizeof(row), "i915 card%u %s", engine->card, name);
	perfetto_row(&trace->to, ROW_DRIVER | engine->row, 0, row);
	perfetto_counter(&trace->to, ROW_REQUESTS | engine->row,
			 ROW_DRIVER | engine->row, "requests");
}

static struct trace_engine *engine_find(struct trace *trace,
					const struct trace_request *record)
{
	struct trace_engine *engine = trace->engines;

	while (engine && (engine->card != record->card ||
			  engine->class != record->engine ||
			  engine->instance != record->instance))
		engine = engine->next;
	if (engine)
		return engine;
	engine = calloc(1, sizeof(*engine));
	if (!engine)
		return NULL;
	engine->card = record->card;
	engine->class = record->engine;
	engine->instance = record->instance;
	engine->row = (uint64_t)(engine->card & 0xffff) << CARD_SHIFT |
		      (uint64_t)engine->class << CLASS_SHIFT |
		      (uint64_t)engine->instance << INSTANCE_SHIFT;
	engine->next = trace->engines;
	trace->engines = engine;
	engine_rows(trace, engine, record);
	return engine;
}

static uint64_t lane_row(const struct trace_engine *engine, int lane)
{
	return ROW_LANE | engine->row | (uint64_t)lane;
}

static int lane_take(struct trace *trace, struct trace_engine *engine)
{
	char name[16];
	int lane = 0;

	while (lane < LANES && engine->busy & 1u << lane)
		lane++;
	if (lane == LANES)
		return lane;
	engine->busy |= 1u << lane;
	if (engine->known & 1u << lane)
		return lane;
	engine->known |= 1u << lane;
	snprintf(name, sizeof(name), "request %d", lane + 1);
	perfetto_row(&trace->to, lane_row(engine, lane), ROW_DRIVER | engine->row,
		     name);
	return lane;
}

static void engine_count(struct trace *trace, struct trace_engine *engine,
			 uint64_t time_ns, int change)
{
	engine->count += change;
	perfetto_count(&trace->to, ROW_REQUESTS | engine->row, time_ns,
		       engine->count);
}

static void request_add(struct trace *trace, const struct trace_request *record)
{
	struct trace_engine *engine = engine_find(trace, record);
	struct pending *pending = calloc(1, sizeof(*pending));
	uint64_t time_ns = record->head.time_ns;

	trace->requests++;
	if (!engine || !pending) {
		free(pending);
		return;
	}
	pending->timeline = record->timeline;
	pending->number = record->number;
	pending->lane = lane_take(trace, engine);
	pending->next = engine->pending;
	engine->pending = pending;
	engine_count(trace, engine, time_ns, 1);
	if (pending->lane == LANES)
		return;
	perfetto_event(&trace->to, PERFETTO_BEGIN, lane_row(engine, pending->lane),
		       time_ns, "request");
	perfetto_number(&trace->to, "timeline", record->timeline);
	perfetto_number(&trace->to, "number", record->number);
	perfetto_number(&trace->to, "pid", record->head.pid);
	perfetto_number(&trace->to, "tid", record->head.tid);
	perfetto_event_end(&trace->to);
}

static void pending_close(struct trace *trace, struct trace_engine *engine,
			  struct pending *pending, uint64_t time_ns)
{
	engine_count(trace, engine, time_ns, -1);
	if (pending->lane < LANES) {
		engine->busy &= ~(1u << pending->lane);
		perfetto_event(&trace->to, PERFETTO_END,
			       lane_row(engine, pending->lane), time_ns, NULL);
		perfetto_event_end(&trace->to);
	}
	free(pending);
}

/* Those before it on its time line are done, too. */
static void request_done(struct trace *trace, const struct trace_request *record)
{
	struct trace_engine *engine = trace->engines;
	struct pending **at, *pending;

	for (; engine; engine = engine->next) {
		at = &engine->pending;
		while (*at) {
			pending = *at;
			if (pending->timeline != record->timeline ||
			    pending->number > record->number) {
				at = &pending->next;
				continue;
			}
			*at = pending->next;
			pending_close(trace, engine, pending,
				      record->head.time_ns);
		}
	}
}

static struct trace_waiter *waiter_find(struct trace *trace,
					const struct trace_head *head)
{
	struct trace_waiter *waiter = trace->waiters;

	while (waiter && waiter->tid != head->tid)
		waiter = waiter->next;
	if (waiter)
		return waiter;
	waiter = calloc(1, sizeof(*waiter));
	if (!waiter)
		return NULL;
	waiter->tid = head->tid;
	waiter->next = trace->waiters;
	trace->waiters = waiter;
	perfetto_row(&trace->to, ROW_WAITS | waiter->tid,
		     trace_thread_row(trace, head->pid, head->tid, ""),
		     "waits in i915");
	return waiter;
}

static void waiter_leave(struct trace *trace, struct trace_waiter *waiter,
			 uint64_t time_ns)
{
	waiter->waits = false;
	perfetto_event(&trace->to, PERFETTO_END, ROW_WAITS | waiter->tid, time_ns,
		       NULL);
	perfetto_event_end(&trace->to);
}

static void request_wait(struct trace *trace, const struct trace_request *record)
{
	struct trace_waiter *waiter = waiter_find(trace, &record->head);

	if (!waiter)
		return;
	if (waiter->waits)
		waiter_leave(trace, waiter, record->head.time_ns);
	if (record->head.kind == TRACE_REQUEST_WAITED)
		return;
	waiter->waits = true;
	perfetto_event(&trace->to, PERFETTO_BEGIN, ROW_WAITS | waiter->tid,
		       record->head.time_ns, "wait");
	perfetto_number(&trace->to, "timeline", record->timeline);
	perfetto_number(&trace->to, "number", record->number);
	perfetto_event_end(&trace->to);
}

void trace_request(struct trace *trace, const struct trace_request *record)
{
	if (trace->ctf)
		trace_ctf_request(trace->ctf, record);
	switch (record->head.kind) {
	case TRACE_REQUEST_ADD:
		request_add(trace, record);
		break;
	case TRACE_REQUEST_DONE:
	case TRACE_REQUEST_RETIRE:
		request_done(trace, record);
		break;
	default:
		request_wait(trace, record);
	}
}

void trace_requests_finish(struct trace *trace)
{
	struct trace_waiter *waiter = trace->waiters;
	struct trace_engine *engine = trace->engines;
	struct pending *pending;

	for (; engine; engine = engine->next) {
		while ((pending = engine->pending)) {
			engine->pending = pending->next;
			pending_close(trace, engine, pending, trace->last_ns);
		}
	}
	for (; waiter; waiter = waiter->next)
		if (waiter->waits)
			waiter_leave(trace, waiter, trace->last_ns);
}

static void engine_free(struct trace_engine *engine)
{
	struct pending *next;

	for (; engine->pending; engine->pending = next) {
		next = engine->pending->next;
		free(engine->pending);
	}
	free(engine);
}

void trace_requests_fini(struct trace *trace)
{
	void *next;

	for (; trace->engines; trace->engines = next) {
		next = trace->engines->next;
		engine_free(trace->engines);
	}
	for (; trace->waiters; trace->waiters = next) {
		next = trace->waiters->next;
		free(trace->waiters);
	}
}
