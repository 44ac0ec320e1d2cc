/* SPDX-License-Identifier: MIT */
/*
 * A buffer of a program: a range of its device's physical memory, or pieces of
 * others. What is made of the program's own memory is in pieces, since its parts
 * may have become the device's for several buffers.
 */
#ifndef VGT_DRM_OBJECT_H
#define VGT_DRM_OBJECT_H

#include <stdbool.h>
#include <stdint.h>

struct vgt_drm;
struct vgt_ring;

struct vgt_piece {
	struct vgt_object *object; /* which has a range */
	uint64_t offset, bytes;
};

struct vgt_object {
	struct vgt_object *next; /* among those that are closed */
	uint64_t phys, bytes;
	struct vgt_piece *piece; /* NULL: @phys is where it is */
	uint32_t pieces;
	uint32_t users; /* the handle, commands, and pieces of others */
	uint32_t handle;
	uint32_t bound; /* in so many address spaces */
	uint32_t tiling; /* as the program said; of no effect */

	/* Who uses it last. */
	struct vgt_ring *ring;
	uint64_t seqno;
};

/* Returns 0 or a negative errno. */
int vgt_object_create(struct vgt_drm *drm, uint64_t bytes,
		      struct vgt_object **object_out);

/* Of @count pieces, which become its own. */
int vgt_object_join(struct vgt_drm *drm, const struct vgt_piece *piece,
		    uint32_t count, struct vgt_object **object_out);

/* The object that has the page at @phys, or NULL. */
struct vgt_object *vgt_object_at(struct vgt_drm *drm, uint64_t phys);

/* The object of @handle, or NULL. */
struct vgt_object *vgt_object_find(struct vgt_drm *drm, uint32_t handle);

/*
 * Nothing that was launched uses it: launches end in the order in which they were
 * made, so its last user is the last one to end.
 */
bool vgt_object_is_idle(const struct vgt_drm *drm,
			const struct vgt_object *object);

/* The program is done with it; it goes once no command uses it any more. */
void vgt_object_close(struct vgt_drm *drm, struct vgt_object *object);

/* Free what is closed and not in use. */
void vgt_objects_retire(struct vgt_drm *drm);

void vgt_objects_fini(struct vgt_drm *drm);

#endif
