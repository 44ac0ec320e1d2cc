/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A GT: a device that runs threads, on some backend.
 */
#ifndef GTDBG_GT_H
#define GTDBG_GT_H

#include <linux/hrtimer.h>
#include <linux/kref.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/wait.h>

#include "backend.h"
#include "context.h"

struct gtdbg_client;
struct gtdbg_event_parts;
struct gtdbg_platform;
struct gtdbg_session;
struct gtdbg_thread;
struct seq_file;

struct gtdbg_topology {
	u32 slices, subslices, eus, threads;
	u32 slots; /* product of all */
};

struct gtdbg_gt {
	struct kref ref;

	/* Written once before the GT is published. */
	u32 id;
	const struct gtdbg_platform *platform;
	const struct gtdbg_backend_ops *ops;
	void *backend;
	struct pid *owner; /* process whose work it runs */
	struct gtdbg_topology topology;

	/* Protected by gtdbg_registry_lock. */
	struct list_head node; /* in the list of all */
	struct list_head client_node; /* in the client's */
	struct task_struct *poller;

	/* Written with both gtdbg_registry_lock and @lock held. */
	struct gtdbg_client *client;

	wait_queue_head_t poll_wait;
	/* Wakes the poller: set, then wake up; a lost race costs one period. */
	bool kicked;

	/* The poller's own: it looks with less effort while nothing runs. */
	struct hrtimer peek;
	u32 peek_lrca; /* the register as the last scan found it */

	struct mutex lock;
	/* Protected by @lock. */
	bool lost;
	bool active; /* a controller wants threads to stop */
	bool hunting; /* threads stop without a controller: let them go */
	ktime_t drain_end; /* not 0: threads may still stop after a detach */
	bool patched; /* kernels' code is all breakpoints */
	bool awake; /* forcewake is held */
	bool code_dirty; /* code was written, the cache may hold old one */
	bool was_busy;
	u32 seen_lrca; /* register of the last scan */
	u32 idle_lrca; /* idle, with all known of this context */
	u32 next_context;
	struct list_head contexts; /* the one that ran last at the end */
	u32 context_count;
	u64 hold; /* of the lock: what was looked at is valid for one */
	ktime_t next_search; /* earliest time to look for a save area again */
	struct gtdbg_thread *threads; /* topology.slots of them */
	unsigned long *wake; /* slots to be woken by the next flush */
	u32 stopped; /* how many threads are stopped */
	bool unavailable; /* some are unavailable */
	bool interrupting; /* someone waits for all to stop */
	u64 generation;
	ktime_t last_scan, last_activity;
	u64 scans;
};

/* A new GT, not published yet; @owner's reference goes to it on success. */
struct gtdbg_gt *gtdbg_gt_create(const struct gtdbg_platform *platform,
				 const struct gtdbg_backend_ops *ops,
				 void *backend, struct pid *owner,
				 const struct gtdbg_topology *topology);
struct gtdbg_gt *gtdbg_gt_get(struct gtdbg_gt *gt);
void gtdbg_gt_put(struct gtdbg_gt *gt);

/* Let sessions see it; returns its id. -EDQUOT: its process has too many. */
int gtdbg_gt_publish(struct gtdbg_gt *gt);

/*
 * The backend is gone, and its operations return -ENODEV from now on. After
 * this call they are not called any more.
 */
void gtdbg_gt_withdraw(struct gtdbg_gt *gt);

/* GTs of the process of a new @client, and the end. Registry lock held. */
void gtdbg_gt_adopt(struct gtdbg_client *client);
void gtdbg_gt_disown(struct gtdbg_client *client);

/*
 * A session came or went: start and stop pollers. Registry lock held. Fails only
 * where one could not be started.
 */
int gtdbg_gt_update(struct gtdbg_client *client);

/*
 * The controller of @client goes, or the client itself, and no other can come:
 * quiesce all GTs. No lock is held, so that no one else waits for a device that
 * does not answer.
 */
void gtdbg_gts_quiesce(struct gtdbg_client *client);

/* Write down all GTs, for people. Registry lock held. */
void gtdbg_gts_show(struct seq_file *out);

/*
 * Below here, the GT's lock is held.
 */

/* Call this first after taking the lock: contexts may have changed. */
void gtdbg_gt_begin(struct gtdbg_gt *gt);

/* A controller came. Its contexts' threads stop from now on. */
void gtdbg_gt_activate(struct gtdbg_gt *gt);

/*
 * It went: restore the code, resume all, let nothing stop any more. Threads that
 * were on their way into the SIP are let go by the poller, which stays for that.
 */
void gtdbg_gt_quiesce(struct gtdbg_gt *gt);

/* Is there something to look for although no controller is there? */
bool gtdbg_gt_lingers(const struct gtdbg_gt *gt);

/* After a scan without a controller: is that over? */
void gtdbg_gt_linger_check(struct gtdbg_gt *gt, bool busy);

/* The device does not work any more: tell the sessions once. */
void gtdbg_gt_lose(struct gtdbg_gt *gt, u32 reason);

/* Registers. A device that times out is lost. 0 for values of a lost one. */
u32 gtdbg_gt_read(struct gtdbg_gt *gt, u32 offset);
u32 gtdbg_gt_read_steered(struct gtdbg_gt *gt, u32 slice, u32 subslice,
			  u32 offset);
int gtdbg_gt_write(struct gtdbg_gt *gt, u32 offset, u32 value);
int gtdbg_gt_write_steered(struct gtdbg_gt *gt, const struct gtdbg_steer *steer,
			   u32 offset, u32 value);
int gtdbg_gt_flush(struct gtdbg_gt *gt);

/* Physical memory, as in backend.h; -ENODEV if the device is lost. */
int gtdbg_gt_memory_read(struct gtdbg_gt *gt, u64 phys, void *buf,
			 u32 len_bytes);
int gtdbg_gt_memory_write(struct gtdbg_gt *gt, u64 phys, const void *buf,
			  u32 len_bytes);
int gtdbg_gt_ggtt_read(struct gtdbg_gt *gt, u32 index, u64 *entry_out);

/* Keep the device awake, or let it sleep. */
int gtdbg_gt_wake(struct gtdbg_gt *gt, bool awake);

/* Drop cached instructions if code was written. */
int gtdbg_gt_sync_code(struct gtdbg_gt *gt);

u64 gtdbg_gt_time(struct gtdbg_gt *gt);

/* Queue an event for the sessions of the GT's client, if it has one. */
u64 gtdbg_gt_emit(struct gtdbg_gt *gt, u16 kind, u16 flags, const void *payload,
		  size_t payload_bytes);

/* Tell @session of the device and its contexts. */
int gtdbg_gt_replay(struct gtdbg_gt *gt, struct gtdbg_session *session);

/* Add to a counter in the statistics of the GT's sessions. */
#define gtdbg_gt_count(gt, field, amount) \
	gtdbg_gt_count_at(gt, offsetof(struct gtdbg_session_stats, field), \
			  amount)
void gtdbg_gt_count_at(struct gtdbg_gt *gt, size_t offset, u64 amount);

#endif
