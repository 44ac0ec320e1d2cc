// SPDX-License-Identifier: MIT
#include "tap.h"

#include <stdarg.h>
#include <stdio.h>

static unsigned int points, failures;
static char reason[512];

void tap_point(bool ok, const char *name, const char *why)
{
	printf("%sok %u - %s\n", ok ? "" : "not ", ++points, name);
	if (!ok) {
		failures++;
		printf("# %s\n", why);
	}
	fflush(stdout);
}

void tap_skip(const char *name, const char *why)
{
	printf("ok %u - %s # SKIP %s\n", ++points, name, why);
	fflush(stdout);
}

int tap_end(void)
{
	printf("1..%u\n", points);
	return failures ? 1 : 0;
}

bool tap_expect(bool ok, const char *format, ...)
{
	va_list args;

	if (ok || reason[0])
		return ok;
	va_start(args, format);
	vsnprintf(reason, sizeof(reason), format, args);
	va_end(args);
	return false;
}

const char *tap_reason(void)
{
	static char last[sizeof(reason)];

	if (!reason[0])
		return NULL;
	snprintf(last, sizeof(last), "%s", reason);
	reason[0] = 0;
	return last;
}
