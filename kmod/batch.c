// SPDX-License-Identifier: GPL-2.0-only
#include "batch.h"

#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/slab.h>

#include "context.h"
#include "ggtt.h"
#include "gt.h"
#include "platform.h"
#include "ppgtt.h"

#define RING_BYTES_MAX 65536
#define BATCHES_MAX 16 /* tried, latest first */
#define COMMANDS_MAX 4096 /* in one batch with those it goes on to */

#define MI_BATCH_BUFFER_END 0x0A
#define MI_SECOND_LEVEL (1U << 22)
#define BATCH_START_MASK 0xFF800000
#define BATCH_START 0x18800000
#define BATCH_START_DWORDS 3
#define STATE_BASE_ADDRESS 0x61010000
#define BASE_MODIFY 1
#define BASE_MASK (GTDBG_ADDRESS_MASK & ~0xFFFULL)
#define STATE_SIP 0x61020000
#define SIP_MASK (GTDBG_ADDRESS_MASK & ~0xFULL)

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

static bool batch_is_start(u32 dword0)
{
	return (dword0 & BATCH_START_MASK) == BATCH_START;
}

static bool batch_is_end(u32 dword0)
{
	return dword0 >> 29 == 0 &&
	       batch_mi_opcode(dword0) == MI_BATCH_BUFFER_END;
}

void gtdbg_batch_init(struct gtdbg_batch *batch, u64 address, u32 commands)
{
	*batch = (struct gtdbg_batch){
		.address = address & GTDBG_ADDRESS_MASK & ~3ULL,
		.left = commands,
	};
}

int gtdbg_batch_read(struct gtdbg_gt *gt, struct gtdbg_context *context,
		     const struct gtdbg_batch *batch, u32 first, void *dword,
		     u32 dwords)
{
	return gtdbg_ppgtt_read(gt, context, batch->address + 4ULL * first,
				dword, 4 * dwords);
}

/* Go where the start of another batch leads; a second-level one comes back. */
static int batch_enter(struct gtdbg_gt *gt, struct gtdbg_context *context,
		       struct gtdbg_batch *batch)
{
	u64 target;

	if (gtdbg_batch_read(gt, context, batch, 1, &target, 2))
		return -ENOENT;
	if (batch->dword0 & MI_SECOND_LEVEL) {
		if (batch->level == GTDBG_BATCH_LEVELS)
			return -ENOENT;
		batch->back[batch->level++] = batch->address +
					      4 * BATCH_START_DWORDS;
	}
	batch->address = target & GTDBG_ADDRESS_MASK & ~3ULL;
	batch->dwords = 0;
	return 0;
}

static int batch_leave(struct gtdbg_batch *batch)
{
	if (!batch->level)
		return -ENOENT;
	batch->address = batch->back[--batch->level];
	batch->dwords = 0;
	return 0;
}

int gtdbg_batch_next(struct gtdbg_gt *gt, struct gtdbg_context *context,
		     struct gtdbg_batch *batch)
{
	int ret = 0;

	lockdep_assert_held(&gt->lock);
	while (!ret && batch->left) {
		batch->left--;
		batch->address += 4ULL * batch->dwords;
		batch->dwords = 0;
		if (gtdbg_batch_read(gt, context, batch, 0, &batch->dword0, 1))
			break;
		if (batch_is_start(batch->dword0)) {
			ret = batch_enter(gt, context, batch);
		} else if (batch_is_end(batch->dword0)) {
			ret = batch_leave(batch);
		} else {
			batch->dwords = batch_length(batch->dword0);
			return 0;
		}
	}
	return -ENOENT;
}

bool gtdbg_batch_base(struct gtdbg_gt *gt, struct gtdbg_context *context,
		      const struct gtdbg_batch *batch, u32 which, u64 *base)
{
	u64 value;

	if ((batch->dword0 & 0xFFFF0000) != STATE_BASE_ADDRESS ||
	    gtdbg_batch_read(gt, context, batch, which, &value, 2) ||
	    !(value & BASE_MODIFY))
		return false;
	*base = value & BASE_MASK;
	return true;
}

/* Try what the ring has started, from the latest back. */
static int batch_each_in(const u32 *ring, u32 dwords, u32 end,
			 gtdbg_batch_visit visit, void *data)
{
	u32 i, tries = BATCHES_MAX;

	for (i = 1; i <= dwords && tries; i++) {
		u32 at = (end + dwords - i) % dwords;

		if (!batch_is_start(ring[at]) ||
		    at + BATCH_START_DWORDS > dwords)
			continue;
		tries--;
		if (!visit(data, ring[at + 1] | (u64)ring[at + 2] << 32))
			return 0;
	}
	return -ENOENT;
}

int gtdbg_batch_each(struct gtdbg_gt *gt, struct gtdbg_context *context,
		     u32 end, gtdbg_batch_visit visit, void *data)
{
	const struct gtdbg_platform *platform = gt->platform;
	u32 start, control, bytes;
	u32 *ring;
	int ret;

	lockdep_assert_held(&gt->lock);
	if (gtdbg_ggtt_read(gt, context->lrca + platform->image_ring_start,
			    &start, sizeof(start)) ||
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
		ret = batch_each_in(ring, bytes / 4, end % bytes / 4, visit,
				    data);
	kvfree(ring);
	return ret ? -ENOENT : 0;
}

struct batch_search {
	struct gtdbg_gt *gt;
	struct gtdbg_context *context;
	struct gtdbg_batch_bases *bases;
};

static void batch_sip(struct gtdbg_gt *gt, struct gtdbg_context *context,
		      const struct gtdbg_batch *batch,
		      struct gtdbg_batch_bases *bases)
{
	u64 offset;

	if ((batch->dword0 & 0xFFFF0000) == STATE_SIP &&
	    !gtdbg_batch_read(gt, context, batch, 1, &offset, 2))
		bases->sip = (bases->instruction + offset) & SIP_MASK;
}

/*
 * Follow the batch to the first command that sets the instruction base, which
 * need not set the others, and on to what else there is to know.
 */
static int batch_search_bases(void *data, u64 address)
{
	struct batch_search *search = data;
	struct gtdbg_batch_bases bases = *search->bases;
	struct gtdbg_context *context = search->context;
	struct gtdbg_gt *gt = search->gt;
	struct gtdbg_batch batch;
	bool based = false;

	bases.surface = 0;
	bases.sip = 0;
	gtdbg_batch_init(&batch, address, COMMANDS_MAX);
	while ((!bases.surface || !bases.sip) &&
	       !gtdbg_batch_next(gt, context, &batch)) {
		if (!based && gtdbg_batch_base(gt, context, &batch,
					       GTDBG_BATCH_BASE_INSTRUCTION,
					       &bases.instruction)) {
			based = true;
			gtdbg_batch_base(gt, context, &batch,
					 GTDBG_BATCH_BASE_GENERAL,
					 &bases.general);
		}
		if (!based)
			continue;
		gtdbg_batch_base(gt, context, &batch, GTDBG_BATCH_BASE_SURFACE,
				 &bases.surface);
		batch_sip(gt, context, &batch, &bases);
	}
	if (!based)
		return -ENOENT;
	*search->bases = bases;
	return 0;
}

int gtdbg_batch_find_bases(struct gtdbg_gt *gt, struct gtdbg_context *context,
			   struct gtdbg_batch_bases *bases)
{
	struct batch_search search = {
		.gt = gt, .context = context, .bases = bases,
	};
	u32 tail;

	lockdep_assert_held(&gt->lock);
	if (gtdbg_ggtt_read(gt, context->lrca + gt->platform->image_ring_tail,
			    &tail, sizeof(tail)))
		return -ENOENT;
	return gtdbg_batch_each(gt, context, tail, batch_search_bases,
				&search);
}
