// SPDX-License-Identifier: MIT
#include "check/order.h"

#include "check/check.h"
#include "check/place.h"
#include "check/table.h"
#include "eu/eu.h"
#include "gt/device.h"
#include "gt/walker.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define LOCAL_BYTES (VGT_CHECK_LOCAL_CELLS * \
	(sizeof(struct vgt_check_cell) + sizeof(struct vgt_check_rest) + \
	 sizeof(uint64_t)))

/* A structure is that of one group after the other. */
static void group_renew(struct vgt_check_group *group,
			struct vgt_eu_thread *thread, uint32_t number)
{
	struct vgt_check *check = thread->worker->device->check;
	struct vgt_check_cells local = group->local;
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
	if (group->local.cell)
		munmap(group->local.cell, LOCAL_BYTES);
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

bool vgt_check_group_local(struct vgt_check_group *group)
{
	struct vgt_check_cells *local = &group->local;
	void *map;

	if (local->cell)
		return true;
	/* Most of it is never touched, and so takes no memory. */
	map = mmap(NULL, LOCAL_BYTES, PROT_READ | PROT_WRITE,
		   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (map == MAP_FAILED)
		return false;
	local->cell = map;
	local->rest = (void *)(local->cell + VGT_CHECK_LOCAL_CELLS);
	local->known = (void *)(local->rest + VGT_CHECK_LOCAL_CELLS);
	return true;
}

void vgt_check_group_epoch(struct vgt_check_group *group,
			   struct vgt_eu_thread *thread)
{
	struct vgt_check *check = thread->worker->device->check;
	struct vgt_check_epoch *epoch = &group->epoch;
	uint64_t clock = atomic_load(&check->clock);

	if (epoch->number && epoch->clock == clock &&
	    epoch->barriers == group->barriers)
		return;
	epoch->number = atomic_fetch_add(&check->epochs, 1) + 1;
	epoch->clock = clock;
	epoch->barriers = group->barriers;
}
