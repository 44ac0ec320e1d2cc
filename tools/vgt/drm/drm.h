/* SPDX-License-Identifier: MIT */
/*
 * A program's render node: what i915 would keep for an open file, over the
 * device of this program alone.
 *
 * Physical memory is the program's as well: its buffers are ranges of it. So
 * nothing that stands there is believed; all books are in vgtd's own memory.
 */
#ifndef VGT_DRM_H
#define VGT_DRM_H

#include "drm/range.h"

#include <stdbool.h>
#include <stdint.h>

struct vgt_device;
struct vgt_object;
struct vgt_ring;
struct vgt_vm;

/* What a program may have. */
#define VGT_DRM_OBJECTS (1U << 18)
#define VGT_DRM_VMS 4096
#define VGT_DRM_BYTES (1ULL << 38)

struct vgt_drm {
	struct vgt_device *device;
	struct vgt_ranges memory;
	uint64_t taken_bytes;
	bool ending; /* the memory goes as a whole */

	struct vgt_object **object; /* by handle */
	uint32_t objects; /* room in it */
	uint32_t free_from; /* no handle below is free */
	struct vgt_object *closed; /* and still in use */

	struct vgt_vm *vms;
	struct vgt_ring *rings;
	uint32_t last_id; /* of a VM or a context */
};

int vgt_drm_create(struct vgt_device *device, struct vgt_drm **drm_out);
/* After its device, which may run until then. */
void vgt_drm_destroy(struct vgt_drm *drm);

/* Physical memory in one piece, all zero. Returns 0 or a negative errno. */
int vgt_drm_memory_take(struct vgt_drm *drm, uint64_t len_bytes,
			uint64_t *phys_out);
void vgt_drm_memory_give(struct vgt_drm *drm, uint64_t phys,
			 uint64_t len_bytes);

#endif
