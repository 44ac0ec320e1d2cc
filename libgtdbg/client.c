// SPDX-License-Identifier: MIT
/*
 * Which descriptor makes a process a client? A process may have others of the
 * device: of a debugger in it, or a client's that it was forked from or was sent.
 * The module reports, in the fdinfo of each, whose client it is. All numbers of
 * processes used here are those of the mounted /proc, which need not be the
 * caller's own; and all but the pidfd may mean another process a moment later.
 */
#include "gtdbg.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
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

/* The number after @key in what /proc says of the descriptor @fd. */
static bool fdinfo_number(int fd, const char *key, int *number_out)
{
	size_t len = strlen(key);
	char line[256], path[64];
	bool found = false;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
	file = fopen(path, "re");
	if (!file)
		return false;
	while (!found && fgets(line, sizeof(line), file)) {
		found = !strncmp(line, key, len);
		if (found)
			*number_out = atoi(line + len);
	}
	fclose(file);
	return found;
}

/*
 * Copies @fd out of the process if it makes it a client. That it can be copied
 * proves that the process lives, so @pid is still its number.
 */
static int descriptor_take(int pid, int pidfd, int fd, dev_t number)
{
	char path[64];
	struct statx there;
	struct stat info;
	int copy, client;

	/* A file system whose server is gone is not asked: it would never answer. */
	snprintf(path, sizeof(path), "/proc/%d/fd/%d", pid, fd);
	if (statx(AT_FDCWD, path, AT_STATX_DONT_SYNC, STATX_TYPE, &there) ||
	    !S_ISCHR(there.stx_mode) ||
	    makedev(there.stx_rdev_major, there.stx_rdev_minor) != number)
		return -ENOENT;
	copy = syscall(SYS_pidfd_getfd, pidfd, fd, 0);
	if (copy < 0)
		return errno == EBADF ? -ENOENT : -errno;
	if (fstat(copy, &info) || !S_ISCHR(info.st_mode) ||
	    info.st_rdev != number ||
	    !fdinfo_number(copy, "gtdbg-client:", &client) || client != pid) {
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
		return errno == ENOENT ? -ESRCH : -errno;
	while (ret == -ENOENT && (entry = readdir(directory))) {
		if (entry->d_name[0] != '.')
			ret = descriptor_take(pid, pidfd, atoi(entry->d_name),
					      number);
	}
	closedir(directory);
	return ret;
}

int gtdbg_client_find_pidfd(int pidfd, int *fd_out)
{
	struct stat device;
	int pid, ret;

	if (!fdinfo_number(pidfd, "Pid:", &pid))
		return -EBADF;
	if (pid <= 0)
		return -ESRCH;
	if (stat("/dev/gtdbg", &device))
		return -errno;
	ret = descriptors_search(pid, pidfd, device.st_rdev);
	if (ret < 0)
		return ret;
	*fd_out = ret;
	return 0;
}

int gtdbg_client_find(int pid, int *fd_out)
{
	int pidfd, ret;

	if (pid <= 0)
		return -ESRCH;
	pidfd = syscall(SYS_pidfd_open, pid, 0);
	if (pidfd < 0)
		return errno == EINVAL ? -ESRCH : -errno;
	ret = gtdbg_client_find_pidfd(pidfd, fd_out);
	close(pidfd);
	return ret;
}

int gtdbg_client_register(struct gtdbg *client, uint32_t flags,
			  uint64_t *token_out)
{
	struct gtdbg_client_register request = { .flags = flags };

	if (ioctl(gtdbg_fd(client), GTDBG_IOC_CLIENT_REGISTER, &request) < 0)
		return -errno;
	*token_out = request.token;
	return 0;
}

int gtdbg_client_wait(struct gtdbg *client, uint32_t timeout_ms)
{
	const struct gtdbg_client_wait request = {
		.timeout_ns = timeout_ms * 1000000ull,
	};
	int ret = ioctl(gtdbg_fd(client), GTDBG_IOC_CLIENT_WAIT, &request);

	return ret < 0 ? -errno : 0;
}
