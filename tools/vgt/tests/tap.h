/* SPDX-License-Identifier: MIT */
/* TAP for the native tests of the virtual GT. */
#ifndef VGT_TESTS_TAP_H
#define VGT_TESTS_TAP_H

#include <stdbool.h>

/* Prints one result; @why (may be NULL) is shown if it is a failure. */
void tap_result(bool ok, const char *name, const char *why);

void __attribute__((format(printf, 1, 2))) tap_note(const char *format, ...);

/* Prints the plan; returns the exit status. */
int tap_finish(void);

#endif
