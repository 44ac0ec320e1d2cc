/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A load: a kernel in the memory of a context. The compiler has put an instruction
 * with a breakpoint and a cookie in front of each kernel, so its first
 * instruction identifies it; memory can change, so that is looked at
 * again in each hold of the lock. All functions need the GT's lock.
 */
#ifndef GTDBG_LOAD_H
#define GTDBG_LOAD_H

#include <linux/gtdbg.h>
#include <linux/ktime.h>
#include <linux/list.h>
#include <linux/rbtree.h>
#include <linux/types.h>

struct gtdbg_context;
struct gtdbg_gt;

struct gtdbg_load {
	struct list_head node; /* in its context's, the oldest first */
	struct rb_node by_address; /* in its context */
	struct rb_node by_cookie; /* in its GT */
	struct list_head lifted; /* in its GT's, if not armed */
	struct list_head waiting; /* in its GT's, if threads wait */
	struct gtdbg_context *context;
	u32 kernel; /* id, or 0: its cookie is not registered */
	u32 cookie;
	u64 address, len_bytes;
	u32 generation; /* of the client's kernels when it was identified */
	u64 hold; /* of the GT's lock, in which it was seen last */
	bool armed; /* its entry breakpoint is set */
	u64 ack_seqno; /* not 0: threads wait until this is acknowledged */
	u64 replay_seqno; /* or this: it was reported again by a snapshot */
	struct gtdbg_event_kernel_submit submit; /* what was reported of the launch */
	u64 launch_address; /* of the launch that was reported last; 0: not known */
	u32 launch_ring;
	u32 launch_threads; /* of that launch, all of which count; 0: they do not */
	s32 owed; /* so many were let pass, but no thread was there to admit them */
	u64 admitted_scan; /* in which a thread was given the command to admit others */
	u64 early_scan; /* in which a thread came before its first one was seen */
	u32 early_looks; /* one behind the other that found some */
	ktime_t early_since;
};

/*
 * The kernel loaded at or around @address, or NULL. Kernels do not overlap: of
 * two that seem to, one has gone.
 */
struct gtdbg_load *gtdbg_load_find(struct gtdbg_gt *gt,
				   struct gtdbg_context *context, u64 address);

/* The same as far as is known: nobody looks whether it has gone, and none is freed. */
struct gtdbg_load *gtdbg_load_known(struct gtdbg_context *context, u64 address);

/* What was registered for the instruction at @address. False: that is not known. */
bool gtdbg_load_registered(struct gtdbg_gt *gt, struct gtdbg_context *context,
			   u64 address, u32 *dword0_out);

/* Forget kernels whose first instruction is gone: others' memory by now. */
void gtdbg_loads_check(struct gtdbg_gt *gt, struct gtdbg_context *context);

/*
 * The kernel that starts at @address, made known if its first instruction says
 * that there is one; else NULL.
 */
struct gtdbg_load *gtdbg_load_learn(struct gtdbg_gt *gt,
				    struct gtdbg_context *context, u64 address);

/*
 * The id of the kernel whose first instruction is at @address, or 0. Nobody hears of
 * it, and it is no load yet.
 */
u32 gtdbg_load_peek(struct gtdbg_gt *gt, struct gtdbg_context *context,
		    u64 address);

/*
 * The loads of whatever kernel has @cookie: the first one (@last is NULL) or the
 * one behind @last; NULL: there are no more. They are looked at meanwhile, but
 * none but those that are gone may be freed.
 */
struct gtdbg_load *gtdbg_load_next(struct gtdbg_gt *gt, u32 cookie,
				   struct gtdbg_load *last);

/* The context goes, and so does, as reports say, all in it. */
void gtdbg_loads_destroy(struct gtdbg_gt *gt, struct gtdbg_context *context);

/* Report all those of a context that is itself reported anew. */
void gtdbg_loads_report(struct gtdbg_gt *gt,
			const struct gtdbg_context *context);

void gtdbg_load_describe(const struct gtdbg_gt *gt,
			 const struct gtdbg_context *context,
			 const struct gtdbg_load *load,
			 struct gtdbg_event_kernel_load *payload);

#endif
