// SPDX-License-Identifier: MIT
/* Files of source: what lines of code name and no module has brought. */
#include "source_file.h"

#include "worker.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* One file that is opened as another user. */
struct opening {
	const char *path;
	const struct source_reader *reader;
	int base;
	struct stat info;
	int fd;
};

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

/* The folder of a process that may not be looked at is root's: it does not tell. */
int source_reader_find(pid_t pid, struct source_reader *out)
{
	char path[32], line[128];
	struct source_reader reader = { .pid = pid };
	int found = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	file = fopen(path, "re");
	while (file && fgets(line, sizeof(line), file)) {
		found += sscanf(line, "Uid: %*u %*u %*u %u", &reader.uid) == 1;
		found += sscanf(line, "Gid: %*u %*u %*u %u", &reader.gid) == 1;
	}
	if (file)
		fclose(file);
	if (found != 2)
		return -1;
	*out = reader;
	return 0;
}

/* Another process may have other files below the same paths, as in a container. */
static int base_open(const struct source_reader *reader, const char *path)
{
	char base[32];

	snprintf(base, sizeof(base), "/proc/%d/%s", reader->pid,
		 *path == '/' ? "root" : "cwd");
	return open(base, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

/* Such links as /proc/self/cwd lead past the folders around what they lead to. */
static int linkless_open(int base, const char *path, struct stat *info)
{
	struct open_how how = {
		.flags = O_PATH | O_CLOEXEC,
		.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_SYMLINKS,
	};

	return file_open(syscall(SYS_openat2, base, path, &how, sizeof(how)),
			 info);
}

/* To the kernel users are threads' own; the C library changes groups for all of them. */
static void *opening_run(void *data)
{
	struct opening *opening = data;

	if (syscall(SYS_setgroups, 0, NULL))
		return NULL;
	setfsgid(opening->reader->gid);
	setfsuid(opening->reader->uid);
	/* They say what was before, also when they fail. */
	if ((gid_t)setfsgid(-1) == opening->reader->gid &&
	    (uid_t)setfsuid(-1) == opening->reader->uid)
		opening->fd = linkless_open(opening->base, opening->path,
					    &opening->info);
	return NULL;
}

/* In a thread that ends behind it, so that nothing has to be undone. */
static int opening_do(struct opening *opening)
{
	pthread_t thread;

	opening->fd = -1;
	if (worker_start(&thread, opening_run, opening))
		return -1;
	pthread_join(thread, NULL);
	return opening->fd;
}

static int reader_open(const char *path, const struct source_reader *reader,
		       struct stat *info)
{
	struct opening opening = {
		.path = path, .reader = reader, .base = base_open(reader, path),
	};
	int fd;

	if (opening.base < 0)
		return -1;
	if (reader->uid == geteuid())
		fd = linkless_open(opening.base, path, &opening.info);
	else
		fd = opening_do(&opening);
	close(opening.base);
	*info = opening.info;
	return fd;
}

/* What is root's and not for all stays out, of root's programs as well. */
static bool may_take(const struct stat *info, uid_t owner, size_t len_max)
{
	return info->st_size > 0 && info->st_size <= (off_t)len_max &&
	       (info->st_uid ? info->st_uid == owner : info->st_mode & 0004);
}

char *source_file_take(const char *path, const struct source_reader *reader,
		       size_t len_max)
{
	struct stat info;
	int fd = reader_open(path, reader, &info);
	char *text = NULL;
	ssize_t got = 0;

	if (fd < 0)
		return NULL;
	if (may_take(&info, reader->uid, len_max))
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
