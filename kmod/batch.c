// SPDX-License-Identifier: GPL-2.0-only
#include "batch.h"

#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/slab.h>

#include "context.h"
#include "ggtt.h"
#include "gt.h"
#include "platform.h"
#include "walk.h"

#define RING_BYTES_MAX 65536
#define BATCHES_MAX 16 /* tried, latest first */
#define COMMANDS_MAX 4096 /* in one batch with those it chains to */

#define MI_BATCH_BUFFER_END 0x0A
#define MI_BATCH_BUFFER_START 0x31
#define MI_SECOND_LEVEL (1U << 22)
#define BATCH_START_MASK 0xFF800000
#define BATCH_START 0x18800000
#define STATE_BASE_ADDRESS 0x61010000
#define STATE_BASE_GENERAL 1 /* dword of it */
#define STATE_BASE_INSTRUCTION 10
#define BASE_MODIFY 1
#define BASE_MASK (GTDBG_ADDRESS_MASK & ~0xFFFULL)

static u32 batch_mi_opcode(u32 dword0)
{
	return dword0 >> 23 & 0x3F;
}

/* Length in dwords of the command that starts with @dword0. */
static u32 batch_length(u32 dword0)
{
	u32 opcode = batch_mi_opcode(dword0);

	switch (dword0 >> 29) {
	case 0:
		if (opcode < 0x10)
			return 1;
		if (opcode == 0x26)
			return (dword0 & 0x3F) + 2;
		if (opcode == 0x20)
			return (dword0 & 0x3FF) + 2;
		return (dword0 & 0xFF) + 2;
	case 3:
		if ((dword0 >> 24 & 0x1F) == 0x09)
			return 1;
		if ((dword0 >> 27 & 3) == 2 && (dword0 >> 24 & 7) != 1)
			return (dword0 & 0xFFFF) + 2;
		return (dword0 & 0xFF) + 2;
	default:
		return (dword0 & 0xFF) + 2;
	}
}

static bool batch_is_base(u32 dword0)
{
	return (dword0 & 0xFFFF0000) == STATE_BASE_ADDRESS;
}

static bool batch_is_jump(u32 dword0)
{
	return (dword0 & BATCH_START_MASK) == BATCH_START &&
	       !(dword0 & MI_SECOND_LEVEL);
}

static bool batch_is_end(u32 dword0)
{
	return dword0 >> 29 == 0 &&
	       batch_mi_opcode(dword0) == MI_BATCH_BUFFER_END;
}

/* Read the 64-bit value at @address: a target, or a base. */
static int batch_qword(struct gtdbg_gt *gt, struct gtdbg_context *context,
		       u64 address, u64 *value_out)
{
	return gtdbg_walk_read(gt, context, address, value_out,
			       sizeof(*value_out));
}

/*
 * What the command at @address says of both bases. It need not set each; one
 * that sets no instruction base is not the one that is looked for.
 */
static int batch_bases(struct gtdbg_gt *gt, struct gtdbg_context *context,
		       u64 address, struct gtdbg_batch_bases *bases)
{
	u64 instruction, general;

	if (batch_qword(gt, context, address + STATE_BASE_INSTRUCTION * 4,
			&instruction) ||
	    batch_qword(gt, context, address + STATE_BASE_GENERAL * 4,
			&general) || !(instruction & BASE_MODIFY))
		return -ENOENT;
	bases->instruction = instruction & BASE_MASK;
	if (general & BASE_MODIFY)
		bases->general = general & BASE_MASK;
	return 0;
}

/* Follow the batch at @address to the first command that sets the bases. */
static int batch_scan(struct gtdbg_gt *gt, struct gtdbg_context *context,
		      u64 address, struct gtdbg_batch_bases *bases)
{
	u32 left, dword0;
	u64 qword;

	for (left = COMMANDS_MAX; left; left--) {
		if (gtdbg_walk_read(gt, context, address, &dword0,
				    sizeof(dword0)) || batch_is_end(dword0))
			return -ENOENT;
		if (batch_is_base(dword0)) {
			if (!batch_bases(gt, context, address, bases))
				return 0;
		} else if (batch_is_jump(dword0)) {
			if (batch_qword(gt, context, address + 4, &qword))
				return -ENOENT;
			address = qword & ~3ULL;
			continue;
		}
		address += batch_length(dword0) * 4;
	}
	return -ENOENT;
}

/* Try what the ring has started, from the latest back. */
static int batch_search_ring(struct gtdbg_gt *gt, struct gtdbg_context *context,
			     const u32 *ring, u32 dwords, u32 tail,
			     struct gtdbg_batch_bases *bases)
{
	u32 i, tries = BATCHES_MAX;

	for (i = 1; i <= dwords && tries; i++) {
		u32 at = (tail + dwords - i) % dwords;
		u64 address;

		if ((ring[at] & BATCH_START_MASK) != BATCH_START ||
		    at + 2 >= dwords)
			continue;
		tries--;
		address = ring[at + 1] | (u64)ring[at + 2] << 32;
		if (!batch_scan(gt, context, address & ~3ULL, bases))
			return 0;
	}
	return -ENOENT;
}

int gtdbg_batch_find_bases(struct gtdbg_gt *gt, struct gtdbg_context *context,
			   struct gtdbg_batch_bases *bases)
{
	const struct gtdbg_platform *platform = gt->platform;
	u32 start, tail, control, bytes;
	u32 *ring;
	int ret;

	lockdep_assert_held(&gt->lock);
	if (gtdbg_ggtt_read(gt, context->lrca + platform->image_ring_start,
			    &start, sizeof(start)) ||
	    gtdbg_ggtt_read(gt, context->lrca + platform->image_ring_tail,
			    &tail, sizeof(tail)) ||
	    gtdbg_ggtt_read(gt, context->lrca + platform->image_ring_ctl,
			    &control, sizeof(control)))
		return -ENOENT;
	bytes = (control & 0x1FF000) + 0x1000;
	if (bytes > RING_BYTES_MAX)
		return -ENOENT;
	ring = kvmalloc(bytes, GFP_KERNEL);
	if (!ring)
		return -ENOMEM;
	ret = gtdbg_ggtt_read(gt, start & ~0xFFFU, ring, bytes);
	if (!ret)
		ret = batch_search_ring(gt, context, ring, bytes / 4,
					tail % bytes / 4, bases);
	kvfree(ring);
	return ret ? -ENOENT : 0;
}
