// SPDX-License-Identifier: GPL-2.0-only
#include "descriptor.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

int descriptor_copy(pid_t pid, int fd)
{
	int pidfd = syscall(SYS_pidfd_open, pid, 0), copy;

	if (pidfd < 0)
		return -errno;
	copy = syscall(SYS_pidfd_getfd, pidfd, fd, 0);
	if (copy < 0)
		copy = -errno;
	close(pidfd);
	return copy;
}

static bool is_device(pid_t pid, const char *name, const char *device)
{
	char path[300], target[64] = { 0 };

	snprintf(path, sizeof(path), "/proc/%d/fd/%s", pid, name);
	return readlink(path, target, sizeof(target) - 1) > 0 &&
	       !strcmp(target, device);
}

int descriptor_take(pid_t pid)
{
	struct dirent *entry;
	int ret = -ENOENT;
	char path[64];
	DIR *folder;

	snprintf(path, sizeof(path), "/proc/%d/fd", pid);
	folder = opendir(path);
	if (!folder)
		return -errno;
	while (ret == -ENOENT && (entry = readdir(folder))) {
		if (is_device(pid, entry->d_name, "/dev/gtdbg"))
			ret = descriptor_copy(pid, atoi(entry->d_name));
		/* An exec has closed it since. */
		if (ret == -EBADF)
			ret = -ENOENT;
	}
	closedir(folder);
	return ret;
}

bool descriptor_exists(pid_t pid, const char *device)
{
	struct dirent *entry;
	bool found = false;
	char path[64];
	DIR *folder;

	snprintf(path, sizeof(path), "/proc/%d/fd", pid);
	folder = opendir(path);
	while (folder && !found && (entry = readdir(folder)))
		found = is_device(pid, entry->d_name, device);
	if (folder)
		closedir(folder);
	return found;
}
