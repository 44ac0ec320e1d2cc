/* SPDX-License-Identifier: MIT */
/*
 * A thread group on the EUs: its threads, their shared local memory and their
 * barrier. One worker at a time runs a group, so nothing in it needs a lock
 * but what a driver may touch (eu.h says which).
 */
#ifndef VGT_GROUP_H
#define VGT_GROUP_H

#include <stdint.h>

struct vgt_walker;
struct vgt_eu_thread;

#define VGT_GROUP_THREADS 64
#define VGT_SLM_BYTES 65536

struct vgt_group {
	const struct vgt_walker *walker;
	uint32_t id[3];
	uint32_t dss; /* dual sub-slice that holds all its threads */
	uint8_t *slm; /* VGT_SLM_BYTES, zeroed; NULL if the walker uses none */

	uint32_t count; /* threads */
	uint32_t arrived; /* at the barrier */
	uint32_t ended;
	struct vgt_eu_thread *thread[VGT_GROUP_THREADS];
};

#endif
