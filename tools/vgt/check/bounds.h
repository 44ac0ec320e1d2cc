/* SPDX-License-Identifier: MIT */
/* Accesses outside of the program's buffers, and of local memory. */
#ifndef VGT_CHECK_BOUNDS_H
#define VGT_CHECK_BOUNDS_H

struct vgt_check_access;
struct vgt_eu_thread;
struct vgt_inst;
struct vgt_message;

void vgt_check_bounds(struct vgt_eu_thread *thread, const struct vgt_inst *inst,
		      const struct vgt_message *message,
		      const struct vgt_check_access *access);

#endif
