/* SPDX-License-Identifier: GPL-2.0-only */
/* Descriptors of our devices in other processes. */
#ifndef DESCRIPTOR_H
#define DESCRIPTOR_H

#include <stdbool.h>
#include <sys/types.h>

/* A copy of descriptor @fd of process @pid, or -errno. */
int descriptor_copy(pid_t pid, int fd);

/* A copy of the only /dev/gtdbg that @pid has open; -ENOENT: it has none. */
int descriptor_take(pid_t pid);

/* Has @pid @device open, as far as can be seen? */
bool descriptor_exists(pid_t pid, const char *device);

#endif
