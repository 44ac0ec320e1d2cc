// SPDX-License-Identifier: GPL-2.0-only
#include "hw.h"

#include <linux/bitfield.h>
#include <linux/bitops.h>
#include <linux/delay.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "gt.h"
#include "gtdbg.h"
#include "platform.h"

#define CONFIG_SHIFT GENMASK(2, 1)
#define CONFIG_CRYSTAL GENMASK(4, 3)
#define HALT_SETTLE_US 100 /* between the two requests */
#define WAKE_TRIES 50
#define CLOCK_TRIES 4
#define WAKE_KERNEL 1U /* bit of ours in the forcewake registers */

u64 gtdbg_hw_time(struct gtdbg_gt *gt)
{
	u32 high = gtdbg_hw_read(gt, gt->platform->timestamp_high), low, after;

	low = gtdbg_hw_read(gt, gt->platform->timestamp_low);
	after = gtdbg_hw_read(gt, gt->platform->timestamp_high);
	/* The lower half has wrapped in between: it is at its beginning. */
	if (after != high)
		low = gtdbg_hw_read(gt, gt->platform->timestamp_low);
	return (u64)after << 32 | low;
}

/*
 * A lost device takes requests only to be left in order: it finds them if it
 * ever goes on. Its memory needs nobody to answer.
 */
static bool hw_usable(const struct gtdbg_gt *gt)
{
	return !gt->gone && (!gt->lost || gt->posting);
}

/*
 * A part of the crystal's frequency; the register is never 0 on hardware, except on one
 * that sleeps. Callers may hold the client's lock, so no loss is reported here.
 */
u64 gtdbg_hw_timestamp_hz(struct gtdbg_gt *gt)
{
	static const u32 crystal_hz[] = {
		24000000, 19200000, 38400000, 25000000,
	};
	u32 config = 0;

	lockdep_assert_held(&gt->lock);
	if (!gt->platform->timestamp_config)
		return 0;
	if (hw_usable(gt) &&
	    !gt->ops->reg_read(gt->backend, NULL,
			       gt->platform->timestamp_config, &config) &&
	    config)
		gt->timestamp_config = config;
	config = gt->timestamp_config;
	if (!config)
		return 0;
	return crystal_hz[FIELD_GET(CONFIG_CRYSTAL, config)] >>
	       (3 - FIELD_GET(CONFIG_SHIFT, config));
}

bool gtdbg_hw_idle(struct gtdbg_gt *gt)
{
	u32 lrca = gtdbg_hw_read(gt, gt->platform->current_lrca);

	return !(lrca & GTDBG_LRCA_VALID);
}

/* What a failed access means for the device. */
static int hw_judge(struct gtdbg_gt *gt, int ret)
{
	/* Who comes next learns it, too, and may report it. */
	if (gt->peeking)
		return ret;
	if (ret == -ETIMEDOUT)
		gtdbg_gt_lose(gt, GTDBG_LOSS_TIMEOUT);
	else if (ret == -ENODEV)
		gtdbg_gt_lose(gt, GTDBG_LOSS_GONE);
	return ret;
}

static u32 hw_read(struct gtdbg_gt *gt, const struct gtdbg_steer *steer,
		   u32 offset)
{
	u32 value = 0;
	int ret;

	lockdep_assert_held(&gt->lock);
	if (!hw_usable(gt))
		return 0;
	ret = gt->ops->reg_read(gt->backend, steer, offset, &value);
	hw_judge(gt, ret);
	return ret ? 0 : value;
}

u32 gtdbg_hw_read(struct gtdbg_gt *gt, u32 offset)
{
	return hw_read(gt, NULL, offset);
}

u32 gtdbg_hw_read_steered(struct gtdbg_gt *gt, u32 slice, u32 subslice,
			  u32 offset)
{
	struct gtdbg_steer steer = { .slice = slice, .subslice = subslice };

	return hw_read(gt, &steer, offset);
}

static int hw_rows_read(struct gtdbg_gt *gt, const struct gtdbg_rows *rows,
			u32 *values)
{
	u32 subslice, i;

	if (gt->ops->rows_read)
		return hw_judge(gt, gt->ops->rows_read(gt->backend, rows, values));
	for (subslice = 0; rows->subslice_mask >> subslice; subslice++) {
		struct gtdbg_steer steer = {
			.slice = subslice / rows->subslices,
			.subslice = subslice % rows->subslices,
		};

		/* Of one that is fused off nothing can be read. */
		if (!(rows->subslice_mask & BIT_ULL(subslice)))
			continue;
		for (i = 0; i < rows->count; i++)
			values[subslice * rows->count + i] =
				hw_read(gt, &steer, rows->offset + 4 * i);
	}
	return 0;
}

void gtdbg_hw_rows_read(struct gtdbg_gt *gt, u64 subslices, u32 offset, u32 count,
			u32 values_out[GTDBG_ROWS_MAX])
{
	struct gtdbg_rows rows = {
		.subslice_mask = gt->topology.subslice_mask & subslices,
		.subslices = gt->topology.subslices,
		.offset = offset,
		.count = count,
	};

	lockdep_assert_held(&gt->lock);
	memset(values_out, 0, GTDBG_ROWS_MAX * sizeof(*values_out));
	if (hw_usable(gt) && hw_rows_read(gt, &rows, values_out))
		memset(values_out, 0, GTDBG_ROWS_MAX * sizeof(*values_out));
}

int gtdbg_hw_write_steered(struct gtdbg_gt *gt, const struct gtdbg_steer *steer,
			   u32 offset, u32 value)
{
	lockdep_assert_held(&gt->lock);
	if (!hw_usable(gt))
		return -ENODEV;
	return hw_judge(gt, gt->ops->reg_write(gt->backend, steer, offset,
					       value));
}

int gtdbg_hw_write(struct gtdbg_gt *gt, u32 offset, u32 value)
{
	return gtdbg_hw_write_steered(gt, NULL, offset, value);
}

int gtdbg_hw_flush(struct gtdbg_gt *gt)
{
	lockdep_assert_held(&gt->lock);
	if (!hw_usable(gt))
		return -ENODEV;
	return gt->posting ? 0 : hw_judge(gt, gt->ops->flush(gt->backend));
}

int gtdbg_hw_memory_read(struct gtdbg_gt *gt, u64 phys, void *buf,
			 u32 len_bytes)
{
	lockdep_assert_held(&gt->lock);
	if (gt->gone)
		return -ENODEV;
	return (gt->peeking ? gt->ops->memory_peek : gt->ops->memory_read)(
			gt->backend, phys, buf, len_bytes);
}

int gtdbg_hw_memory_write(struct gtdbg_gt *gt, u64 phys, const void *buf,
			  u32 len_bytes)
{
	lockdep_assert_held(&gt->lock);
	if (gt->gone)
		return -ENODEV;
	return gt->ops->memory_write(gt->backend, phys, buf, len_bytes);
}

void *gtdbg_hw_memory_hold(struct gtdbg_gt *gt, u64 phys)
{
	lockdep_assert_held(&gt->lock);
	return gt->gone ? NULL : gt->ops->memory_hold(gt->backend, phys);
}

void gtdbg_hw_memory_release(struct gtdbg_gt *gt, void *held)
{
	lockdep_assert_held(&gt->lock);
	gt->ops->memory_release(gt->backend, held);
}

void *gtdbg_hw_memory_keep(struct gtdbg_gt *gt, u64 phys)
{
	lockdep_assert_held(&gt->lock);
	return gt->gone ? NULL : gt->ops->memory_keep(gt->backend, phys);
}

bool gtdbg_hw_memory_is(struct gtdbg_gt *gt, u64 phys, void *kept)
{
	lockdep_assert_held(&gt->lock);
	return !gt->gone && gt->ops->memory_is(gt->backend, phys, kept);
}

int gtdbg_hw_ggtt_read(struct gtdbg_gt *gt, u32 index, u64 *entry_out)
{
	lockdep_assert_held(&gt->lock);
	if (gt->gone)
		return -ENODEV;
	return gt->ops->ggtt_read(gt->backend, index, entry_out);
}

static int hw_wait_awake(struct gtdbg_gt *gt, u32 ack)
{
	u32 tries;

	if (gt->posting)
		return 0;
	for (tries = 0; tries < WAKE_TRIES; tries++) {
		if (gtdbg_hw_read(gt, ack) & WAKE_KERNEL)
			return 0;
		usleep_range(20, 40);
	}
	/* It says that it is done: no use to wait until it answers. */
	gt->broken = true;
	gtdbg_gt_lose(gt, GTDBG_LOSS_TIMEOUT);
	return -ETIMEDOUT;
}

static int hw_wake_backend(struct gtdbg_gt *gt, bool awake)
{
	int ret = -ENODEV;

	if (hw_usable(gt))
		ret = hw_judge(gt, gt->ops->wake(gt->backend, awake));
	if (!ret)
		gt->awake = awake;
	return ret;
}

/* Registers of a sleeping domain read as zero, so it is kept awake. */
int gtdbg_hw_wake(struct gtdbg_gt *gt, bool awake)
{
	const struct gtdbg_forcewake *forcewake = gt->platform->forcewake;
	u32 value = WAKE_KERNEL << 16 | (awake ? WAKE_KERNEL : 0), i;
	int ret;

	lockdep_assert_held(&gt->lock);
	if (gt->awake == awake)
		return 0;
	if (gt->ops->wake)
		return hw_wake_backend(gt, awake);
	for (i = 0; i < ARRAY_SIZE(gt->platform->forcewake); i++) {
		ret = gtdbg_hw_write(gt, forcewake[i].request, value);
		if (ret)
			return ret;
	}
	ret = gtdbg_hw_flush(gt);
	for (i = 0; awake && !ret && i < ARRAY_SIZE(gt->platform->forcewake);
	     i++)
		ret = hw_wait_awake(gt, forcewake[i].ack);
	if (!ret)
		gt->awake = awake;
	return ret;
}

/* Wait until the device, which is awake, has answered once more. */
static int hw_answer(struct gtdbg_gt *gt)
{
	/* One that is not virtual is read itself, now. */
	if (gt->ops->wake)
		return gtdbg_hw_flush(gt);
	return gtdbg_hw_write(gt, gt->platform->forcewake[0].request,
			      WAKE_KERNEL << 16 | WAKE_KERNEL) ?:
	       gtdbg_hw_flush(gt);
}

/*
 * The lower half is what changes, so our clock is read close to it, and the upper
 * halves outside of that; and again if that took long, as something came in between.
 * But a virtual device's time is as old as its last answer: what it is lies between the
 * readings of our clock if it is asked for one in between.
 */
static u32 clock_low(struct gtdbg_gt *gt, struct gtdbg_hw_clock *clock)
{
	u32 tries = gt->ops->wake ? CLOCK_TRIES : 1, low = 0, now;
	s64 took_ns, least_ns = S64_MAX;
	ktime_t begin = clock->begin, end;

	do {
		if (gt->ops->wake)
			begin = ktime_get();
		now = gtdbg_hw_read(gt, gt->platform->timestamp_low);
		end = ktime_get();
		took_ns = ktime_to_ns(ktime_sub(end, begin));
		if (took_ns >= least_ns)
			continue;
		least_ns = took_ns;
		low = now;
		clock->begin = begin;
		clock->end = end;
	} while (--tries && took_ns > gt->clock_ns + gt->clock_ns / 4);
	if (!gt->clock_ns || least_ns < gt->clock_ns)
		gt->clock_ns = least_ns;
	return low;
}

int gtdbg_hw_clock(struct gtdbg_gt *gt, struct gtdbg_hw_clock *clock_out)
{
	struct gtdbg_hw_clock clock = { .begin = ktime_get() };
	int ret = hw_answer(gt);
	u32 high, low, after;

	if (ret)
		return ret;
	high = gtdbg_hw_read(gt, gt->platform->timestamp_high);
	low = clock_low(gt, &clock);
	after = gtdbg_hw_read(gt, gt->platform->timestamp_high);
	/* The lower half has wrapped in between: it is at its beginning. */
	if (after != high)
		low = clock_low(gt, &clock);
	clock.gpu_time = (u64)after << 32 | low;
	*clock_out = clock;
	return 0;
}

static int hw_control(struct gtdbg_gt *gt, u32 value)
{
	struct gtdbg_steer all = { .all = true };

	return gtdbg_hw_write_steered(gt, &all, gt->platform->td_ctl, value) ?:
	       gtdbg_hw_flush(gt);
}

/* All have the same; of one that is fused off nothing can be read. */
static u32 hw_control_read(struct gtdbg_gt *gt)
{
	const struct gtdbg_topology *topology = &gt->topology;
	u32 first = __ffs64(topology->subslice_mask);

	return gtdbg_hw_read_steered(gt, first / topology->subslices,
				     first % topology->subslices,
				     gt->platform->td_ctl);
}

int gtdbg_hw_halt(struct gtdbg_gt *gt, bool halt)
{
	const struct gtdbg_platform *platform = gt->platform;
	u32 control;
	int ret;

	lockdep_assert_held(&gt->lock);
	/* Who is late would wake one that nobody puts to sleep again. */
	if (!halt && !gt->halted)
		return 0;
	/* One that sleeps takes no write, and says nothing of that. */
	ret = gtdbg_hw_wake(gt, true);
	if (ret)
		return ret;
	control = hw_control_read(gt) &
		  ~(platform->td_ctl_halt | platform->td_ctl_exception);
	if (!halt) {
		ret = hw_control(gt, control);
		gt->halted = gt->halted && ret;
		return ret;
	}
	gt->halted = true;
	ret = hw_control(gt, control | platform->td_ctl_halt);
	if (ret)
		return ret;
	usleep_range(HALT_SETTLE_US, 2 * HALT_SETTLE_US);
	return hw_control(gt, control | platform->td_ctl_halt |
				      platform->td_ctl_exception);
}

int gtdbg_hw_sync_code(struct gtdbg_gt *gt)
{
	u32 bit = gt->platform->icache_invalidate;
	int ret;

	lockdep_assert_held(&gt->lock);
	if (!gt->code_dirty)
		return 0;
	ret = gtdbg_hw_wake(gt, true) ?:
	      gtdbg_hw_write(gt, gt->platform->icache, bit << 16 | bit) ?:
	      gtdbg_hw_flush(gt);
	if (ret)
		return ret;
	gt->code_dirty = false;
	gtdbg_gt_count(gt, cache_invalidates, 1);
	return 0;
}
