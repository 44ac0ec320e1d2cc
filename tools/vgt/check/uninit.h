/* SPDX-License-Identifier: MIT */
/* Loads of what nobody has written: from local memory, and from buffers. */
#ifndef VGT_CHECK_UNINIT_H
#define VGT_CHECK_UNINIT_H

struct vgt_check_access;
struct vgt_eu_thread;
struct vgt_inst;
struct vgt_message;

void vgt_check_uninit(struct vgt_eu_thread *thread, const struct vgt_inst *inst,
		      const struct vgt_message *message,
		      const struct vgt_check_access *access);

#endif
