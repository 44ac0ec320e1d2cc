/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A GT: a device that runs threads, on some backend. Its registers and memory are
 * in hw.h, who debugs it in control.h, which ones there are in registry.h.
 */
#ifndef GTDBG_GT_H
#define GTDBG_GT_H

#include <linux/hrtimer.h>
#include <linux/kref.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/rbtree.h>
#include <linux/wait.h>

#include <linux/gtdbg.h>

#include "backend.h"
#include "context.h"
#include "watch.h"

struct mem_cgroup;
struct gtdbg_account;
struct gtdbg_client;
struct gtdbg_event_device_add;
struct gtdbg_platform;
struct gtdbg_thread;

struct gtdbg_gt {
	struct kref ref;

	/* Written once before the GT is published. */
	u32 id;
	const struct gtdbg_platform *platform;
	const struct gtdbg_backend_ops *ops;
	void *backend;
	struct gtdbg_account *account;
	u64 charged_bytes; /* to it, for the backend */
	struct mem_cgroup *memcg; /* of who made it: pays for what the poller keeps */
	struct gtdbg_topology topology;
	u32 pci_address; /* or GTDBG_PCI_NONE */
	s32 drm_minor; /* or -1 */

	struct task_struct *poller; /* from before the GT is used to its end */
	u64 kcov_handle; /* of who started the poller, where that is counted */

	/* Protected by gtdbg_registry_lock. */
	struct list_head node; /* in the list of all */

	/* Written with both @lock and the client's held. */
	struct gtdbg_client *client;
	u32 client_place; /* in its list */

	wait_queue_head_t poll_wait;
	/* Wakes the poller: set, then wake up; a lost race costs one period. */
	bool kicked;

	/* The poller's own: it looks with less effort while nothing runs. */
	struct hrtimer peek;
	u32 peek_lrca; /* the register as the last scan found it */
	u64 look_ns; /* that a look took lately; the timer runs only while the poller waits */
	bool calm; /* nothing that is waited for can stop */

	struct mutex lock;
	/* Protected by @lock. */
	bool lost; /* no one may use it: it does not answer, or one of these */
	bool gone; /* lost for good: memory is not there either */
	bool broken; /* lost for good, although it may answer */
	bool posting; /* leave it in order without waiting for it */
	u32 stalls; /* how often it was lost and came back */
	ktime_t stalled;
	bool active; /* a controller wants threads to stop */
	bool hunting; /* threads stop without a controller: let them go */
	ktime_t drain_end; /* not 0: threads may still stop after a detach */
	bool halted; /* threads were asked to stop, and not asked not to */
	bool patched; /* kernels' code is all breakpoints */
	bool awake; /* forcewake is held */
	bool peeking; /* a BPF program asks, and may not sleep */
	bool code_dirty; /* code was written, the cache may hold old one */
	bool was_busy;
	u32 timestamp_config; /* register, as it was when it could be read */
	s64 clock_ns; /* the least that a reading of the counter took */
	u32 seen_lrca; /* register of the last scan */
	u32 idle_lrca; /* idle, with all known of this context */
	u32 next_context;
	struct list_head contexts; /* the one that ran last at the end */
	u32 context_count;
	struct rb_root loads; /* of all contexts, by cookie */
	struct list_head lifted; /* loads to see to when the engine is idle */
	bool counting; /* it was idle since threads stop: launches are whole */
	struct list_head waiting; /* loads that threads wait at */
	u64 hold; /* of the lock: what was looked at is valid for one */
	u64 engine_hold; /* in which @engine_pml4 was looked at */
	u64 engine_pml4; /* of the context on the engine, 0: none is */
	ktime_t next_search; /* earliest time to look for a save area again */
	struct gtdbg_thread *threads; /* topology.slots of them */
	unsigned long *wake; /* slots to be woken by the next flush */
	u32 stopped; /* how many threads are stopped */
	bool unavailable; /* some are unavailable */
	bool interrupting; /* someone waits for all to stop */
	u64 fault_seqno; /* not 0: all stop until this is acknowledged */
	u64 fault_replay_seqno; /* its number in the last replay */
	struct gtdbg_event_page_fault fault; /* the last one */
	u64 generation;
	ktime_t last_scan, last_activity, last_busy;
	ktime_t awaited_since; /* not 0: for a while @awaited alone is looked at */
	ktime_t awaited_seen; /* not 0: it had not stopped then; alone: now it has */
	u32 awaited; /* slot of a thread that steps */
	ktime_t last_rows; /* all attention bits were read */
	u64 scans;
	struct gtdbg_watch watch;
};

/* Creation, publication and the end are the backend's: backend.h. */
struct gtdbg_gt *gtdbg_gt_get(struct gtdbg_gt *gt);

/*
 * Below here, the GT's lock is held.
 */

/* Call this first after taking the lock: contexts may have changed. */
void gtdbg_gt_begin(struct gtdbg_gt *gt);

/*
 * The device does not work any more: report that to the sessions once, and again if
 * one that did not answer is gone. Nothing that is known of it is forgotten here:
 * this may be called in the middle of its use.
 */
void gtdbg_gt_lose(struct gtdbg_gt *gt, u32 reason);

/* It does again: report it to the sessions as a new one. */
void gtdbg_gt_regain(struct gtdbg_gt *gt);

/* Queue an event for the sessions of the GT's client, if it has one. */
u64 gtdbg_gt_emit(struct gtdbg_gt *gt, u16 kind, u16 flags, const void *payload,
		  size_t payload_bytes);

/* Fill in the description of the device that a session gets. */
void gtdbg_gt_describe(struct gtdbg_gt *gt,
		       struct gtdbg_event_device_add *payload);

/* Add to a counter in the statistics of the GT's sessions. */
#define gtdbg_gt_count(gt, field, amount) \
	gtdbg_gt_count_at(gt, offsetof(struct gtdbg_session_stats, field), \
			  amount)
void gtdbg_gt_count_at(struct gtdbg_gt *gt, size_t offset, u64 amount);

#endif
