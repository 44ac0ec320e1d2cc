// SPDX-License-Identifier: MIT
#include "gtdbg.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#ifndef SYS_pidfd_getfd
#define SYS_pidfd_getfd 438
#endif

/* Copies @fd out of the process if it is one of the device @number. */
static int descriptor_take(int pid, int pidfd, int fd, dev_t number)
{
	char path[64];
	struct stat info;
	int copy;

	snprintf(path, sizeof(path), "/proc/%d/fd/%d", pid, fd);
	if (stat(path, &info) || !S_ISCHR(info.st_mode) ||
	    info.st_rdev != number)
		return -ENOENT;
	copy = syscall(SYS_pidfd_getfd, pidfd, fd, 0);
	if (copy < 0)
		return -errno;
	/* The number may have been used for another file in between. */
	if (fstat(copy, &info) || info.st_rdev != number) {
		close(copy);
		return -ENOENT;
	}
	return copy;
}

static int descriptors_search(int pid, int pidfd, dev_t number)
{
	struct dirent *entry;
	int ret = -ENOENT;
	char path[64];
	DIR *directory;

	snprintf(path, sizeof(path), "/proc/%d/fd", pid);
	directory = opendir(path);
	if (!directory)
		return -errno;
	while (ret == -ENOENT && (entry = readdir(directory))) {
		if (entry->d_name[0] != '.')
			ret = descriptor_take(pid, pidfd, atoi(entry->d_name),
					      number);
	}
	closedir(directory);
	return ret;
}

int gtdbg_client_find(int pid, int *fd_out)
{
	struct stat device;
	int pidfd, ret;

	if (pid <= 0)
		return -ESRCH;
	if (stat("/dev/gtdbg", &device))
		return -errno;
	pidfd = syscall(SYS_pidfd_open, pid, 0);
	if (pidfd < 0)
		return errno == EINVAL ? -ESRCH : -errno;
	ret = descriptors_search(pid, pidfd, device.st_rdev);
	close(pidfd);
	if (ret < 0)
		return ret;
	*fd_out = ret;
	return 0;
}
