// SPDX-License-Identifier: GPL-2.0-only
/*
 * Stopping all threads that run: a request bit in TD_CTL makes each of them take
 * an exception, from where it stops like at a breakpoint. The bits hold for
 * whatever context runs, so the running one is compared before and after.
 *
 * The bindful SIP saves to whatever is first in the running kernel's binding
 * table: in the runtime's own kernels that is data of the program. So under it
 * only kernels that were compiled for debugging may stop: traps do that.
 */
#include "interrupt.h"

#include <linux/delay.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/sched/signal.h>

#include "attention.h"
#include "breakpoint.h"
#include "context.h"
#include "gt.h"
#include "platform.h"
#include "poller.h"
#include "session.h"
#include "thread.h"
#include "trap.h"

#define LRCA_VALID 1U
#define HALT_SETTLE_US 100 /* between the two requests */
#define SETTLE_NS (5 * NSEC_PER_MSEC) /* without a new stop: that was all */
#define TIMEOUT_NS_MAX (10ULL * NSEC_PER_SEC)

static struct gtdbg_context *interrupt_context(struct gtdbg_gt *gt)
{
	u32 lrca = gtdbg_gt_read(gt, gt->platform->current_lrca);

	return lrca & LRCA_VALID ? gtdbg_context_current(gt, lrca) : NULL;
}

static int interrupt_control(struct gtdbg_gt *gt, u32 value)
{
	struct gtdbg_steer all = { .all = true };

	return gtdbg_gt_write_steered(gt, &all, gt->platform->td_ctl, value) ?:
	       gtdbg_gt_flush(gt);
}

/* Wait a little, and let others have the GT meanwhile: is it still there? */
static int interrupt_pause(struct gtdbg_session *session, struct gtdbg_gt *gt)
{
	/* Its code is all breakpoints: no one else may see that. */
	if (gt->trapped) {
		usleep_range(50, 100);
		return gtdbg_gt_flush(gt);
	}
	mutex_unlock(&gt->lock);
	usleep_range(50, 100);
	mutex_lock(&gt->lock);
	if (gt->lost || gt->client != session->client)
		return -ENODEV;
	gtdbg_gt_begin(gt);
	return 0;
}

/* Look until no more threads stop, for @timeout_ns at most. */
static int interrupt_settle(struct gtdbg_session *session, struct gtdbg_gt *gt,
			    u64 timeout_ns)
{
	ktime_t end = ktime_add_ns(ktime_get(), timeout_ns);
	ktime_t quiet = 0;
	u64 generation = gt->generation;
	int ret = 0;

	while (!ret && ktime_before(ktime_get(), end) &&
	       !fatal_signal_pending(current)) {
		gtdbg_attention_scan(gt);
		/* The poller may have seen them as well. */
		if (gt->generation != generation) {
			generation = gt->generation;
			quiet = ktime_add_ns(ktime_get(), SETTLE_NS);
		} else if (quiet && ktime_after(ktime_get(), quiet)) {
			break;
		}
		ret = interrupt_pause(session, gt);
	}
	return ret;
}

static u32 interrupt_count(const struct gtdbg_gt *gt, u64 generation)
{
	u32 slot, count = 0;

	for (slot = 0; slot < gt->topology.slots; slot++)
		if (gt->threads[slot].state == GTDBG_THREAD_STOPPED &&
		    gt->threads[slot].generation > generation)
			count++;
	return count;
}

/* Another context came in between: its threads are none of ours. */
static void interrupt_release(struct gtdbg_gt *gt, u64 generation)
{
	u32 slot;

	for (slot = 0; slot < gt->topology.slots; slot++)
		if (gt->threads[slot].state == GTDBG_THREAD_STOPPED &&
		    gt->threads[slot].generation > generation &&
		    gt->threads[slot].reasons == GTDBG_STOP_INTERRUPT)
			gtdbg_thread_resume(gt, slot, false);
	gtdbg_threads_flush(gt);
}

/* Returns with the request taken back, whatever happened. */
static int interrupt_halt(struct gtdbg_session *session, struct gtdbg_gt *gt,
			  u64 timeout_ns)
{
	const struct gtdbg_platform *platform = gt->platform;
	u32 control = gtdbg_gt_read_steered(gt, 0, 0, platform->td_ctl) &
		      ~(platform->td_ctl_halt | platform->td_ctl_exception);
	int ret;

	ret = interrupt_control(gt, control | platform->td_ctl_halt);
	if (!ret) {
		usleep_range(HALT_SETTLE_US, 2 * HALT_SETTLE_US);
		ret = interrupt_control(gt, control | platform->td_ctl_halt |
						    platform->td_ctl_exception);
	}
	if (!ret)
		ret = interrupt_settle(session, gt, timeout_ns);
	return interrupt_control(gt, control) ?: ret;
}

static int interrupt_trap(struct gtdbg_session *session, struct gtdbg_gt *gt,
			  struct gtdbg_context *context, u64 timeout_ns)
{
	LIST_HEAD(traps);
	int ret;

	ret = gtdbg_traps_create(gt, context, &traps);
	if (ret)
		return ret;
	gt->trapped = true;
	ret = gtdbg_gt_sync_code(gt) ?:
	      interrupt_settle(session, gt, timeout_ns);
	gtdbg_traps_destroy(gt, context, &traps);
	gt->trapped = false;
	gtdbg_sites_sync(gt, context);
	return gtdbg_gt_sync_code(gt) ?: ret;
}

/* The context that runs now must be the one of id @context. */
static int interrupt_end(struct gtdbg_gt *gt, u32 context, u64 generation)
{
	struct gtdbg_context *after = interrupt_context(gt);

	if (!after || after->id == context)
		return 0;
	interrupt_release(gt, generation);
	return -EAGAIN;
}

static int interrupt(struct gtdbg_session *session, struct gtdbg_gt *gt,
		     struct gtdbg_thread_interrupt *request)
{
	struct gtdbg_context *before;
	u64 generation = gt->generation;
	u32 context;
	int ret;

	before = gtdbg_gt_wake(gt, true) ? NULL : interrupt_context(gt);
	if (!before)
		return -EAGAIN;
	gtdbg_gt_begin(gt);
	gtdbg_context_search(gt, before);
	/* Who cannot be let go must not be stopped. */
	if (!before->savearea.address)
		return -EAGAIN;
	context = before->id;
	ret = before->savearea.sip == GTDBG_SIP_BINDFUL ?
		      interrupt_trap(session, gt, before, request->timeout_ns) :
		      interrupt_halt(session, gt, request->timeout_ns);
	if (!ret)
		ret = interrupt_end(gt, context, generation);
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

	if (request->flags || !request->timeout_ns ||
	    request->timeout_ns > TIMEOUT_NS_MAX)
		return -EINVAL;
	if (session->observer)
		return -EPERM;
	gt = gtdbg_session_gt_lock(session, request->device);
	if (IS_ERR(gt))
		return PTR_ERR(gt);
	if (gt->interrupting) {
		ret = -EAGAIN;
	} else {
		gt->interrupting = true;
		ret = interrupt(session, gt, request);
		gt->interrupting = false;
	}
	gtdbg_session_gt_unlock(gt);
	return ret;
}
