// SPDX-License-Identifier: MIT
#include "gpu_user.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DRM_MAJOR 226
#define PATH_BYTES 64
#define LINE_BYTES 128

/* The driver's part of a descriptor's description names the device. */
static bool description_has(const char *path, const char *slot)
{
	char line[LINE_BYTES], device[LINE_BYTES];
	FILE *file = fopen(path, "re");
	bool found = false;

	if (!file)
		return false;
	while (!found && fgets(line, sizeof(line), file))
		found = sscanf(line, "drm-pdev: %127s", device) == 1 &&
			!strcmp(device, slot);
	fclose(file);
	return found;
}

/* A file system whose server is gone is not asked: it would never answer. */
static bool is_open(int pid, int fd, const char *slot)
{
	char path[PATH_BYTES];
	struct statx info;

	snprintf(path, sizeof(path), "/proc/%d/fd/%d", pid, fd);
	if (statx(AT_FDCWD, path, AT_STATX_DONT_SYNC, STATX_TYPE, &info) ||
	    !S_ISCHR(info.stx_mode) || info.stx_rdev_major != DRM_MAJOR)
		return false;
	snprintf(path, sizeof(path), "/proc/%d/fdinfo/%d", pid, fd);
	return description_has(path, slot);
}

/* Of others' processes nothing is to be seen. */
static bool has_open(int pid, const char *slot)
{
	char path[PATH_BYTES];
	struct dirent *entry;
	bool found = false;
	DIR *folder;

	snprintf(path, sizeof(path), "/proc/%d/fd", pid);
	folder = opendir(path);
	if (!folder)
		return false;
	while (!found && (entry = readdir(folder)))
		found = isdigit((unsigned char)entry->d_name[0]) &&
			is_open(pid, atoi(entry->d_name), slot);
	closedir(folder);
	return found;
}

/* Its name, without what a terminal might take for more than that. */
static void name_read(struct gpu_user *user)
{
	char path[PATH_BYTES];
	FILE *file;
	char *at;

	snprintf(path, sizeof(path), "/proc/%d/comm", user->pid);
	file = fopen(path, "re");
	if (!file || !fgets(user->comm, sizeof(user->comm), file))
		snprintf(user->comm, sizeof(user->comm), "?");
	if (file)
		fclose(file);
	user->comm[strcspn(user->comm, "\n")] = 0;
	for (at = user->comm; *at; at++)
		if (!isprint((unsigned char)*at))
			*at = '?';
}

size_t gpu_users_find(const char *slot, struct gpu_user *users, size_t capacity)
{
	DIR *folder = opendir("/proc");
	struct dirent *entry;
	size_t count = 0;
	int pid;

	if (!folder)
		return 0;
	while (count < capacity && (entry = readdir(folder))) {
		pid = atoi(entry->d_name);
		if (pid <= 0 || pid == getpid() || !has_open(pid, slot))
			continue;
		users[count].pid = pid;
		name_read(&users[count++]);
	}
	closedir(folder);
	return count;
}
