// SPDX-License-Identifier: GPL-2.0-only
#include "clock.h"

#include <linux/err.h>
#include <linux/ktime.h>

#include "control.h"
#include "gt.h"
#include "gtdbg.h"
#include "hw.h"
#include "session.h"

static int clock_read(struct gtdbg_gt *gt, struct gtdbg_device_clock *clock)
{
	struct gtdbg_hw_clock pair;
	int ret;

	ret = gtdbg_hw_wake(gt, true);
	if (!ret)
		ret = gtdbg_hw_clock(gt, &pair);
	if (ret)
		return ret;
	clock->gpu_time = pair.gpu_time;
	clock->time_ns = ktime_to_ns(pair.begin);
	clock->span_ns = ktime_to_ns(ktime_sub(pair.end, pair.begin));
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
