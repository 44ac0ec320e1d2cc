// SPDX-License-Identifier: MIT
/*
 * Descriptors that the library keeps. A program that closes all that it has not opened,
 * as daemons do, closes them as well, and its own files get their numbers.
 */
#include "hook.h"

#include <sys/stat.h>
#include <unistd.h>

void gtdbg_hook_descriptor_init(struct gtdbg_hook_descriptor *descriptor,
				int fd)
{
	struct stat info = { 0 };

	if (fd >= 0)
		fstat(fd, &info);
	descriptor->device = info.st_dev;
	descriptor->inode = info.st_ino;
	descriptor->node = info.st_rdev;
	/* Last: a child of another thread's fork looks at it. */
	descriptor->fd = fd;
}

void gtdbg_hook_descriptor_fini(struct gtdbg_hook_descriptor *descriptor)
{
	int fd = gtdbg_hook_descriptor_fd(descriptor);

	if (fd >= 0)
		close(fd);
	descriptor->fd = -1;
}

int gtdbg_hook_descriptor_fd(const struct gtdbg_hook_descriptor *descriptor)
{
	struct stat info;

	if (descriptor->fd < 0 || fstat(descriptor->fd, &info) ||
	    info.st_dev != descriptor->device ||
	    info.st_ino != descriptor->inode ||
	    info.st_rdev != descriptor->node)
		return -1;
	return descriptor->fd;
}
