/* SPDX-License-Identifier: MIT */
/*
 * What "top" shows, from the records of a trace and from what the system says of
 * GPUs' drivers: sums since the last time that it was shown.
 */
#ifndef GTDBGCTL_TOP_H
#define GTDBGCTL_TOP_H

#include "trace_record.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TOP_ROWS 64 /* of each table; what there is beyond is not shown */

/* One that the module has reported. */
struct top_device {
	uint32_t id, pid;
	bool is_running;
	struct gtdbg_watch_launch launch;	/* that runs, or was last */
	uint64_t since_ns;	/* what of it was not summed up yet began */
	uint64_t busy_ns;
	uint32_t stopped;	/* threads */
	uint64_t stopped_ns;	/* since when the first of them is, 0: none is */
	uint64_t hits;		/* of breakpoints */
};

struct top_process {
	uint32_t pid;
	char name[32];
	uint64_t gpu_ns;	/* by launches */
	uint64_t driver_ns;	/* by its driver, since it began */
	uint64_t driver_last_ns;	/* as it was the last time */
	bool has_driver;
};

struct top_kernel {
	uint32_t pid;
	char name[64];
	uint64_t launches, gpu_ns;
};

struct top {
	struct top_device devices[TOP_ROWS];
	struct top_process processes[TOP_ROWS];
	struct top_kernel kernels[TOP_ROWS];
	size_t device_count, process_count, kernel_count;
	uint64_t lost;		/* events, of sessions */
	uint64_t begin_ns, end_ns;	/* of what is summed up */
};

/* A record of the ring. */
void top_put(struct top *top, const struct trace_head *head);

/* Now: what runs counts up to here, and drivers are asked. */
void top_sum(struct top *top, uint64_t now_ns);

/* What was shown is over. */
void top_next(struct top *top);

/* top_driver.c: GPU time of processes by /proc, frequency by sysfs */
void top_drivers_read(struct top *top);

/*
 * GPU time of all clients of a driver that files of a process are, by its folder @fdinfo
 * in /proc; false: none is.
 */
bool top_clients_read(const char *fdinfo, uint64_t *ns_out);

/* In MHz; -1 if no driver says it. */
int top_frequency(void);

struct top_process *top_process_find(struct top *top, uint32_t pid);

#endif
