// SPDX-License-Identifier: GPL-2.0-only
#include "thread.h"

#include <linux/bitmap.h>
#include <linux/bitops.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "attention.h"
#include "context.h"
#include "gt.h"
#include "hw.h"
#include "platform.h"
#include "poller.h"
#include "ppgtt.h"
#include "session.h"
#include "submit.h"
#include "table.h"
#include "trace.h"

#define EU_COLUMNS 4

int gtdbg_threads_init(struct gtdbg_gt *gt)
{
	u32 i;

	gt->threads = kvcalloc(gt->topology.slots, sizeof(*gt->threads),
			       GFP_KERNEL_ACCOUNT);
	gt->wake = bitmap_zalloc(gt->topology.slots, GFP_KERNEL_ACCOUNT);
	if (!gt->threads || !gt->wake) {
		gtdbg_threads_fini(gt);
		return -ENOMEM;
	}
	for (i = 0; i < gt->topology.slots; i++)
		gt->threads[i].state = GTDBG_THREAD_RUNNING;
	return 0;
}

void gtdbg_threads_fini(struct gtdbg_gt *gt)
{
	kvfree(gt->threads);
	bitmap_free(gt->wake);
}

void gtdbg_thread_place(const struct gtdbg_gt *gt, u32 slot,
			struct gtdbg_place *place_out)
{
	const struct gtdbg_topology *topology = &gt->topology;
	u32 rows = gt->platform->att_rows;
	u32 unit = slot / topology->threads;
	u32 subslice = unit / topology->eus;

	place_out->thread = slot % topology->threads;
	place_out->eu = unit % topology->eus;
	place_out->subslice = subslice % topology->subslices;
	place_out->slice = subslice / topology->subslices;
	place_out->dword = place_out->eu / (EU_COLUMNS * rows);
	place_out->bit = place_out->eu % EU_COLUMNS * 8 + place_out->thread;
}

void gtdbg_thread_describe(const struct gtdbg_gt *gt, u32 slot,
			   struct gtdbg_thread_info *info)
{
	const struct gtdbg_thread *thread = &gt->threads[slot];
	struct gtdbg_place place;

	gtdbg_thread_place(gt, slot, &place);
	*info = (struct gtdbg_thread_info){
		.device = gt->id,
		.slot = slot,
		.context = thread->context ? thread->context->id : 0,
		.kernel = thread->kernel,
		.state = thread->state,
		.reasons = thread->reasons,
		.slice = place.slice,
		.subslice = place.subslice,
		.eu = place.eu,
		.thread = place.thread,
		.generation = thread->generation,
		.ip = thread->ip,
		.address = thread->address,
		.exec_mask = thread->exec_mask,
		.dispatch_mask = thread->dispatch_mask,
		.exceptions = thread->exceptions,
		.breakpoint = thread->breakpoint,
	};
}

void gtdbg_thread_forget(struct gtdbg_gt *gt, u32 slot)
{
	struct gtdbg_thread *thread = &gt->threads[slot];

	lockdep_assert_held(&gt->lock);
	if (thread->state == GTDBG_THREAD_STOPPED)
		gt->stopped--;
	thread->state = GTDBG_THREAD_RUNNING;
	thread->released = false;
	thread->report = false;
	thread->unsettled = false;
	thread->entry = NULL;
	thread->context = NULL;
}

void gtdbg_thread_drop(struct gtdbg_gt *gt, u32 slot)
{
	struct gtdbg_thread *thread = &gt->threads[slot];
	struct gtdbg_context *context = thread->context;

	gtdbg_thread_forget(gt, slot);
	thread->context = context;
	thread->released = context;
	thread->unsettled = true;
	thread->stepping = false;
	thread->admit = 0;
	thread->looks = 0;
}

void gtdbg_thread_nudge(struct gtdbg_gt *gt, u32 slot)
{
	lockdep_assert_held(&gt->lock);
	__set_bit(slot, gt->wake);
}

/* Data cache 1, by 64-bit addresses: gather, read, block read; scatter, write, block write. */
#define MESSAGES_READING (BIT(0x10) | BIT(0x11) | BIT(0x14))
#define MESSAGES_WRITING (BIT(0x15) | BIT(0x19) | BIT(0x1a))
/* Atomic operations, of numbers of 16 and 32 bits and more, and of floats. */
#define MESSAGES_ATOMIC (BIT(0x12) | BIT(0x13) | BIT(0x1d) | BIT(0x1e))

static u32 watched_messages(u32 watch)
{
	return (watch ? MESSAGES_ATOMIC : 0) |
	       (watch & GTDBG_RESUME_WATCH_READS ? MESSAGES_READING : 0) |
	       (watch & GTDBG_RESUME_WATCH_WRITES ? MESSAGES_WRITING : 0);
}

/*
 * Can the SIP make these steps? It looks at the code for breakpoints, so the base must
 * be known for sure: by the kernel that was found there.
 */
static bool thread_range(const struct gtdbg_thread *thread,
			 struct gtdbg_sip_step_range *range_out)
{
	u64 end = min_t(u64, thread->range_end, U32_MAX);

	if (!thread->kernel || thread->range_first >= end ||
	    !gtdbg_savearea_steps_range(thread->context) ||
	    (thread->frame_register && thread->context->savearea.sip_minor <
	     GTDBG_SIP_MINOR_STEP_OVER) ||
	    (thread->lanes && thread->context->savearea.sip_minor <
	     GTDBG_SIP_MINOR_STEP_LANES) ||
	    (thread->watch && thread->context->savearea.sip_minor <
	     GTDBG_SIP_MINOR_STEP_WATCH))
		return false;
	*range_out = (struct gtdbg_sip_step_range){
		.ip_first = thread->range_first,
		.bytes = end - thread->range_first,
		.watch_messages = watched_messages(thread->watch),
		.base = sign_extend64(thread->address - thread->ip,
				      GTDBG_ADDRESS_BITS - 1),
		.steps = thread->range_steps,
		.lanes = thread->lanes,
		.frame_register = thread->frame_register,
		.function_first = thread->function_first,
		.function_bytes = thread->function_end - thread->function_first,
		.watch_first = thread->watch_first,
		.watch_bytes = thread->watch_bytes,
	};
	return true;
}

static int thread_step(struct gtdbg_gt *gt, u32 slot)
{
	struct gtdbg_thread *thread = &gt->threads[slot];
	struct gtdbg_sip_step_range range;

	thread->range_on_eu = thread_range(thread, &range);
	if (!thread->range_on_eu)
		return gtdbg_savearea_command(gt, thread->context, slot, true);
	return gtdbg_savearea_step_range(gt, thread->context, slot, &range);
}

/*
 * Who steps cannot let others in. Then there is nothing to count there any more, until
 * the engine is idle.
 */
static int thread_command(struct gtdbg_gt *gt, u32 slot, bool step)
{
	struct gtdbg_thread *thread = &gt->threads[slot];
	struct gtdbg_context *context = thread->context;
	u32 bucket;
	bool admits = thread->admit &&
		      gtdbg_table_counts(context, thread->address, &bucket);

	if (admits && !step)
		return gtdbg_savearea_admit(gt, context, slot, bucket,
					    thread->admit);
	if (admits)
		gtdbg_table_uncount(gt, context, thread->address);
	/* It may be at an entry, or come to one. */
	if (step)
		gtdbg_submits_hold(gt);
	return step ? thread_step(gt, slot) :
		      gtdbg_savearea_command(gt, context, slot, false);
}

bool gtdbg_thread_goes_on(struct gtdbg_gt *gt, u32 slot)
{
	struct gtdbg_thread *thread = &gt->threads[slot];

	lockdep_assert_held(&gt->lock);
	/* Where it watches, it may have found something. */
	if (thread->reasons != GTDBG_STOP_STEP || thread->watch ||
	    thread->ip < thread->range_first || thread->ip >= thread->range_end)
		return false;
	if (!thread->range_steps)
		return true;
	if (!thread->range_on_eu)
		thread->range_steps--;
	else if (gtdbg_savearea_steps_left(gt, thread->context, slot,
					   &thread->range_steps))
		return false;
	return thread->range_steps;
}

void gtdbg_thread_remind(struct gtdbg_gt *gt, u32 slot)
{
	struct gtdbg_thread *thread = &gt->threads[slot];

	/* What it was still about has ended with READY over the command, or it had none. */
	if (thread->unsettled && thread->context &&
	    !gtdbg_savearea_check(gt, thread->context) &&
	    gtdbg_savearea_look(gt, thread->context, slot, 0) ==
	    GTDBG_LOOK_STOPPED)
		thread_command(gt, slot, thread->stepping);
	gtdbg_thread_nudge(gt, slot);
}

int gtdbg_thread_resume(struct gtdbg_gt *gt, u32 slot, bool step)
{
	struct gtdbg_thread *thread = &gt->threads[slot];
	int ret;

	lockdep_assert_held(&gt->lock);
	if (gtdbg_savearea_check(gt, thread->context)) {
		/* Where it waits for its command is gone, and so is it. */
		gtdbg_thread_drop(gt, slot);
		return -ESRCH;
	}
	ret = thread_command(gt, slot, step);
	if (ret)
		return ret;
	thread->state = GTDBG_THREAD_RUNNING;
	thread->released = true;
	thread->looks = 0;
	thread->stepping = step;
	thread->entry = NULL;
	thread->report = false;
	gt->stopped--;
	gtdbg_thread_nudge(gt, slot);
	trace_gtdbg_thread_resume(gt->id, slot, thread->generation, step);
	return 0;
}

struct thread_clear {
	u32 dword[2];
	bool any;
};

/* The bits to clear in one sub-slice. */
static void thread_clear_collect(struct gtdbg_gt *gt, u32 slice, u32 subslice,
				 struct thread_clear *clear)
{
	const struct gtdbg_topology *topology = &gt->topology;
	u32 per = topology->eus * topology->threads;
	u32 slot = (slice * topology->subslices + subslice) * per, end;
	struct gtdbg_place place;

	memset(clear, 0, sizeof(*clear));
	end = slot + per;
	for_each_set_bit_from(slot, gt->wake, end) {
		gtdbg_thread_place(gt, slot, &place);
		clear->dword[place.dword] |= 1U << place.bit;
		clear->any = true;
	}
	if (gt->platform->resume_halves)
		clear->dword[0] = clear->dword[1] =
			clear->dword[0] | clear->dword[1];
}

/* Bits that are not set are not touched: older parts hang at end of thread. */
static int thread_clear_write(struct gtdbg_gt *gt, u32 slice, u32 subslice,
			      const struct thread_clear *clear)
{
	struct gtdbg_steer steer = { .slice = slice, .subslice = subslice };
	u32 i, bits;
	int ret;

	for (i = 0; i < gt->platform->att_dwords; i++) {
		bits = clear->dword[i] &
		       gtdbg_hw_read_steered(gt, slice, subslice,
					     gt->platform->td_att + 4 * i);
		if (!bits)
			continue;
		ret = gtdbg_hw_write_steered(gt, &steer,
					     gt->platform->td_clr + 4 * i,
					     bits);
		if (ret)
			return ret;
	}
	return 0;
}

int gtdbg_threads_flush(struct gtdbg_gt *gt)
{
	const struct gtdbg_topology *topology = &gt->topology;
	struct thread_clear clear;
	u32 slice, subslice;
	int ret;

	lockdep_assert_held(&gt->lock);
	ret = gtdbg_hw_sync_code(gt);
	if (ret || bitmap_empty(gt->wake, topology->slots))
		return ret;
	for (slice = 0; slice < topology->slices; slice++) {
		for (subslice = 0; subslice < topology->subslices; subslice++) {
			thread_clear_collect(gt, slice, subslice, &clear);
			if (clear.any)
				ret = thread_clear_write(gt, slice, subslice,
							 &clear) ?: ret;
		}
	}
	ret = gtdbg_hw_flush(gt) ?: ret;
	/* Otherwise they are still to be woken, when it answers again. */
	if (!ret)
		bitmap_zero(gt->wake, topology->slots);
	return ret;
}

void gtdbg_threads_resume_all(struct gtdbg_gt *gt)
{
	u32 slot;

	lockdep_assert_held(&gt->lock);
	for (slot = 0; slot < gt->topology.slots && gt->stopped; slot++)
		if (gt->threads[slot].state == GTDBG_THREAD_STOPPED &&
		    gtdbg_thread_resume(gt, slot, false) &&
		    gt->threads[slot].state == GTDBG_THREAD_STOPPED)
			gtdbg_thread_forget(gt, slot);
	gtdbg_threads_flush(gt);
}

void gtdbg_threads_leave(struct gtdbg_gt *gt,
			 const struct gtdbg_context *context)
{
	u32 slot;

	lockdep_assert_held(&gt->lock);
	for (slot = 0; slot < gt->topology.slots; slot++)
		if (gt->threads[slot].context == context)
			gtdbg_thread_forget(gt, slot);
}

static u32 thread_list(struct gtdbg_gt *gt, struct gtdbg_thread_info *infos,
		       u32 room)
{
	u32 slot, count = 0;

	for (slot = 0; slot < gt->topology.slots; slot++) {
		if (gt->threads[slot].state == GTDBG_THREAD_RUNNING)
			continue;
		if (count < room)
			gtdbg_thread_describe(gt, slot, &infos[count]);
		count++;
	}
	return count;
}

/* The device is locked only while its threads are described. */
static int thread_list_copy(struct gtdbg_session *session,
			    struct gtdbg_thread_list *request,
			    struct gtdbg_thread_info *infos, u32 room)
{
	struct gtdbg_gt *gt;
	u32 count;

	gt = gtdbg_session_gt_lock(session, request->device);
	if (IS_ERR(gt))
		return PTR_ERR(gt);
	count = thread_list(gt, infos, room);
	gtdbg_session_gt_unlock(gt);
	room = min(count, room);
	if (copy_to_user(u64_to_user_ptr(request->infos), infos,
			 room * sizeof(*infos)))
		return -EFAULT;
	request->count = count;
	return room;
}

int gtdbg_ioctl_thread_list(struct gtdbg_session *session, void *arg)
{
	struct gtdbg_thread_list *request = arg;
	struct gtdbg_thread_info *infos = NULL;
	u32 room;
	int ret;

	if (request->flags || request->__reserved)
		return -EINVAL;
	room = min_t(u32, request->count, GTDBG_SLOTS_MAX);
	if (room) {
		infos = kvmalloc_array(room, sizeof(*infos), GFP_KERNEL);
		if (!infos)
			return -ENOMEM;
	}
	ret = thread_list_copy(session, request, infos, room);
	kvfree(infos);
	return ret;
}

struct thread_selection {
	u8 *mask;
	s32 *results;
};

static bool thread_selected(const struct thread_selection *selection, u32 slot)
{
	return selection->mask[slot / 8] >> slot % 8 & 1;
}

/* No range is an empty one. */
static void thread_range_set(struct gtdbg_thread *thread,
			     const struct gtdbg_thread_resume *request)
{
	thread->range_first = request->ip_first;
	thread->range_end = request->ip_end;
	thread->range_steps = request->steps;
	thread->function_first = request->function_first;
	thread->function_end = request->function_end;
	thread->frame_register = request->frame_register;
	thread->lanes = request->lanes;
	thread->watch = request->watch;
	thread->watch_bytes = request->watch_bytes;
	thread->watch_first = request->watch_first;
}

static s32 thread_resume_one(struct gtdbg_gt *gt,
			     const struct gtdbg_thread_resume *request,
			     u32 slot)
{
	struct gtdbg_thread *thread = &gt->threads[slot];

	if (thread->state != GTDBG_THREAD_STOPPED)
		return GTDBG_RESUME_NOT_STOPPED;
	if (request->generation && thread->generation > request->generation)
		return GTDBG_RESUME_STALE;
	thread_range_set(thread, request);
	return gtdbg_thread_resume(gt, slot,
				   request->command != GTDBG_RESUME_RUN);
}

/* Can all that are stopped make the steps themselves? */
static bool thread_resume_on_eu(struct gtdbg_gt *gt,
				const struct gtdbg_thread_resume *request,
				const struct thread_selection *selection)
{
	struct gtdbg_sip_step_range range;
	u32 slot;

	for (slot = 0; slot < request->slots; slot++) {
		struct gtdbg_thread *thread = &gt->threads[slot];

		if (!thread_selected(selection, slot) ||
		    thread->state != GTDBG_THREAD_STOPPED)
			continue;
		thread_range_set(thread, request);
		if (!thread_range(thread, &range))
			return false;
	}
	return true;
}

static int thread_resume_mask(struct gtdbg_gt *gt,
			      const struct gtdbg_thread_resume *request,
			      const struct thread_selection *selection)
{
	/* Whoever else is waited for gets a look at all. */
	bool is_free = !gt->awaited_since && !READ_ONCE(gt->kicked);
	u32 slot, done = 0, last = 0;
	int ret;

	for (slot = 0; slot < request->slots; slot++) {
		s32 result = GTDBG_RESUME_NOT_ASKED;

		if (thread_selected(selection, slot))
			result = thread_resume_one(gt, request, slot);
		selection->results[slot] = result;
		if (result == GTDBG_RESUME_DONE) {
			done++;
			last = slot;
		}
	}
	gtdbg_gt_count(gt, resumes, done);
	ret = gtdbg_threads_flush(gt);
	gtdbg_poller_kick(gt);
	if (is_free && done == 1 && request->command != GTDBG_RESUME_RUN)
		gtdbg_attention_await(gt, last);
	return ret ?: done;
}

static int thread_resume_locked(struct gtdbg_session *session,
				const struct gtdbg_thread_resume *request,
				const struct thread_selection *selection)
{
	struct gtdbg_gt *gt;
	int ret = -EINVAL;

	gt = gtdbg_session_gt_lock(session, request->device);
	if (IS_ERR(gt))
		return PTR_ERR(gt);
	if (request->flags & GTDBG_RESUME_F_EU &&
	    request->slots <= gt->topology.slots &&
	    !thread_resume_on_eu(gt, request, selection))
		ret = -EOPNOTSUPP;
	else if (request->slots <= gt->topology.slots)
		ret = thread_resume_mask(gt, request, selection);
	gtdbg_session_gt_unlock(gt);
	return ret;
}

/* What belongs to a step over calls comes with nothing else, nor do lanes but on the EU. */
static bool thread_resume_over_valid(const struct gtdbg_thread_resume *request)
{
	if (request->lanes && !(request->flags & GTDBG_RESUME_F_EU))
		return false;
	if (!(request->flags & GTDBG_RESUME_F_OVER))
		return !request->function_first && !request->function_end &&
		       !request->frame_register;
	return request->flags & GTDBG_RESUME_F_EU &&
	       (request->frame_register == GTDBG_SIP_FRAME_FIRST ||
		request->frame_register == GTDBG_SIP_FRAME_LAST) &&
	       request->function_first <= request->ip_first &&
	       request->function_end >= request->ip_end &&
	       request->function_end <= U32_MAX;
}

/* What is watched is so by the SIP, in the range. */
static bool thread_resume_watch_valid(const struct gtdbg_thread_resume *request)
{
	if (!request->watch)
		return !request->watch_first && !request->watch_bytes;
	return !(request->watch & ~(GTDBG_RESUME_WATCH_READS |
				    GTDBG_RESUME_WATCH_WRITES)) &&
	       request->flags == GTDBG_RESUME_F_EU && !request->lanes &&
	       request->watch_bytes &&
	       !(request->watch_first >> GTDBG_ADDRESS_BITS) &&
	       !((request->watch_first + request->watch_bytes - 1) >>
		 GTDBG_ADDRESS_BITS);
}

static int thread_resume_check(const struct gtdbg_session *session,
			       const struct gtdbg_thread_resume *request)
{
	if (request->flags & ~(GTDBG_RESUME_F_EU | GTDBG_RESUME_F_OVER) ||
	    !request->slots || request->slots > GTDBG_SLOTS_MAX ||
	    request->steps > U32_MAX || !thread_resume_over_valid(request) ||
	    !thread_resume_watch_valid(request))
		return -EINVAL;
	if (!request->command || request->command > GTDBG_RESUME_STEP_RANGE)
		return -EOPNOTSUPP;
	if (request->command != GTDBG_RESUME_STEP_RANGE &&
	    (request->ip_first || request->ip_end || request->steps ||
	     request->flags))
		return -EINVAL;
	if (request->command == GTDBG_RESUME_STEP_RANGE &&
	    request->ip_first >= request->ip_end)
		return -EINVAL;
	return session->observer ? -EPERM : 0;
}

/*
 * The results' place is tried before anything is resumed, so that a bad pointer
 * does no harm.
 */
static int thread_resume_copy(struct gtdbg_session *session,
			      const struct gtdbg_thread_resume *request,
			      const struct thread_selection *selection)
{
	size_t bytes = request->slots * sizeof(*selection->results);
	void __user *results = u64_to_user_ptr(request->results);
	int ret;

	if (copy_from_user(selection->mask, u64_to_user_ptr(request->mask),
			   DIV_ROUND_UP(request->slots, 8)))
		return -EFAULT;
	if (request->results && clear_user(results, bytes))
		return -EFAULT;
	ret = thread_resume_locked(session, request, selection);
	if (ret >= 0 && request->results &&
	    copy_to_user(results, selection->results, bytes))
		return -EFAULT;
	return ret;
}

int gtdbg_ioctl_thread_resume(struct gtdbg_session *session, void *arg)
{
	const struct gtdbg_thread_resume *request = arg;
	struct thread_selection selection;
	int ret;

	ret = thread_resume_check(session, request);
	if (ret)
		return ret;
	selection.mask = kzalloc(DIV_ROUND_UP(request->slots, 8), GFP_KERNEL);
	selection.results = kvcalloc(request->slots, sizeof(s32), GFP_KERNEL);
	if (selection.mask && selection.results)
		ret = thread_resume_copy(session, request, &selection);
	else
		ret = -ENOMEM;
	kvfree(selection.results);
	kfree(selection.mask);
	return ret;
}
