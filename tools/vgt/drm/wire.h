/* SPDX-License-Identifier: MIT */
/*
 * What goes between the preloaded library and vgtd: one request and one answer
 * for an ioctl, over a stream socket. A head says how many bytes follow: the
 * ioctl's argument as the program has it, then what its pointers lead to. Both
 * ends are of one build, so there are no versions.
 */
#ifndef VGT_DRM_WIRE_H
#define VGT_DRM_WIRE_H

#include <stdatomic.h>
#include <stdint.h>

#define VGT_DRM_ARGUMENT_MAX 256U
#define VGT_DRM_EXTRA_MAX (4U << 20)

/* Name of the abstract socket of the vgtd at a port. */
#define VGT_DRM_SOCKET "vgtd-drm-%u"

/*
 * Requests that are no ioctls have numbers that those have not. The answer to the
 * first one has the descriptors of the device's memory, of the queue and of its
 * doorbell.
 */
#define VGT_DRM_HELLO 0x100U
#define VGT_DRM_RING 0xf0U
#define VGT_DRM_NOTE 0xf1U

/*
 * A context's ring, as the answer to VGT_DRM_RING: where its requests' numbers are
 * written to once they are done.
 */
struct vgt_drm_ring {
	uint32_t context; /* in */
	uint32_t engines; /* that may be named */
	uint64_t word; /* physical address */
	uint64_t seqno; /* of the last request so far */
};

struct vgt_drm_head {
	uint32_t number; /* of the ioctl, without type and size */
	int32_t ret; /* of an answer: 0 or a negative errno */
	uint32_t argument_bytes;
	uint32_t extra_bytes; /* also, in a request: room for the answer's */
};

#define VGT_DRM_EXEC_FLAGS (I915_EXEC_RING_MASK | I915_EXEC_NO_RELOC | \
			    I915_EXEC_HANDLE_LUT | I915_EXEC_BATCH_FIRST | \
			    I915_EXEC_IS_PINNED)

/* EXECBUFFER2, in the queue: the head of an entry, */
struct vgt_drm_exec {
	uint32_t count; /* of objects that follow */
	uint32_t context;
	uint32_t flags; /* some of VGT_DRM_EXEC_FLAGS */
	uint32_t start; /* of commands in the batch */
};

/* and each of its objects. */
struct vgt_drm_exec_object {
	uint64_t address; /* where the program wants it */
	uint32_t handle;
	uint32_t flags; /* EXEC_OBJECT_* */
};

#define VGT_DRM_QUEUE_UNITS 0x10000U

/* Counts of units grow without end; a unit's place is its number's remainder. */
struct vgt_drm_queue {
	_Atomic uint32_t tail; /* the library's: so many were written */
	_Atomic uint32_t head; /* vgtd's: so many were read */
	_Atomic uint32_t asleep; /* vgtd's: ring the doorbell */
	_Atomic int32_t error; /* vgtd's: why it takes no more */
	union {
		struct vgt_drm_exec exec;
		struct vgt_drm_exec_object object;
	} unit[VGT_DRM_QUEUE_UNITS];
};

/* What the layer of OpenCL's loader says of the program, for checkers. */
enum vgt_drm_note_what {
	VGT_DRM_NOTE_BUFFER = 1, /* the extra bytes are its struct vgt_drm_note_piece */
	VGT_DRM_NOTE_GONE = 2, /* the buffer */
	/*
	 * The extra bytes are its name, with a 0; @bytes of code; as many of struct
	 * vgt_check_line as @number says, and of struct vgt_check_local as @locals;
	 * names of files and variables, each with a 0.
	 */
	VGT_DRM_NOTE_KERNEL = 3,
	VGT_DRM_NOTE_WRITTEN = 4, /* the host writes @bytes at @offset of the buffer */
	/*
	 * The buffer, or as number 0 local memory, is a kernel's argument: the extra
	 * bytes are the names of both, each with a 0.
	 */
	VGT_DRM_NOTE_ARGUMENT = 5,
};

enum {
	VGT_DRM_NOTE_F_SVM = 1 << 0, /* no buffer; numbers are its own */
	/* The rest of its pages is nobody's. */
	VGT_DRM_NOTE_F_PADDED = 1 << 1,
	VGT_DRM_NOTE_F_FRESH = 1 << 2, /* nothing has been written there */
};

struct vgt_drm_note {
	uint32_t what;
	uint32_t flags;
	uint32_t number; /* of the buffer, from 1; of lines */
	uint32_t locals; /* variables of the kernel in local memory */
	uint64_t bytes; /* of the buffer, of the code */
	uint64_t offset; /* of a kernel: local memory of its own variables, in bytes */
};

/* Parts of a buffer, one behind the other. */
struct vgt_drm_note_piece {
	uint64_t phys;
	uint64_t bytes;
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
