// SPDX-License-Identifier: MIT
#include "setting.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

int setting_write(const char *path, const char *value)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC), ret = 0;

	if (fd < 0)
		return -errno;
	if (write(fd, value, strlen(value)) < 0)
		ret = -errno;
	close(fd);
	return ret;
}

int setting_read(const char *path, char *value, size_t capacity)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t len;

	if (fd < 0)
		return -errno;
	len = read(fd, value, capacity - 1);
	close(fd);
	if (len <= 0)
		return -EIO;
	value[len] = 0;
	value[strcspn(value, "\n")] = 0;
	return 0;
}
