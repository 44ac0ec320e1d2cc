// SPDX-License-Identifier: GPL-2.0-only
/*
 * Stopping all threads that run: a request bit in TD_CTL makes each of them take
 * an exception, from where it stops like at a breakpoint. The bits hold for
 * whatever context runs, so the running one is compared before and after.
 *
 * The bindful SIP saves to whatever is first in the running kernel's binding
 * table: in the runtime's own kernels that is data of the program. So under it
 * only kernels that were compiled for debugging may stop: for a short time
 * every instruction of those is a breakpoint (a patch), and no others stop.
 */
#include "interrupt.h"

#include <linux/delay.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/list.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "attention.h"
#include "client.h"
#include "code.h"
#include "context.h"
#include "gt.h"
#include "hw.h"
#include "kernel.h"
#include "load.h"
#include "platform.h"
#include "poller.h"
#include "ppgtt.h"
#include "session.h"
#include "site.h"
#include "thread.h"

#define SETTLE_NS (5 * NSEC_PER_MSEC) /* without a new stop: that was all */
/* The same where threads were stopped before: these may be all that there are. */
#define SETTLE_STOPPED_NS (100 * NSEC_PER_MSEC)
#define PATCH_NS (500 * NSEC_PER_MSEC) /* at a time: others wait for as long */
#define TIMEOUT_NS_MAX (10ULL * NSEC_PER_SEC)

/*
 * Code of a kernel of which each instruction is a breakpoint for now. What it was
 * before is what the client has registered, so nothing is copied.
 */
struct patch {
	struct list_head node;
	u64 address;
	u64 done_bytes; /* of the code, from its start */
	struct gtdbg_code *code;
};

/* All of them, on their way in or out. */
struct patches {
	struct list_head list;
	u8 *page; /* of the code that is looked at */
	ktime_t end; /* of the way in */
	bool any; /* there was code to write to */
};

/* The dword at @at is replaced if it is what it is thought to be. */
static void patch_exchange(struct gtdbg_gt *gt, struct gtdbg_context *context,
			   u64 at, u32 old, u32 new)
{
	u32 now;

	if (!gtdbg_ppgtt_read(gt, context, at, &now, sizeof(now)) && now == old)
		gtdbg_ppgtt_write(gt, context, at, &new, sizeof(new));
}

/* Those of its instructions that begin in one page of it, from @offset on. */
static void patch_write_page(struct gtdbg_gt *gt, struct gtdbg_context *context,
			     const struct patch *patch, const u8 *page,
			     u64 offset, u64 end, bool set)
{
	u64 at, address;
	u32 dword0, bit;

	for (at = gtdbg_code_next(patch->code, offset);
	     at + sizeof(dword0) <= end;
	     at = gtdbg_code_next(patch->code, at + 1)) {
		memcpy(&dword0, page + (at - offset), sizeof(dword0));
		address = patch->address + at;
		bit = gtdbg_inst_break_bit(dword0);
		/* One that is set without this is no part of it. */
		if (dword0 & bit || gtdbg_site_is_set(context, address))
			continue;
		patch_exchange(gt, context, address, dword0 | (set ? 0 : bit),
			       dword0 | (set ? bit : 0));
	}
}

/* False: time is up, or the caller was killed. The way out has no end. */
static bool patch_goes_on(const struct patches *patches, bool set)
{
	cond_resched();
	return !set || (ktime_before(ktime_get(), patches->end) &&
			!fatal_signal_pending(current));
}

/* On the way out, as far as the way in has led. */
static void patch_write(struct gtdbg_gt *gt, struct gtdbg_context *context,
			const struct patches *patches, struct patch *patch,
			bool set)
{
	u64 len_bytes = set ? patch->code->isa.len_bytes : patch->done_bytes;
	u64 at = 0, phys;
	ssize_t bytes;

	gt->code_dirty = true;
	while (at < len_bytes && patch_goes_on(patches, set)) {
		bytes = gtdbg_blob_read(&patch->code->isa, at, patches->page,
					min_t(u64, len_bytes - at, PAGE_SIZE));
		if (bytes <= 0)
			break;
		/* What is not mapped is not the kernel's any more. */
		if (set && gtdbg_ppgtt_walk(gt, context, patch->address + at,
					    &phys))
			break;
		patch_write_page(gt, context, patch, patches->page, at,
				 at + bytes, set);
		at += bytes;
	}
	if (set)
		patch->done_bytes = at;
}

static int patch_add(struct gtdbg_gt *gt, struct gtdbg_context *context,
		     const struct gtdbg_load *load, struct patches *patches)
{
	struct gtdbg_client *client = gt->client;
	struct gtdbg_kernel *kernel;
	struct patch *patch;

	patch = kzalloc(sizeof(*patch), GFP_KERNEL_ACCOUNT);
	if (!patch)
		return -ENOMEM;
	mutex_lock(&client->lock);
	kernel = gtdbg_kernel_find(client, load->kernel);
	if (kernel)
		patch->code = gtdbg_code_get(kernel->code);
	mutex_unlock(&client->lock);
	if (!kernel) {
		kfree(patch);
		return 0;
	}
	patches->any = true;
	patch->address = load->address;
	list_add_tail(&patch->node, &patches->list);
	patch_write(gt, context, patches, patch, true);
	return 0;
}

/* Clear those that the code did not have before. */
static void patches_clear(struct gtdbg_gt *gt, struct gtdbg_context *context,
			  struct patches *patches)
{
	struct patch *patch, *next;

	list_for_each_entry_safe(patch, next, &patches->list, node) {
		patch_write(gt, context, patches, patch, false);
		list_del(&patch->node);
		gtdbg_code_put(patch->code);
		kfree(patch);
	}
}

/* Set the breakpoints of all kernels in @context, as far as time allows. */
static int patches_set(struct gtdbg_gt *gt, struct gtdbg_context *context,
		       struct patches *patches)
{
	struct gtdbg_load *load;
	int ret;

	gtdbg_loads_check(gt, context);
	list_for_each_entry(load, &context->loads, node) {
		ret = load->kernel && patch_goes_on(patches, true) ?
			      patch_add(gt, context, load, patches) : 0;
		if (ret) {
			patches_clear(gt, context, patches);
			return ret;
		}
	}
	return 0;
}

static struct gtdbg_context *interrupt_context(struct gtdbg_gt *gt)
{
	u32 lrca = gtdbg_hw_read(gt, gt->platform->current_lrca);

	return lrca & GTDBG_LRCA_VALID ? gtdbg_context_current(gt, lrca) : NULL;
}

/* Wait a little, and let others have the GT meanwhile: is it still there? */
static int interrupt_pause(struct gtdbg_session *session, struct gtdbg_gt *gt)
{
	/* Its code is all breakpoints: no one else may see that. */
	if (gt->patched) {
		usleep_range(50, 100);
		return gtdbg_hw_flush(gt);
	}
	mutex_unlock(&gt->lock);
	usleep_range(50, 100);
	mutex_lock(&gt->lock);
	if (gt->lost || !gtdbg_session_holds(session, gt))
		return -ENODEV;
	gtdbg_gt_begin(gt);
	return 0;
}

/* Is there still something to wait for? */
static bool interrupt_pending(struct gtdbg_gt *gt)
{
	return gt->stopped < gt->topology.slots && !gtdbg_hw_idle(gt);
}

/* A context may run that has no threads, as when it waits or copies. */
static bool interrupt_spawning(struct gtdbg_gt *gt)
{
	const struct gtdbg_platform *platform = gt->platform;

	return (gtdbg_hw_read(gt, platform->spawner) &
		platform->spawner_done) != platform->spawner_done;
}

/* On a shared GPU the request stops others' threads, too, which nobody lets go. */
static bool interrupt_strays(struct gtdbg_gt *gt, u32 id)
{
	struct gtdbg_context *context;

	if (!gt->ops->is_shared)
		return false;
	context = interrupt_context(gt);
	return !context || context->id != id;
}

/* Look until no more threads of @context stop, for @timeout_ns at most. */
static int interrupt_settle(struct gtdbg_session *session, struct gtdbg_gt *gt,
			    u32 context, u64 timeout_ns)
{
	ktime_t now = ktime_get(), end = ktime_add_ns(now, timeout_ns);
	/* All that is there has stopped by then. */
	ktime_t quiet = ktime_add_ns(now, gt->stopped ? SETTLE_STOPPED_NS :
							SETTLE_NS);
	u64 generation = gt->generation;
	bool found = false;
	int ret = 0;

	while (!ret && ktime_before(now, end) &&
	       !fatal_signal_pending(current) &&
	       !interrupt_strays(gt, context)) {
		gtdbg_attention_scan(gt);
		now = ktime_get();
		/* The poller may have seen them as well. */
		if (gt->generation != generation) {
			generation = gt->generation;
			found = true;
			quiet = ktime_add_ns(now, SETTLE_NS);
		} else if (!interrupt_pending(gt)) {
			break;
		} else if (!found && !gt->stopped && interrupt_spawning(gt)) {
			quiet = ktime_add_ns(now, SETTLE_NS);
		} else if (ktime_after(now, quiet)) {
			break;
		}
		ret = interrupt_pause(session, gt);
	}
	return ret;
}

static bool interrupt_is_new(const struct gtdbg_thread *thread, u64 generation)
{
	return thread->state == GTDBG_THREAD_STOPPED &&
	       thread->generation > generation;
}

static u32 interrupt_count(const struct gtdbg_gt *gt, u64 generation)
{
	u32 slot, count = 0;

	for (slot = 0; slot < gt->topology.slots; slot++)
		if (interrupt_is_new(&gt->threads[slot], generation))
			count++;
	return count;
}

/*
 * Another context came in between: its threads are none of ours. Those whose launch
 * waits for an acknowledgement wait as if they had come to their entry alone.
 */
static void interrupt_release(struct gtdbg_gt *gt, u64 generation)
{
	u32 slot;

	for (slot = 0; slot < gt->topology.slots; slot++) {
		struct gtdbg_thread *thread = &gt->threads[slot];

		if (!interrupt_is_new(thread, generation) ||
		    (thread->reasons & ~GTDBG_STOP_ENTRY) !=
			    GTDBG_STOP_INTERRUPT)
			continue;
		if (thread->entry)
			thread->reasons = GTDBG_STOP_ENTRY;
		else
			gtdbg_thread_resume(gt, slot, false);
	}
	gtdbg_threads_flush(gt);
}

/*
 * Returns with the request taken back, whatever happened, if it is not one of a
 * page fault as well.
 */
static int interrupt_halt(struct gtdbg_session *session, struct gtdbg_gt *gt,
			  u32 context, u64 timeout_ns)
{
	int ret;

	if (interrupt_strays(gt, context))
		return 0;
	ret = gtdbg_hw_halt(gt, true);
	if (!ret)
		ret = interrupt_settle(session, gt, context, timeout_ns);
	return gt->fault_seqno ? ret : gtdbg_hw_halt(gt, false) ?: ret;
}

static int interrupt_patched(struct gtdbg_session *session,
			     struct gtdbg_gt *gt,
			     struct gtdbg_context *context,
			     struct patches *patches)
{
	int ret = patches_set(gt, context, patches);
	s64 left;

	if (ret || !patches->any)
		return ret;
	gt->patched = true;
	/* Each scan may meet a context that is new, and needs room. */
	context->pinned = true;
	left = ktime_to_ns(ktime_sub(patches->end, ktime_get()));
	ret = gtdbg_hw_sync_code(gt) ?:
	      interrupt_settle(session, gt, context->id,
			       max_t(s64, left, 0));
	patches_clear(gt, context, patches);
	ret = gtdbg_hw_sync_code(gt) ?: ret;
	/* What stopped since then did so for this. */
	gtdbg_attention_scan(gt);
	context->pinned = false;
	gt->patched = false;
	gtdbg_sites_sync(gt, context);
	return gtdbg_hw_sync_code(gt) ?: ret;
}

/*
 * For a while at a time: in between others get the GT, and find the code as it
 * was.
 */
static int interrupt_patch(struct gtdbg_session *session, struct gtdbg_gt *gt,
			   struct gtdbg_context *context, u64 timeout_ns)
{
	struct patches patches = {
		.list = LIST_HEAD_INIT(patches.list),
		.page = kmalloc(PAGE_SIZE, GFP_KERNEL_ACCOUNT),
	};
	ktime_t end = ktime_add_ns(ktime_get(), timeout_ns), piece;
	u64 generation = gt->generation;
	u32 id = context->id;
	int ret = patches.page ? 0 : -ENOMEM;

	while (!ret && ktime_before(ktime_get(), end) &&
	       !fatal_signal_pending(current)) {
		piece = ktime_add_ns(ktime_get(), PATCH_NS);
		patches.end = ktime_before(piece, end) ? piece : end;
		ret = interrupt_patched(session, gt, context, &patches);
		if (ret || !patches.any || gt->generation != generation ||
		    !interrupt_pending(gt))
			break;
		ret = interrupt_pause(session, gt);
		context = ret ? NULL : interrupt_context(gt);
		if (!context || context->id != id)
			break;
	}
	kfree(patches.page);
	return ret;
}

static int interrupt_refuse(struct gtdbg_thread_interrupt *request, u32 why)
{
	request->refusal = why;
	return -EAGAIN;
}

/* The context that runs now must be the one of id @context. */
static int interrupt_end(struct gtdbg_gt *gt, u32 context, u64 generation,
			 struct gtdbg_thread_interrupt *request)
{
	struct gtdbg_context *after = interrupt_context(gt);

	if (!after || after->id == context)
		return 0;
	interrupt_release(gt, generation);
	return interrupt_refuse(request, GTDBG_INTERRUPT_SWITCHED);
}

static struct gtdbg_context *interrupt_begin(struct gtdbg_gt *gt)
{
	/* What sleeps is not woken up to hear that nothing runs. */
	if (gt->ops->wake && !interrupt_context(gt))
		return NULL;
	return gtdbg_hw_wake(gt, true) ? NULL : interrupt_context(gt);
}

static int interrupt(struct gtdbg_session *session, struct gtdbg_gt *gt,
		     struct gtdbg_thread_interrupt *request)
{
	struct gtdbg_context *before;
	u64 generation = gt->generation;
	u32 context;
	int ret;

	before = interrupt_begin(gt);
	if (!before)
		return interrupt_refuse(request, GTDBG_INTERRUPT_IDLE);
	gtdbg_gt_begin(gt);
	gtdbg_context_search(gt, before);
	/* Who cannot be let go must not be stopped. */
	if (!before->savearea.address)
		return interrupt_refuse(request, GTDBG_INTERRUPT_NO_SAVE_AREA);
	context = before->id;
	ret = before->savearea.sip == GTDBG_SIP_BINDFUL ?
		      interrupt_patch(session, gt, before, request->timeout_ns) :
		      interrupt_halt(session, gt, context, request->timeout_ns);
	if (!ret)
		ret = interrupt_end(gt, context, generation, request);
	if (ret)
		return ret;
	request->context = context;
	request->stopped = interrupt_count(gt, generation);
	gtdbg_poller_kick(gt);
	return 0;
}

int gtdbg_ioctl_thread_interrupt(struct gtdbg_session *session, void *arg)
{
	struct gtdbg_thread_interrupt *request = arg;
	struct gtdbg_gt *gt;
	int ret;

	request->refusal = GTDBG_INTERRUPT_DONE;
	if (request->flags || request->__reserved || !request->timeout_ns ||
	    request->timeout_ns > TIMEOUT_NS_MAX)
		return -EINVAL;
	if (session->observer)
		return -EPERM;
	gt = gtdbg_session_gt_lock(session, request->device);
	if (IS_ERR(gt))
		return PTR_ERR(gt);
	if (gt->interrupting) {
		ret = interrupt_refuse(request, GTDBG_INTERRUPT_BUSY);
	} else {
		gt->interrupting = true;
		ret = interrupt(session, gt, request);
		gt->interrupting = false;
	}
	gtdbg_session_gt_unlock(gt);
	return ret;
}
