// SPDX-License-Identifier: MIT
#include "gpu.h"

#include <errno.h>
#include <fcntl.h>
#include <gtdbg.h>
#include <i915_drm.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <xf86drm.h>

#define INTEL 0x8086
#define TIGER_LAKE 0x9a /* high byte of its ids */
#define GPUS_MAX 16
#define BATCH_BYTES 4096
#define BATCH_END (0x0a << 23)

const char *gpu_platform_name(uint32_t platform)
{
	switch (platform) {
	case GTDBG_PLATFORM_GEN9:
		return "Gen9";
	case GTDBG_PLATFORM_GEN11:
		return "Gen11";
	case GTDBG_PLATFORM_GEN12LP:
		return "Gen12LP";
	default:
		return "unknown";
	}
}

/* Intel gives each product the ids of one high byte, or of a few. */
static const struct {
	uint8_t high;
	uint32_t platform;
} products[] = {
	{ 0x19, GTDBG_PLATFORM_GEN9 },		/* Skylake */
	{ 0x31, GTDBG_PLATFORM_GEN9 },		/* Gemini Lake */
	{ 0x3e, GTDBG_PLATFORM_GEN9 },		/* Coffee and Whiskey Lake */
	{ 0x59, GTDBG_PLATFORM_GEN9 },		/* Kaby Lake */
	{ 0x87, GTDBG_PLATFORM_GEN9 },		/* Amber Lake */
	{ 0x9b, GTDBG_PLATFORM_GEN9 },		/* Comet Lake */
	{ 0x45, GTDBG_PLATFORM_GEN11 },		/* Elkhart Lake */
	{ 0x4e, GTDBG_PLATFORM_GEN11 },		/* Jasper Lake */
	{ 0x8a, GTDBG_PLATFORM_GEN11 },		/* Ice Lake */
	{ 0x46, GTDBG_PLATFORM_GEN12LP },	/* Alder Lake */
	{ 0x49, GTDBG_PLATFORM_GEN12LP },	/* DG1 */
	{ 0x4c, GTDBG_PLATFORM_GEN12LP },	/* Rocket Lake */
	{ 0x9a, GTDBG_PLATFORM_GEN12LP },	/* Tiger Lake */
	{ 0xa7, GTDBG_PLATFORM_GEN12LP },	/* Raptor Lake */
};

const char *gpu_pci_platform_name(uint16_t vendor, uint16_t device)
{
	size_t i;

	for (i = 0; i < sizeof(products) / sizeof(products[0]); i++) {
		if (vendor == INTEL && device >> 8 == products[i].high)
			return gpu_platform_name(products[i].platform);
	}
	return gpu_platform_name(0);
}

void gpu_slot_format(char slot[GPU_SLOT_BYTES], uint32_t address)
{
	snprintf(slot, GPU_SLOT_BYTES, "%04x:%02x:%02x.%x", address >> 16,
		 address >> 8 & 0xff, address >> 3 & 0x1f, address & 7);
}

static bool is_known(const drmDevice *device)
{
	return device->available_nodes & 1 << DRM_NODE_RENDER &&
	       device->bustype == DRM_BUS_PCI &&
	       device->deviceinfo.pci->vendor_id == INTEL &&
	       device->deviceinfo.pci->device_id >> 8 == TIGER_LAKE;
}

static bool is_usable(const drmDevice *device)
{
	return is_known(device) &&
	       !access(device->nodes[DRM_NODE_RENDER], R_OK | W_OK);
}

static bool any_is(bool (*is)(const drmDevice *device))
{
	drmDevice *gpus[GPUS_MAX];
	bool is_any = false;
	int found, i;

	found = drmGetDevices2(0, gpus, GPUS_MAX);
	if (found > GPUS_MAX)
		found = GPUS_MAX;
	for (i = 0; i < found; i++)
		is_any = is_any || is(gpus[i]);
	if (found > 0)
		drmFreeDevices(gpus, found);
	return is_any;
}

bool gpu_is_known(void)
{
	return any_is(is_known);
}

bool gpu_is_debuggable(void)
{
	return !access(GPU_MODULE, R_OK | W_OK) && any_is(is_usable);
}

/* Has the driver done with a batch that does nothing, behind all that is there? */
static int batch_execute(int fd, uint32_t handle, int64_t timeout_ns)
{
	static const uint32_t batch[] = { BATCH_END, 0 };
	struct drm_i915_gem_pwrite content = {
		.handle = handle, .size = sizeof(batch),
		.data_ptr = (uintptr_t)batch,
	};
	struct drm_i915_gem_exec_object2 object = { .handle = handle };
	struct drm_i915_gem_execbuffer2 submit = {
		.buffers_ptr = (uintptr_t)&object, .buffer_count = 1,
		.batch_len = sizeof(batch), .flags = I915_EXEC_RENDER,
	};
	struct drm_i915_gem_wait wait = {
		.bo_handle = handle, .timeout_ns = timeout_ns,
	};

	if (drmIoctl(fd, DRM_IOCTL_I915_GEM_PWRITE, &content) ||
	    drmIoctl(fd, DRM_IOCTL_I915_GEM_EXECBUFFER2, &submit) ||
	    drmIoctl(fd, DRM_IOCTL_I915_GEM_WAIT, &wait))
		return -errno;
	return 0;
}

static int node_await(const char *path, int64_t timeout_ns)
{
	struct drm_i915_gem_create buffer = { .size = BATCH_BYTES };
	int fd = open(path, O_RDWR | O_CLOEXEC), ret;

	if (fd < 0)
		return -errno;
	ret = drmIoctl(fd, DRM_IOCTL_I915_GEM_CREATE, &buffer) ? -errno :
	      batch_execute(fd, buffer.handle, timeout_ns);
	close(fd);
	return ret;
}

void gpu_await_all(unsigned int timeout_s)
{
	drmDevice *gpus[GPUS_MAX];
	int found, i;

	found = drmGetDevices2(0, gpus, GPUS_MAX);
	if (found > GPUS_MAX)
		found = GPUS_MAX;
	for (i = 0; i < found; i++)
		if (is_usable(gpus[i]))
			node_await(gpus[i]->nodes[DRM_NODE_RENDER],
				   timeout_s * 1000000000LL);
	if (found > 0)
		drmFreeDevices(gpus, found);
}

static int query(int fd, struct drm_i915_query_item *item)
{
	struct drm_i915_query request = {
		.num_items = 1, .items_ptr = (uintptr_t)item,
	};

	if (drmIoctl(fd, DRM_IOCTL_I915_QUERY, &request))
		return -errno;
	return item->length;
}

static unsigned int bits_count(const uint8_t *bytes, size_t count)
{
	unsigned int bits = 0;

	while (count--)
		bits += __builtin_popcount(*bytes++);
	return bits;
}

static void topology_count(const struct drm_i915_query_topology_info *info,
			   size_t len, struct gpu_topology *out)
{
	len -= offsetof(struct drm_i915_query_topology_info, data);
	out->slices = bits_count(info->data, info->subslice_offset);
	out->subslices = bits_count(info->data + info->subslice_offset,
				    info->eu_offset - info->subslice_offset);
	out->eus = bits_count(info->data + info->eu_offset,
			      len - info->eu_offset);
}

int gpu_topology_read(int fd, struct gpu_topology *out)
{
	struct drm_i915_query_item item = {
		.query_id = DRM_I915_QUERY_TOPOLOGY_INFO,
	};
	struct drm_i915_query_topology_info *info;
	int len = query(fd, &item);

	/* The first call returns the length. */
	if (len < (int)sizeof(*info))
		return len < 0 ? len : -ENODATA;
	info = calloc(1, len);
	if (!info)
		return -ENOMEM;
	item.data_ptr = (uintptr_t)info;
	len = query(fd, &item);
	if (len > 0)
		topology_count(info, len, out);
	free(info);
	return len < 0 ? len : 0;
}
