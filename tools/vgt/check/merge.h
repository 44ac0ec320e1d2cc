/* SPDX-License-Identifier: MIT */
/*
 * What becomes of bytes that a load finds unwritten, which decides whether that is wrong.
 * It is not if nobody reads them; nor if they are merged: to set one element of a vector
 * compilers load all of it, and store all of it where it was.
 */
#ifndef VGT_CHECK_MERGE_H
#define VGT_CHECK_MERGE_H

#include "port/scattered.h"

#include <stdbool.h>
#include <stdint.h>

struct vgt_check_access;
struct vgt_eu_thread;
struct vgt_inst;
struct vgt_message;

/* A bit for each byte that a lane loads, one component behind the other. */
struct vgt_check_holes {
	uint64_t byte[VGT_SCATTERED_LANES];
};

/*
 * @inst is about to load: is all that this thread does with the bytes in @holes to store
 * them where they came from, or to copy them with a vector of which something else is
 * there? Those that will be back in their places are left in @holes.
 */
bool vgt_check_is_merge(struct vgt_eu_thread *thread,
			const struct vgt_inst *inst,
			const struct vgt_message *message,
			const struct vgt_check_access *access,
			struct vgt_check_holes *holes);

#endif
