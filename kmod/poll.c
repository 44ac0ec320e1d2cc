// SPDX-License-Identifier: GPL-2.0-only
/*
 * No interrupt tells of a stopped thread, so someone has to look. The period
 * follows what happens: short after activity, at most a millisecond while a
 * context runs, longer and longer while nothing does, and no timer at all when
 * nothing is to be found.
 */
#include "poll.h"

#include <linux/hrtimer.h>
#include <linux/kthread.h>
#include <linux/ktime.h>
#include <linux/wait.h>

#include "attention.h"
#include "gt.h"
#include "gtdbg.h"

#define POLL_ACTIVE_NS (200 * NSEC_PER_USEC)
#define POLL_BUSY_NS (1 * NSEC_PER_MSEC)
#define POLL_IDLE_NS (40 * NSEC_PER_MSEC)
/* The period is this part of the time since the last activity. */
#define POLL_BACKOFF 64

/* Until the next scan; 0: none is needed. */
static u64 poll_period_ns(struct gtdbg_gt *gt)
{
	u64 quiet = ktime_to_ns(ktime_sub(ktime_get(), gt->last_activity));
	u64 longest = POLL_IDLE_NS;

	lockdep_assert_held(&gt->lock);
	if (gt->lost || (!gt->active && !gtdbg_gt_lingers(gt)))
		return 0;
	if (gt->was_busy && !gt->stopped)
		longest = POLL_BUSY_NS;
	return clamp_t(u64, quiet / POLL_BACKOFF, POLL_ACTIVE_NS, longest);
}

static bool poll_woken(struct gtdbg_gt *gt)
{
	return READ_ONCE(gt->kicked) || kthread_should_stop();
}

static int poll_run(void *data)
{
	struct gtdbg_gt *gt = data;
	u64 period_ns;

	while (!kthread_should_stop()) {
		WRITE_ONCE(gt->kicked, false);
		mutex_lock(&gt->lock);
		gtdbg_attention_scan(gt);
		period_ns = poll_period_ns(gt);
		mutex_unlock(&gt->lock);
		if (period_ns)
			wait_event_interruptible_hrtimeout(gt->poll_wait,
				poll_woken(gt), ns_to_ktime(period_ns));
		else
			wait_event_interruptible(gt->poll_wait,
						 poll_woken(gt));
	}
	return 0;
}

int gtdbg_poll_start(struct gtdbg_gt *gt)
{
	struct task_struct *task;

	lockdep_assert_held(&gtdbg_registry_lock);
	if (gt->poller)
		return 0;
	task = kthread_run(poll_run, gt, "gtdbg/%u", gt->id);
	if (IS_ERR(task))
		return PTR_ERR(task);
	gt->poller = task;
	return 0;
}

void gtdbg_poll_stop(struct gtdbg_gt *gt)
{
	lockdep_assert_held(&gtdbg_registry_lock);
	if (!gt->poller)
		return;
	kthread_stop(gt->poller);
	gt->poller = NULL;
}

void gtdbg_poll_kick(struct gtdbg_gt *gt)
{
	lockdep_assert_held(&gt->lock);
	gt->last_activity = ktime_get();
	WRITE_ONCE(gt->kicked, true);
	wake_up_interruptible(&gt->poll_wait);
}
