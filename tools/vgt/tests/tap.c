// SPDX-License-Identifier: MIT
#include "tap.h"

#include <stdarg.h>
#include <stdio.h>

static unsigned int count, failed;

void tap_result(bool ok, const char *name, const char *why)
{
	if (!count)
		puts("TAP version 13");
	printf("%s %u - %s\n", ok ? "ok" : "not ok", ++count, name);
	if (!ok) {
		failed++;
		if (why)
			printf("# %s\n", why);
	}
	fflush(stdout);
}

void tap_note(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fputs("# ", stdout);
	vprintf(format, args);
	putchar('\n');
	va_end(args);
}

int tap_finish(void)
{
	printf("1..%u\n", count);
	return failed ? 1 : 0;
}
