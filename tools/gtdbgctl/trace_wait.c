// SPDX-License-Identifier: MIT
/*
 * Who waits for one queue while it has enqueued nothing in another has no use of the
 * other: its GPU idles while the host works, and the other way round. So of each queue
 * is known whether it has work that was not waited for. A wait was alone if all others
 * of the process had none, from its begin to its end. Only calls are looked at, and
 * not how long the work took.
 */
#include "trace.h"

#include <stdio.h>
#include <stdlib.h>

struct trace_queue {
	struct trace_queue *next;
	uint64_t handle;
	bool has_work;
	uint64_t done_ns;	/* when it was waited for last */
};

static struct trace_queue *queue_find(const struct trace_waits *waits,
				      uint64_t handle)
{
	struct trace_queue *queue = waits->queues;

	while (queue && queue->handle != handle)
		queue = queue->next;
	return queue;
}

void trace_wait_work(struct trace_waits *waits, uint64_t handle)
{
	struct trace_queue *queue = queue_find(waits, handle);

	if (!queue) {
		queue = calloc(1, sizeof(*queue));
		if (!queue)
			return;
		queue->handle = handle;
		queue->next = waits->queues;
		waits->queues = queue;
		waits->queue_count++;
	}
	queue->has_work = true;
}

bool trace_wait_done(struct trace_waits *waits, uint64_t handle,
		     uint64_t begin_ns, uint64_t end_ns)
{
	struct trace_queue *queue = queue_find(waits, handle), *other;
	bool is_alone = true;

	/* Nothing was enqueued, so there was nothing to wait for. */
	if (!queue || !queue->has_work)
		return false;
	for (other = waits->queues; other; other = other->next)
		if (other != queue && (other->has_work || other->done_ns > begin_ns))
			is_alone = false;
	queue->has_work = false;
	queue->done_ns = end_ns;
	waits->count++;
	waits->total_ns += end_ns - begin_ns;
	waits->alone += is_alone;
	waits->alone_ns += is_alone ? end_ns - begin_ns : 0;
	return is_alone;
}

void trace_waits_print(const struct trace_waits *waits, uint32_t pid,
		       const char *name)
{
	if (waits->queue_count < 2 || !waits->count)
		return;
	printf("process %u (%s): %u queues; %llu of %llu waits while the others had no work, ",
	       pid, name, waits->queue_count, (unsigned long long)waits->alone,
	       (unsigned long long)waits->count);
	printf("%.3f ms of %.3f ms\n", (double)waits->alone_ns / 1e6,
	       (double)waits->total_ns / 1e6);
}

void trace_waits_fini(struct trace_waits *waits)
{
	struct trace_queue *next;

	for (; waits->queues; waits->queues = next) {
		next = waits->queues->next;
		free(waits->queues);
	}
}
