// SPDX-License-Identifier: GPL-2.0-only
/*
 * Nothing in memory describes this SIP. Which one it is, its code shows, byte
 * for byte, and its save area is the surface at the start of the surface heap;
 * commands of the batch that runs say where both are. It addresses the area by
 * entry 0 of the running kernel's binding table, hence its name, and that entry
 * is the same surface in all kernels that were compiled for debugging.
 *
 * Its protocol is one dword in each slot, the saved r0.4: WAITS from when the
 * SIP begins to save until the host puts a command there. It does not show when
 * all is saved, nor when the thread has left. For the first, the module leaves
 * a mark with each command where the SIP will write last: while that is there,
 * registers are still being saved. The second remains unknown.
 */
#include "bindful.h"

#include <linux/bitfield.h>
#include <linux/crc32.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/slab.h>

#include "context.h"
#include "gt.h"
#include "gtdbg.h"
#include "platform.h"
#include "ppgtt.h"
#include "savearea.h"
#include "surface.h"

/* r0.4: a command above, and a mask for cr0.1 when the thread leaves below. */
#define WAITS GENMASK(23, 0)
#define COMMANDS GENMASK(31, 30)
#define COMMAND_RESUME (BIT(30) | WAITS)
#define COMMAND_STEP (BIT(31) | WAITS)

/* sr0.0: the slot is the number of the EU's row, its column, the thread. */
#define SR0_ROW GENMASK(15, 7) /* of all slices and sub-slices */
#define SR0_COLUMN GENMASK(5, 4)
#define SR0_COLUMNS 4
#define SR0_THREAD GENMASK(2, 0)

#define MARK 0x6b72616d67626474ULL /* any value that no register will hold */

#define SURFACE_BYTES_MAX (64U << 20)
#define SURFACE_ALIGNMENT 64

static bool bindful_code_known(struct gtdbg_gt *gt,
			       struct gtdbg_context *context, u64 at)
{
	const struct gtdbg_bindful *bindful = gt->platform->bindful;
	bool known;
	u8 *code;

	code = kmalloc(bindful->code_bytes, GFP_KERNEL);
	if (!code)
		return false;
	known = !gtdbg_ppgtt_read(gt, context, at, code, bindful->code_bytes) &&
		~crc32_le(~0U, code, bindful->code_bytes) == bindful->code_crc;
	kfree(code);
	return known;
}

/* Large enough for all slots, and mapped from the first to the last. */
static int bindful_area_check(struct gtdbg_gt *gt,
			      struct gtdbg_context *context,
			      const struct gtdbg_surface *surface,
			      u64 *page_out)
{
	u64 used = (u64)gt->topology.slots * gt->platform->bindful->slot_bytes;
	u64 last;

	if (!surface->address || surface->address % SURFACE_ALIGNMENT ||
	    surface->len_bytes < used ||
	    surface->len_bytes > SURFACE_BYTES_MAX ||
	    gtdbg_ppgtt_walk(gt, context, surface->address, page_out) ||
	    gtdbg_ppgtt_walk(gt, context, surface->address + used - 1, &last))
		return -ENOENT;
	return 0;
}

int gtdbg_bindful_surface(struct gtdbg_gt *gt, struct gtdbg_context *context,
			  u64 *address_out)
{
	struct gtdbg_batch_bases bases = context->bases;
	struct gtdbg_surface surface;
	int ret;

	lockdep_assert_held(&gt->lock);
	if (gtdbg_batch_find_bases(gt, context, &bases) || !bases.surface ||
	    (gt->ops->is_shared && !bases.sip))
		return -ENOENT;
	ret = gtdbg_surface_read(gt, context, bases.surface, &surface);
	if (!ret)
		*address_out = surface.address;
	return ret;
}

int gtdbg_bindful_find(struct gtdbg_gt *gt, struct gtdbg_context *context)
{
	const struct gtdbg_bindful *bindful = gt->platform->bindful;
	struct gtdbg_batch_bases bases = context->bases;
	struct gtdbg_savearea *area = &context->savearea;
	struct gtdbg_surface surface;
	u64 page;

	lockdep_assert_held(&gt->lock);
	if (!bindful || gtdbg_batch_find_bases(gt, context, &bases) ||
	    !bases.sip || !bases.surface ||
	    gtdbg_surface_read(gt, context, bases.surface, &surface) ||
	    bindful_area_check(gt, context, &surface, &page) ||
	    !bindful_code_known(gt, context, bases.sip))
		return -ENOENT;
	context->bases = bases;
	area->address = surface.address;
	area->page = page;
	area->sip = GTDBG_SIP_BINDFUL;
	area->slot_bytes = bindful->slot_bytes;
	memcpy(area->regset, bindful->regset, sizeof(area->regset));
	return 0;
}

bool gtdbg_bindful_present(struct gtdbg_gt *gt, struct gtdbg_context *context)
{
	const struct gtdbg_savearea *area = &context->savearea;
	u64 page;

	return !gtdbg_ppgtt_walk(gt, context, area->address, &page) &&
	       page == area->page;
}

/* The slot of the thread that saved @sr0, as the SIP computes it. */
static u32 bindful_slot(const struct gtdbg_gt *gt, u32 sr0)
{
	u32 threads = gt->topology.threads;

	return (FIELD_GET(SR0_ROW, sr0) * SR0_COLUMNS +
		FIELD_GET(SR0_COLUMN, sr0)) * threads +
	       FIELD_GET(SR0_THREAD, sr0);
}

/*
 * A slot that never had a command has no mark. It was all zero at first, so
 * there sr0 says that the dwords beside it, which say why and where the thread
 * stopped, have been saved.
 */
int gtdbg_bindful_look(struct gtdbg_gt *gt, struct gtdbg_context *context,
		       u32 slot)
{
	u64 base = gtdbg_savearea_slot(&context->savearea, slot), last;
	u32 command, sr0;
	int ret;

	ret = gtdbg_ppgtt_read(gt, context, base + GTDBG_BINDFUL_COMMAND,
			       &command, sizeof(command));
	if (ret)
		return ret;
	if (command != WAITS)
		return command & COMMANDS ? GTDBG_LOOK_COMMANDED :
					    GTDBG_LOOK_RUNNING;
	ret = gtdbg_ppgtt_read(gt, context,
			       base + gt->platform->bindful->last_offset, &last,
			       sizeof(last)) ?:
	      gtdbg_ppgtt_read(gt, context, base + GTDBG_SIP_SLOT_SR, &sr0,
			       sizeof(sr0));
	if (ret)
		return ret;
	return last != MARK && sr0 && bindful_slot(gt, sr0) == slot ?
		       GTDBG_LOOK_STOPPED : GTDBG_LOOK_RUNNING;
}

int gtdbg_bindful_command(struct gtdbg_gt *gt, struct gtdbg_context *context,
			  u32 slot, bool step)
{
	u64 base = gtdbg_savearea_slot(&context->savearea, slot), mark = MARK;
	u32 command = step ? COMMAND_STEP : COMMAND_RESUME;

	lockdep_assert_held(&gt->lock);
	return gtdbg_ppgtt_write(gt, context,
				 base + gt->platform->bindful->last_offset,
				 &mark, sizeof(mark)) ?:
	       gtdbg_ppgtt_write(gt, context, base + GTDBG_BINDFUL_COMMAND,
				 &command, sizeof(command));
}
