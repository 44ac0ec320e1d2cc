/* SPDX-License-Identifier: MIT */
/*
 * A context as a driver makes it: an image of registers, a ring, and a word that
 * each request's number is written to once it is done.
 */
#ifndef VGT_DRM_RING_H
#define VGT_DRM_RING_H

#include <stdbool.h>
#include <stdint.h>

struct vgt_drm;
struct vgt_vm;

struct vgt_ring {
	struct vgt_ring *next;
	struct vgt_vm *vm; /* NULL: no context's, and free for the next one */
	uint32_t id; /* of the context */
	bool closed;
	uint32_t ggtt; /* address of the image; the ring and the word follow */
	uint64_t phys;
	uint32_t tail;
	uint64_t seqno; /* of the last request */
	uint64_t submission; /* number of its last one to the device */
	uint64_t first; /* number before the context's own requests */
	uint32_t engines; /* in the context's map; 0: as from the start */
};

/* @ring_out may be NULL. Returns 0 or a negative errno. */
int vgt_ring_create(struct vgt_drm *drm, struct vgt_vm *vm, uint32_t id,
		    struct vgt_ring **ring_out);
/* The ring of context @id that the program has, or NULL. */
struct vgt_ring *vgt_ring_find(const struct vgt_drm *drm, uint32_t id);

/* Nothing of it may run. */
void vgt_ring_destroy(struct vgt_drm *drm, struct vgt_ring *ring);

/* Number of the last request that is done. */
uint64_t vgt_ring_done(const struct vgt_drm *drm, const struct vgt_ring *ring);

/* How many engines may be named in it. */
uint32_t vgt_ring_engines(const struct vgt_ring *ring);

/* Physical address of the word that has it. */
uint64_t vgt_ring_word(const struct vgt_ring *ring);

/* The context uses @vm from now on. It has run nothing yet. */
void vgt_ring_vm_set(struct vgt_drm *drm, struct vgt_ring *ring,
		     struct vgt_vm *vm);

/* Is there room for a request? If not, there will be once one is done. */
bool vgt_ring_has_room(const struct vgt_drm *drm, const struct vgt_ring *ring);

/* Submit the batch at @address; there is room. */
void vgt_ring_submit(struct vgt_drm *drm, struct vgt_ring *ring,
		     uint64_t address);

/* The program is done with the context; what runs goes on. */
void vgt_ring_close(struct vgt_drm *drm, struct vgt_ring *ring);

#endif
