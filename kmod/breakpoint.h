/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Breakpoints are what a session asks for; they belong to the client. What they
 * do to code is in site.h.
 */
#ifndef GTDBG_BREAKPOINT_H
#define GTDBG_BREAKPOINT_H

#include <linux/list.h>
#include <linux/types.h>

struct gtdbg_client;
struct gtdbg_kernel;
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

int gtdbg_ioctl_breakpoint_set(struct gtdbg_session *session, void *arg);
int gtdbg_ioctl_breakpoint_clear(struct gtdbg_session *session, void *arg);

#endif
