// SPDX-License-Identifier: MIT
/*
 * GPUs of the machine that this process has open: the module sees its work there
 * only if it is told that it is this client's.
 */
#include "hook.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/gtdbg_pci.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define DRM_MAJOR 226
#define DRM_RENDER_FIRST 128
#define GPUS_MAX 16

/* Each stays open for as long as the program lives: its end is the binding's. */
static struct {
	unsigned int minor;
	struct gtdbg_hook_descriptor descriptor;
} gpus[GPUS_MAX];
static unsigned int gpu_count;

/* A program's own file of that name, as of a stand-in for the driver, is none. */
static bool is_render_node(int fd, unsigned int *minor_out)
{
	struct stat info;

	if (fstat(fd, &info) || !S_ISCHR(info.st_mode) ||
	    major(info.st_rdev) != DRM_MAJOR ||
	    minor(info.st_rdev) < DRM_RENDER_FIRST)
		return false;
	*minor_out = minor(info.st_rdev);
	return true;
}

static bool gpu_is_bound(unsigned int minor)
{
	unsigned int i;

	for (i = 0; i < gpu_count; i++)
		if (gpus[i].minor == minor)
			return true;
	return false;
}

static int gpu_bind(int client_fd, int drm_fd, unsigned int minor)
{
	struct gtdbg_pci_bind bind = {
		.client_fd = client_fd, .drm_fd = drm_fd,
	};
	int fd, ret;

	if (gpu_count == GPUS_MAX)
		return -ENOSPC;
	fd = open(GTDBG_HOOK_GPU_DEVICE, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (ioctl(fd, GTDBG_PCI_IOC_BIND, &bind) < 0) {
		ret = -errno;
		close(fd);
		return ret;
	}
	gpus[gpu_count].minor = minor;
	gtdbg_hook_descriptor_init(&gpus[gpu_count++].descriptor, fd);
	return 0;
}

/* The module does not know it, or its user may not debug there. */
static bool is_refusal(int ret)
{
	return ret == -EOPNOTSUPP || ret == -EACCES || ret == -EPERM;
}

/* What one ends with keeps no other one from being bound. */
int gtdbg_hook_gpus_bind(int client_fd, int *refusal_out)
{
	int fd, bound, ret = 0, refusal = 0;
	struct dirent *entry;
	unsigned int minor;
	DIR *folder;

	*refusal_out = 0;
	/* Without the module for them, none can be debugged, and none has to. */
	if (access(GTDBG_HOOK_GPU_DEVICE, F_OK))
		return 0;
	folder = opendir("/proc/self/fd");
	if (!folder)
		return -errno;
	while ((entry = readdir(folder))) {
		fd = atoi(entry->d_name);
		if (entry->d_name[0] == '.' || !is_render_node(fd, &minor) ||
		    gpu_is_bound(minor))
			continue;
		bound = gpu_bind(client_fd, fd, minor);
		if (is_refusal(bound))
			refusal = refusal ? refusal : bound;
		else
			ret = ret ? ret : bound;
	}
	closedir(folder);
	*refusal_out = gpu_count ? 0 : refusal;
	return ret;
}

bool gtdbg_hook_gpus_any(void)
{
	return gpu_count;
}

void gtdbg_hook_gpus_forget(void)
{
	while (gpu_count)
		gtdbg_hook_descriptor_fini(&gpus[--gpu_count].descriptor);
}
