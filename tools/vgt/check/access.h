/* SPDX-License-Identifier: MIT */
/* What a message will touch, lane by lane, read from its descriptor and payload. */
#ifndef VGT_CHECK_ACCESS_H
#define VGT_CHECK_ACCESS_H

#include "port/layout.h"
#include "port/scattered.h"
#include "port/space.h"

#include <stdbool.h>
#include <stdint.h>

struct vgt_message;

struct vgt_check_access {
	struct vgt_space space;
	struct vgt_layout layout;
	bool write;
	bool atomic; /* reads and writes as one */
	bool exchange; /* writes what does not depend on what it reads */
	bool flat; /* offsets are addresses: nothing says which buffer is meant */
	bool block; /* of the thread as a whole, in lane 0 */
	uint32_t lanes; /* that take part */
	uint64_t offset[VGT_SCATTERED_LANES];
};

bool vgt_check_is_fence(const struct vgt_message *message);
bool vgt_check_is_atomic(const struct vgt_message *message);

/*
 * False: no memory that is checked (images, scratch, fences), or nothing that the
 * data port will carry out.
 */
bool vgt_check_access_get(struct vgt_eu_thread *thread,
			  const struct vgt_message *message,
			  struct vgt_check_access *out);

#endif
