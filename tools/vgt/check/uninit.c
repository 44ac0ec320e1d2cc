// SPDX-License-Identifier: MIT
/*
 * Local memory is whatever the last group has left, but for vgt, which clears it: so
 * the programs that rely on that are right here alone. Of buffers it is known what the
 * host writes by OpenCL's calls (preload/written.c).
 */
#include "check/uninit.h"

#include "check/access.h"
#include "check/answer.h"
#include "check/check.h"
#include "check/merge.h"
#include "check/order.h"
#include "check/report.h"
#include "check/table.h"
#include "check/written.h"
#include "eu/eu.h"
#include "eu/inst.h"
#include "gt/device.h"
#include "gt/walker.h"

#include <stdlib.h>

/* A message that is looked at. */
struct look {
	struct vgt_eu_thread *thread;
	const struct vgt_inst *inst;
	const struct vgt_message *message;
	const struct vgt_check_access *access;
	struct vgt_check_table *table; /* of buffers */
	struct vgt_check_group *group; /* of local memory; or else NULL */
	bool reads;
	bool found; /* holes */
	struct vgt_check_holes holes;
};

static bool is_written(const struct vgt_check_group *group, uint32_t offset)
{
	offset &= VGT_SPACE_SLM_MASK;
	return group->written[offset / 8] >> offset % 8 & 1;
}

/* What a merge only puts back is not there any more than before. */
static bool is_put_back(struct vgt_check_group *group, uint32_t at)
{
	uint8_t bit = 1U << at % 8;

	if (!(group->kept[at / 8] & bit))
		return false;
	group->kept[at / 8] &= ~bit;
	return true;
}

static void written_set(struct vgt_check_group *group, uint32_t offset,
			uint32_t bytes)
{
	for (uint32_t i = 0; i < bytes; i++) {
		uint32_t at = (offset + i) & VGT_SPACE_SLM_MASK;

		if (!group->kept || !is_put_back(group, at))
			group->written[at / 8] |= 1U << at % 8;
	}
}

/*
 * Of less than a dword all bytes must be there. More may be less that the compiler
 * has widened: what is not there at all is wrong.
 */
static bool is_enough(uint32_t there, uint32_t bytes)
{
	return bytes < 4 ? there == bytes : there;
}

/*
 * Bytes that should be there, a bit for each. Of a block, which has more bytes than there
 * are bits, these stand for all.
 */
static uint64_t local_holes(const struct vgt_check_group *group,
			    uint32_t offset, uint32_t bytes)
{
	uint64_t holes = 0;
	uint32_t there = 0;

	for (uint32_t i = 0; i < bytes; i++) {
		if (is_written(group, offset + i))
			there++;
		else if (i < 64)
			holes |= 1ULL << i;
	}
	return is_enough(there, bytes) ? 0 : holes;
}

static uint64_t local_element(struct look *look, uint64_t offset)
{
	uint32_t bytes = look->access->layout.element_bytes;
	uint64_t holes = 0;

	if (look->reads)
		holes = local_holes(look->group, offset, bytes);
	if (look->access->write)
		written_set(look->group, offset, bytes);
	return holes;
}

static uint64_t written_holes(struct vgt_check_written *written, uint64_t phys,
			      uint32_t bytes, uint32_t there)
{
	uint64_t holes = 0;

	if (there == bytes)
		return 0;
	for (uint32_t i = 0; i < bytes && i < 64; i++)
		if (!vgt_check_written_count(written, phys + i, 1))
			holes |= 1ULL << i;
	return holes;
}

/* @bytes at @va, which are in one page; *@there of them are there. */
static uint64_t buffer_part(struct look *look, uint64_t va, uint32_t bytes,
			    uint32_t *there)
{
	struct vgt_check *check = look->thread->worker->device->check;
	const struct vgt_check_piece *piece;
	uint64_t phys, holes = 0;

	*there = bytes;
	if (!vgt_check_phys_find(look->thread, va, &phys) ||
	    vgt_check_table_find(look->table, phys, &piece) !=
	    VGT_CHECK_INSIDE || !piece->fresh)
		return 0;
	if (look->reads) {
		*there = vgt_check_written_count(check->written, phys, bytes);
		holes = written_holes(check->written, phys, bytes, *there);
	}
	if (look->access->write)
		vgt_check_written_set(check->written, phys, bytes);
	return holes;
}

static uint64_t buffer_element(struct look *look, uint64_t offset)
{
	uint32_t bytes = look->access->layout.element_bytes, done = 0, part;
	const struct vgt_space *space = &look->access->space;
	uint32_t there = 0, part_there;
	uint64_t va, holes = 0;

	offset &= space->mask;
	if (offset >= space->size_bytes)
		return 0;
	for (; done < bytes; done += part) {
		va = space->base + offset + done;
		part = VGT_PAGE_BYTES - va % VGT_PAGE_BYTES;
		if (part > bytes - done)
			part = bytes - done;
		holes |= buffer_part(look, va & VGT_VA_MASK, part, &part_there)
			 << (done < 64 ? done : 63);
		there += part_there;
	}
	return is_enough(there, bytes) ? 0 : holes;
}

static void element(struct look *look, uint32_t lane, uint32_t component)
{
	const struct vgt_layout *layout = &look->access->layout;
	uint64_t offset = look->access->offset[lane] + layout->at[component];
	uint64_t holes = look->group ? local_element(look, offset) :
				       buffer_element(look, offset);

	if (!holes)
		return;
	look->found = true;
	look->holes.byte[lane] |= holes << component * layout->element_bytes;
}

/* The variable, or the buffer, in which the byte @done of the element is. */
static bool memory_find(struct look *look, uint64_t offset, uint32_t done,
			struct vgt_check_report *report)
{
	const struct vgt_space *space = &look->access->space;
	const struct vgt_check_piece *piece;
	uint64_t phys;

	if (look->group) {
		report->memory = VGT_CHECK_LOCAL;
		report->whole_bytes = look->thread->group->walker->slm_bytes;
		report->offset = offset & VGT_SPACE_SLM_MASK;
		return true;
	}
	offset = (offset & space->mask) + done;
	if (!vgt_check_phys_find(look->thread, (space->base + offset) &
				 VGT_VA_MASK, &phys) ||
	    vgt_check_table_find(look->table, phys, &piece) != VGT_CHECK_INSIDE)
		return false;
	report->memory = VGT_CHECK_BUFFER;
	report->number = piece->number;
	report->whole_bytes = piece->whole_bytes;
	report->offset = piece->offset + (phys - piece->phys) - done;
	return true;
}

/* The first one of a component that may be read; false: there is none. */
static bool hole_find(const struct look *look, uint32_t *lane_out,
		      uint32_t *bit_out)
{
	const struct vgt_check_access *access = look->access;
	struct vgt_check_answer answer = { .live = UINT64_MAX };

	if (!access->block && !access->atomic)
		vgt_check_answer_get(look->thread, look->inst, look->message,
				     access, &answer);
	for (uint32_t lane = 0; lane < VGT_SCATTERED_LANES; lane++) {
		for (uint64_t left = look->holes.byte[lane]; left;
		     left &= left - 1) {
			uint32_t bit = __builtin_ctzll(left);

			if (!(answer.live >> bit / access->layout.element_bytes & 1))
				continue;
			*lane_out = lane;
			*bit_out = bit;
			return true;
		}
	}
	return false;
}

static void holes_report(struct look *look)
{
	const struct vgt_layout *layout = &look->access->layout;
	struct vgt_check_report report;
	uint32_t lane, bit, c;

	if (!hole_find(look, &lane, &bit))
		return;
	c = bit / layout->element_bytes;
	vgt_check_report_init(&report, VGT_CHECK_UNINIT, look->thread,
			      look->inst, look->access, lane);
	if (memory_find(look, look->access->offset[lane] + layout->at[c],
			bit % layout->element_bytes, &report))
		vgt_check_report_print(&report, look->thread);
}

/* They will be stored as they are. */
static void holes_keep(struct look *look)
{
	const struct vgt_layout *layout = &look->access->layout;
	struct vgt_check_group *group = look->group;

	if (!group->kept)
		group->kept = calloc(1, sizeof(group->written));
	for (uint32_t lane = 0; group->kept && lane < layout->lanes; lane++) {
		for (uint64_t left = look->holes.byte[lane]; left;
		     left &= left - 1) {
			uint32_t bit = __builtin_ctzll(left);
			uint32_t at = look->access->offset[lane] +
				      layout->at[bit / layout->element_bytes] +
				      bit % layout->element_bytes;

			at &= VGT_SPACE_SLM_MASK;
			group->kept[at / 8] |= 1U << at % 8;
		}
	}
}

/* An exchange whose result nobody wants is a store. */
static bool is_read(struct vgt_eu_thread *thread, const struct vgt_inst *inst,
		    const struct vgt_message *message,
		    const struct vgt_check_access *access)
{
	struct vgt_check_answer answer;

	if (!access->exchange)
		return !access->write || access->atomic;
	vgt_check_answer_get(thread, inst, message, access, &answer);
	return answer.live;
}

void vgt_check_uninit(struct vgt_eu_thread *thread, const struct vgt_inst *inst,
		      const struct vgt_message *message,
		      const struct vgt_check_access *access)
{
	const struct vgt_layout *layout = &access->layout;
	struct look look = {
		.thread = thread, .inst = inst, .message = message,
		.access = access,
		.reads = is_read(thread, inst, message, access),
	};

	if (access->space.local) {
		look.group = vgt_check_group_get(thread);
		if (!look.group)
			return;
	} else {
		look.table = vgt_check_table_get(thread->worker);
		if (!look.table || !look.table->fresh)
			return;
	}
	for (uint32_t left = access->lanes; left; left &= left - 1)
		for (uint32_t c = 0; c < layout->count; c++)
			element(&look, __builtin_ctz(left), c);
	if (!look.found ||
	    !vgt_check_report_wanted(VGT_CHECK_UNINIT, thread, inst->ip))
		return;
	if (!vgt_check_is_merge(thread, inst, message, access, &look.holes))
		holes_report(&look);
	else if (look.group)
		holes_keep(&look);
}
