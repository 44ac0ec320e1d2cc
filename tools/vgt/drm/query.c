// SPDX-License-Identifier: MIT
#include "drm/query.h"

#include "gt/device.h"

#include <errno.h>
#include <i915_drm.h>
#include <string.h>

#define DEVICE_ID 0x9a49
#define REVISION 3
#define TIMESTAMP_HZ 12000000
#define EUS 16
#define MEMORY_BYTES (16ULL << 30)

static const struct {
	int param, value;
} params[] = {
	{ I915_PARAM_CHIPSET_ID, DEVICE_ID },
	{ I915_PARAM_REVISION, REVISION },
	{ I915_PARAM_HAS_GEM, 1 },
	{ I915_PARAM_HAS_EXECBUF2, 1 },
	{ I915_PARAM_HAS_BSD, 0 },
	{ I915_PARAM_HAS_BLT, 0 },
	{ I915_PARAM_HAS_VEBOX, 0 },
	{ I915_PARAM_HAS_BSD2, 0 },
	{ I915_PARAM_HAS_LLC, 1 },
	{ I915_PARAM_HAS_ALIASING_PPGTT, 3 },
	{ I915_PARAM_HAS_WAIT_TIMEOUT, 1 },
	{ I915_PARAM_HAS_EXEC_NO_RELOC, 1 },
	{ I915_PARAM_HAS_EXEC_HANDLE_LUT, 1 },
	{ I915_PARAM_HAS_EXEC_SOFTPIN, 1 },
	{ I915_PARAM_HAS_EXEC_ASYNC, 1 },
	{ I915_PARAM_HAS_SCHEDULER, I915_SCHEDULER_CAP_ENABLED |
	  I915_SCHEDULER_CAP_PRIORITY | I915_SCHEDULER_CAP_PREEMPTION },
	{ I915_PARAM_HAS_CONTEXT_ISOLATION, 1 },
	{ I915_PARAM_MMAP_VERSION, 1 },
	{ I915_PARAM_MMAP_GTT_VERSION, 4 },
	{ I915_PARAM_SLICE_MASK, 1 },
	{ I915_PARAM_CS_TIMESTAMP_FREQUENCY, TIMESTAMP_HZ },
};

int vgt_query_param(const struct vgt_device *device, int param, int *value_out)
{
	uint32_t subslices = vgt_device_subslices(device);

	switch (param) {
	case I915_PARAM_SUBSLICE_MASK:
		*value_out = (int)subslices;
		return 0;
	case I915_PARAM_SUBSLICE_TOTAL:
		*value_out = __builtin_popcount(subslices);
		return 0;
	case I915_PARAM_EU_TOTAL:
		*value_out = __builtin_popcount(subslices) * EUS;
		return 0;
	}
	for (size_t i = 0; i < sizeof(params) / sizeof(params[0]); i++) {
		if (params[i].param == param) {
			*value_out = params[i].value;
			return 0;
		}
	}
	return -EINVAL;
}

static int give(void *data, size_t room, const void *answer, size_t len_bytes)
{
	if (room >= len_bytes)
		memcpy(data, answer, len_bytes);
	return (int)len_bytes;
}

/* One slice; sub-slices and EUs as masks of bytes. */
static int topology(const struct vgt_device *device, void *data, size_t room)
{
	struct {
		struct drm_i915_query_topology_info info;
		uint8_t slices, subslices, eus[VGT_DSS][EUS / 8];
	} answer = {
		.info.max_slices = 1,
		.info.max_subslices = VGT_DSS,
		.info.max_eus_per_subslice = EUS,
		.info.subslice_offset = 1,
		.info.subslice_stride = 1,
		.info.eu_offset = 2,
		.info.eu_stride = EUS / 8,
		.slices = 1,
		.subslices = vgt_device_subslices(device),
	};

	for (uint32_t i = 0; i < VGT_DSS; i++)
		if (answer.subslices >> i & 1)
			memset(answer.eus[i], 0xff, sizeof(answer.eus[i]));
	return give(data, room, &answer, sizeof(answer.info) + 2 +
		    sizeof(answer.eus));
}

static int engines(void *data, size_t room)
{
	struct {
		struct drm_i915_query_engine_info info;
		struct drm_i915_engine_info render;
	} answer = {
		.info.num_engines = 1,
		.render.engine.engine_class = I915_ENGINE_CLASS_RENDER,
	};

	return give(data, room, &answer, sizeof(answer));
}

static int regions(void *data, size_t room)
{
	struct {
		struct drm_i915_query_memory_regions info;
		struct drm_i915_memory_region_info system;
	} answer = {
		.info.num_regions = 1,
		.system.region.memory_class = I915_MEMORY_CLASS_SYSTEM,
		.system.probed_size = MEMORY_BYTES,
		.system.unallocated_size = MEMORY_BYTES,
	};

	return give(data, room, &answer, sizeof(answer));
}

int vgt_query(const struct vgt_device *device, uint64_t id, void *data,
	      size_t room)
{
	switch (id) {
	case DRM_I915_QUERY_TOPOLOGY_INFO:
		return topology(device, data, room);
	case DRM_I915_QUERY_ENGINE_INFO:
		return engines(data, room);
	case DRM_I915_QUERY_MEMORY_REGIONS:
		return regions(data, room);
	case DRM_I915_QUERY_PERF_CONFIG:
		return -ENODEV;
	default: /* also the table that newer hardware has */
		return id == 5 ? -ENODEV : -EINVAL;
	}
}
