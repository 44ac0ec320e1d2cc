// SPDX-License-Identifier: MIT
/* What a trace is written to. It holds a user's data, so it is for nobody else. */
#include "trace.h"

#include "cmd.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define NS_PER_S 1000000000ull
#define ROW_LOST (8ull << 60)

uint64_t trace_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * NS_PER_S + now.tv_nsec;
}

/*
 * It takes root, in whatever folder: where no file is named, nobody else says by a
 * link, or by something that is there, which one it is.
 */
static int default_check(const struct stat *stat)
{
	if (!S_ISREG(stat->st_mode))
		return -EEXIST;
	return stat->st_uid == geteuid() ? 0 : -EACCES;
}

static int file_open(const char *name)
{
	bool is_default = strcmp(name, TRACE_FILE_DEFAULT) == 0;
	int flags = is_default ? O_NOFOLLOW | O_NONBLOCK : 0, fd, ret;
	struct stat stat;

	fd = open(name, O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0600);
	if (fd < 0)
		return -errno;
	ret = fstat(fd, &stat) ? -errno : 0;
	if (!ret && is_default)
		ret = default_check(&stat);
	if (!ret)
		return fd;
	close(fd);
	return ret;
}

static int perfetto_open(struct trace *trace, const char *name)
{
	int fd = file_open(name);

	if (strcmp(name, TRACE_FILE_DEFAULT) == 0 &&
	    (fd == -ELOOP || fd == -EACCES)) {
		fprintf(stderr, "gtdbgctl: cannot write %s: it is %s\n", name,
			fd == -ELOOP ? "a link" : "not yours to write, or another user's");
		return CMD_FAILED;
	}
	if (fd < 0)
		return cmd_fail(fd, "cannot write %s", name);
	trace->to.fd = fd;
	trace->is_kept = true;
	return CMD_OK;
}

/* A file that was there has some mode, and what was in it. */
static int file_clear(int fd)
{
	struct stat stat;

	if (fstat(fd, &stat))
		return -errno;
	if (!S_ISREG(stat.st_mode))
		return 0;
	fchmod(fd, 0600);
	return ftruncate(fd, 0) ? -errno : 0;
}

int trace_output_begin(struct trace *trace, const char *name)
{
	int ret;

	if (!trace->is_kept)
		return CMD_OK;
	ret = file_clear(trace->to.fd);
	if (ret)
		return cmd_fail(ret, "cannot write %s", name);
	trace->is_kept = false;
	perfetto_begin(&trace->to, trace->to.fd);
	perfetto_counter(&trace->to, ROW_LOST, 0, "events lost");
	perfetto_count(&trace->to, ROW_LOST, trace_now_ns(), 0);
	return CMD_OK;
}

int trace_output_open(struct trace *trace, enum trace_format format,
		      const char *name)
{
	int ret;

	if (format == TRACE_FORMAT_PERFETTO)
		return perfetto_open(trace, name);
	ret = trace_ctf_create(name, trace->first_ns, &trace->ctf);
	return ret ? cmd_fail(ret, "cannot write %s", name) : CMD_OK;
}

int trace_output_flush(struct trace *trace, uint64_t complete_ns)
{
	if (trace->ctf)
		return trace_ctf_write(trace->ctf, complete_ns,
				       trace_lost_sum(trace));
	return perfetto_flush(&trace->to);
}

uint64_t trace_lost_sum(const struct trace *trace)
{
	return trace->lost ? trace->lost->sum : 0;
}

/* A processor has a row from where it has lost something. */
static void lost_on(struct trace *trace, uint32_t cpu, uint64_t count,
		    uint64_t now_ns)
{
	uint64_t row = ROW_LOST + 1 + cpu;
	char name[32];

	if (trace->ctf)
		trace_ctf_lost(trace->ctf, cpu, count, now_ns);
	if (!trace->lost->on[cpu]) {
		snprintf(name, sizeof(name), "events lost on CPU %u", cpu);
		perfetto_counter(&trace->to, row, 0, name);
	}
	perfetto_count(&trace->to, row, now_ns, (int64_t)count);
	trace->lost->on[cpu] = count;
}

void trace_output_lost(struct trace *trace, const struct trace_lost *lost)
{
	uint64_t now_ns = trace_now_ns();
	uint32_t cpu;

	if (lost->sum == trace_lost_sum(trace))
		return;
	if (!trace->lost)
		trace->lost = calloc(1, sizeof(*trace->lost));
	if (!trace->lost)
		return;
	for (cpu = 0; cpu < lost->cpus; cpu++)
		if (lost->on[cpu] != trace->lost->on[cpu])
			lost_on(trace, cpu, lost->on[cpu], now_ns);
	trace->lost->cpus = lost->cpus;
	trace->lost->sum = lost->sum;
	perfetto_count(&trace->to, ROW_LOST, now_ns, (int64_t)lost->sum);
}

int trace_output_close(struct trace *trace, const char *name)
{
	int ret = trace_output_flush(trace, trace_now_ns());

	if ((trace->to.is_open || trace->is_kept) && close(trace->to.fd) && !ret)
		ret = -errno;
	trace->to.is_open = false;
	trace->is_kept = false;
	trace_ctf_destroy(trace->ctf);
	trace->ctf = NULL;
	if (ret)
		return cmd_fail(ret, "cannot write %s to its end", name);
	return CMD_OK;
}
