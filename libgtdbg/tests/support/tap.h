/* SPDX-License-Identifier: MIT */
/* Results in the form of the Test Anything Protocol. */
#ifndef LIBGTDBG_TESTS_TAP_H
#define LIBGTDBG_TESTS_TAP_H

#include <stdbool.h>
#include <stdio.h>

static int tap_count, tap_failures;

static inline bool tap_check(bool passed, const char *name)
{
	printf("%sok %d - %s\n", passed ? "" : "not ", ++tap_count, name);
	tap_failures += !passed;
	return passed;
}

static inline int tap_end(void)
{
	printf("1..%d\n", tap_count);
	return tap_failures ? 1 : 0;
}

#endif
