// SPDX-License-Identifier: GPL-2.0-only
/*
 * No interrupt announces a stopped thread, so someone has to look. The period
 * follows what happens: short after activity, at most a millisecond while a
 * context runs, or eight if nothing that somebody waits for can stop its threads,
 * longer and longer while nothing does, and no timer at all when nothing is to be
 * found. Others than a thread that steps, or has just done so, wait for some
 * milliseconds. There is a thread for each GT, so that none has to be started, and may
 * fail to, when one is needed; without a session it sleeps.
 *
 * While nothing runs, one register shows when something does, and to read it
 * takes no thread: a timer does so more often than the poller is woken.
 */
#include "poller.h"

#include <linux/freezer.h>
#include <linux/hrtimer.h>
#include <linux/kcov.h>
#include <linux/kthread.h>
#include <linux/ktime.h>
#include <linux/sched/mm.h>
#include <linux/wait.h>

#include "attention.h"
#include "context.h"
#include "control.h"
#include "gt.h"
#include "gtdbg.h"
#include "platform.h"
#include "thread.h"

#define POLL_ACTIVE_NS (200 * NSEC_PER_USEC)
#define POLL_BUSY_NS (1ULL * NSEC_PER_MSEC)
#define POLL_CAME_NS (4ULL * NSEC_PER_MSEC) /* who stepped has stopped */
#define POLL_CALM_NS (8ULL * NSEC_PER_MSEC)
#define POLL_IDLE_NS (40 * NSEC_PER_MSEC)
#define POLL_STALLED_NS (100 * NSEC_PER_MSEC)
#define POLL_PEEK_NS (10ULL * NSEC_PER_MSEC)
#define POLL_PEEK_FROM_NS (1ULL * NSEC_PER_MSEC) /* where the poller would look as seldom */
#define POLL_PEEK_BACKOFF 256 /* the timer's period is this part of that time, at most */
#define POLL_PEEKED_NS (200 * NSEC_PER_MSEC) /* idle, with the timer */
#define POLL_LINGER_NS (256ULL * NSEC_PER_MSEC) /* the next launch is near */
#define POLL_LISTEN_PART 32 /* of the time, for who only listens */
#define POLL_LISTEN_NS (4ULL * NSEC_PER_MSEC) /* who looks as often as that, though */
/* The period is this part of the time since the last activity. */
#define POLL_BACKOFF 64
/* Where there is no session, for what it left or needs: a look is this part of the time. */
#define POLL_UNASKED_PART 8
#define POLL_UNASKED_NS (100 * NSEC_PER_MSEC) /* however long the looks take */

/* Can there be nothing new before another context runs? */
static bool poll_idle(const struct gtdbg_gt *gt)
{
	return !gt->was_busy && !gt->stopped && !gtdbg_control_lingers(gt) &&
	       gt->seen_lrca == gt->idle_lrca;
}

/* Small launches, one after the other, are seen now and then between two of them. */
static bool poll_busy(const struct gtdbg_gt *gt, ktime_t now)
{
	return gt->was_busy ||
	       ktime_to_ns(ktime_sub(now, gt->last_busy)) < POLL_LINGER_NS;
}

/* Since something ran or happened. Read without the lock, too. */
static u64 poll_pause_ns(const struct gtdbg_gt *gt, ktime_t now)
{
	ktime_t activity = READ_ONCE(gt->last_activity);
	ktime_t busy = READ_ONCE(gt->last_busy);

	return ktime_to_ns(ktime_sub(now, max(activity, busy)));
}

/*
 * Do threads of the client's context that ran last pass at entries? Then there is no
 * breakpoint, nobody wants to know of launches, and what may stop there is an exception,
 * or the first thread of another context: neither is in a hurry. A look takes time of a
 * GPU that the program could have used.
 */
static bool poll_is_calm(const struct gtdbg_gt *gt)
{
	const struct gtdbg_context *context;

	if (!gt->active || gt->stopped || gtdbg_watch_is_on())
		return false;
	list_for_each_entry_reverse(context, &gt->contexts, node)
		if (context->reported)
			/* If its SIP could not be told yet they stop. */
			return context->passing && !context->late;
	return false;
}

static u64 poll_quiet_ns(const struct gtdbg_gt *gt, ktime_t now)
{
	if (!poll_busy(gt, now))
		return poll_pause_ns(gt, now);
	return ktime_to_ns(ktime_sub(now, gt->last_activity));
}

/*
 * Who only listens does not get in the way of what is listened to: where looks take
 * long, which may be because others have to do something for them, they are rare.
 */
static u64 poll_rare_ns(const struct gtdbg_gt *gt)
{
	return min(POLL_LISTEN_PART * gt->look_ns, POLL_LISTEN_NS);
}

static u64 poll_listen_ns(struct gtdbg_gt *gt, u64 took)
{
	gt->look_ns = (3 * gt->look_ns + took) / 4;
	if (gt->active || gt->stopped || gtdbg_control_lingers(gt))
		return 0;
	return poll_rare_ns(gt);
}

/* Whatever a device makes its poller look at, it gets half of the time at most. */
static u64 poll_least_ns(const struct gtdbg_gt *gt, u64 took)
{
	if (gt->active || !gtdbg_control_lingers(gt))
		return took;
	return max(took, min(POLL_UNASKED_PART * took, POLL_UNASKED_NS));
}

/* Until the next scan, the last one having begun at @start; 0: none is needed. */
static u64 poll_period_ns(struct gtdbg_gt *gt, ktime_t start)
{
	ktime_t now = ktime_get();
	u64 quiet = poll_quiet_ns(gt, now);
	u64 took = ktime_to_ns(ktime_sub(now, start));
	u64 longest = POLL_IDLE_NS, period;

	lockdep_assert_held(&gt->lock);
	if (gt->lost || !gtdbg_control_looks(gt))
		return 0;
	if (!gt->stopped && poll_busy(gt, now))
		longest = gt->calm ? POLL_CALM_NS : POLL_BUSY_NS;
	period = clamp_t(u64, quiet / POLL_BACKOFF, POLL_ACTIVE_NS, longest);
	period = max3(period, poll_least_ns(gt, took),
		      poll_listen_ns(gt, took));
	if (poll_idle(gt) &&
	    (period > POLL_PEEK_FROM_NS || gtdbg_watch_is_on()))
		return POLL_PEEKED_NS;
	return period;
}

/*
 * Who listens wants to know of launches that are short, too. To others the next one comes
 * soon after the last one, or it does not matter as much when it is seen. This is read in
 * an interrupt: what changes meanwhile makes it a little longer or shorter.
 */
static ktime_t poll_peek_period(const struct gtdbg_gt *gt)
{
	u64 pause = poll_pause_ns(gt, ktime_get());

	if (READ_ONCE(gt->calm))
		return ns_to_ktime(POLL_CALM_NS);
	return ns_to_ktime(gtdbg_watch_is_on() ?
			   max_t(u64, poll_rare_ns(gt), POLL_BUSY_NS) :
			   clamp_t(u64, pause / POLL_PEEK_BACKOFF,
				   POLL_PEEK_FROM_NS, POLL_PEEK_NS));
}

/* Has a context begun to run? */
static enum hrtimer_restart poll_peek(struct hrtimer *timer)
{
	struct gtdbg_gt *gt = container_of(timer, struct gtdbg_gt, peek);
	u32 lrca;

	if (!gt->ops->reg_read(gt->backend, NULL, gt->platform->current_lrca,
			       &lrca) && lrca == gt->peek_lrca) {
		hrtimer_forward_now(timer, poll_peek_period(gt));
		return HRTIMER_RESTART;
	}
	WRITE_ONCE(gt->kicked, true);
	wake_up_interruptible(&gt->poll_wait);
	return HRTIMER_NORESTART;
}

void gtdbg_poller_init(struct gtdbg_gt *gt)
{
	hrtimer_init(&gt->peek, CLOCK_MONOTONIC, HRTIMER_MODE_REL);
	gt->peek.function = poll_peek;
}

static bool poll_woken(struct gtdbg_gt *gt)
{
	return READ_ONCE(gt->kicked) || kthread_should_stop() ||
	       freezing(current);
}

/*
 * Wait until the next scan; 0: until someone kicks. The timer is off before the
 * poller goes on, so it never outlives the poller, nor that the backend.
 */
static void poll_pause(struct gtdbg_gt *gt, u64 period_ns)
{
	if (!period_ns) {
		wait_event_interruptible(gt->poll_wait, poll_woken(gt));
		return;
	}
	if (period_ns == POLL_PEEKED_NS)
		hrtimer_start(&gt->peek, poll_peek_period(gt), HRTIMER_MODE_REL);
	wait_event_interruptible_hrtimeout(gt->poll_wait, poll_woken(gt),
					   ns_to_ktime(period_ns));
	hrtimer_cancel(&gt->peek);
}

/* Returns when to look again. */
static u64 poll_look(struct gtdbg_gt *gt)
{
	ktime_t start = ktime_get();
	enum gtdbg_awaited awaited;
	u64 period;

	lockdep_assert_held(&gt->lock);
	if (gt->lost)
		return gtdbg_control_stalled(gt) ? POLL_STALLED_NS : 0;
	awaited = gtdbg_attention_awaited(gt);
	if (awaited != GTDBG_AWAITED_STILL) {
		gtdbg_attention_scan(gt);
		gt->awaited_seen = 0;
		gt->peek_lrca = gt->seen_lrca;
		WRITE_ONCE(gt->calm, poll_is_calm(gt));
	}
	period = poll_period_ns(gt, start);
	/* Its debugger is about to read what it has found, and others can wait. */
	if (period && awaited == GTDBG_AWAITED_CAME && !gtdbg_watch_is_on() &&
	    gt->threads[gt->awaited].state == GTDBG_THREAD_STOPPED)
		return max(period, POLL_CAME_NS);
	return period;
}

/*
 * A server is frozen before this thread is. That may cost up to the time of a
 * wait, and the device is regained when both go on.
 */
static int poll_run(void *data)
{
	struct gtdbg_gt *gt = data;
	struct mem_cgroup *memcg;
	u64 period_ns;

	set_freezable();
	while (!kthread_should_stop()) {
		try_to_freeze();
		WRITE_ONCE(gt->kicked, false);
		kcov_remote_start_common(gt->kcov_handle);
		mutex_lock(&gt->lock);
		/* A thread of the kernel has no group: what it keeps would be nobody's. */
		memcg = set_active_memcg(gt->memcg);
		period_ns = poll_look(gt);
		set_active_memcg(memcg);
		mutex_unlock(&gt->lock);
		kcov_remote_stop();
		poll_pause(gt, period_ns);
	}
	return 0;
}

int gtdbg_poller_start(struct gtdbg_gt *gt)
{
	struct task_struct *task;

	gt->kcov_handle = kcov_common_handle();
	task = kthread_run(poll_run, gt, "gtdbg/%u", gt->id);
	if (IS_ERR(task))
		return PTR_ERR(task);
	gt->poller = task;
	return 0;
}

void gtdbg_poller_stop(struct gtdbg_gt *gt)
{
	if (!gt->poller)
		return;
	kthread_stop(gt->poller);
	gt->poller = NULL;
}

void gtdbg_poller_wake(struct gtdbg_gt *gt)
{
	WRITE_ONCE(gt->kicked, true);
	wake_up_interruptible(&gt->poll_wait);
}

void gtdbg_poller_kick(struct gtdbg_gt *gt)
{
	lockdep_assert_held(&gt->lock);
	gt->awaited_since = 0;
	gt->awaited_seen = 0;
	WRITE_ONCE(gt->last_activity, ktime_get());
	gtdbg_poller_wake(gt);
}
