/* SPDX-License-Identifier: MIT */
/* Test points in TAP. A test returns through tap_require() when it fails. */
#ifndef EU_TAP_H
#define EU_TAP_H

#include <stdbool.h>

/* One point. A failed one says why. */
void tap_point(bool ok, const char *name, const char *why);
void tap_skip(const char *name, const char *why);

/* The plan; returns the exit status. */
int tap_end(void);

/* Remember why a test failed, unless something failed before. */
bool __attribute__((format(printf, 2, 3)))
tap_expect(bool ok, const char *format, ...);

/* The reason that tap_expect() kept, or NULL; forgets it. */
const char *tap_reason(void);

#endif
