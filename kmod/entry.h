/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Kernel entries. The compiler has put an instruction with a breakpoint and a
 * cookie in front of each kernel; the first thread that stops there tells which
 * kernel was launched and where it is loaded. All functions need the GT's lock.
 */
#ifndef GTDBG_ENTRY_H
#define GTDBG_ENTRY_H

#include <linux/list.h>
#include <linux/types.h>

struct gtdbg_context;
struct gtdbg_gt;

/* A kernel in the memory of a context. */
struct gtdbg_load {
	struct list_head node;
	u32 kernel; /* id, or 0: its cookie is not registered */
	u32 cookie;
	u64 address, len_bytes;
	u32 generation; /* of the client's breakpoints when it was identified */
	u64 hold; /* of the GT's lock, in which it was seen last */
	bool armed; /* its entry breakpoint is set */
	u64 ack_seqno; /* not 0: threads wait until this is acknowledged */
	u64 launch_address; /* of the launch that was told last; 0: not known */
	u32 launch_ring;
};

/* The kernel loaded at or around @address, or NULL. */
struct gtdbg_load *gtdbg_load_find(struct gtdbg_gt *gt,
				   struct gtdbg_context *context, u64 address);

/* Forget kernels whose first instruction is gone: others' memory by now. */
void gtdbg_loads_check(struct gtdbg_gt *gt, struct gtdbg_context *context);

/*
 * The kernel that starts at @address, made known if its first instruction says
 * that there is one; else NULL.
 */
struct gtdbg_load *gtdbg_load_learn(struct gtdbg_gt *gt,
				    struct gtdbg_context *context, u64 address);
void gtdbg_loads_destroy(struct gtdbg_context *context);

/* Thread @slot has reached @load. True: it waits, false: it is to run on. */
bool gtdbg_entry_reached(struct gtdbg_gt *gt, struct gtdbg_context *context,
			 struct gtdbg_load *load, u32 slot);

/* Let the threads that wait for event @seqno run; -ENOENT: none does. */
int gtdbg_entry_ack(struct gtdbg_gt *gt, u64 seqno);

/* The GT is idle: the next launch of each kernel is to be seen again. */
void gtdbg_entries_rearm(struct gtdbg_gt *gt);

/*
 * The GT is busy with @context. Tell of the launch that runs if none of its
 * threads does, because the entry was lifted for the one before it.
 */
void gtdbg_entries_follow(struct gtdbg_gt *gt, struct gtdbg_context *context);

#endif
