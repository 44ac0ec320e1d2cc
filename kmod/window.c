// SPDX-License-Identifier: GPL-2.0-only
/*
 * A load from a page that is absent ends the program under the debugger. What a launch
 * has been given as a buffer stays mapped until it ends: the driver sees to that. So a
 * window is one of these buffers, as the launch's binding table names them, as far as it
 * is mapped, and it is open from when a thread of that launch has stopped until the
 * first thread of another one comes.
 *
 * That one cannot be missed where launches are counted: it finds the count 0 and stops at
 * its kernel's entry, all others of that launch wait there, and before they are admitted
 * all windows are closed. Where something else begins, or may have begun, they are closed
 * as well: a count ends, code is planted anew, another queue runs. No thread of another
 * launch of the area runs meanwhile, as the streamer waits for the threads of each.
 *
 * Without a binding table, for pointers that were no argument, where launches are not
 * counted, and where several queues take turns no window opens, and the host decides.
 */
#include "window.h"

#include <linux/bitops.h>
#include <linux/gtdbg_sip.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "context.h"
#include "front.h"
#include "gt.h"
#include "launch.h"
#include "load.h"
#include "ppgtt.h"
#include "surface.h"
#include "table.h"
#include "thread.h"

#define SURFACES_MAX 64
#define PAGE_BYTES 4096ULL
#define MAPPINGS_MAX 8 /* in a row: pages of other sizes begin another one */
#define WINDOW_BYTES_MIN 16
#define TRIES_MAX 4 /* places that are in no buffer, before nobody looks for more */

/* Buffers of a launch. */
struct surfaces {
	u64 base;
	u32 first, count; /* states, one behind the other, before the table */
};

static_assert(GTDBG_SIP_WINDOW_OFFSET + GTDBG_SIP_WINDOWS_MAX *
	      sizeof(struct gtdbg_sip_window) == GTDBG_SIP_RING_OFFSET);

static bool windows_possible(const struct gtdbg_context *context)
{
	return context->savearea.sip == GTDBG_SIP_OWN &&
	       context->savearea.sip_minor >= GTDBG_SIP_MINOR_GLOBAL;
}

int gtdbg_windows_clear(struct gtdbg_gt *gt, struct gtdbg_context *context)
{
	static const u8 zero[GTDBG_SIP_WINDOWS_MAX * GTDBG_SIP_WINDOW_BYTES];

	lockdep_assert_held(&gt->lock);
	if (!windows_possible(context))
		return 0;
	return gtdbg_front_write(gt, context, GTDBG_SIP_WINDOW_OFFSET, zero,
				 sizeof(zero));
}

void gtdbg_windows_close(struct gtdbg_gt *gt, struct gtdbg_context *context)
{
	struct gtdbg_windows *windows = gtdbg_table_windows(context);

	if (!windows)
		return;
	memset(windows->tries, 0, sizeof(windows->tries));
	/* Where it cannot be written nobody reads it either. */
	if (windows->open)
		windows->open = gtdbg_windows_clear(gt, context);
}

/*
 * Who gets one next may be of a kernel whose launches are not counted: it is closed. A
 * thread that still is about to look into it finds it so, or opened for its own launch.
 */
void gtdbg_windows_leave(struct gtdbg_gt *gt, struct gtdbg_context *context,
			 u64 address)
{
	struct gtdbg_windows *windows = gtdbg_table_windows(context);
	bool left = false;
	u32 i;

	for (i = 0; i < GTDBG_SIP_WINDOWS_MAX; i++) {
		if (windows->address[i] != address)
			continue;
		windows->address[i] = 0;
		left = true;
	}
	if (left)
		gtdbg_windows_close(gt, context);
}

bool gtdbg_windows_take(struct gtdbg_gt *gt, struct gtdbg_context *context,
			u64 address, u32 count, u32 *first_out)
{
	struct gtdbg_windows *windows = gtdbg_table_windows(context);
	u32 i, free = 0;

	gtdbg_windows_leave(gt, context, address);
	for (i = 0; i < GTDBG_SIP_WINDOWS_MAX && free < count; i++)
		free = windows->address[i] ? 0 : free + 1;
	if (free < count)
		return false;
	*first_out = i - count;
	for (i = *first_out; i < *first_out + count; i++) {
		windows->address[i] = address;
		windows->surface[i] = 0;
	}
	return true;
}

bool gtdbg_windows_has(const struct gtdbg_context *context, u64 address)
{
	const struct gtdbg_windows *windows = gtdbg_table_windows(context);
	u32 i;

	for (i = 0; i < GTDBG_SIP_WINDOWS_MAX; i++)
		if (windows->address[i] == (address & GTDBG_ADDRESS_MASK))
			return true;
	return false;
}

/*
 * The runtime puts the states of a launch's buffers right before its binding table, in
 * the order of its entries. How many there are it says nowhere else.
 */
static bool surfaces_find(struct gtdbg_gt *gt, struct gtdbg_context *context,
			  const struct gtdbg_launch *launch,
			  struct surfaces *surfaces)
{
	u32 table = launch->surfaces - launch->surface_base, entry, i;

	if (!launch->surfaces ||
	    gtdbg_ppgtt_read(gt, context, launch->surfaces, &surfaces->first,
			     sizeof(surfaces->first)) ||
	    surfaces->first >= table ||
	    (table - surfaces->first) % GTDBG_SURFACE_STATE_BYTES)
		return false;
	surfaces->base = launch->surface_base;
	surfaces->count = (table - surfaces->first) / GTDBG_SURFACE_STATE_BYTES;
	if (surfaces->count > SURFACES_MAX)
		return false;
	for (i = 1; i < surfaces->count; i++)
		if (gtdbg_ppgtt_read(gt, context, launch->surfaces + 4 * i,
				     &entry, sizeof(entry)) ||
		    entry != surfaces->first + i * GTDBG_SURFACE_STATE_BYTES)
			return false;
	return true;
}

/* The one that is @number, counted from 1. */
static bool surfaces_read(struct gtdbg_gt *gt, struct gtdbg_context *context,
			  const struct surfaces *surfaces, u32 number,
			  struct gtdbg_surface *surface)
{
	return number && number <= surfaces->count &&
	       !gtdbg_surface_read(gt, context, surfaces->base +
				   surfaces->first +
				   (number - 1) * GTDBG_SURFACE_STATE_BYTES,
				   surface);
}

/* The number of the one that @address lies in, 0: there is none. */
static u32 surfaces_around(struct gtdbg_gt *gt, struct gtdbg_context *context,
			   const struct surfaces *surfaces, u64 address,
			   struct gtdbg_surface *surface)
{
	u32 i;

	for (i = 1; i <= surfaces->count; i++)
		if (surfaces_read(gt, context, surfaces, i, surface) &&
		    address - surface->address < surface->len_bytes)
			return i;
	return 0;
}

/* Where what is mapped from @address on ends, or a bounded part of it. */
static u64 mapped_end(struct gtdbg_gt *gt, struct gtdbg_context *context,
		      u64 address)
{
	struct gtdbg_memory_mapping mappings[MAPPINGS_MAX];
	struct gtdbg_ppgtt_list list = {
		.address = round_down(address, PAGE_BYTES),
		.mappings = mappings,
		.room = MAPPINGS_MAX,
	};
	u64 end = list.address;
	u32 i;

	if (gtdbg_ppgtt_list(gt, context, &list))
		return address;
	for (i = 0; i < list.count && mappings[i].address == end; i++)
		end += mappings[i].len_bytes;
	return max(end, address);
}

/* As much of @surface as is mapped, from its start on or from the page of @address. */
static void surface_clip(struct gtdbg_gt *gt, struct gtdbg_context *context,
			 u64 address, struct gtdbg_surface *surface)
{
	u64 first = surface->address, end = first + surface->len_bytes, mapped;

	mapped = mapped_end(gt, context, first);
	if (mapped <= address) {
		first = max(first, round_down(address, PAGE_BYTES));
		mapped = mapped_end(gt, context, first);
	}
	end = min3(end, mapped, first + U32_MAX);
	surface->address = first;
	surface->len_bytes = end - first;
}

static u32 window_check(const struct gtdbg_sip_window *window)
{
	return GTDBG_SIP_WINDOW_MAGIC ^ lower_32_bits(window->first) ^
	       upper_32_bits(window->first) ^ window->bytes;
}

/*
 * A thread that reads it meanwhile finds no check, or all of it: what lies before the
 * check is written before. Halves of the address that were alike would cancel out there.
 */
static void window_write(struct gtdbg_gt *gt, struct gtdbg_context *context,
			 u32 number, const struct gtdbg_surface *surface)
{
	u32 at = GTDBG_SIP_WINDOW_OFFSET + number * GTDBG_SIP_WINDOW_BYTES;
	const u32 check = offsetof(struct gtdbg_sip_window, check), none = 0;
	struct gtdbg_sip_window window = {
		.first = sign_extend64(surface->address, GTDBG_ADDRESS_BITS - 1),
		.bytes = surface->len_bytes,
	};

	if (lower_32_bits(window.first) == upper_32_bits(window.first)) {
		window.first += 4;
		window.bytes -= 4;
	}
	window.check = window_check(&window);
	/* That of one that is closed, or of which half is. */
	if (!window.check || window.check == GTDBG_SIP_WINDOW_MAGIC) {
		window.bytes -= 4;
		window.check = window_check(&window);
	}
	/* Also if only a part of it gets there. */
	gtdbg_table_windows(context)->open = true;
	if (!gtdbg_front_write(gt, context, at + check, &none, sizeof(none)) &&
	    !gtdbg_front_write(gt, context, at, &window, check))
		gtdbg_front_write(gt, context, at + check, &window.check,
				  sizeof(window.check));
}

static bool window_show(struct gtdbg_gt *gt, struct gtdbg_context *context,
			u32 number, u64 address, struct gtdbg_surface *surface)
{
	surface_clip(gt, context, address, surface);
	if (surface->len_bytes < WINDOW_BYTES_MIN)
		return false;
	window_write(gt, context, number, surface);
	return true;
}

/* What the thread has not loaded, if it is a program's at its place. Once. */
static bool outside_take(struct gtdbg_gt *gt,
			 const struct gtdbg_thread *thread, u32 slot,
			 struct gtdbg_sip_outside *outside)
{
	struct gtdbg_context *context = thread->context;
	struct gtdbg_windows *windows = gtdbg_table_windows(context);
	u64 at = gtdbg_savearea_slot(&context->savearea, slot) +
		 GTDBG_SIP_SLOT_OUTSIDE;
	u32 none = 0;

	return windows &&
	       !gtdbg_ppgtt_read(gt, context, at, outside, sizeof(*outside)) &&
	       outside->op.op == GTDBG_SIP_OP_GLOBAL &&
	       outside->op.a < GTDBG_SIP_WINDOWS_MAX &&
	       windows->address[outside->op.a] == thread->address &&
	       !gtdbg_ppgtt_write(gt, context, at, &none, sizeof(none));
}

/* The buffers of the launch that is in flight, if that is of the kernel around @address. */
static bool surfaces_of_thread(struct gtdbg_gt *gt,
			       struct gtdbg_context *context, u64 address,
			       struct surfaces *surfaces)
{
	struct gtdbg_load *load = gtdbg_load_find(gt, context, address);
	struct gtdbg_launch launch;
	u32 bucket;

	/*
	 * Of two queues that take turns a launch may go on behind another one. As long as one
	 * is not acknowledged the next one is not told from it.
	 */
	return load && !context->queue_count && !load->ack_seqno &&
	       gtdbg_table_counts(context, load->address, &bucket) &&
	       !gtdbg_launch_find(gt, context, 0, &launch) &&
	       launch.kernel == load->address &&
	       surfaces_find(gt, context, &launch, surfaces);
}

void gtdbg_window_open(struct gtdbg_gt *gt, u32 slot)
{
	const struct gtdbg_thread *thread = &gt->threads[slot];
	struct gtdbg_context *context = thread->context;
	struct gtdbg_sip_outside outside;
	struct gtdbg_surface surface;
	struct surfaces surfaces;
	u32 number = 0, i;
	u64 place;
	u8 *tries;

	lockdep_assert_held(&gt->lock);
	if (!windows_possible(context) ||
	    !outside_take(gt, thread, slot, &outside))
		return;
	tries = &gtdbg_table_windows(context)->tries[outside.op.a];
	if (*tries == TRIES_MAX ||
	    !surfaces_of_thread(gt, context, thread->address, &surfaces))
		return;
	for (i = 0; i < ARRAY_SIZE(outside.place) && !number; i++) {
		place = outside.place[i] & GTDBG_ADDRESS_MASK;
		number = surfaces_around(gt, context, &surfaces, place,
					 &surface);
	}
	if (number && window_show(gt, context, outside.op.a, place, &surface))
		gtdbg_table_windows(context)->surface[outside.op.a] = number;
	else
		++*tries;
}

void gtdbg_windows_follow(struct gtdbg_gt *gt, const struct gtdbg_load *load,
			  const struct gtdbg_launch *launch)
{
	struct gtdbg_context *context = load->context;
	struct gtdbg_windows *windows = gtdbg_table_windows(context);
	struct gtdbg_surface surface;
	struct surfaces surfaces = { .count = 0 };
	u32 i;

	lockdep_assert_held(&gt->lock);
	if (context->queue_count)
		return;
	for (i = 0; windows && i < GTDBG_SIP_WINDOWS_MAX; i++) {
		if (!windows->address[i] || !windows->surface[i] ||
		    windows->address[i] - load->address >= load->len_bytes)
			continue;
		if (!surfaces.count &&
		    !surfaces_find(gt, context, launch, &surfaces))
			return;
		if (surfaces_read(gt, context, &surfaces, windows->surface[i],
				  &surface))
			window_show(gt, context, i, surface.address, &surface);
	}
}
