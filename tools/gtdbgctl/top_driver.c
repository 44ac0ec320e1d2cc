// SPDX-License-Identifier: MIT
/*
 * What a GPU's driver says of each file that a process has opened on it, in /proc: how
 * long its work was on an engine. Files of one client say the same.
 */
#include "top.h"

#include <ctype.h>
#include <dirent.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of one process. */
struct clients {
	unsigned long long *id;
	size_t count;
};

static bool client_is_new(struct clients *clients, unsigned long long id)
{
	unsigned long long *more;
	size_t i;

	for (i = 0; i < clients->count; i++)
		if (clients->id[i] == id)
			return false;
	more = realloc(clients->id, (clients->count + 1) * sizeof(*more));
	if (!more)
		return false;
	clients->id = more;
	clients->id[clients->count++] = id;
	return true;
}

/* Of one file; false: it is none of a GPU, or its client was there before. */
static bool file_read(const char *path, struct clients *clients, uint64_t *ns)
{
	FILE *file = fopen(path, "r");
	unsigned long long value, id = 0;
	bool is_driver = false;
	char line[128];

	if (!file)
		return false;
	*ns = 0;
	while (fgets(line, sizeof(line), file)) {
		if (sscanf(line, "drm-client-id: %llu", &value) == 1) {
			id = value;
			is_driver = true;
		} else if (!strncmp(line, "drm-engine-", 11) &&
			   strncmp(line, "drm-engine-capacity", 19) &&
			   sscanf(strchr(line, ':') ? strchr(line, ':') : "",
				  ": %llu ns", &value) == 1) {
			*ns += value;
		}
	}
	fclose(file);
	return is_driver && client_is_new(clients, id);
}

bool top_clients_read(const char *fdinfo, uint64_t *ns_out)
{
	struct clients clients = { 0 };
	DIR *folder = opendir(fdinfo);
	struct dirent *entry;
	bool is_any;
	uint64_t ns;
	char path[300];

	if (!folder)
		return false;
	*ns_out = 0;
	while ((entry = readdir(folder))) {
		if (!isdigit((unsigned char)*entry->d_name))
			continue;
		snprintf(path, sizeof(path), "%.80s/%.200s", fdinfo,
			 entry->d_name);
		if (file_read(path, &clients, &ns))
			*ns_out += ns;
	}
	closedir(folder);
	is_any = clients.count;
	free(clients.id);
	return is_any;
}

static void process_read(struct top *top, const char *pid)
{
	struct top_process *process;
	char path[64];
	uint64_t sum;

	snprintf(path, sizeof(path), "/proc/%.16s/fdinfo", pid);
	process = top_clients_read(path, &sum) ?
		  top_process_find(top, atoi(pid)) : NULL;
	if (!process)
		return;
	/* Less than it was: a file of it was closed. */
	if (!process->has_driver || sum < process->driver_ns)
		process->driver_last_ns = sum;
	process->has_driver = true;
	process->driver_ns = sum;
}

static bool has_gpu(void)
{
	glob_t found;
	int ret = glob("/dev/dri/renderD*", 0, NULL, &found);

	globfree(&found);
	return ret == 0;
}

void top_drivers_read(struct top *top)
{
	struct dirent *entry;
	DIR *folder;

	if (!has_gpu())
		return;
	folder = opendir("/proc");
	if (!folder)
		return;
	while ((entry = readdir(folder)))
		if (isdigit((unsigned char)*entry->d_name))
			process_read(top, entry->d_name);
	closedir(folder);
}

int top_frequency(void)
{
	glob_t found;
	int mhz = -1;
	FILE *file;

	if (!glob("/sys/class/drm/card*/gt_act_freq_mhz", 0, NULL, &found)) {
		file = fopen(found.gl_pathv[0], "r");
		if (file && fscanf(file, "%d", &mhz) != 1)
			mhz = -1;
		if (file)
			fclose(file);
	}
	globfree(&found);
	return mhz;
}
