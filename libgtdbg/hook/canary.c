// SPDX-License-Identifier: MIT
/*
 * The pattern in what is mapped around a guarded buffer: whoever writes there is told
 * of when the host has waited for the GPU, with the kernels that may have run since the
 * last look: those of a queue that the host has not waited for stay in question. Whoever
 * reads there reads the pattern. At the program's end a line says how much of that there
 * was, and what it has cost.
 */
#include "guard.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define PATTERN		0xcb
#define NAME_MAX	64
#define QUEUES_MAX	64

static const cl_icd_dispatch *next;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* Protected by the lock. */
static struct {
	cl_command_queue queue;
	uint32_t launches;	/* that may not have been done at the last look */
} launched[QUEUES_MAX];
static char last_kernel[NAME_MAX];
static char looked_kernel[NAME_MAX];	/* what the look that goes on is about */
static uint32_t looked_launches;
static struct {
	uint32_t guarded, others, looks;
	uint32_t open;		/* with bytes behind their ends */
	uint64_t bytes, added_bytes, ns;
} total;
static pid_t owner;

/* The pattern's place, before or behind the buffer, of the whole. */
struct zone {
	size_t first;
	size_t len_bytes;
};

static struct zone zone_of(const struct gtdbg_guard *guard, bool is_behind)
{
	size_t end = guard->lead_bytes + guard->len_bytes;

	return is_behind ?
		(struct zone){ end, guard->whole_bytes - end } :
		(struct zone){ 0, guard->lead_bytes };
}

void *gtdbg_hook_canary_fill(struct gtdbg_guard *guard, const void *host)
{
	cl_command_queue queue = gtdbg_hook_buffer_queue(guard->context);
	struct zone behind = zone_of(guard, true);
	char *whole = NULL;
	cl_int status;

	if (!queue)
		return NULL;
	whole = next->clEnqueueMapBuffer(queue, guard->whole, CL_TRUE,
					 CL_MAP_WRITE, 0, guard->whole_bytes, 0,
					 NULL, NULL, &status);
	if (whole) {
		memset(whole, PATTERN, guard->lead_bytes);
		memset(whole + behind.first, PATTERN, behind.len_bytes);
		if (host)
			memcpy(whole + guard->lead_bytes, host,
			       guard->len_bytes);
		next->clEnqueueUnmapMemObject(queue, guard->whole, whole, 0,
					      NULL, NULL);
	}
	next->clFinish(queue);
	next->clReleaseCommandQueue(queue);
	return whole ? whole + guard->lead_bytes : NULL;
}

/* Of those that differ the one that is farthest from the buffer, counted from it. */
static size_t zone_farthest(const uint8_t *bytes, size_t len, bool is_behind)
{
	size_t far;

	for (far = len; far; far--)
		if (bytes[is_behind ? far - 1 : len - far] != PATTERN)
			break;
	return far;
}

static void report(const struct gtdbg_guard *guard, bool is_behind, size_t far,
		   const char *call)
{
	char who[2 * NAME_MAX] = "";

	pthread_mutex_lock(&lock);
	if (looked_launches == 1)
		snprintf(who, sizeof(who), "; kernel %s was launched before",
			 looked_kernel);
	else if (looked_launches)
		snprintf(who, sizeof(who),
			 "; %u kernels were launched before, the last one %s",
			 looked_launches, looked_kernel);
	pthread_mutex_unlock(&lock);
	fprintf(stderr,
		"gtdbg: memcheck: up to %zu bytes %s buffer %u of %zu bytes were written to (seen at %s%s).\n",
		far, is_behind ? "past the end of" : "before", guard->number,
		guard->len_bytes, call, who);
}

static void zone_check(struct gtdbg_guard *guard, cl_command_queue queue,
		       bool is_behind, const char *call)
{
	struct zone zone = zone_of(guard, is_behind);
	uint8_t *bytes;
	cl_int status;
	size_t far;

	if (!zone.len_bytes)
		return;
	bytes = next->clEnqueueMapBuffer(queue, guard->whole, CL_TRUE,
					 CL_MAP_READ, zone.first,
					 zone.len_bytes, 0, NULL, NULL,
					 &status);
	if (!bytes)
		return;
	far = zone_farthest(bytes, zone.len_bytes, is_behind);
	next->clEnqueueUnmapMemObject(queue, guard->whole, bytes, 0, NULL,
				      NULL);
	if (!far)
		return;
	report(guard, is_behind, far, call);
	guard->is_reported = true;
}

void gtdbg_hook_canary_check(struct gtdbg_guard *guard, cl_command_queue queue,
			     const char *call)
{
	if (guard->is_reported)
		return;
	zone_check(guard, queue, false, call);
	zone_check(guard, queue, true, call);
}

/* Its own place, or else a free one. Of too many queues it is not known what is done. */
static uint32_t launched_find(cl_command_queue queue)
{
	uint32_t free_place = QUEUES_MAX, i;

	for (i = 0; i < QUEUES_MAX; i++) {
		if (launched[i].launches && launched[i].queue == queue)
			return i;
		if (!launched[i].launches && free_place == QUEUES_MAX)
			free_place = i;
	}
	if (free_place == QUEUES_MAX)
		launched[--free_place].queue = NULL;
	else
		launched[free_place].queue = queue;
	return free_place;
}

void gtdbg_hook_canary_launch(cl_command_queue queue, cl_kernel kernel)
{
	char name[NAME_MAX] = "";

	next->clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof(name),
			      name, NULL);
	pthread_mutex_lock(&lock);
	launched[launched_find(queue)].launches++;
	strcpy(last_kernel, name);
	pthread_mutex_unlock(&lock);
}

bool gtdbg_hook_canary_launched(cl_command_queue queue)
{
	uint32_t launches = 0, i;

	pthread_mutex_lock(&lock);
	for (i = 0; i < QUEUES_MAX; i++) {
		launches += launched[i].launches;
		if (queue && launched[i].queue == queue)
			launched[i].launches = 0;
	}
	if (launches) {
		strcpy(looked_kernel, last_kernel);
		looked_launches = launches;
	}
	pthread_mutex_unlock(&lock);
	return launches;
}

void gtdbg_hook_canary_looked(uint64_t ns)
{
	pthread_mutex_lock(&lock);
	total.looks++;
	total.ns += ns;
	pthread_mutex_unlock(&lock);
}

void gtdbg_hook_canary_count(const struct gtdbg_guard *guard)
{
	pthread_mutex_lock(&lock);
	if (guard) {
		total.guarded++;
		total.open += zone_of(guard, true).len_bytes > 0;
		total.bytes += guard->len_bytes;
		total.added_bytes += guard->whole_bytes - guard->len_bytes;
	} else {
		total.others++;
	}
	pthread_mutex_unlock(&lock);
}

void gtdbg_hook_canary_forked(void)
{
	pthread_mutex_init(&lock, NULL);
}

void gtdbg_hook_canary_init(const cl_icd_dispatch *target)
{
	next = target;
	owner = getpid();
}

/* A child after a fork has nothing to say. OpenCL may be gone already. */
__attribute__((destructor)) static void summarize(void)
{
	if (owner != getpid() || !(total.guarded || total.others))
		return;
	fprintf(stderr,
		"gtdbg: memcheck: %u buffers were guarded, %u with bytes behind their ends where only writes are seen, %u were not; %" PRIu64 " bytes for %" PRIu64 " more, %u looks of %" PRIu64 " us in all.\n",
		total.guarded, total.open, total.others, total.added_bytes,
		total.bytes, total.looks, total.ns / 1000);
}
