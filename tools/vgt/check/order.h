/* SPDX-License-Identifier: MIT */
/*
 * What orders the accesses of a launch. Barriers do so within a group. Atomic
 * operations and fences may do so between any two threads: who has carried out one
 * since another's access is taken for having waited for it.
 */
#ifndef VGT_CHECK_ORDER_H
#define VGT_CHECK_ORDER_H

#include "check/shadow.h"
#include "gt/group.h"

#include <stdbool.h>
#include <stdint.h>

struct vgt_eu_thread;

#define VGT_CHECK_LOCAL_CELLS (VGT_SLM_BYTES / 4)

struct vgt_check_group {
	uint64_t launch;
	uint32_t number; /* of the group in the launch */
	uint64_t run; /* no other group has it */
	uint32_t barriers; /* that have opened */
	uint32_t messages; /* so far, as many as cells tell apart */
	uint64_t fences; /* of threads, nothing having followed them yet */
	/* When threads have synchronised; and all that lie before the barrier. */
	uint64_t sync[VGT_GROUP_THREADS], all_sync;
	/* In which no barrier has opened, and nobody synchronised; no two are the same. */
	struct vgt_check_epoch {
		uint64_t number, clock;
		uint32_t barriers;
	} epoch;
	uint8_t written[VGT_SLM_BYTES / 8]; /* a bit for each byte of local memory */
	/* Bytes that are to be stored as they were before the barrier; NULL: none so far. */
	uint8_t *kept;
	struct vgt_check_cells local; /* shadow of local memory, or NULL each */
};

/* That of @thread's group; NULL: no memory for it. */
struct vgt_check_group *vgt_check_group_get(struct vgt_eu_thread *thread);

/* A fence before a barrier is the barrier's; others are known when more follows. */
void vgt_check_group_fence(struct vgt_check_group *group, uint32_t thread);
void vgt_check_group_sync(struct vgt_check_group *group,
			  struct vgt_eu_thread *thread, uint32_t index);

/* Begins another epoch if the last one is over. */
void vgt_check_group_epoch(struct vgt_check_group *group,
			   struct vgt_eu_thread *thread);

/* Shadow of local memory, a cell for each dword; false: no memory for it. */
bool vgt_check_group_local(struct vgt_check_group *group);

/* Does something order @other before what @self, of @group, does now? */
static inline bool vgt_check_is_ordered(const struct vgt_check_group *group,
					const struct vgt_check_party *other,
					const struct vgt_check_party *self)
{
	if (other->group == self->group &&
	    (other->thread == self->thread ||
	     other->barriers != self->barriers))
		return true;
	return group->all_sync > other->time ||
	       group->sync[self->thread] > other->time;
}

/* Is @other before whatever any thread of @group does now? */
static inline bool vgt_check_is_past(const struct vgt_check_group *group,
				     const struct vgt_check_party *other)
{
	return (other->group == group->number &&
		other->barriers != group->barriers) ||
	       group->all_sync > other->time;
}

#endif
