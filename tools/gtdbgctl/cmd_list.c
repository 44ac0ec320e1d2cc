// SPDX-License-Identifier: MIT
/* GPUs of this machine, and processes that can be debugged with their GPUs. */
#include "cmd.h"

#include "gpu.h"
#include "gpu_user.h"
#include "printer.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <gtdbg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xf86drm.h>

#define GPUS_MAX	64
#define USERS_MAX	64
#define REPLAY_MS	2000

struct gpu {
	char id[16];
	char slot[GPU_SLOT_BYTES]; /* empty: on no PCI bus */
	char driver[64];
	const char *node;
	const char *platform;
	bool has_topology;
	struct gpu_topology topology;
};

/* Only an open node names its driver, and not everybody may open it. */
static void node_ask(struct gpu *gpu)
{
	drmVersion *version = NULL;
	int fd = open(gpu->node, O_RDWR | O_CLOEXEC);

	if (fd >= 0)
		version = drmGetVersion(fd);
	if (version)
		snprintf(gpu->driver, sizeof(gpu->driver), "%s", version->name);
	else
		snprintf(gpu->driver, sizeof(gpu->driver), "unknown (%s)",
			 strerror(errno));
	gpu->has_topology = version && strcmp(version->name, "i915") == 0 &&
			    !gpu_topology_read(fd, &gpu->topology);
	drmFreeVersion(version);
	if (fd >= 0)
		close(fd);
}

static void gpu_print_text(const struct gpu *gpu)
{
	printf("GPU %s%s%s, %s, driver %s, %s", gpu->id,
	       gpu->slot[0] ? " at " : "", gpu->slot, gpu->platform,
	       gpu->driver, gpu->node);
	if (gpu->has_topology)
		printf(", %u slices, %u sub-slices, %u EUs",
		       gpu->topology.slices, gpu->topology.subslices,
		       gpu->topology.eus);
	putchar('\n');
}

static void gpu_print_json(const struct printer *to, const struct gpu *gpu)
{
	fputs("{\"kind\":\"gpu\"", stdout);
	put_text(to, "pci_id", gpu->id);
	if (gpu->slot[0])
		put_text(to, "pci_address", gpu->slot);
	put_text(to, "platform", gpu->platform);
	put_text(to, "driver", gpu->driver);
	put_text(to, "node", gpu->node);
	if (gpu->has_topology) {
		put_number(to, "slices", gpu->topology.slices);
		put_number(to, "subslices", gpu->topology.subslices);
		put_number(to, "eus", gpu->topology.eus);
	}
	puts("}");
}

/* Whether they can be debugged or not. */
static void users_print(const struct printer *to, const struct gpu *gpu)
{
	struct gpu_user users[USERS_MAX];
	size_t count = gpu_users_find(gpu->slot, users, USERS_MAX), i;

	for (i = 0; i < count; i++) {
		if (!to->is_json) {
			printf("  used by process %d (%s)\n", users[i].pid,
			       users[i].comm);
			continue;
		}
		fputs("{\"kind\":\"gpu_user\"", stdout);
		put_text(to, "pci_address", gpu->slot);
		put_number(to, "pid", users[i].pid);
		put_text(to, "comm", users[i].comm);
		puts("}");
	}
}

static uint32_t pci_address(const drmPciBusInfo *bus)
{
	return (uint32_t)bus->domain << 16 | bus->bus << 8 | bus->dev << 3 |
	       bus->func;
}

static void gpu_print(const struct printer *to, const drmDevice *device)
{
	struct gpu gpu = {
		.id = "?:?",
		.node = device->nodes[DRM_NODE_RENDER],
		.platform = gpu_platform_name(0),
	};

	if (device->bustype == DRM_BUS_PCI) {
		const drmPciDeviceInfo *info = device->deviceinfo.pci;

		snprintf(gpu.id, sizeof(gpu.id), "%04x:%04x", info->vendor_id,
			 info->device_id);
		gpu.platform = gpu_pci_platform_name(info->vendor_id,
						     info->device_id);
		gpu_slot_format(gpu.slot, pci_address(device->businfo.pci));
	}
	node_ask(&gpu);
	if (to->is_json)
		gpu_print_json(to, &gpu);
	else
		gpu_print_text(&gpu);
	if (gpu.slot[0])
		users_print(to, &gpu);
}

static int gpus_list(const struct printer *to)
{
	drmDevice *gpus[GPUS_MAX];
	int found = drmGetDevices2(0, gpus, GPUS_MAX);
	int count = 0, i;

	if (found > GPUS_MAX)	/* the rest was counted only */
		found = GPUS_MAX;
	for (i = 0; i < found; i++) {
		if (!(gpus[i]->available_nodes & (1 << DRM_NODE_RENDER)))
			continue;
		gpu_print(to, gpus[i]);
		count++;
	}
	if (found > 0)
		drmFreeDevices(gpus, found);
	return count;
}

static void client_print(const struct printer *to,
			 const struct gtdbg_event_client_add *client)
{
	if (!to->is_json) {
		printf("process %d (%.16s)\n", client->pid, client->comm);
		return;
	}
	fputs("{\"kind\":\"process\"", stdout);
	put_number(to, "pid", client->pid);
	put_text(to, "comm", client->comm);
	puts("}");
}

static void device_print(const struct printer *to, int pid,
			 const struct gtdbg_event_device_add *device)
{
	const char *platform = gpu_platform_name(device->platform);

	if (!to->is_json) {
		printf("  device %u: %sGPU, %s, %u x %u x %u x %u threads\n",
		       device->device, device->is_virtual ? "virtual " : "",
		       platform, device->slices, device->subslices,
		       device->eus, device->threads);
		return;
	}
	fputs("{\"kind\":\"device\"", stdout);
	put_number(to, "pid", pid);
	put_number(to, "device", device->device);
	put_number(to, "virtual", device->is_virtual);
	put_text(to, "platform", platform);
	put_number(to, "slices", device->slices);
	put_number(to, "subslices", device->subslices);
	put_number(to, "eus", device->eus);
	put_number(to, "threads", device->threads);
	puts("}");
}

static void event_print(const struct printer *to, int pid,
			const struct gtdbg_event *event)
{
	const struct gtdbg_event_client_add *client;
	const struct gtdbg_event_device_add *device;

	if (event->kind == GTDBG_EVENT_CLIENT_ADD) {
		client = gtdbg_event_payload(event, sizeof(*client));
		if (client)
			client_print(to, client);
	} else if (event->kind == GTDBG_EVENT_DEVICE_ADD) {
		device = gtdbg_event_payload(event, sizeof(*device));
		if (device)
			device_print(to, pid, device);
	}
}

/* Looks without disturbing: an observer never holds anything up. */
static int process_list(const struct printer *to, struct gtdbg *gtdbg, int pid)
{
	struct gtdbg_session_attach attach = {
		.flags = GTDBG_SESSION_F_OBSERVER, .event_mask = GTDBG_EVENTS_ALL,
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
		event_print(to, pid, event);
	gtdbg_session_close(session);
	return 1;
}

static int processes_list(const struct printer *to, struct gtdbg *gtdbg)
{
	DIR *folder = opendir("/proc");
	struct dirent *entry;
	int count = 0;

	if (!folder)
		return 0;
	while ((entry = readdir(folder))) {
		if (isdigit((unsigned char)entry->d_name[0]) &&
		    atoi(entry->d_name) != getpid())
			count += process_list(to, gtdbg,
					      atoi(entry->d_name));
	}
	closedir(folder);
	return count;
}

int cmd_list(int argc, char **argv)
{
	const struct printer to = {
		.is_json = argc > 1 && strcmp(argv[1], "--json") == 0,
	};
	struct gtdbg *gtdbg;
	int ret;

	if (argc != 1 + to.is_json)
		return cmd_usage("list", argv[1 + to.is_json]);
	if (!gpus_list(&to) && !to.is_json)
		puts("no GPU: \"gtdbgctl run\" uses a virtual one");
	fflush(stdout);
	ret = gtdbg_open(NULL, &gtdbg);
	if (ret)
		return cmd_fail_open(ret);
	if (!processes_list(&to, gtdbg) && !to.is_json)
		puts("no process that you may trace uses a GPU under gtdbg");
	gtdbg_close(gtdbg);
	return CMD_OK;
}
