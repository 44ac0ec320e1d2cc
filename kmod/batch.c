// SPDX-License-Identifier: GPL-2.0-only
#include "batch.h"

#include <linux/bitfield.h>
#include <linux/errno.h>
#include <linux/jhash.h>
#include <linux/kernel.h>
#include <linux/math.h>
#include <linux/minmax.h>
#include <linux/sizes.h>
#include <linux/slab.h>

#include "context.h"
#include "ggtt.h"
#include "gt.h"
#include "platform.h"
#include "ppgtt.h"

#define RING_BYTES_MAX 65536
#define BATCHES_MAX 16 /* tried, latest first */
#define COMMANDS_MAX 4096 /* in all that are tried */
/* From a batch's start, or a little before, to the number that i915 writes behind it. */
#define REQUEST_DWORDS 18
#define NOOPS_MAX 256 /* in a row: more are a page that is nobody's */

/* Dword 0 of every command; its length is given less two dwords. */
#define COMMAND_TYPE GENMASK(31, 29)
#define TYPE_MI 0 /* memory interface */
#define TYPE_PIPELINE 3
#define COMMAND_LENGTH GENMASK(7, 0)

#define MI_OPCODE GENMASK(28, 23)
#define MI_NOOP 0x00
#define MI_BATCH_BUFFER_END 0x0a
#define MI_OPCODE_LONG 0x10 /* from here on they have a length */
#define MI_STORE_DATA_IMM 0x20
#define MI_STORE_LENGTH GENMASK(9, 0)
#define MI_FLUSH_DW 0x26
#define MI_FLUSH_LENGTH GENMASK(5, 0)
#define MI_BATCH_BUFFER_START 0x31
#define MI_SECOND_LEVEL BIT(22)
#define BATCH_START_DWORDS 3

/* Commands of the pipeline. */
#define PIPELINE_SUBTYPE GENMASK(28, 27)
#define SUBTYPE_SINGLE 1 /* one dword, if the opcode is 1, too */
#define SUBTYPE_MEDIA 2 /* longer ones, unless the opcode is 1 */
#define PIPELINE_OPCODE GENMASK(26, 24)
#define MEDIA_LENGTH GENMASK(15, 0)

#define STATE_BASE_ADDRESS 0x6101
#define BASE_MODIFY BIT(0)
#define BASE_MASK (GTDBG_ADDRESS_MASK & GENMASK_ULL(63, 12))
#define STATE_SIP 0x6102
#define SIP_MASK (GTDBG_ADDRESS_MASK & GENMASK_ULL(63, 4))

#define RING_CTL_PAGES GENMASK(20, 12) /* less one */
#define RING_START GENMASK(31, 12)

static bool batch_is_mi(u32 dword0, u32 opcode)
{
	return FIELD_GET(COMMAND_TYPE, dword0) == TYPE_MI &&
	       FIELD_GET(MI_OPCODE, dword0) == opcode;
}

static u32 batch_mi_length(u32 dword0)
{
	u32 opcode = FIELD_GET(MI_OPCODE, dword0);

	if (opcode < MI_OPCODE_LONG)
		return 1;
	if (opcode == MI_FLUSH_DW)
		return FIELD_GET(MI_FLUSH_LENGTH, dword0) + 2;
	if (opcode == MI_STORE_DATA_IMM)
		return FIELD_GET(MI_STORE_LENGTH, dword0) + 2;
	return FIELD_GET(COMMAND_LENGTH, dword0) + 2;
}

static u32 batch_pipeline_length(u32 dword0)
{
	u32 subtype = FIELD_GET(PIPELINE_SUBTYPE, dword0);
	u32 opcode = FIELD_GET(PIPELINE_OPCODE, dword0);

	if (subtype == SUBTYPE_SINGLE && opcode == 1)
		return 1;
	if (subtype == SUBTYPE_MEDIA && opcode != 1)
		return FIELD_GET(MEDIA_LENGTH, dword0) + 2;
	return FIELD_GET(COMMAND_LENGTH, dword0) + 2;
}

/* Length in dwords of the command that starts with @dword0. */
static u32 batch_length(u32 dword0)
{
	switch (FIELD_GET(COMMAND_TYPE, dword0)) {
	case TYPE_MI:
		return batch_mi_length(dword0);
	case TYPE_PIPELINE:
		return batch_pipeline_length(dword0);
	default:
		return FIELD_GET(COMMAND_LENGTH, dword0) + 2;
	}
}

static bool batch_is_start(u32 dword0)
{
	return batch_is_mi(dword0, MI_BATCH_BUFFER_START);
}

static bool batch_is_end(u32 dword0)
{
	return batch_is_mi(dword0, MI_BATCH_BUFFER_END);
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

/*
 * Has the way gone astray? Where nothing is mapped a driver puts pages of zeros,
 * which are commands that do nothing, and another batch needs those that are left.
 */
static bool batch_is_lost(struct gtdbg_batch *batch)
{
	if (batch_is_mi(batch->dword0, MI_NOOP))
		batch->noops++;
	else
		batch->noops = 0;
	return batch->noops > NOOPS_MAX;
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
		if (gtdbg_batch_read(gt, context, batch, 0, &batch->dword0, 1) ||
		    batch_is_lost(batch))
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

	if (FIELD_GET(GTDBG_BATCH_OPCODE, batch->dword0) !=
		    STATE_BASE_ADDRESS ||
	    gtdbg_batch_read(gt, context, batch, which, &value, 2) ||
	    !(value & BASE_MODIFY))
		return false;
	*base = value & BASE_MASK;
	return true;
}

/*
 * Is this the start of a batch, found in the middle of a ring? An address is none,
 * whatever it looks like: it counts in dwords, so its low byte is never this length.
 */
static bool batch_is_start_in_ring(u32 dword0)
{
	return batch_is_start(dword0) &&
	       FIELD_GET(COMMAND_LENGTH, dword0) + 2 == BATCH_START_DWORDS;
}

/* Try what the ring has started, from the latest back. */
static int batch_each_in(const u32 *ring, u32 dwords, u32 end,
			 gtdbg_batch_visit visit, void *data)
{
	u32 i, tries = BATCHES_MAX;

	for (i = 1; i <= dwords && tries; i++) {
		u32 at = (end + dwords - i) % dwords;

		if (!batch_is_start_in_ring(ring[at]) ||
		    at + BATCH_START_DWORDS > dwords)
			continue;
		tries--;
		if (!visit(data, ring[at + 1] | (u64)ring[at + 2] << 32))
			return 0;
	}
	return -ENOENT;
}

/* Where in the global translation table the ring is. */
static int batch_ring_find(struct gtdbg_gt *gt, struct gtdbg_context *context,
			   u32 *start, u32 *bytes)
{
	const struct gtdbg_platform *platform = gt->platform;
	u32 control;

	lockdep_assert_held(&gt->lock);
	if (gtdbg_ggtt_read(gt, context->lrca + platform->image_ring_start,
			    start, sizeof(*start)) ||
	    gtdbg_ggtt_read(gt, context->lrca + platform->image_ring_ctl,
			    &control, sizeof(control)))
		return -ENOENT;
	*start &= RING_START;
	*bytes = (FIELD_GET(RING_CTL_PAGES, control) + 1) * SZ_4K;
	return *bytes > RING_BYTES_MAX ? -ENOENT : 0;
}

int gtdbg_batch_each(struct gtdbg_gt *gt, struct gtdbg_context *context,
		     u32 end, gtdbg_batch_visit visit, void *data)
{
	u32 start, bytes;
	u32 *ring;
	int ret;

	if (batch_ring_find(gt, context, &start, &bytes))
		return -ENOENT;
	ring = kvmalloc(bytes, GFP_KERNEL);
	if (!ring)
		return -ENOMEM;
	ret = gtdbg_ggtt_read(gt, start, ring, bytes);
	if (!ret)
		ret = batch_each_in(ring, bytes / 4, end % bytes / 4, visit,
				    data);
	kvfree(ring);
	return ret ? -ENOENT : 0;
}

int gtdbg_batch_request_hash(struct gtdbg_gt *gt, struct gtdbg_context *context,
			     u32 at, u32 *hash_out)
{
	u32 ring[REQUEST_DWORDS], start, bytes, first;

	if (batch_ring_find(gt, context, &start, &bytes))
		return -ENOENT;
	at = round_down(at % bytes, 4);
	first = min_t(u32, bytes - at, sizeof(ring));
	/* What is behind the ring's end is at its beginning. */
	if (gtdbg_ggtt_read(gt, start + at, ring, first) ||
	    (first < sizeof(ring) &&
	     gtdbg_ggtt_read(gt, start, (u8 *)ring + first,
			     sizeof(ring) - first)))
		return -ENOENT;
	*hash_out = jhash2(ring, REQUEST_DWORDS, 0);
	return 0;
}

struct batch_search {
	struct gtdbg_gt *gt;
	struct gtdbg_context *context;
	struct gtdbg_batch_bases *bases;
	u32 left; /* commands, in all batches */
};

static void batch_sip(struct gtdbg_gt *gt, struct gtdbg_context *context,
		      const struct gtdbg_batch *batch,
		      struct gtdbg_batch_bases *bases)
{
	u64 offset;

	if (FIELD_GET(GTDBG_BATCH_OPCODE, batch->dword0) == STATE_SIP &&
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
	gtdbg_batch_init(&batch, address, search->left);
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
	search->left = batch.left;
	if (!based)
		return -ENOENT;
	*search->bases = bases;
	return 0;
}

int gtdbg_batch_find_bases(struct gtdbg_gt *gt, struct gtdbg_context *context,
			   struct gtdbg_batch_bases *bases)
{
	struct batch_search search = {
		.gt = gt,
		.context = context,
		.bases = bases,
		.left = COMMANDS_MAX,
	};
	u32 tail;

	lockdep_assert_held(&gt->lock);
	if (gtdbg_ggtt_read(gt, context->lrca + gt->platform->image_ring_tail,
			    &tail, sizeof(tail)))
		return -ENOENT;
	return gtdbg_batch_each(gt, context, tail, batch_search_bases,
				&search);
}
