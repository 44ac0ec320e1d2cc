/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The save area of a context, where the SIP puts the state of stopped threads
 * and takes commands: found by its magic in the context's pages, and described
 * by the public header at its start; or, without a header, as bindful.h has it.
 * All functions need the GT's lock.
 */
#ifndef GTDBG_SAVEAREA_H
#define GTDBG_SAVEAREA_H

#include <linux/bits.h>
#include <linux/gtdbg_sip.h>
#include <linux/types.h>

struct gtdbg_context;
struct gtdbg_gt;

struct gtdbg_savearea {
	u64 address; /* 0: not known */
	u32 sip; /* GTDBG_SIP_* */
	u32 sip_minor; /* version of our own */
	bool foreign; /* one was found, but with another client's token */
	u64 page; /* without a header: physical address of the start */
	u32 slots_offset, slot_bytes;
	u32 count_offset; /* in a slot: byte that is odd while stopped */
	struct gtdbg_sip_regset regset[GTDBG_SIP_REGSETS];
};

/*
 * cr0.1: why the thread is in the SIP. The first one, restored with the
 * register, makes the thread come back after one instruction.
 */
#define GTDBG_CAUSE_BREAK BIT(31)
#define GTDBG_CAUSE_HALT BIT(30)
#define GTDBG_CAUSE_SOFTWARE BIT(29)
#define GTDBG_CAUSE_ILLEGAL BIT(28)
#define GTDBG_CAUSE_MASK_STACK BIT(27)
#define GTDBG_CAUSE_FORCED BIT(26)
#define GTDBG_CAUSES GENMASK(31, 26)

/* What a slot says about its thread. */
enum gtdbg_look {
	GTDBG_LOOK_RUNNING = 1, /* not in the SIP, or still saving */
	GTDBG_LOOK_STOPPED = 2,
	/* Has a command: it has not seen it yet, or may have left with it. */
	GTDBG_LOOK_COMMANDED = 3,
	GTDBG_LOOK_UNREADY = 4, /* in the SIP, but does not ask for a command */
};

/* What a slot says about a stop. */
struct gtdbg_savearea_stop {
	u32 count; /* odd, and another one than at the last stop */
	u32 exceptions; /* cr0.1 */
	u32 ip; /* cr0.2 */
	u32 exec_mask, dispatch_mask;
};

/* The one that the commands of the image name which runs now. ENOENT: none so far. */
int gtdbg_savearea_named(struct gtdbg_gt *gt, struct gtdbg_context *context,
			 struct gtdbg_savearea *out);

/*
 * Look for the save area of the GT's client. -ENOENT: there is none. -EAGAIN: the
 * search is not through yet, call again to go on.
 */
int gtdbg_savearea_find(struct gtdbg_gt *gt, struct gtdbg_context *context);

/* Still there, at the same place? If not it is forgotten: -ENOENT. */
int gtdbg_savearea_check(struct gtdbg_gt *gt, struct gtdbg_context *context);

/* The same, as it is now, and nothing is forgotten. */
bool gtdbg_savearea_is_there(struct gtdbg_gt *gt,
			     struct gtdbg_context *context);

/*
 * Whether threads are to stop at all; 1: they were to do the other until now. -EAGAIN:
 * it cannot be reached now.
 */
int gtdbg_savearea_set_active(struct gtdbg_gt *gt,
			      struct gtdbg_context *context, bool active);

u64 gtdbg_savearea_slot(const struct gtdbg_savearea *area, u32 slot);

/*
 * @released: count of the stop that the thread was resumed from, 0 if none.
 * Returns an enum gtdbg_look or an error.
 */
int gtdbg_savearea_look(struct gtdbg_gt *gt, struct gtdbg_context *context,
			u32 slot, u32 released);
int gtdbg_savearea_stop(struct gtdbg_gt *gt, struct gtdbg_context *context,
			u32 slot, struct gtdbg_savearea_stop *stop_out);

/* What a thread found at a launch's entry; GTDBG_SIP_TICKET_NONE: no count. */
s32 gtdbg_savearea_ticket(struct gtdbg_gt *gt, struct gtdbg_context *context,
			  u32 slot);

/* Give the SIP its command: what the thread does once it is woken. */
int gtdbg_savearea_command(struct gtdbg_gt *gt, struct gtdbg_context *context,
			   u32 slot, bool step);

/*
 * It is to step over @range; the command itself need not be filled in. Only if the
 * SIP can.
 */
bool gtdbg_savearea_steps_range(const struct gtdbg_context *context);
int gtdbg_savearea_step_range(struct gtdbg_gt *gt,
			      struct gtdbg_context *context, u32 slot,
			      struct gtdbg_sip_step_range *range);
/* What was left of its steps when it stopped. */
int gtdbg_savearea_steps_left(struct gtdbg_gt *gt,
			      struct gtdbg_context *context, u32 slot,
			      u32 *steps_out);

/* It is to run, and to let @count threads pass at the table's @bucket. */
int gtdbg_savearea_admit(struct gtdbg_gt *gt, struct gtdbg_context *context,
			 u32 slot, u32 bucket, s32 count);

#endif
