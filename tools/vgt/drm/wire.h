/* SPDX-License-Identifier: MIT */
/*
 * What goes between the preloaded library and vgtd: one request and one answer
 * for an ioctl, over a stream socket. A head says how many bytes follow: the
 * ioctl's argument as the program has it, then what its pointers lead to. Both
 * ends are of one build, so there are no versions.
 */
#ifndef VGT_DRM_WIRE_H
#define VGT_DRM_WIRE_H

#include <stdint.h>

#define VGT_DRM_ARGUMENT_MAX 256U
#define VGT_DRM_EXTRA_MAX (4U << 20)

/* Name of the abstract socket of the vgtd at a port. */
#define VGT_DRM_SOCKET "vgtd-drm-%u"

/* Beyond the numbers of ioctls: the first request; its answer has the memory. */
#define VGT_DRM_HELLO 0x100U

struct vgt_drm_head {
	uint32_t number; /* of the ioctl, without type and size */
	int32_t ret; /* of an answer: 0 or a negative errno */
	uint32_t argument_bytes;
	uint32_t extra_bytes; /* also, in a request: room for the answer's */
};

/* EXECBUFFER2: the extra bytes are an array of these. */
struct vgt_drm_exec_object {
	uint64_t address; /* where the program wants it */
	uint32_t handle;
	uint32_t flags; /* EXEC_OBJECT_* */
};

/*
 * USERPTR: the extra bytes are an array of these, which make up the memory of the
 * program; each is a part of an object of the library's.
 */
struct vgt_drm_user_piece {
	uint64_t phys;
	uint64_t bytes;
};

#define VGT_DRM_USER_PIECES 4096U

#endif
