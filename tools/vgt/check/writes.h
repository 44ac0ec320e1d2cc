/* SPDX-License-Identifier: MIT */
/* A log of all that kernels write. */
#ifndef VGT_CHECK_WRITES_H
#define VGT_CHECK_WRITES_H

struct vgt_check_access;
struct vgt_eu_thread;
struct vgt_inst;

void vgt_check_writes(struct vgt_eu_thread *thread, const struct vgt_inst *inst,
		      const struct vgt_check_access *access);

#endif
