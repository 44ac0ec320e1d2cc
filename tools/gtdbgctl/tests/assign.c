// SPDX-License-Identifier: MIT
/*
 * Which call a launch is of, where several queues have enqueued the same kernel; and
 * spans of time, compared with a count of each moment. Without a GPU, for assign.sh.
 */
#include "../cmd.h"
#include "../trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KERNEL_HANDLE 7
#define A 0xaaaa
#define B 0xbbbb
#define NUMBERS 20000 /* 0x4e20 */
#define MOMENTS 300

enum {
	LAUNCH = 0,
	KERNEL = 1,
};

static uint64_t now_ns = 1000;
static int number, failed;

/* What the rest of the tool has for it. */
const struct trace_function *trace_function_at(uint32_t place)
{
	static const struct trace_function functions[] = {
		[LAUNCH] = { "clEnqueueNDRangeKernel", TRACE_SORT_LAUNCH,
			     TRACE_CALL_SIZE },
		[KERNEL] = { "clCreateKernel", TRACE_SORT_KERNEL,
			     TRACE_CALL_NAME | TRACE_CALL_POINTER },
	};

	return place <= KERNEL ? &functions[place] : NULL;
}

int cmd_fail(int ret, const char *format, ...)
{
	(void)format;
	return ret;
}

static void result(bool is_ok, const char *name)
{
	printf("%s %d - %s\n", is_ok ? "ok" : "not ok", ++number, name);
	failed |= !is_ok;
}

static void call(struct trace *trace, uint32_t pid, uint32_t function,
		 uint64_t queue, uint64_t items)
{
	struct trace_call begin = {
		.head = { .kind = TRACE_CALL, .pid = pid, .tid = pid,
			  .function = function, .time_ns = now_ns++ },
		.arg = { queue, KERNEL_HANDLE, 2 },
		.size = { items / 4, 4, 0 },
		.comm = "assign",
		.name = "same",
	};
	struct trace_return end = { .head = begin.head };

	end.head.kind = TRACE_RETURN;
	end.value = function == KERNEL ? KERNEL_HANDLE : 0;
	trace_put(trace, &begin.head);
	trace_put(trace, &end.head);
}

/* The queue of the call that a launch of so many items in a context is of. */
static uint64_t queue_of(struct trace *trace, uint32_t pid, uint32_t context,
			 uint32_t items)
{
	const struct gtdbg_watch_launch launch = {
		.pid = pid, .device = 1, .context = context,
		.groups = { 2, 2, 1 }, .items = items / 4,
	};
	struct trace_enqueued *enqueued;
	uint64_t queue = 0;

	enqueued = trace_enqueued_take(trace, &launch, "same", now_ns++);
	if (enqueued)
		queue = enqueued->queue;
	free(enqueued);
	return queue;
}

static void by_context(struct trace *trace, uint32_t pid)
{
	call(trace, pid, KERNEL, 0, 0);
	call(trace, pid, LAUNCH, A, 64);
	result(queue_of(trace, pid, 1, 64) == A, "the only one enqueued is it");
	call(trace, pid, LAUNCH, B, 64);
	result(queue_of(trace, pid, 2, 64) == B, "so is that of another queue");
	call(trace, pid, LAUNCH, A, 64);
	call(trace, pid, LAUNCH, B, 64);
	result(queue_of(trace, pid, 2, 64) == B,
	       "a queue's work is in its context, though another one is older");
	result(queue_of(trace, pid, 1, 64) == A, "and what is left in the other");
	result(!queue_of(trace, pid, 1, 64), "then there is none");
}

static void by_size(struct trace *trace, uint32_t pid)
{
	call(trace, pid, KERNEL, 0, 0);
	call(trace, pid, LAUNCH, A, 64);
	call(trace, pid, LAUNCH, B, 128);
	result(queue_of(trace, pid, 1, 128) == B,
	       "as many work-items, though another one is older");
	result(queue_of(trace, pid, 1, 64) == A, "and the one that is left");
	call(trace, pid, LAUNCH, A, 100);
	call(trace, pid, LAUNCH, B, 100);
	result(queue_of(trace, pid, 1, 128) == A,
	       "the oldest where none has as many");
	result(queue_of(trace, pid, 1, 128) == B, "and then the next");
}

/* Nobody enqueues so that it has begun before. */
static void by_time(struct trace *trace, uint32_t pid)
{
	const struct gtdbg_watch_launch launch = {
		.pid = pid, .device = 1, .context = 1,
		.groups = { 16, 1, 1 }, .items = 4,
	};

	call(trace, pid, KERNEL, 0, 0);
	call(trace, pid, LAUNCH, A, 64);
	result(!trace_enqueued_take(trace, &launch, "same", now_ns - 10),
	       "none that was enqueued later");
}

/* What is no kernel has a line of its own, and memory, only so far. */
static void by_any_number(struct trace *trace, uint32_t pid)
{
	struct trace_call begin = {
		.head = { .kind = TRACE_CALL, .pid = pid, .tid = pid,
			  .function = LAUNCH, .time_ns = now_ns++ },
		.arg = { A, 0, 1 }, .size = { 1 }, .comm = "assign",
	};
	struct trace_return end = { .head = begin.head, .value = -48 };
	struct trace_kernel *last;

	end.head.kind = TRACE_RETURN;
	for (begin.arg[1] = 1; begin.arg[1] <= NUMBERS; begin.arg[1]++) {
		trace_put(trace, &begin.head);
		trace_put(trace, &end.head);
	}
	last = trace_kernel_find(trace, "kernel 0x4e20");
	result(!strcmp(trace_kernel_name(last), "other kernels"),
	       "of numbers that are no kernels most have one line");
	result(!strcmp(trace_kernel_name(trace_kernel_find(trace, "same")),
		       "same"), "and kernels from before keep theirs");
}

static void span_random(struct trace_spans *spans, uint8_t *moments)
{
	uint32_t begin = (uint32_t)rand() % MOMENTS;
	uint32_t end = begin + (uint32_t)rand() % 20;

	if (end > MOMENTS)
		end = MOMENTS;
	trace_span_add(spans, begin, end);
	memset(moments + begin, 1, end - begin);
}

static bool spans_round(void)
{
	struct trace_spans a = { .count = 0 }, b = { .count = 0 };
	uint8_t in_a[MOMENTS] = { 0 }, in_b[MOMENTS] = { 0 };
	uint64_t total = 0, both = 0, i;
	bool is_ok;

	for (i = (uint64_t)rand() % 30; i; i--)
		span_random(&a, in_a);
	for (i = (uint64_t)rand() % 30; i; i--)
		span_random(&b, in_b);
	for (i = 0; i < MOMENTS; i++) {
		total += in_a[i];
		both += in_a[i] && in_b[i];
	}
	is_ok = trace_spans_total(&a) == total &&
		trace_spans_overlap(&a, &b) == both &&
		trace_spans_overlap(&b, &a) == both;
	trace_spans_fini(&a);
	trace_spans_fini(&b);
	return is_ok;
}

int main(void)
{
	struct trace trace = { .flow = 0 };
	bool is_ok = true;
	int i;

	puts("TAP version 13");
	by_context(&trace, 1000);
	by_size(&trace, 2000);
	by_time(&trace, 3000);
	by_any_number(&trace, 4000);
	trace_fini(&trace);
	for (i = 0; i < 2000; i++)
		is_ok = is_ok && spans_round();
	result(is_ok, "spans are as long as all moments in them");
	printf("1..%d\n", number);
	return failed;
}
