/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Hardware accesses of a GT: registers and physical memory. A device that does not
 * answer is lost. All functions need the GT's lock.
 */
#ifndef GTDBG_HW_H
#define GTDBG_HW_H

#include <linux/bits.h>
#include <linux/ktime.h>
#include <linux/types.h>

struct gtdbg_gt;
struct gtdbg_steer;

/* Registers. A device that times out is lost. 0 for values of a lost one. */
u32 gtdbg_hw_read(struct gtdbg_gt *gt, u32 offset);
u32 gtdbg_hw_read_steered(struct gtdbg_gt *gt, u32 slice, u32 subslice,
			  u32 offset);
/*
 * @count registers of each sub-slice of @subslices (bits, of all slices), from @offset on;
 * 0 for others.
 */
#define GTDBG_ROWS_MAX 32
void gtdbg_hw_rows_read(struct gtdbg_gt *gt, u64 subslices, u32 offset, u32 count,
			u32 values_out[GTDBG_ROWS_MAX]);
int gtdbg_hw_write(struct gtdbg_gt *gt, u32 offset, u32 value);
int gtdbg_hw_write_steered(struct gtdbg_gt *gt, const struct gtdbg_steer *steer,
			   u32 offset, u32 value);
int gtdbg_hw_flush(struct gtdbg_gt *gt);

/* Physical memory, as in backend.h; -ENODEV if the device is gone. */
int gtdbg_hw_memory_read(struct gtdbg_gt *gt, u64 phys, void *buf,
			 u32 len_bytes);
int gtdbg_hw_memory_write(struct gtdbg_gt *gt, u64 phys, const void *buf,
			  u32 len_bytes);
void *gtdbg_hw_memory_hold(struct gtdbg_gt *gt, u64 phys);
void gtdbg_hw_memory_release(struct gtdbg_gt *gt, void *held);
void *gtdbg_hw_memory_keep(struct gtdbg_gt *gt, u64 phys);
bool gtdbg_hw_memory_is(struct gtdbg_gt *gt, u64 phys, void *kept);
int gtdbg_hw_ggtt_read(struct gtdbg_gt *gt, u32 index, u64 *entry_out);

/* Of the register with the context that runs, or ran last: it does run. */
#define GTDBG_LRCA_VALID BIT(0)

/* Does no context run? The device need not be awake. */
bool gtdbg_hw_idle(struct gtdbg_gt *gt);

/* Keep the device awake, or let it sleep. */
int gtdbg_hw_wake(struct gtdbg_gt *gt, bool awake);

/* Request that all threads stop that run, now and later, or take it back. */
int gtdbg_hw_halt(struct gtdbg_gt *gt, bool halt);

/* Drop cached instructions if code was written. */
int gtdbg_hw_sync_code(struct gtdbg_gt *gt);

/* The time stamp counter. */
u64 gtdbg_hw_time(struct gtdbg_gt *gt);

/* The counter at some moment between two of our clock. */
struct gtdbg_hw_clock {
	u64 gpu_time;
	ktime_t begin, end;
};

/* The device is awake. */
int gtdbg_hw_clock(struct gtdbg_gt *gt, struct gtdbg_hw_clock *clock_out);
/* Its frequency; 0: not known. */
u64 gtdbg_hw_timestamp_hz(struct gtdbg_gt *gt);

#endif
