/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A client: a process that can be debugged, and what its runtime registered.
 */
#ifndef GTDBG_CLIENT_H
#define GTDBG_CLIENT_H

#include <linux/kref.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/rbtree.h>
#include <linux/sched.h>
#include <linux/wait.h>
#include <linux/xarray.h>

struct gtdbg_account;
struct gtdbg_event_parts;
struct gtdbg_file;
struct gtdbg_session;
struct seq_file;

struct gtdbg_client {
	struct kref ref;
	struct gtdbg_account *account;
	wait_queue_head_t wait; /* for a controller, or the end */

	/* Written once before the client is published. */
	struct pid *pid;
	u64 token;
	u64 exec_id; /* of the program that has registered */
	u32 flags;
	char comm[TASK_COMM_LEN];

	/* Protected by gtdbg_registry_lock. */
	struct list_head node;
	struct list_head gts;
	bool ending; /* no session and no GT may become active any more */

	/* Written with both gtdbg_registry_lock and @lock held. */
	bool gone;
	struct gtdbg_session *controller;
	bool controlled; /* there is or was one */

	struct mutex lock;
	/* Protected by @lock. */
	struct list_head sessions;
	u32 session_count;
	struct xarray modules, kernels;
	struct rb_root cookies; /* kernels by cookie */
	u32 module_count, kernel_count;
	u32 next_module, next_kernel; /* ids are not used again soon */
	struct rb_root breakpoints; /* struct gtdbg_breakpoint, by place */
	struct xarray breakpoint_ids;
	struct rb_root removed; /* kernels that breakpoints wait for */
	u32 breakpoint_count, next_breakpoint;
	/* Rise with each change; read without the lock as a hint. */
	u32 breakpoint_generation, kernel_generation;
};

struct gtdbg_client *gtdbg_client_get(struct gtdbg_client *client);
void gtdbg_client_put(struct gtdbg_client *client);

/*
 * Does @client still run the program that has registered? If not, the client is
 * ended here at the latest. Registry lock held.
 */
bool gtdbg_client_check(struct gtdbg_client *client);

/* The client of process @pid, not referenced, or NULL. Registry lock held. */
struct gtdbg_client *gtdbg_client_find(const struct pid *pid);

/*
 * Called when process @task closes a descriptor of @client: if it is the
 * client itself, the client ends.
 */
void gtdbg_client_closed(struct gtdbg_client *client, struct task_struct *task);

/* The last reference to the descriptor is gone: the client ends in any case. */
void gtdbg_client_end(struct gtdbg_client *client, u32 reason);

/*
 * Queue an event for all sessions of @client that want it; @client->lock held.
 * Returns its number in the controller's stream if the controller will
 * acknowledge it, else 0.
 */
u64 gtdbg_client_emit(struct gtdbg_client *client,
		      const struct gtdbg_event_parts *parts);

/* Does a session want events of @kind? @client->lock held. */
bool gtdbg_client_wants(struct gtdbg_client *client, u16 kind);

/* The client of @file if the caller is it; else -EINVAL or -EPERM. */
struct gtdbg_client *gtdbg_client_of_caller(struct gtdbg_file *file);

/* Write down all clients, for people. Registry lock held. */
void gtdbg_clients_show(struct seq_file *out);

int gtdbg_ioctl_client_register(struct gtdbg_file *file, void *arg);
int gtdbg_ioctl_client_wait(struct gtdbg_file *file, void *arg);

#endif
