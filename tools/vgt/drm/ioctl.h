/* SPDX-License-Identifier: MIT */
/*
 * i915's ioctls, as a program's library passes them on: what pointers lead to
 * stands behind the argument.
 */
#ifndef VGT_DRM_IOCTL_H
#define VGT_DRM_IOCTL_H

#include <stdint.h>

struct vgt_drm;

struct vgt_drm_call {
	uint32_t number;
	uint32_t argument_bytes;
	uint32_t extra_bytes; /* in */
	uint32_t room; /* for extra bytes of the answer */
	uint32_t answer_bytes; /* out: extra bytes of the answer */
	void *argument; /* in and out; has VGT_DRM_ARGUMENT_MAX bytes */
	uint8_t *extra; /* in and out */
};

/* Returns 0 or a negative errno. */
int vgt_drm_ioctl(struct vgt_drm *drm, struct vgt_drm_call *call);

#endif
