/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Page tables: GPU addresses to physical memory. Tables are data of the target
 * and are not trusted: a walk is four steps at most, a search is made piece by piece,
 * each bounded in time. All functions need the GT's lock.
 */
#ifndef GTDBG_PPGTT_H
#define GTDBG_PPGTT_H

#include <linux/types.h>

struct gtdbg_context;
struct gtdbg_gt;

#define GTDBG_ADDRESS_BITS 48
#define GTDBG_ADDRESS_MASK ((1ULL << GTDBG_ADDRESS_BITS) - 1)

/* Physical address of @address; -EFAULT if it is not mapped. */
int gtdbg_ppgtt_walk(struct gtdbg_gt *gt, struct gtdbg_context *context,
		     u64 address, u64 *phys_out);

/* The table and the page that were seen last may be others by now. */
void gtdbg_ppgtt_forget(struct gtdbg_context *context);

/* All @len_bytes or an error. */
int gtdbg_ppgtt_read(struct gtdbg_gt *gt, struct gtdbg_context *context,
		     u64 address, void *buf, u32 len_bytes);
int gtdbg_ppgtt_write(struct gtdbg_gt *gt, struct gtdbg_context *context,
		      u64 address, const void *buf, u32 len_bytes);

/*
 * Of a shared GPU: @count pages from @address on, such as the GPU may write, are kept for
 * as long as one likes (backend.h). All or an error; -EAGAIN: the context has left the
 * engine.
 */
int gtdbg_ppgtt_keep(struct gtdbg_gt *gt, struct gtdbg_context *context,
		     u64 address, void **pages, u32 count);

/* As much as is mapped from the start: bytes done, or -EFAULT if none. */
ssize_t gtdbg_ppgtt_copy(struct gtdbg_gt *gt, struct gtdbg_context *context,
			 u64 address, void *buf, u32 len_bytes, bool write);

/*
 * What somebody else is to see: on a shared GPU it may become another process's while it
 * is copied, and is held until it is known that it was none of another's. As much as is
 * mapped from the start, 64 KiB at most on a shared GPU; -EAGAIN: nothing is known of it.
 */
ssize_t gtdbg_ppgtt_fetch(struct gtdbg_gt *gt, struct gtdbg_context *context,
			  u64 address, void *buf, u32 len_bytes);

/*
 * Call @visit with the first 8 bytes of every 4 KiB that are mapped from @cursor
 * on until it returns not 0, which is then returned. 0: that was all. -EAGAIN:
 * it takes longer than the lock should be held; call again, with the cursor as
 * it was left, to go on.
 */
typedef int (*gtdbg_ppgtt_visit)(void *data, u64 address, u64 qword0);
int gtdbg_ppgtt_pages(struct gtdbg_gt *gt, struct gtdbg_context *context,
		      u64 *cursor, gtdbg_ppgtt_visit visit, void *data);

/*
 * Describe what is mapped from @list's address on, and advance that to where to
 * go on: there was no room left, or a bounded number of tables was looked at.
 * GTDBG_ADDRESS_MASK + 1 is the end. -ENOMEM, or an error of the device.
 */
struct gtdbg_memory_mapping;
struct gtdbg_ppgtt_list {
	u64 address;
	struct gtdbg_memory_mapping *mappings;
	u32 room, count;
};
int gtdbg_ppgtt_list(struct gtdbg_gt *gt, struct gtdbg_context *context,
		     struct gtdbg_ppgtt_list *list);

#endif
