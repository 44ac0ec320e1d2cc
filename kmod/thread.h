/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Hardware threads of a GT. A slot's thread is running (or not in use: the
 * hardware does not say), stopped, or unavailable. All functions need the GT's
 * lock.
 */
#ifndef GTDBG_THREAD_H
#define GTDBG_THREAD_H

#include <linux/ktime.h>
#include <linux/types.h>

struct gtdbg_context;
struct gtdbg_gt;
struct gtdbg_load;
struct gtdbg_session;
struct gtdbg_thread_info;

struct gtdbg_thread {
	u8 state; /* GTDBG_THREAD_* */
	bool report; /* stop to be reported at the end of the scan */
	bool released; /* resumed, but not yet seen to have left the SIP */
	bool stepping;
	u32 looks; /* since then, while it may still be there */
	bool slm_known; /* @slm_bytes is, for this stop */
	bool unsettled; /* a command other than to leave may be under way */
	ktime_t slm_until; /* someone waits for that, until then */
	u32 count; /* the save area's count at the stop */
	u32 reasons;
	u32 kernel;
	u32 ip;
	u32 exec_mask, dispatch_mask, exceptions;
	u32 breakpoint;
	u32 slm_bytes; /* most that its group may have */
	u64 generation;
	u64 address;
	u64 range_first, range_end; /* step until outside; equal: one step */
	u32 range_steps; /* that are left, 0: any number */
	bool range_on_eu; /* the SIP makes these steps, and counts them */
	u64 function_first, function_end; /* that the range is in */
	u32 frame_register; /* 0: calls end the range */
	u32 lanes; /* that step; 0: all */
	u32 watch; /* GTDBG_RESUME_WATCH_*: it stops before messages that go there */
	u32 watch_bytes;
	u64 watch_first;
	struct gtdbg_context *context;
	struct gtdbg_load *entry; /* waits with others for this kernel's ack */
	s32 admit; /* not 0: lets so many others pass its launch's entry */
};

/* Where a slot's attention bit is. */
struct gtdbg_place {
	u32 slice, subslice, eu, thread;
	u32 dword, bit;
};

int gtdbg_threads_init(struct gtdbg_gt *gt);
void gtdbg_threads_fini(struct gtdbg_gt *gt);

void gtdbg_thread_place(const struct gtdbg_gt *gt, u32 slot,
			struct gtdbg_place *place_out);
void gtdbg_thread_describe(const struct gtdbg_gt *gt, u32 slot,
			   struct gtdbg_thread_info *info);

/* Put a stopped thread's command in place; it takes effect with the flush. */
int gtdbg_thread_resume(struct gtdbg_gt *gt, u32 slot, bool step);

/* Has a step over a range that is not at its end brought it here? */
bool gtdbg_thread_goes_on(struct gtdbg_gt *gt, u32 slot);

/* Wake the thread again with the command that it has. */
void gtdbg_thread_nudge(struct gtdbg_gt *gt, u32 slot);

/* The same, a resumed thread having missed its command or overwritten it. */
void gtdbg_thread_remind(struct gtdbg_gt *gt, u32 slot);

/* Wake all that were given a command, cached code being dropped before. */
int gtdbg_threads_flush(struct gtdbg_gt *gt);

/* Resume whatever is stopped. */
void gtdbg_threads_resume_all(struct gtdbg_gt *gt);

/* Nothing is known of the slot's thread any more. */
void gtdbg_thread_forget(struct gtdbg_gt *gt, u32 slot);

/*
 * It is no more, but its slot says as before that it waits. If its context comes again,
 * that is no new stop: until another thread stops there it is one that was resumed.
 */
void gtdbg_thread_drop(struct gtdbg_gt *gt, u32 slot);

/* The context is gone, or its save area, and with it its threads. */
void gtdbg_threads_leave(struct gtdbg_gt *gt,
			 const struct gtdbg_context *context);

int gtdbg_ioctl_thread_list(struct gtdbg_session *session, void *arg);
int gtdbg_ioctl_thread_resume(struct gtdbg_session *session, void *arg);

#endif
