/* SPDX-License-Identifier: MIT */
/* Processes that have a GPU of the machine open, as the kernel tells their users. */
#ifndef GTDBGCTL_GPU_USER_H
#define GTDBGCTL_GPU_USER_H

#include <stddef.h>
#include <sys/types.h>

struct gpu_user {
	pid_t pid;
	char comm[32];
};

/*
 * Those of the GPU in @slot, a PCI address like 0000:00:02.0, that the caller may see;
 * returns how many are in @users now. Itself is none of them.
 */
size_t gpu_users_find(const char *slot, struct gpu_user *users,
		      size_t capacity);

#endif
