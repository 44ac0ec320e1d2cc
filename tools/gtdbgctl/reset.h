/* SPDX-License-Identifier: MIT */
/* Why the GPU's driver has ended what was stopped. */
#ifndef GTDBGCTL_RESET_H
#define GTDBGCTL_RESET_H

#include <stddef.h>

/* The kernel's log from here on; below 0: there is none that we may read. */
int reset_log_open(void);
void reset_log_close(int log);

/*
 * In the driver's words, or what is known without them. @log is of reset_log_open(), and
 * is read to its end; the GPU is that in @slot, a PCI address like 0000:00:02.0.
 */
void reset_explain(int log, const char *slot, char *why, size_t capacity);

#endif
