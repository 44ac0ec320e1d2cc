// SPDX-License-Identifier: MIT
#include "check/order.h"

#include "check/check.h"
#include "check/place.h"
#include "check/shadow.h"
#include "check/table.h"
#include "eu/eu.h"
#include "gt/device.h"
#include "gt/walker.h"

#include <stdlib.h>
#include <string.h>

#define LOCAL_CELLS (VGT_SLM_BYTES / 4)

/* A structure is that of one group after the other. */
static void group_renew(struct vgt_check_group *group,
			struct vgt_eu_thread *thread, uint32_t number)
{
	struct vgt_check *check = thread->worker->device->check;
	struct vgt_check_cell *local = group->local;
	uint8_t *kept = group->kept;

	memset(group, 0, sizeof(*group));
	group->launch = thread->group->walker->serial;
	group->number = number;
	group->run = atomic_fetch_add(&check->runs, 1) + 1;
	group->local = local;
	group->kept = kept;
	if (kept)
		memset(kept, 0, sizeof(group->written));
}

struct vgt_check_group *vgt_check_group_get(struct vgt_eu_thread *thread)
{
	uint32_t number = vgt_check_group_number(thread->group);
	struct vgt_check_group *group = thread->group->check;

	if (!group) {
		group = calloc(1, sizeof(*group));
		if (!group)
			return NULL;
		thread->group->check = group;
	}
	/* Serial numbers begin with 1. */
	if (group->launch != thread->group->walker->serial ||
	    group->number != number)
		group_renew(group, thread, number);
	return group;
}

void vgt_check_group_destroy(struct vgt_check_group *group)
{
	if (!group)
		return;
	free(group->local);
	free(group->kept);
	free(group);
}

void vgt_check_group_fence(struct vgt_check_group *group, uint32_t thread)
{
	group->fences |= 1ULL << thread;
}

void vgt_check_group_sync(struct vgt_check_group *group,
			  struct vgt_eu_thread *thread, uint32_t index)
{
	struct vgt_check *check = thread->worker->device->check;

	group->fences &= ~(1ULL << index);
	group->sync[index] = atomic_fetch_add(&check->clock, 1) + 1;
}

void vgt_check_barrier(struct vgt_eu_thread *thread, bool opened)
{
	struct vgt_check_group *group;

	if (!(vgt_check_mode & (VGT_CHECK_RACES | VGT_CHECK_UNINIT)) ||
	    !thread->worker->device->check)
		return;
	group = vgt_check_group_get(thread);
	if (!group)
		return;
	group->fences &= ~(1ULL << vgt_check_thread_index(thread));
	if (!opened)
		return;
	group->barriers++;
	if (group->kept)
		memset(group->kept, 0, sizeof(group->written));
	for (uint32_t i = 0; i < VGT_GROUP_THREADS; i++)
		if (group->sync[i] > group->all_sync)
			group->all_sync = group->sync[i];
}

struct vgt_check_cell *vgt_check_group_cell(struct vgt_check_group *group,
					    uint32_t offset)
{
	/* Most of it is never touched, and so takes no memory. */
	if (!group->local)
		group->local = calloc(LOCAL_CELLS, sizeof(*group->local));
	return group->local ? group->local + offset / 4 % LOCAL_CELLS : NULL;
}

bool vgt_check_is_ordered(const struct vgt_check_group *group,
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
