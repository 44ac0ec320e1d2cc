// SPDX-License-Identifier: MIT
#include "gpu.h"

#include <errno.h>
#include <gtdbg.h>
#include <i915_drm.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>
#include <xf86drm.h>

#define INTEL 0x8086
#define TIGER_LAKE 0x9a /* high byte of its ids */
#define GPUS_MAX 16

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

static bool is_known(const drmDevice *device)
{
	return device->available_nodes & 1 << DRM_NODE_RENDER &&
	       device->bustype == DRM_BUS_PCI &&
	       device->deviceinfo.pci->vendor_id == INTEL &&
	       device->deviceinfo.pci->device_id >> 8 == TIGER_LAKE &&
	       !access(device->nodes[DRM_NODE_RENDER], R_OK | W_OK);
}

bool gpu_is_known(void)
{
	drmDevice *gpus[GPUS_MAX];
	bool is_any = false;
	int found, i;

	found = drmGetDevices2(0, gpus, GPUS_MAX);
	if (found > GPUS_MAX)
		found = GPUS_MAX;
	for (i = 0; i < found; i++)
		is_any = is_any || is_known(gpus[i]);
	if (found > 0)
		drmFreeDevices(gpus, found);
	return is_any;
}

bool gpu_is_debuggable(void)
{
	return !access(GPU_MODULE, R_OK | W_OK) && gpu_is_known();
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
