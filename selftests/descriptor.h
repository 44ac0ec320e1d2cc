/* SPDX-License-Identifier: GPL-2.0-only */
/* Descriptors of /dev/gtdbg in other processes. */
#ifndef DESCRIPTOR_H
#define DESCRIPTOR_H

#include <sys/types.h>

/* A copy of descriptor @fd of process @pid, or -errno. */
int descriptor_copy(pid_t pid, int fd);

/* A copy of the only /dev/gtdbg that @pid has open; -ENOENT: it has none. */
int descriptor_take(pid_t pid);

#endif
