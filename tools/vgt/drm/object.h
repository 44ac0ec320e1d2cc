/* SPDX-License-Identifier: MIT */
/* A buffer of a program: a range of its device's physical memory. */
#ifndef VGT_DRM_OBJECT_H
#define VGT_DRM_OBJECT_H

#include <stdint.h>

struct vgt_drm;
struct vgt_ring;

struct vgt_object {
	struct vgt_object *next; /* among those that are closed */
	uint64_t phys, bytes;
	uint32_t handle;
	uint32_t bound; /* in so many address spaces */

	/* Who uses it last. */
	struct vgt_ring *ring;
	uint64_t seqno;
};

/* Returns 0 or a negative errno. */
int vgt_object_create(struct vgt_drm *drm, uint64_t bytes,
		      struct vgt_object **object_out);

/* The object of @handle, or NULL. */
struct vgt_object *vgt_object_find(struct vgt_drm *drm, uint32_t handle);

/* The program is done with it; it goes once no command uses it any more. */
void vgt_object_close(struct vgt_drm *drm, struct vgt_object *object);

/* Free what is closed and not in use. */
void vgt_objects_retire(struct vgt_drm *drm);

void vgt_objects_fini(struct vgt_drm *drm);

#endif
