/* SPDX-License-Identifier: MIT */
/*
 * Launches do not go through the socket: the library writes them into memory that
 * it shares with vgtd, and rings a doorbell (an eventfd) only if nobody looks.
 * Whoever can write there is not believed: all is copied first, then checked.
 */
#ifndef VGT_DRM_QUEUE_H
#define VGT_DRM_QUEUE_H

#include "drm/wire.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct vgt_queue {
	struct vgt_drm_queue *shared;
	int fd; /* of the memory */
	int doorbell; /* eventfd */
	/* Eventfds that the library does not have: it may have filled its own. */
	int ring, stop;
	_Atomic uint32_t head; /* ours; @shared has a copy */
};

int vgt_queue_init(struct vgt_queue *queue);
void vgt_queue_fini(struct vgt_queue *queue);

/*
 * Look at the first entry: its head and, in @object, its objects. Returns 1, 0 if
 * there is none, or -EPROTO. vgt_queue_next() goes on to the next one.
 */
int vgt_queue_peek(struct vgt_queue *queue, struct vgt_drm_exec *exec,
		   struct vgt_drm_exec_object *object);
void vgt_queue_next(struct vgt_queue *queue, const struct vgt_drm_exec *exec);

/* Sleep until there may be an entry, or vgt_queue_ring() or _stop() was called. */
void vgt_queue_wait(struct vgt_queue *queue);
void vgt_queue_ring(struct vgt_queue *queue);
void vgt_queue_stop(struct vgt_queue *queue);

#endif
