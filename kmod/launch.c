// SPDX-License-Identifier: GPL-2.0-only
/*
 * A launch is a command (GPGPU_WALKER) that names a descriptor, and through it
 * a kernel, and a box of groups. The streamer waits behind it until its threads
 * are done, so where the streamer is shows which one runs. A runtime cuts a
 * range that is no multiple of the group's size into several boxes, of which
 * only the first begins at group 0: those that follow belong to it.
 */
#include "launch.h"

#include <linux/bitfield.h>
#include <linux/bitops.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/overflow.h>
#include <linux/string.h>

#include "batch.h"
#include "context.h"
#include "gt.h"
#include "hw.h"
#include "platform.h"
#include "ppgtt.h"

#define COMMANDS_MAX 4096 /* in all batches that are tried */
#define BATCH_START_BYTES 16 /* the streamer may not have left it yet */

#define RING_HEAD_OFFSET GENMASK(20, 2)

/* MEDIA_INTERFACE_DESCRIPTOR_LOAD, and a descriptor: qword 0, dwords 4 and 6. */
#define DESCRIPTOR_LOAD 0x7002
#define DESCRIPTOR_BYTES 32
#define DESCRIPTOR_START GENMASK_ULL(47, 6)
#define DESCRIPTOR_SURFACES GENMASK(15, 5)
#define DESCRIPTOR_SLM GENMASK(20, 16)
#define DESCRIPTOR_SLM_MAX 7U

/* GPGPU_WALKER: dwords 0, 1 and 4. A group's size is given less one. */
#define WALKER 0x7105
#define WALKER_DWORDS 15
#define WALKER_INDIRECT BIT(10)
#define WALKER_DESCRIPTOR GENMASK(5, 0)
#define WALKER_WIDTH GENMASK(5, 0)
#define WALKER_HEIGHT GENMASK(13, 8)
#define WALKER_DEPTH GENMASK(21, 16)
#define WALKER_SIMD GENMASK(31, 30)
#define WALKER_SIMD_NONE 3

struct launch_search {
	struct gtdbg_gt *gt;
	struct gtdbg_context *context;
	struct gtdbg_position position;
	u64 kernel; /* that is meant; 0: any */
	u32 left; /* commands */

	/* What the commands so far have set. */
	u64 instruction, dynamic;
	u64 surface; /* 0: these commands have not */
	u32 descriptors;

	bool reached; /* the streamer's position */
	struct gtdbg_launch launch;
};

void gtdbg_position_read(struct gtdbg_gt *gt, struct gtdbg_position *position)
{
	const struct gtdbg_platform *platform = gt->platform;
	u64 high = gtdbg_hw_read(gt, platform->batch_high);

	lockdep_assert_held(&gt->lock);
	position->ring = gtdbg_hw_read(gt, platform->ring_head) &
			 RING_HEAD_OFFSET;
	position->address = (high << 32 |
			     gtdbg_hw_read(gt, platform->batch_low)) &
			    GTDBG_ADDRESS_MASK;
}

/* What a command's descriptor says; a kernel of 0: it cannot be read. */
struct descriptor {
	u64 kernel;
	u32 slm_bytes;
	u32 surfaces; /* from their base on; 0: it has none */
};

static void walker_descriptor(const struct launch_search *search,
			      const u32 *dword, struct descriptor *out)
{
	u64 at = search->dynamic + search->descriptors +
		 DESCRIPTOR_BYTES * FIELD_GET(WALKER_DESCRIPTOR, dword[1]);
	u32 raw[DESCRIPTOR_BYTES / 4], slm;
	u64 start;

	memset(out, 0, sizeof(*out));
	if (!search->dynamic || !search->instruction ||
	    gtdbg_ppgtt_read(search->gt, search->context, at, raw, sizeof(raw)))
		return;
	start = (raw[0] | (u64)raw[1] << 32) & DESCRIPTOR_START;
	slm = FIELD_GET(DESCRIPTOR_SLM, raw[6]);
	out->kernel = (search->instruction + start) & GTDBG_ADDRESS_MASK;
	/* From 1 KiB on, each code doubles it. */
	out->surfaces = raw[4] & DESCRIPTOR_SURFACES;
	out->slm_bytes = slm ? 512U << min(slm, DESCRIPTOR_SLM_MAX) : 0;
}

/* Of work-items: all threads of a group are full but the last. */
static u32 walker_items(const struct gtdbg_launch *launch, u32 right_mask)
{
	u32 lanes = hweight32(right_mask & GENMASK(launch->simd - 1, 0));

	return (launch->threads - 1) * launch->simd + lanes;
}

static void walker_size(struct gtdbg_launch *launch, const u32 *dword)
{
	u32 simd = FIELD_GET(WALKER_SIMD, dword[4]);

	launch->threads = (FIELD_GET(WALKER_WIDTH, dword[4]) + 1) *
			  (FIELD_GET(WALKER_HEIGHT, dword[4]) + 1) *
			  (FIELD_GET(WALKER_DEPTH, dword[4]) + 1);
	if (simd == WALKER_SIMD_NONE)
		return;
	launch->simd = 8U << simd;
	if (!(dword[4] & (WALKER_HEIGHT | WALKER_DEPTH)))
		launch->items = walker_items(launch, dword[13]);
}

/* Of groups; a command may take it from registers, by now used again. */
static void walker_box(const u32 *dword, u32 *first, u32 *end)
{
	static const u8 at[3][2] = { { 5, 7 }, { 8, 10 }, { 11, 12 } };
	u32 i;

	for (i = 0; i < 3; i++) {
		bool known = !(dword[0] & WALKER_INDIRECT) &&
			     dword[at[i][0]] < dword[at[i][1]];

		first[i] = known ? dword[at[i][0]] : 0;
		end[i] = known ? dword[at[i][1]] : 0;
	}
}

/* Of one command, all groups of which are of one size. */
static void launch_count(struct gtdbg_launch *launch, const u32 *dword,
			 const u32 *first, const u32 *end)
{
	u64 total = (FIELD_GET(WALKER_WIDTH, dword[4]) + 1) *
		    (FIELD_GET(WALKER_HEIGHT, dword[4]) + 1) *
		    (FIELD_GET(WALKER_DEPTH, dword[4]) + 1);
	bool too_many = false;
	u32 i;

	for (i = 0; i < 3; i++)
		too_many |= check_mul_overflow(total, (u64)end[i] - first[i],
					       &total);
	too_many |= check_add_overflow(launch->total, total, &launch->total);
	/* More than a thread could count. */
	if (!total || too_many || launch->total > S32_MAX)
		launch->partial = true;
}

static void launch_begin(struct launch_search *search, u64 address,
			 const struct descriptor *descriptor, const u32 *dword)
{
	struct gtdbg_launch *launch = &search->launch;

	*launch = (struct gtdbg_launch){
		.ring = search->position.ring,
		.address = address,
		.kernel = descriptor->kernel,
		.slm_bytes = descriptor->slm_bytes,
	};
	if (search->surface && descriptor->surfaces) {
		launch->surfaces = (search->surface + descriptor->surfaces) &
				   GTDBG_ADDRESS_MASK;
		launch->surface_base = search->surface;
	}
	walker_size(launch, dword);
	walker_box(dword, launch->first, launch->end);
	launch_count(launch, dword, launch->first, launch->end);
}

static void launch_extend(struct gtdbg_launch *launch, const u32 *first,
			  const u32 *end)
{
	u32 i;

	for (i = 0; i < 3; i++) {
		launch->first[i] = min(launch->first[i], first[i]);
		launch->end[i] = max(launch->end[i], end[i]);
	}
}

/* Returns false behind all that is looked for. */
static bool walker_seen(struct launch_search *search,
			const struct gtdbg_batch *batch)
{
	struct gtdbg_launch *launch = &search->launch;
	u32 dword[WALKER_DWORDS], first[3], end[3];
	struct descriptor descriptor;
	bool follows;

	if (gtdbg_batch_read(search->gt, search->context, batch, 0, dword,
			     WALKER_DWORDS))
		return false;
	walker_descriptor(search, dword, &descriptor);
	walker_box(dword, first, end);
	follows = launch->address && descriptor.kernel == launch->kernel &&
		  (first[0] || first[1] || first[2]);
	if (follows) {
		launch_extend(launch, first, end);
		launch_count(launch, dword, first, end);
	} else if (search->reached) {
		return false;
	} else if (!search->kernel || descriptor.kernel == search->kernel) {
		launch_begin(search, batch->address, &descriptor, dword);
	}
	return true;
}

/* Returns false behind all that is looked for. */
static bool command_seen(struct launch_search *search,
			 const struct gtdbg_batch *batch)
{
	u32 opcode = FIELD_GET(GTDBG_BATCH_OPCODE, batch->dword0);
	bool more = true;

	gtdbg_batch_base(search->gt, search->context, batch,
			 GTDBG_BATCH_BASE_INSTRUCTION, &search->instruction);
	gtdbg_batch_base(search->gt, search->context, batch,
			 GTDBG_BATCH_BASE_DYNAMIC, &search->dynamic);
	gtdbg_batch_base(search->gt, search->context, batch,
			 GTDBG_BATCH_BASE_SURFACE, &search->surface);
	if (opcode == DESCRIPTOR_LOAD)
		more = !gtdbg_batch_read(search->gt, search->context, batch, 3,
					 &search->descriptors, 1);
	else if (opcode == WALKER)
		more = walker_seen(search, batch);
	if (search->position.address - batch->address < 4ULL * batch->dwords)
		search->reached = true;
	return more;
}

/* Is the streamer in this batch? If so all about the launch is in it, too. */
static int launch_search(void *data, u64 address)
{
	struct launch_search *search = data;
	struct gtdbg_batch batch;

	search->instruction = search->context->bases.instruction;
	search->dynamic = 0;
	search->surface = 0;
	search->descriptors = 0;
	search->reached = false;
	memset(&search->launch, 0, sizeof(search->launch));
	gtdbg_batch_init(&batch, address, search->left);
	while (!gtdbg_batch_next(search->gt, search->context, &batch) &&
	       command_seen(search, &batch))
		;
	search->left = batch.left;
	return search->reached ? 0 : -ENOENT;
}

int gtdbg_launch_find(struct gtdbg_gt *gt, struct gtdbg_context *context,
		      u64 kernel, struct gtdbg_launch *launch_out)
{
	struct launch_search search = {
		.gt = gt,
		.context = context,
		.kernel = kernel,
		.left = COMMANDS_MAX,
	};
	int ret;

	lockdep_assert_held(&gt->lock);
	gtdbg_position_read(gt, &search.position);
	ret = gtdbg_batch_each(gt, context,
			       search.position.ring + BATCH_START_BYTES,
			       launch_search, &search);
	if (search.launch.partial)
		search.launch.total = 0;
	if (ret || !search.launch.address)
		memset(launch_out, 0, sizeof(*launch_out));
	else
		*launch_out = search.launch;
	return launch_out->address ? 0 : -ENOENT;
}
