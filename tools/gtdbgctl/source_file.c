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

char *source_file_read(const char *path)
{
	/* The path is the program's word: not to wait for a pipe, say. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	FILE *file = NULL;
	char *text = NULL;
	struct stat info;
	size_t size = 0;

	if (fd >= 0 && !fstat(fd, &info) && S_ISREG(info.st_mode))
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
	return S_ISREG(info->st_mode) && info->st_size > 0 &&
	       info->st_size <= (off_t)len_max &&
	       (info->st_uid ? info->st_uid == owner : info->st_mode & 0004);
}

char *source_file_take(const char *path, uid_t owner, size_t len_max)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY |
		      O_NOFOLLOW);
	struct stat info;
	char *text = NULL;
	ssize_t got = 0;

	if (fd < 0)
		return NULL;
	if (!fstat(fd, &info) && may_take(&info, owner, len_max))
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
