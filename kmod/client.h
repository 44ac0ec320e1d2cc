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
#include <linux/workqueue.h>
#include <linux/xarray.h>

#include "gtdbg.h"

struct gtdbg_account;
struct gtdbg_event_parts;
struct gtdbg_file;
struct gtdbg_gt;
struct gtdbg_session;
struct gtdbg_session_gts;
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
	struct hlist_node node;

	/*
	 * No session and no GT may become active any more. Set once with
	 * gtdbg_registry_lock held, before @lock is taken to see who has.
	 */
	bool ending;

	struct mutex lock;
	/* Protected by @lock. */
	struct gtdbg_gt *gts[GTDBG_DEVICES_OF_CLIENT_MAX];
	struct list_head sessions;
	u32 session_count;
	struct gtdbg_session *controller;
	bool controlled; /* there is or was one; read without the lock */
	bool gone; /* it has ended; read without the lock */
	bool watched; /* @watch is pending or runs, with a reference */
	struct delayed_work watch;
	struct xarray modules, kernels;
	struct rb_root cookies; /* kernels by cookie */
	u32 module_count, kernel_count;
	u32 next_module, next_kernel; /* ids are not used again soon */
	struct rb_root breakpoints; /* struct gtdbg_breakpoint, by place */
	struct xarray breakpoint_ids;
	struct rb_root removed; /* kernels that breakpoints wait for */
	u32 breakpoint_count; /* a hint for who has no lock */
	u32 next_breakpoint;
	u32 program_count; /* of breakpoints; a hint for who has no lock */
	bool asserts; /* threads stop where one has failed */
	/* Rise with each change; read without the lock as a hint. */
	u32 breakpoint_generation, kernel_generation;
	u32 breakpoint_removals; /* likewise, with each that has gone */
};

struct gtdbg_client *gtdbg_client_get(struct gtdbg_client *client);
void gtdbg_client_put(struct gtdbg_client *client);

/* Does its process still run the program that has registered? */
bool gtdbg_client_runs(const struct gtdbg_client *client);

/* The same, and if not, the client is ended soon. False if it has ended. */
bool gtdbg_client_check(struct gtdbg_client *client);

/* The client of process @pid, referenced, or NULL. */
struct gtdbg_client *gtdbg_client_find(const struct pid *pid);

/* Is there a controller, that is not on its way out? */
bool gtdbg_client_controlled(struct gtdbg_client *client);

/*
 * Sessions came, and the last one went. Who executes another program with the
 * descriptor open, or shares its descriptors, closes nothing when it ends: so it
 * is looked after as long as there is a session that wants reports.
 * @client->lock held.
 */
void gtdbg_client_watch(struct gtdbg_client *client);

/* Look after it at once. @client->lock held. */
void gtdbg_client_recheck(struct gtdbg_client *client);

/* The GT of id @device, referenced; NULL: it has none. */
struct gtdbg_gt *gtdbg_client_gt_get(struct gtdbg_client *client, u32 device);

/* All of its GTs, to be put with gtdbg_session_gts_put(). */
void gtdbg_client_gts_get(struct gtdbg_client *client,
			  struct gtdbg_session_gts *gts);

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

/* The client of @file if the caller is it; else -EINVAL, -EPERM or -ESRCH. */
struct gtdbg_client *gtdbg_client_of_caller(struct gtdbg_file *file);

/* Write down all clients that are not busy, for people. Registry lock held. */
void gtdbg_clients_show(struct seq_file *out);

int gtdbg_ioctl_client_register(struct gtdbg_file *file, void *arg);
int gtdbg_ioctl_client_wait(struct gtdbg_file *file, void *arg);

int gtdbg_client_init(void);
void gtdbg_client_fini(void);

#endif
