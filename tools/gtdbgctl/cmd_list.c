// SPDX-License-Identifier: MIT
/* GPUs of this machine, and processes that can be debugged with their GPUs. */
#include "cmd.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <gtdbg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xf86drm.h>

#define GPUS_MAX	64
#define REPLAY_MS	2000

/* Only an open node tells its driver, and not everybody may open it. */
static void driver_find(const char *node, char *name, size_t capacity)
{
	drmVersion *version = NULL;
	int fd = open(node, O_RDWR | O_CLOEXEC);

	if (fd >= 0)
		version = drmGetVersion(fd);
	if (version)
		snprintf(name, capacity, "%s", version->name);
	else
		snprintf(name, capacity, "unknown (%s)", strerror(errno));
	drmFreeVersion(version);
	if (fd >= 0)
		close(fd);
}

static void gpu_print(const drmDevice *gpu)
{
	const char *node = gpu->nodes[DRM_NODE_RENDER];
	char driver[64], id[16] = "?:?";

	if (gpu->bustype == DRM_BUS_PCI)
		snprintf(id, sizeof(id), "%04x:%04x",
			 gpu->deviceinfo.pci->vendor_id,
			 gpu->deviceinfo.pci->device_id);
	driver_find(node, driver, sizeof(driver));
	printf("GPU %s, driver %s, %s\n", id, driver, node);
}

static int gpus_list(void)
{
	drmDevice *gpus[GPUS_MAX];
	int found = drmGetDevices2(0, gpus, GPUS_MAX);
	int count = 0, i;

	if (found > GPUS_MAX)	/* the rest was counted only */
		found = GPUS_MAX;
	for (i = 0; i < found; i++) {
		if (!(gpus[i]->available_nodes & (1 << DRM_NODE_RENDER)))
			continue;
		gpu_print(gpus[i]);
		count++;
	}
	if (found > 0)
		drmFreeDevices(gpus, found);
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
	if (!gpus_list())
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
