/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A GPU of the machine, beside the driver that it belongs to: its registers, the
 * global translation table behind them, and what keeps it awake. There is one for all
 * GTs that are views of it.
 */
#ifndef GTDBG_GPU_H
#define GTDBG_GPU_H

#include <linux/io.h>
#include <linux/kref.h>
#include <linux/ktime.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/types.h>

#include "backend.h"

struct page;
struct pci_dev;

/* What is known of a GPU by its PCI id. */
struct gtdbg_gpu_model {
	u16 device;
	u32 platform; /* GTDBG_PLATFORM_* */
};

struct gtdbg_gpu {
	struct kref ref;
	struct list_head node; /* in the list of all */

	/* Written once before anyone else sees it. */
	struct pci_dev *pdev;
	const struct gtdbg_gpu_model *model;
	void __iomem *bar; /* registers, then translation table */

	/*
	 * Held while a GT that is a view of it is published or withdrawn, so that each is
	 * withdrawn once: below the lock of its device.
	 */
	struct mutex views_lock;
	struct list_head views; /* protected by @views_lock, for who publishes them */

	/* Set once, when there is nothing to be accessed any more. */
	bool dead;

	/* Protects the selector of sub-slices, and is held with nothing else. */
	spinlock_t steer_lock;

	struct mutex wake_lock;
	/* Protected by @wake_lock. */
	u32 wakes; /* GTs that keep it awake */
	bool was_awake; /* at any time */
	u32 deaf_ms; /* how long it is left alone; 0: it has answered */

	/* Written with @wake_lock, read without: a race costs one question. */
	ktime_t deaf_end;
	u32 refusals; /* looked at before the lock is waited for */
};

/*
 * The device of the render node behind @drm_fd, referenced, or an error. The number
 * of the node goes to @minor_out.
 */
struct pci_dev *gtdbg_gpu_find(int drm_fd, s32 *minor_out);

/* That GPU, referenced, or an error; the device is locked. */
struct gtdbg_gpu *gtdbg_gpu_get(struct pci_dev *pdev);
void gtdbg_gpu_put(struct gtdbg_gpu *gpu);

/*
 * The next one of @pdev behind @from, or of all devices if that is NULL, referenced;
 * NULL: there is none. @from is put, and NULL for the first one. One device has
 * several if it was gone meanwhile.
 */
struct gtdbg_gpu *gtdbg_gpu_next(const struct pci_dev *pdev,
				 struct gtdbg_gpu *from);

/* Whatever is asked for from now on is -ENODEV. */
void gtdbg_gpu_kill(struct gtdbg_gpu *gpu);

/* What its fuses have left of it; it is awake. */
int gtdbg_gpu_topology(struct gtdbg_gpu *gpu, struct gtdbg_topology *out);

/* As in backend.h. Reads of one register may be made in an interrupt. */
int gtdbg_gpu_rows_read(struct gtdbg_gpu *gpu, const struct gtdbg_rows *rows,
			u32 *values_out);
int gtdbg_gpu_read(struct gtdbg_gpu *gpu, const struct gtdbg_steer *steer,
		   u32 offset, u32 *value_out);
int gtdbg_gpu_write(struct gtdbg_gpu *gpu, const struct gtdbg_steer *steer,
		    u32 offset, u32 value);
int gtdbg_gpu_flush(struct gtdbg_gpu *gpu);
int gtdbg_gpu_ggtt_read(struct gtdbg_gpu *gpu, u32 index, u64 *entry_out);
int gtdbg_gpu_memory_copy(struct gtdbg_gpu *gpu, u64 address, void *buf,
			  u32 len_bytes, bool write);
struct page *gtdbg_gpu_memory_hold(struct gtdbg_gpu *gpu, u64 address);
void gtdbg_gpu_memory_release(struct page *page);
struct page *gtdbg_gpu_memory_keep(struct gtdbg_gpu *gpu, u64 address);
bool gtdbg_gpu_memory_is(struct gtdbg_gpu *gpu, u64 address,
			 const struct page *page);
u64 gtdbg_gpu_kept_bytes(struct page *const *pages, u32 count);
void gtdbg_gpu_kept_copy(struct page *page, u32 offset, void *buf,
			 u32 len_bytes, bool write);
void gtdbg_gpu_memory_unkeep(struct page *page);

/* Keep it awake; each has to be undone. */
int gtdbg_gpu_wake(struct gtdbg_gpu *gpu);
void gtdbg_gpu_sleep(struct gtdbg_gpu *gpu);

/*
 * Could one that was deaf be kept awake now, if it had to be? It is asked more and more
 * seldom, for all that want to know. 1: yes; 0: not now; -ENODEV: never again.
 */
int gtdbg_gpu_answers(struct gtdbg_gpu *gpu);

/* The machine has slept, and the device has forgotten what it was asked for. */
void gtdbg_gpu_remind(struct gtdbg_gpu *gpu);

#endif
