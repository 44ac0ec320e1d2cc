// SPDX-License-Identifier: GPL-2.0-only
#include "trace.h"

#include <sys/stat.h>
#include <unistd.h>

bool trace_open(struct trace *trace, const char *event)
{
	char path[256];
	FILE *enable;

	trace->pipe = NULL;
	snprintf(trace->path, sizeof(trace->path),
		 TRACE_INSTANCES "/gtdbg-%d", getpid());
	if (mkdir(trace->path, 0700))
		return false;
	snprintf(path, sizeof(path), "%s/events/gtdbg/%s/enable", trace->path,
		 event);
	enable = fopen(path, "w");
	if (!enable || fputs("1", enable) < 0 || fclose(enable))
		return false;
	snprintf(path, sizeof(path), "%s/trace_pipe", trace->path);
	trace->pipe = fopen(path, "r");
	return trace->pipe;
}

void trace_close(struct trace *trace)
{
	if (trace->pipe)
		fclose(trace->pipe);
	rmdir(trace->path);
}
