// SPDX-License-Identifier: MIT
#include "gt/group.h"

#include "eu/dispatch.h"
#include "eu/eu.h"
#include "gt/attention.h"
#include "gt/device.h"
#include "gt/pool.h"
#include "gt/walker.h"

#include <string.h>

/* Instructions that a thread runs before others get their turn. */
#define TURN 1000000
/* Turns of a group at its barriers before other groups get theirs. */
#define TURNS 10000

/* Of other walkers' groups it shows nothing, also behind what this one asks for. */
static void local_clear(struct vgt_group *group, const struct vgt_walker *walker)
{
	bool own = walker->serial && group->serial == walker->serial;

	memset(group->slm, 0, own ? walker->slm_bytes : VGT_SLM_BYTES);
	group->serial = walker->serial;
}

void vgt_group_init(struct vgt_group *group, const struct vgt_walker *walker,
		    uint64_t index)
{
	uint32_t x = walker->end[0] - walker->start[0];
	uint32_t y = walker->end[1] - walker->start[1];

	group->walker = walker;
	group->id[0] = walker->start[0] + (uint32_t)(index % x);
	group->id[1] = walker->start[1] + (uint32_t)(index / x % y);
	group->id[2] = walker->start[2] + (uint32_t)(index / x / y);
	group->count = walker->threads;
	group->arrived = 0;
	group->ended = 0;
	group->started = 0;
	group->slots = group->reserved;
	group->slm = walker->slm_bytes ? group->local : NULL;
	if (group->slm)
		local_clear(group, walker);
	memset(group->thread, 0, group->count * sizeof(group->thread[0]));
}

static void thread_start(struct vgt_group *group, struct vgt_pool *pool,
			 struct vgt_worker *worker)
{
	uint32_t index = group->started++;
	uint16_t slot = group->slot[--group->slots];
	struct vgt_eu_thread *thread = vgt_pool_slot(pool, slot);

	thread->worker = worker;
	thread->group = group;
	group->thread[index] = thread;
	/*
	 * The last thread here may have ended with a step still to take. Who sees it
	 * resident sees these.
	 */
	atomic_store_explicit(&thread->pending, 0, memory_order_relaxed);
	atomic_store_explicit(&thread->notified, 0, memory_order_relaxed);
	vgt_dispatch(thread, group, index);
	/* Either it is seen, or it sees what is asked of all threads. */
	vgt_pool_resident(pool, slot, true);
	vgt_attention_thread_start(thread);
}

static void thread_end(struct vgt_group *group, struct vgt_pool *pool,
		       uint32_t index)
{
	struct vgt_eu_thread *thread = group->thread[index];

	vgt_pool_resident(pool, thread->slot, false);
	vgt_pool_count(thread->worker, thread->instructions);
	group->slot[group->slots++] = thread->slot;
	group->thread[index] = NULL;
	group->ended++;
}

/* What one turn of all threads of a group came to. */
struct turn {
	bool moved; /* some thread executed something */
	bool yielded;
	bool host; /* some thread waits for the host */
};

/* Returns false if the group cannot go on. */
static bool thread_turn(struct vgt_group *group, struct vgt_pool *pool,
			uint32_t index, struct turn *turn)
{
	struct vgt_eu_thread *thread = group->thread[index];
	uint64_t before = thread->instructions;
	enum vgt_eu_status status = vgt_eu_run(thread, TURN);

	/* A thread that waits executes its sync instruction once more. */
	if (thread->instructions > before + 1)
		turn->moved = true;
	switch (status) {
	case VGT_EU_END:
		turn->moved = true;
		thread_end(group, pool, index);
		return true;
	case VGT_EU_YIELD:
		turn->moved = true;
		turn->yielded = true;
		return vgt_pool_patience(pool, thread);
	case VGT_EU_HOST:
		turn->host = true;
		return true;
	case VGT_EU_BARRIER:
		return true;
	case VGT_EU_ERROR:
		break;
	}
	vgt_device_fail(group->walker->device, "%s", thread->error);
	return false;
}

static bool group_turn(struct vgt_group *group, struct vgt_pool *pool,
		       struct vgt_worker *worker, struct turn *turn)
{
	for (uint32_t i = 0; i < group->count; i++) {
		if (i == group->started)
			thread_start(group, pool, worker);
		if (!group->thread[i])
			continue;
		worker->current = group->thread[i];
		group->thread[i]->worker = worker;
		if (!thread_turn(group, pool, i, turn))
			return false;
	}
	return !atomic_load_explicit(&group->walker->device->dead,
				     memory_order_relaxed);
}

enum vgt_group_status vgt_group_run(struct vgt_group *group,
				    struct vgt_pool *pool,
				    struct vgt_worker *worker)
{
	/* A barrier needs all of its threads there from the beginning. */
	while (group->walker->barrier && group->started < group->count)
		thread_start(group, pool, worker);

	for (uint32_t turns = 0; turns < TURNS; turns++) {
		struct turn turn = { 0 };

		if (!group_turn(group, pool, worker, &turn))
			return VGT_GROUP_FAILED;
		if (group->ended == group->count)
			return VGT_GROUP_ENDED;
		if (turn.yielded)
			return VGT_GROUP_YIELDED;
		if (turn.moved)
			continue;
		if (turn.host)
			return VGT_GROUP_PARKED;
		vgt_device_fail(group->walker->device,
				"kernel 0x%llx: group %u %u %u: %u of %u threads wait at a barrier that the others do not reach",
				(unsigned long long)group->walker->kernel,
				group->id[0], group->id[1], group->id[2],
				group->count - group->ended, group->count);
		return VGT_GROUP_FAILED;
	}
	return vgt_pool_patience(pool, worker->current) ? VGT_GROUP_YIELDED :
							  VGT_GROUP_FAILED;
}
