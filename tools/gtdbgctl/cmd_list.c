// SPDX-License-Identifier: MIT
/* GPUs of this machine, and processes that can be debugged with their GPUs. */
#include "cmd.h"

#include <ctype.h>
#include <dirent.h>
#include <gtdbg.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DRM_FOLDER	"/sys/class/drm"
#define REPLAY_MS	2000

static void line_read(const char *path, char *text, size_t capacity)
{
	FILE *file = fopen(path, "re");

	text[0] = 0;
	if (!file)
		return;
	if (fgets(text, capacity, file))
		text[strcspn(text, "\n")] = 0;
	fclose(file);
}

static void node_print(const char *node)
{
	char path[PATH_MAX], vendor[32], device[32], driver[PATH_MAX];
	const char *name = "no driver";
	ssize_t len;

	snprintf(path, sizeof(path), DRM_FOLDER "/%s/device/vendor", node);
	line_read(path, vendor, sizeof(vendor));
	snprintf(path, sizeof(path), DRM_FOLDER "/%s/device/device", node);
	line_read(path, device, sizeof(device));
	snprintf(path, sizeof(path), DRM_FOLDER "/%s/device/driver", node);
	len = readlink(path, driver, sizeof(driver) - 1);
	if (len > 0) {
		driver[len] = 0;
		name = strrchr(driver, '/') ? strrchr(driver, '/') + 1 : driver;
	}
	printf("GPU %s:%s, driver %s, /dev/dri/%s\n",
	       vendor[0] ? vendor + 2 : "?", device[0] ? device + 2 : "?",
	       name, node);
}

static int nodes_list(void)
{
	DIR *folder = opendir(DRM_FOLDER);
	struct dirent *entry;
	int count = 0;

	if (!folder)
		return 0;
	while ((entry = readdir(folder))) {
		if (strncmp(entry->d_name, "renderD", 7) != 0)
			continue;
		node_print(entry->d_name);
		count++;
	}
	closedir(folder);
	return count;
}

static void event_show(const struct gtdbg_event *event)
{
	const struct gtdbg_event_client_add *client;
	const struct gtdbg_event_device_add *device;

	if (event->kind == GTDBG_EVENT_CLIENT_ADD) {
		client = gtdbg_event_payload(event, sizeof(*client));
		if (client)
			printf("process %d (%.16s)\n", client->pid,
			       client->comm);
	} else if (event->kind == GTDBG_EVENT_DEVICE_ADD) {
		device = gtdbg_event_payload(event, sizeof(*device));
		if (device)
			printf("  device %u: %sGPU, %u x %u x %u x %u threads\n",
			       device->device, device->is_virtual ?
			       "virtual " : "", device->slices,
			       device->subslices, device->eus,
			       device->threads);
	}
}

/* Looks without disturbing: an observer never holds anything up. */
static int process_show(struct gtdbg *gtdbg, int pid)
{
	struct gtdbg_session_attach attach = {
		.flags = GTDBG_SESSION_F_OBSERVER, .event_mask = ~0ull,
	};
	const struct gtdbg_event *event;
	struct gtdbg_session *session;

	if (gtdbg_client_find(pid, &attach.client_fd))
		return 0;
	if (gtdbg_session_open(gtdbg, &attach, &session)) {
		close(attach.client_fd);
		return 0;
	}
	close(attach.client_fd);
	while (gtdbg_event_next(session, REPLAY_MS, &event) == 1 &&
	       event->kind != GTDBG_EVENT_SYNCED)
		event_show(event);
	gtdbg_session_close(session);
	return 1;
}

static int processes_list(struct gtdbg *gtdbg)
{
	DIR *folder = opendir("/proc");
	struct dirent *entry;
	int count = 0;

	if (!folder)
		return 0;
	while ((entry = readdir(folder))) {
		if (isdigit((unsigned char)entry->d_name[0]) &&
		    atoi(entry->d_name) != getpid())
			count += process_show(gtdbg, atoi(entry->d_name));
	}
	closedir(folder);
	return count;
}

int cmd_list(int argc, char **argv)
{
	struct gtdbg *gtdbg;
	int ret;

	(void)argv;
	if (argc != 1)
		return cmd_usage("list");
	if (!nodes_list())
		puts("no GPU: \"gtdbgctl run\" uses a virtual one");
	fflush(stdout);
	ret = gtdbg_open(NULL, &gtdbg);
	if (ret)
		return cmd_fail_open(ret);
	if (!processes_list(gtdbg))
		puts("no process uses a GPU under gtdbg");
	gtdbg_close(gtdbg);
	return CMD_OK;
}
