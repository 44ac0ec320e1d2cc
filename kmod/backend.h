/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The seam: all that the module asks of a GPU. Registers, plain and steered,
 * the entries of the global translation table (registers on a PCI device,
 * memory on a virtual one), and physical memory. Everything else is common
 * code above it, and trusts nothing that comes from below.
 *
 * All calls come with the GT's lock held and may sleep, for a bounded time. They
 * return -ENODEV when the device is gone, -ETIMEDOUT when it does not answer, and
 * -EINTR when the caller is killed meanwhile. What one device makes its callers
 * wait in all is bounded, too: one that is always slow does not answer.
 */
#ifndef GTDBG_BACKEND_H
#define GTDBG_BACKEND_H

#include <linux/types.h>

/* Which sub-slice a steered register is meant of; a NULL pointer: not steered. */
struct gtdbg_steer {
	u16 slice, subslice;
	bool all; /* writes only */
};

struct gtdbg_backend_ops {
	bool is_virtual;

	/*
	 * Is all done that was asked for? And: it is not used any more, although
	 * it is there. Neither waits.
	 */
	bool (*settled)(void *backend);
	void (*hangup)(void *backend);

	/*
	 * Never waits for anyone. That of the running context is read in an
	 * interrupt as well, without the lock.
	 */
	int (*reg_read)(void *backend, const struct gtdbg_steer *steer,
			u32 offset, u32 *value_out);

	/* Posted: in order, and done for sure only after a flush. */
	int (*reg_write)(void *backend, const struct gtdbg_steer *steer,
			 u32 offset, u32 value);
	int (*flush)(void *backend);

	int (*ggtt_read)(void *backend, u32 index, u64 *entry_out);

	/*
	 * All or nothing within a page; ranges do not cross pages of 4 KiB.
	 * -EFAULT: no such memory. A page that was never written reads as zero
	 * and cannot be written (-EFAULT).
	 */
	int (*memory_read)(void *backend, u64 phys, void *buf, u32 len_bytes);
	int (*memory_write)(void *backend, u64 phys, const void *buf,
			    u32 len_bytes);
};

#endif
