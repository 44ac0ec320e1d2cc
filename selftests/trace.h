/* SPDX-License-Identifier: GPL-2.0-only */
/* One of the module's tracepoints, as root reads it from tracefs. */
#ifndef SELFTESTS_TRACE_H
#define SELFTESTS_TRACE_H

#include <stdbool.h>
#include <stdio.h>

#define TRACE_INSTANCES "/sys/kernel/tracing/instances"

struct trace {
	char path[96]; /* of an instance of its own */
	FILE *pipe; /* its lines; a read waits for one */
};

/* False: not possible; to be closed all the same. */
bool trace_open(struct trace *trace, const char *event);
void trace_close(struct trace *trace);

#endif
