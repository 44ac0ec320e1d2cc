// SPDX-License-Identifier: MIT
/*
 * The registers that local numbers came in may hold something else by now, so they
 * are read from where the launch has them: behind what all threads share, for each
 * thread x, y and z, a word for each lane. That they are there is the compiler's
 * way, by which kernels without them have no such part.
 */
#include "check/place.h"

#include "check/access.h"
#include "eu/eu.h"
#include "eu/inst.h"
#include "gt/device.h"
#include "gt/group.h"
#include "gt/walker.h"

#include <string.h>

#define GRF_BYTES 32
#define LANES 32

uint32_t vgt_check_thread_index(const struct vgt_eu_thread *thread)
{
	const struct vgt_group *group = thread->group;
	uint32_t i = 0;

	while (i + 1 < group->count && group->thread[i] != thread)
		i++;
	return i;
}

static uint32_t groups(const struct vgt_walker *walker, uint32_t dimension)
{
	return walker->end[dimension] - walker->start[dimension];
}

uint32_t vgt_check_group_number(const struct vgt_group *group)
{
	const struct vgt_walker *walker = group->walker;
	uint32_t number = 0;

	for (uint32_t d = 3; d--;)
		number = number * groups(walker, d) +
			 (group->id[d] - walker->start[d]);
	return number;
}

void vgt_check_group_id(const struct vgt_walker *walker, uint32_t number,
			uint32_t id[3])
{
	for (uint32_t d = 0; d < 3; d++) {
		id[d] = walker->start[d] + number % groups(walker, d);
		number /= groups(walker, d);
	}
}

/*
 * What is the same for all work-items of a thread that are there is done once, in
 * lanes that stand for none of them. It is done for each, so the first is named.
 */
bool vgt_check_is_uniform(const struct vgt_inst *inst,
			  const struct vgt_check_access *access)
{
	return access->block ||
	       (inst->nomask &&
		(inst->pred == VGT_PRED_NONE || inst->exec_size == 1));
}

void vgt_check_item_init(struct vgt_check_item *item,
			 const struct vgt_eu_thread *thread,
			 const struct vgt_inst *inst,
			 const struct vgt_check_access *access, uint32_t lane)
{
	*item = (struct vgt_check_item){
		.thread = vgt_check_thread_index(thread),
		.lane = inst->chan + lane,
	};
	memcpy(item->group, thread->group->id, sizeof(item->group));
	if (!vgt_check_is_uniform(inst, access))
		return;
	item->all = !thread->enabled;
	if (thread->enabled)
		item->lane = __builtin_ctz(thread->enabled);
}

/* GRFs that one dimension takes. */
static uint32_t dimension_grfs(const struct vgt_walker *walker)
{
	return walker->simd == 32 ? 2 : 1;
}

static bool numbers_read(struct vgt_eu_thread *thread, uint32_t index,
			 uint32_t dimension, uint16_t out[LANES])
{
	const struct vgt_walker *walker = thread->group->walker;
	uint32_t grfs = dimension_grfs(walker);
	uint64_t va = walker->payload + GRF_BYTES * (walker->cross_grfs +
		(uint64_t)index * walker->per_thread_grfs + dimension * grfs);

	for (uint32_t i = 0; i < grfs; i++) {
		const uint8_t *host = vgt_tlb_host(&thread->worker->tlb,
						   va + i * GRF_BYTES,
						   VGT_ACCESS_READ);

		if (!host)
			return false;
		memcpy(out + i * GRF_BYTES / 2, host, GRF_BYTES);
	}
	return true;
}

/* Nothing says how large a group is but its largest numbers. */
static bool size_find(struct vgt_eu_thread *thread, uint32_t dimension,
		      uint32_t *size_out)
{
	const struct vgt_walker *walker = thread->group->walker;
	uint16_t number[LANES];

	*size_out = 0;
	for (uint32_t i = 0; i < walker->threads; i++) {
		uint32_t lanes = i + 1 < walker->threads ? UINT32_MAX :
				 walker->right_mask;

		if (!numbers_read(thread, i, dimension, number))
			return false;
		for (uint32_t lane = 0; lane < walker->simd; lane++)
			if (lanes >> lane & 1 && number[lane] >= *size_out)
				*size_out = number[lane] + 1U;
	}
	return true;
}

void vgt_check_item_complete(struct vgt_eu_thread *thread,
			     struct vgt_check_item *item)
{
	const struct vgt_walker *walker = thread->group->walker;
	uint16_t number[LANES];
	uint32_t size;

	item->known = false;
	item->global_known = true;
	if (walker->per_thread_grfs < 3 * dimension_grfs(walker) ||
	    item->lane >= walker->simd || item->thread >= walker->threads)
		return;
	for (uint32_t d = 0; d < 3; d++) {
		if (!numbers_read(thread, item->thread, d, number) ||
		    !size_find(thread, d, &size))
			return;
		item->local[d] = number[item->lane];
		item->global[d] = item->group[d] * size + number[item->lane];
		/* Smaller ones, behind those that another walker had. */
		if (walker->start[d])
			item->global_known = false;
	}
	item->known = !item->all;
}
