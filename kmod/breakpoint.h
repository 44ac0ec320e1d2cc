/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Breakpoints are what a session asks for; they belong to the client. Sites are
 * instructions of a context whose breakpoint bit the module sets: for any
 * number of breakpoints, and for kernel entries. Sites follow from breakpoints
 * and loaded kernels by a function that can be repeated at any time.
 */
#ifndef GTDBG_BREAKPOINT_H
#define GTDBG_BREAKPOINT_H

#include <linux/list.h>
#include <linux/types.h>

struct gtdbg_client;
struct gtdbg_context;
struct gtdbg_gt;
struct gtdbg_kernel;
struct gtdbg_load;
struct gtdbg_session;

struct gtdbg_breakpoint {
	struct list_head node;
	u32 id;
	u32 kernel; /* id; 0: by address */
	u32 device, context;
	u64 offset; /* in the kernel, or the address */

	/* Of a removed kernel: waits for one of this name and length. */
	bool orphan;
	char *orphan_name;
	u64 orphan_len_bytes;
};

/* Client's lock held: the kernel goes; a kernel came. */
void gtdbg_breakpoints_orphan(struct gtdbg_client *client,
			      struct gtdbg_kernel *kernel);
void gtdbg_breakpoints_adopt(struct gtdbg_client *client,
			     const struct gtdbg_kernel *kernel);

/* No lock held. The sites have been restored before. */
void gtdbg_breakpoints_clear_all(struct gtdbg_client *client);

/* No lock needed: no one has the client any more. */
void gtdbg_breakpoints_fini(struct gtdbg_client *client);

/*
 * Below here, the GT's lock is held.
 */

/* Make the code of @context as breakpoints and entries ask. */
void gtdbg_sites_sync(struct gtdbg_gt *gt, struct gtdbg_context *context);

/* Is there a breakpoint at @address? Its id, or 0. */
u32 gtdbg_site_breakpoint(struct gtdbg_gt *gt, struct gtdbg_context *context,
			  u64 address);

/* Give all code back as it was. */
void gtdbg_sites_restore(struct gtdbg_gt *gt, struct gtdbg_context *context);
void gtdbg_sites_destroy(struct gtdbg_context *context);

int gtdbg_ioctl_breakpoint_set(struct gtdbg_session *session, void *arg);
int gtdbg_ioctl_breakpoint_clear(struct gtdbg_session *session, void *arg);

#endif
