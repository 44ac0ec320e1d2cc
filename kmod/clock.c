// SPDX-License-Identifier: GPL-2.0-only
#include "clock.h"

#include <linux/err.h>
#include <linux/ktime.h>

#include "control.h"
#include "gt.h"
#include "gtdbg.h"
#include "hw.h"
#include "session.h"

/*
 * A virtual device's time is as old as its last answer, so it is asked for one:
 * what it is read as then lies between the two readings of our clock.
 */
static int clock_read(struct gtdbg_gt *gt, struct gtdbg_device_clock *clock)
{
	u64 begin;
	int ret;

	ret = gtdbg_hw_wake(gt, true);
	if (ret)
		return ret;
	begin = ktime_get_ns();
	ret = gtdbg_hw_answer(gt);
	if (ret)
		return ret;
	clock->gpu_time = gtdbg_hw_time(gt);
	clock->span_ns = ktime_get_ns() - begin;
	clock->time_ns = begin;
	clock->timestamp_hz = gtdbg_hw_timestamp_hz(gt);
	return 0;
}

int gtdbg_ioctl_device_clock(struct gtdbg_session *session, void *arg)
{
	struct gtdbg_device_clock *clock = arg;
	struct gtdbg_gt *gt;
	int ret;

	if (clock->flags)
		return -EINVAL;
	gt = gtdbg_session_gt_lock(session, clock->device);
	if (IS_ERR(gt))
		return PTR_ERR(gt);
	ret = clock_read(gt, clock);
	/* Nobody else keeps it awake, as an observer may be alone. */
	if (!gtdbg_control_looks(gt))
		gtdbg_hw_wake(gt, false);
	gtdbg_session_gt_unlock(gt);
	return ret == -ETIMEDOUT ? -ENODEV : ret;
}
