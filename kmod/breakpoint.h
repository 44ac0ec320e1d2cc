/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Breakpoints are what a session asks for; they belong to the client. What they
 * do to code is in site.h. All functions but the handlers need the client's lock,
 * where not said otherwise.
 */
#ifndef GTDBG_BREAKPOINT_H
#define GTDBG_BREAKPOINT_H

#include <linux/list.h>
#include <linux/rbtree.h>
#include <linux/types.h>

struct gtdbg_client;
struct gtdbg_kernel;
struct gtdbg_program;
struct gtdbg_site_change;

struct gtdbg_breakpoint_at {
	u32 kernel; /* id; 0: by address */
	u32 device, context; /* by address only */
	u64 offset; /* in the kernel, or the address */
};

struct gtdbg_breakpoint {
	struct rb_node node; /* by place, then by id */
	u32 id;
	struct gtdbg_breakpoint_at at;
	struct gtdbg_program *program; /* NULL: the host decides */
	u64 ignored; /* of its programs' counts, so many were taken */
	bool is_assert; /* the module's own, where an assertion has failed */

	/* Of a removed kernel: waits for one of its name and length. */
	struct gtdbg_kernel *orphan_of;
	struct list_head orphan_node;
};

int gtdbg_breakpoint_init(void);
void gtdbg_breakpoint_fini(void);

/* No lock needed: no one else has the client yet, or any more. */
void gtdbg_breakpoints_init(struct gtdbg_client *client);
void gtdbg_breakpoints_fini(struct gtdbg_client *client);

/*
 * Memory for breakpoints that are added soon, taken at once and without a lock, and
 * what is known of the last one that was: that lasts as long as the client's lock is
 * held. There may be less than was asked for.
 */
#define GTDBG_BREAKPOINT_BATCH 64

struct gtdbg_breakpoint_batch {
	void *fresh[GTDBG_BREAKPOINT_BATCH];
	u32 count;
	struct gtdbg_kernel *kernel;
	struct gtdbg_breakpoint *last;
};

void gtdbg_breakpoint_batch_init(struct gtdbg_breakpoint_batch *batch,
				 u32 count);
void gtdbg_breakpoint_batch_fini(struct gtdbg_breakpoint_batch *batch);

/* Add one at @change's place, which is completed: its id or an error. */
int gtdbg_breakpoint_add(struct gtdbg_client *client,
			 struct gtdbg_site_change *change, bool is_assert,
			 struct gtdbg_breakpoint_batch *batch);

/*
 * Sites are to follow, under the client's lock: not where a call sees to that for what
 * it has changed.
 */
void gtdbg_breakpoints_changed(struct gtdbg_client *client);

/* Take it away again. @change is where it was. -ENOENT: there is none. */
int gtdbg_breakpoint_remove(struct gtdbg_client *client, u32 id,
			    struct gtdbg_site_change *change);

/* The id of the first breakpoint at that very place, 0 if there is none. */
u32 gtdbg_breakpoint_find(struct gtdbg_client *client,
			  const struct gtdbg_breakpoint_at *at);

/*
 * How many breakpoints there are at that very place. If it is one, and it has a
 * program, that is copied.
 */
u32 gtdbg_breakpoint_decides(struct gtdbg_client *client,
			     const struct gtdbg_breakpoint_at *at,
			     struct gtdbg_program *program, bool *has_out);

/*
 * The breakpoints of a kernel, or of a context, in the order of their offsets:
 * the first one from that of @at on, the next one, NULL.
 */
struct gtdbg_breakpoint *
gtdbg_breakpoint_first(struct gtdbg_client *client,
		       const struct gtdbg_breakpoint_at *at);
struct gtdbg_breakpoint *gtdbg_breakpoint_next(struct gtdbg_breakpoint *last);

/* The kernel goes. True: breakpoints wait for it, and keep it. */
bool gtdbg_breakpoints_orphan(struct gtdbg_client *client,
			      struct gtdbg_kernel *kernel);

/* A kernel came: those that wait for it are its. */
void gtdbg_breakpoints_adopt(struct gtdbg_client *client,
			     struct gtdbg_kernel *kernel);

/* Have threads stop where an assertion of @kernel has failed; as many as fit. */
void gtdbg_breakpoints_assert(struct gtdbg_client *client,
			      struct gtdbg_kernel *kernel);

/* No lock held. Does breakpoint @id stand where an assertion has failed? */
bool gtdbg_breakpoint_asserts(struct gtdbg_client *client, u32 id);

/* No lock held. The sites have been restored before. */
void gtdbg_breakpoints_clear_all(struct gtdbg_client *client);

/*
 * No lock held. Exchange the program of a breakpoint for @program, which is what it
 * was afterwards: -ENOENT. Sites follow with the next call.
 */
int gtdbg_breakpoint_replace(struct gtdbg_client *client, u32 id,
			     struct gtdbg_program **program);

/*
 * No client's lock held. Of what its program @serial ignores so much is left, for threads
 * at one place to take: 0 if nothing is, or another place has it.
 */
u32 gtdbg_breakpoint_ignore_hold(struct gtdbg_client *client, u32 id,
				 u64 serial);

/*
 * So many have been taken there, and with @leaves that place has them no more. False:
 * @serial is not its program.
 */
bool gtdbg_breakpoint_ignore_pass(struct gtdbg_client *client, u32 id,
				  u64 serial, s32 passed, bool leaves);

/* Take one that no place has: 1, or 0 if there is none, or -ENOENT. */
int gtdbg_breakpoint_ignore_take(struct gtdbg_client *client, u32 id);

/* How many have been taken so far; or -ENOENT. */
int gtdbg_breakpoint_ignored(struct gtdbg_client *client, u32 id,
			     u64 *ignored_out);

/* No lock held. Where breakpoint @id is, for its sites to follow; or -ENOENT. */
int gtdbg_breakpoint_change(struct gtdbg_client *client, u32 id,
			    struct gtdbg_site_change *change);

#endif
