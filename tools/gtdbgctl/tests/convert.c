// SPDX-License-Identifier: MIT
/*
 * Writes a trace of many records without a GPU, and says what that took. A thousand
 * launches of ten kernels by four threads, then a wait, and again.
 * usage: convert RECORDS FILE|FOLDER.ctf
 */
#include "../cmd.h"
#include "../trace.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#define THREADS 4
#define KERNELS 10
#define WAIT_LAUNCHES 1000
#define STEP_NS 1000
#define FLUSH_RECORDS 1000 /* the tool does so ten times a second */
#define HZ 12000000ull
#define PID 1000

enum {
	LAUNCH = 0,
	KERNEL = 1,
	FINISH = 2,
};

struct converter {
	struct trace trace;
	uint64_t time_ns, records, launches;
};

/* What the rest of the tool has for it. */
const struct trace_function *trace_function_at(uint32_t place)
{
	static const struct trace_function functions[] = {
		[LAUNCH] = { "clEnqueueNDRangeKernel", TRACE_SORT_LAUNCH,
			     TRACE_CALL_SIZE },
		[KERNEL] = { "clCreateKernel", TRACE_SORT_KERNEL,
			     TRACE_CALL_NAME | TRACE_CALL_POINTER },
		[FINISH] = { "clFinish", TRACE_SORT_FINISH, 0 },
	};

	return place <= FINISH ? &functions[place] : NULL;
}

int cmd_fail(int ret, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fprintf(stderr, ": %s\n", strerror(-ret));
	return CMD_FAILED;
}

static void put(struct converter *converter, struct trace_head *head,
		uint32_t kind)
{
	converter->time_ns += STEP_NS;
	head->kind = kind;
	head->time_ns = converter->time_ns;
	trace_put(&converter->trace, head);
	if (++converter->records % FLUSH_RECORDS == 0)
		trace_output_flush(&converter->trace, converter->time_ns);
}

static void call(struct converter *converter, uint32_t function,
		 const uint64_t arg[3], uint64_t value)
{
	const struct trace_head head = {
		.pid = PID,
		.tid = PID + converter->launches % THREADS,
		.function = function,
	};
	struct trace_call begin = { .head = head, .size = { 64 }, .comm = "convert" };
	struct trace_return end = { .head = head, .value = value };

	memcpy(begin.arg, arg, 3 * sizeof(*arg));
	snprintf(begin.name, sizeof(begin.name), "kernel_%llu",
		 (unsigned long long)value);
	put(converter, &begin.head, TRACE_CALL);
	put(converter, &end.head, TRACE_RETURN);
}

static void ran(struct converter *converter, uint32_t kind)
{
	struct trace_launch record = {
		.launch = {
			.stamp = { .time_ns = converter->time_ns, .span_ns = 100,
				   .timestamp_hz = HZ },
			.serial = converter->launches,
			.pid = PID, .device = 1, .context = 1,
			.groups = { 8, 1, 1 }, .simd = 8, .items = 8,
		},
	};

	record.launch.stamp.gpu_time = converter->time_ns * (HZ / 1000000) / 1000;
	snprintf(record.launch.name, sizeof(record.launch.name), "kernel_%llu",
		 (unsigned long long)(1 + converter->launches % KERNELS));
	put(converter, &record.head, kind);
}

static void convert(struct converter *converter, uint64_t records)
{
	uint64_t arg[3] = { 0xc0ffee, 0, 1 }, i;

	for (i = 1; i <= KERNELS; i++)
		call(converter, KERNEL, arg, i);
	while (converter->records < records) {
		arg[1] = 1 + converter->launches % KERNELS;
		call(converter, LAUNCH, arg, 0);
		ran(converter, TRACE_LAUNCH_BEGIN);
		ran(converter, TRACE_LAUNCH_END);
		if (++converter->launches % WAIT_LAUNCHES == 0)
			call(converter, FINISH, arg, 0);
	}
}

int main(int argc, char **argv)
{
	static struct converter converter;
	const char *end;
	uint64_t begin_ns = trace_now_ns();
	struct rusage usage;
	int ret;

	if (argc != 3)
		return CMD_USAGE;
	end = strrchr(argv[2], '.');
	converter.time_ns = begin_ns;
	converter.trace.first_ns = begin_ns;
	ret = trace_output_open(&converter.trace,
				end && !strcmp(end, ".ctf") ? TRACE_FORMAT_CTF :
							      TRACE_FORMAT_PERFETTO,
				argv[2]);
	if (ret)
		return ret;
	convert(&converter, strtoull(argv[1], NULL, 0));
	converter.trace.last_ns = converter.time_ns;
	ret = trace_output_close(&converter.trace, argv[2]);
	getrusage(RUSAGE_SELF, &usage);
	printf("%llu records, %.3f s, %ld KiB of memory\n",
	       (unsigned long long)converter.records,
	       (double)(trace_now_ns() - begin_ns) / 1e9, usage.ru_maxrss);
	return ret;
}
