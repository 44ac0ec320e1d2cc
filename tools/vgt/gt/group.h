/* SPDX-License-Identifier: MIT */
/*
 * A thread group on the EUs: its threads, their shared local memory and their
 * barrier. One worker at a time runs a group, so nothing in it needs a lock
 * but what a driver may touch (eu.h says which).
 */
#ifndef VGT_GROUP_H
#define VGT_GROUP_H

#include <stdint.h>

struct vgt_check_group;
struct vgt_walker;
struct vgt_eu_thread;
struct vgt_pool;
struct vgt_worker;

#define VGT_GROUP_THREADS 64
#define VGT_SLM_BYTES 65536

struct vgt_group {
	const struct vgt_walker *walker;
	uint32_t id[3];
	uint32_t dss; /* dual sub-slice that holds all its threads */
	uint8_t *slm; /* VGT_SLM_BYTES, zeroed as group.c says; NULL if the walker uses none */

	uint32_t count; /* threads */
	uint32_t arrived; /* at the barrier */
	uint32_t ended;
	/* NULL before its start and after its end. */
	struct vgt_eu_thread *thread[VGT_GROUP_THREADS];

	struct vgt_check_group *check; /* NULL: nothing is known yet */

	/* The pool's. */
	uint8_t *local; /* what @slm points to, if a walker wants it */
	uint64_t serial; /* of the walker that had it last */
	uint32_t started;
	uint32_t slots; /* free ones in @slot */
	uint32_t reserved; /* slots in all */
	uint16_t slot[VGT_GROUP_THREADS]; /* a stack: the last is warm */
	struct vgt_group *next;
};

enum vgt_group_status {
	VGT_GROUP_ENDED = 1, /* all threads reached their end */
	VGT_GROUP_YIELDED = 2, /* let others run, then go on */
	VGT_GROUP_PARKED = 3, /* nothing moves until the host acts */
	VGT_GROUP_FAILED = 4, /* reported; the device is dead */
};

/* Make @group number @index of @walker; no thread is started yet. */
void vgt_group_init(struct vgt_group *group, const struct vgt_walker *walker,
		    uint64_t index);

/* Run all its threads in turn until there is something to report. */
enum vgt_group_status vgt_group_run(struct vgt_group *group,
				    struct vgt_pool *pool,
				    struct vgt_worker *worker);

#endif
