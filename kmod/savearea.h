/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The save area of a context, where the SIP puts the state of stopped threads
 * and takes commands: found by its magic in the context's pages, and described
 * by the public header at its start. All functions need the GT's lock.
 */
#ifndef GTDBG_SAVEAREA_H
#define GTDBG_SAVEAREA_H

#include <linux/gtdbg_sip.h>
#include <linux/types.h>

struct gtdbg_context;
struct gtdbg_gt;

struct gtdbg_savearea {
	u64 address; /* 0: not known */
	u32 sip; /* GTDBG_SIP_UNKNOWN, _OWN, _TSSAREA */
	bool foreign; /* one was found, but with another client's token */
	u32 slots_offset, slot_bytes;
	u32 count_offset; /* in a slot: byte that is odd while stopped */
	struct gtdbg_sip_regset regset[GTDBG_SIP_REGSETS];
};

/* What a slot says about a stop. */
struct gtdbg_savearea_stop {
	u32 count; /* odd: stopped */
	u32 exceptions; /* cr0.1 */
	u32 ip; /* cr0.2 */
	u32 exec_mask, dispatch_mask;
};

/* Look for the save area of the GT's client. -ENOENT: there is none. */
int gtdbg_savearea_find(struct gtdbg_gt *gt, struct gtdbg_context *context);

/* Still there, at the same place? If not it is forgotten: -ENOENT. */
int gtdbg_savearea_check(struct gtdbg_gt *gt, struct gtdbg_context *context);

/* Whether threads are to stop at all. */
int gtdbg_savearea_set_active(struct gtdbg_gt *gt,
			      struct gtdbg_context *context, bool active);

u64 gtdbg_savearea_slot(const struct gtdbg_savearea *area, u32 slot);

int gtdbg_savearea_count(struct gtdbg_gt *gt, struct gtdbg_context *context,
			 u32 slot, u32 *count_out);
/* -EAGAIN: the thread does not wait for a command (yet). */
int gtdbg_savearea_stop(struct gtdbg_gt *gt, struct gtdbg_context *context,
			u32 slot, struct gtdbg_savearea_stop *stop_out);

/* Tell the SIP what the thread does once it is woken. */
int gtdbg_savearea_command(struct gtdbg_gt *gt, struct gtdbg_context *context,
			   u32 slot, bool step);

#endif
