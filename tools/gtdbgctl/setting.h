/* SPDX-License-Identifier: MIT */
/* Settings of the kernel, each the only line of a file. */
#ifndef GTDBGCTL_SETTING_H
#define GTDBGCTL_SETTING_H

#include <stddef.h>

/* Both: 0 or a negative errno. */
int setting_write(const char *path, const char *value);
int setting_read(const char *path, char *value, size_t capacity);

#endif
