/* SPDX-License-Identifier: MIT */
/* Accesses of two work-items of a launch to one dword, which nothing orders. */
#ifndef VGT_CHECK_RACES_H
#define VGT_CHECK_RACES_H

struct vgt_check_access;
struct vgt_eu_thread;
struct vgt_inst;
struct vgt_message;

void vgt_check_races(struct vgt_eu_thread *thread, const struct vgt_inst *inst,
		     const struct vgt_message *message,
		     const struct vgt_check_access *access);

/* @thread makes its accesses visible, and sees others'. */
void vgt_check_races_fence(struct vgt_eu_thread *thread);

/*
 * @thread has carried out an atomic operation. Before it was, others could still do
 * what it has waited for.
 */
void vgt_check_races_atomic(struct vgt_eu_thread *thread);

#endif
