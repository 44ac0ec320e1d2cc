// SPDX-License-Identifier: MIT
/* Files of source: what lines of code name and no module has brought. */
#include "source_file.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * For reading, of one that is open for its path only; -1: it is no file. To open what is
 * none may wait, as for a pipe, or do something: a watchdog runs from then on.
 */
static int file_open(int path_fd, struct stat *info)
{
	char path[32];
	int fd = -1;

	if (path_fd < 0)
		return -1;
	if (!fstat(path_fd, info) && S_ISREG(info->st_mode)) {
		snprintf(path, sizeof(path), "/proc/self/fd/%d", path_fd);
		fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	}
	close(path_fd);
	return fd;
}

char *source_file_read(const char *path)
{
	struct stat info;
	int fd = file_open(open(path, O_PATH | O_CLOEXEC), &info);
	FILE *file = NULL;
	char *text = NULL;
	size_t size = 0;

	if (fd >= 0)
		file = fdopen(fd, "r");
	if (!file) {
		if (fd >= 0)
			close(fd);
		return NULL;
	}
	if (getdelim(&text, &size, 0, file) < 0) {
		free(text);
		text = NULL;
	}
	fclose(file);
	return text;
}

/* Root seems to own processes that may not be looked at. */
static bool may_take(const struct stat *info, uid_t owner, size_t len_max)
{
	return info->st_size > 0 && info->st_size <= (off_t)len_max &&
	       (info->st_uid ? info->st_uid == owner : info->st_mode & 0004);
}

char *source_file_take(const char *path, uid_t owner, size_t len_max)
{
	struct stat info;
	int fd = file_open(open(path, O_PATH | O_CLOEXEC | O_NOFOLLOW), &info);
	char *text = NULL;
	ssize_t got = 0;

	if (fd < 0)
		return NULL;
	if (may_take(&info, owner, len_max))
		text = malloc(info.st_size + 1);
	if (text)
		got = read(fd, text, info.st_size);
	close(fd);
	if (got <= 0 || memchr(text, 0, got)) {
		free(text);
		return NULL;
	}
	text[got] = 0;
	return text;
}
