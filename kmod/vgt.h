/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * /dev/gtdbg-vgt: virtual GTs, each served by a process (linux/gtdbg_vgt.h).
 */
#ifndef GTDBG_VGT_H
#define GTDBG_VGT_H

#include <linux/ktime.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/wait.h>

#include <linux/gtdbg_vgt.h>

struct file;
struct gtdbg_gt;

#define GTDBG_VGT_REQUESTS 1024 /* that may wait for their acknowledgement */

struct gtdbg_vgt {
	struct mutex offer_lock;
	struct gtdbg_gt *gt; /* set once, under @offer_lock, to the end */

	/* Written once by the offer, before the GT is published. */
	struct file *memory;
	u64 memory_bytes;
	u64 ggtt_address;
	u32 ggtt_entries;
	u32 *window;

	/* Protected by the GT's lock, as all that waits for the server has it. */
	u64 credit_ns; /* that waits may yet take */
	ktime_t credited;

	wait_queue_head_t server, waiters;
	spinlock_t lock;
	/* Protected by @lock. Requests are numbered from 1. */
	u64 queued, fetched, acked;
	bool dead;
	bool hung_up; /* the module does not use it any more */
	struct gtdbg_vgt_request request[GTDBG_VGT_REQUESTS];
};

/* Physical memory of the server, vgt_memory.c. */
int gtdbg_vgt_memory_init(struct gtdbg_vgt *vgt, int fd, u64 len_bytes);
void gtdbg_vgt_memory_fini(struct gtdbg_vgt *vgt);
int gtdbg_vgt_memory_read(void *backend, u64 phys, void *buf, u32 len_bytes);
int gtdbg_vgt_memory_peek(void *backend, u64 phys, void *buf, u32 len_bytes);
int gtdbg_vgt_memory_write(void *backend, u64 phys, const void *buf,
			   u32 len_bytes);

#endif
