/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Kernels of a client. All functions but the handlers need the client's lock,
 * where not said otherwise.
 */
#ifndef GTDBG_KERNEL_H
#define GTDBG_KERNEL_H

#include <linux/list.h>
#include <linux/rbtree.h>
#include <linux/types.h>

#include "blob.h"

struct gtdbg_account;
struct gtdbg_client;
struct gtdbg_code;
struct gtdbg_file;
struct gtdbg_session;

struct gtdbg_kernel {
	struct gtdbg_account *account; /* as in a module */
	u32 id;
	u32 module; /* id, or 0 */
	u32 cookie;
	char *name;
	u32 name_len_bytes;
	u64 isa_len_bytes;
	struct gtdbg_blob elf;
	struct gtdbg_code *code; /* others may have references */

	/* By cookie, then by id. Of a removed one: by length and name. */
	struct rb_node node;
	struct list_head orphans; /* of a removed one: its breakpoints wait */
};

/* No lock needed: no one else has the client yet, or any more. */
void gtdbg_kernels_init(struct gtdbg_client *client);
void gtdbg_kernels_fini(struct gtdbg_client *client);

struct gtdbg_kernel *gtdbg_kernel_find(struct gtdbg_client *client, u32 id);

/* The kernel whose first instruction holds @cookie, or NULL. */
struct gtdbg_kernel *gtdbg_kernel_find_cookie(struct gtdbg_client *client,
					      u32 cookie);

/* Threads stop where assertions fail, in these and all that come. */
void gtdbg_kernels_assert(struct gtdbg_client *client);

/*
 * The name of the one with @id, cut off at the end; empty: there is none. Programs
 * choose their names: what would end a trace's line, or write another, is a '?'.
 */
void gtdbg_kernel_name_copy(struct gtdbg_client *client, u32 id, char *name,
			    u32 size);

/* Replay all that there is to @session. */
int gtdbg_kernels_replay(struct gtdbg_client *client,
			 struct gtdbg_session *session);

/* A removed one is not waited for any more. No lock needed. */
void gtdbg_kernel_destroy(struct gtdbg_kernel *kernel);

/* Its module goes. */
void gtdbg_kernels_remove(struct gtdbg_client *client, u32 module);

int gtdbg_ioctl_kernel_add(struct gtdbg_file *file, void *arg);
int gtdbg_ioctl_kernel_remove(struct gtdbg_file *file, void *arg);

#endif
