// SPDX-License-Identifier: GPL-2.0-only
#include "klog.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
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
const char *klog_report(struct klog *log)
{
	char line[8192];
	ssize_t len;

	log->report[0] = 0;
	for (;;) {
		len = read(log->fd, line, sizeof(line) - 1);
		if (len < 0 && errno == EPIPE)
			continue;
		if (len <= 0)
			return log->report;
		line[len] = 0;
		line[strcspn(line, "\n")] = 0;
		if (!log->report[0] && is_report(line))
			snprintf(log->report, sizeof(log->report), "%.1000s",
				 line);
	}
}
