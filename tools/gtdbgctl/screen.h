/* SPDX-License-Identifier: MIT */
#ifndef GTDBGCTL_SCREEN_H
#define GTDBGCTL_SCREEN_H

#include <stddef.h>

/* From here on stdout and stderr are clean, where they are terminals. */
void screen_open(void);
/* Writes to the terminal that stdout is, clean, and without more ado. */
void screen_write(const char *bytes, size_t len);

#endif
