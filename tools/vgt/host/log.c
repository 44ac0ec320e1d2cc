// SPDX-License-Identifier: MIT
#include "host/log.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static _Atomic enum vgt_log_level log_level = VGT_LOG_WARN;

static const char *const names[] = {
	[VGT_LOG_ERROR] = "error",
	[VGT_LOG_WARN] = "warn",
	[VGT_LOG_INFO] = "info",
	[VGT_LOG_DEBUG] = "debug",
};

enum vgt_log_level vgt_log_level_find(const char *name)
{
	for (int i = VGT_LOG_ERROR; i <= VGT_LOG_DEBUG; i++)
		if (!strcmp(name, names[i]))
			return i;
	return 0;
}

void vgt_log_level_set(enum vgt_log_level level)
{
	atomic_store(&log_level, level);
}

void vgt_log(enum vgt_log_level level, const char *format, ...)
{
	char line[1024];
	va_list args;
	int len, n;

	if (level > atomic_load_explicit(&log_level, memory_order_relaxed))
		return;
	len = snprintf(line, sizeof(line) - 1, "vgtd: %s: ", names[level]);
	va_start(args, format);
	n = vsnprintf(line + len, sizeof(line) - 1 - len, format, args);
	va_end(args);
	if (n < 0)
		return;
	len += n;
	if (len > (int)sizeof(line) - 2)
		len = sizeof(line) - 2;
	line[len++] = '\n';
	/* One write, so that lines of several threads do not mix. */
	if (write(STDERR_FILENO, line, len) < 0)
		return;
}
