// SPDX-License-Identifier: GPL-2.0-only
#include "klog.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* As selftests/vm/run has them. */
static const char *const reports[] = {
	"BUG:", "WARNING:", "KASAN", "UBSAN", "Oops", "general protection",
	"possible circular", "possible recursive", "suspicious RCU",
	"inconsistent lock", "INFO: task", "INFO: rcu", "unreferenced object",
	"refcount_t", "soft lockup", "hung_task",
};

int klog_open(struct klog *log)
{
	log->fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (log->fd < 0)
		return -errno;
	return lseek(log->fd, 0, SEEK_END) < 0 ? -errno : 0;
}

void klog_close(struct klog *log)
{
	if (log->fd >= 0)
		close(log->fd);
	log->fd = -1;
}

static bool is_report(const char *line)
{
	for (size_t i = 0; i < sizeof(reports) / sizeof(reports[0]); i++)
		if (strstr(line, reports[i]))
			return true;
	return false;
}

/* EPIPE: lines were overwritten before they were read; the next one comes. */
static bool next_line(struct klog *log, char *line, size_t bytes)
{
	ssize_t len;

	do
		len = read(log->fd, line, bytes - 1);
	while (len < 0 && errno == EPIPE);
	if (len <= 0)
		return false;
	line[len] = 0;
	line[strcspn(line, "\n")] = 0;
	return true;
}

const char *klog_report(struct klog *log)
{
	char line[8192];

	log->report[0] = 0;
	while (next_line(log, line, sizeof(line)))
		if (!log->report[0] && is_report(line))
			snprintf(log->report, sizeof(log->report), "%.1000s",
				 line);
	return log->report;
}

bool klog_has(struct klog *log, const char *text)
{
	bool found = false;
	char line[8192];

	while (next_line(log, line, sizeof(line)))
		found = found || strstr(line, text);
	return found;
}
