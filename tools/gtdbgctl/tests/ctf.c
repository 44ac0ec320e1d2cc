// SPDX-License-Identifier: MIT
/*
 * Writes a trace without a GPU, and without the kernel's part, for ctf.sh.
 * usage: ctf HOW FOLDER
 * An event's thread is its number, in the order of their times.
 */
#include "../trace.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#define BLOCK 8
#define COUNT 1000
#define DEVICES 40

/* What the rest of the tool has for it. */
const struct trace_function *trace_function_at(uint32_t place)
{
	static const struct trace_function function = {
		"clFinish", TRACE_SORT_FINISH, 0
	};

	return place ? NULL : &function;
}

const char *trace_kernel_name(const struct trace_kernel *kernel)
{
	(void)kernel;
	return "";
}

const char *trace_sched_state(uint32_t state)
{
	(void)state;
	return "";
}

void trace_engine_name(const struct trace_request *record, char *out, size_t size)
{
	(void)record;
	snprintf(out, size, "engine");
}

static void call(struct trace_ctf *trace, uint64_t begin_ns, uint32_t number)
{
	struct trace_call record = {
		.head = { .kind = TRACE_CALL, .pid = 1, .tid = number,
			  .time_ns = begin_ns + 1 + number },
		.arg = { 0xc0ffee },
		.comm = "sixteen letters!",
	};

	trace_ctf_call(trace, &record, NULL);
}

/* Eight at a time, the last one first; none from behind them was seen yet. */
static int order(struct trace_ctf *trace, uint64_t begin_ns)
{
	uint32_t block, i;
	int ret = 0;

	for (block = 0; !ret && block < COUNT; block += BLOCK) {
		for (i = BLOCK; i-- > 0;)
			call(trace, begin_ns, block + i);
		ret = trace_ctf_write(trace, begin_ns + block + BLOCK, 0);
	}
	return ret;
}

static int discard(struct trace_ctf *trace, uint64_t begin_ns)
{
	call(trace, begin_ns, 0);
	return trace_ctf_write(trace, begin_ns + 10, 0) ?:
	       trace_ctf_write(trace, begin_ns + 20, 7);
}

/* More of them than files may be open; each one's estimates go back by 40. */
static int many(struct trace_ctf *trace, uint64_t begin_ns)
{
	const struct rlimit limit = { 16, 16 };
	struct trace_launch record = { .head.kind = TRACE_LAUNCH_END };
	struct trace_time time = { .error_ns = 1 };
	uint32_t i;

	setrlimit(RLIMIT_NOFILE, &limit);
	for (i = 0; i < 4 * DEVICES; i++) {
		record.launch.device = 1 + i % DEVICES;
		record.launch.serial = i / DEVICES;
		memset(record.launch.name, 'k', sizeof(record.launch.name));
		time.time_ns = begin_ns + 4 * DEVICES - i;
		trace_ctf_launch(trace, &record, &time, NULL);
	}
	return trace_ctf_write(trace, begin_ns, 0);
}

/* Into the middle of a packet. */
static int full(struct trace_ctf *trace, uint64_t begin_ns)
{
	const struct rlimit limit = { 3 * 4096 + 100, 3 * 4096 + 100 };

	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &limit);
	return order(trace, begin_ns);
}

/* Until somebody kills it. */
static int endless(struct trace_ctf *trace, uint64_t begin_ns)
{
	uint32_t i = 0;
	int ret = 0;

	for (; !ret; i++) {
		call(trace, begin_ns, i);
		if (i % 100 == 99)
			ret = trace_ctf_write(trace, begin_ns + i, 0);
	}
	return ret;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*run)(struct trace_ctf *trace, uint64_t begin_ns);
	} ways[] = {
		{ "order", order }, { "discard", discard }, { "many", many },
		{ "full", full }, { "endless", endless },
	};
	struct timespec now;
	struct trace_ctf *trace;
	uint64_t begin_ns;
	int ret = -1;
	size_t i;

	if (argc != 3)
		return 2;
	clock_gettime(CLOCK_MONOTONIC, &now);
	begin_ns = now.tv_sec * 1000000000ull + now.tv_nsec;
	ret = trace_ctf_create(argv[2], begin_ns, &trace);
	for (i = 0; !ret && i < sizeof(ways) / sizeof(ways[0]); i++)
		if (!strcmp(argv[1], ways[i].name))
			ret = ways[i].run(trace, begin_ns);
	if (ret)
		fprintf(stderr, "ctf: %s\n", strerror(-ret));
	return ret ? 1 : 0;
}
