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
 *
 * A backend is a module of its own, beside the core. This header is all that the
 * two share: the core exports it in the symbol namespace GTDBG. A GT holds its
 * backend's module from creation to its last reference, so a backend cannot be
 * unloaded below an operation, and symbols hold the core below a backend.
 *
 * A GPU may be shared: its driver runs the work of other processes, too, and there
 * is a GT for each client that sees it. Then a context is the client's if its save
 * area carries the client's token, and no other is reported, stopped or written to;
 * and memory is used only while its context is on the engine, as the driver can
 * neither free nor move it until then, but for pages that are kept from there on.
 */
#ifndef GTDBG_BACKEND_H
#define GTDBG_BACKEND_H

#include <linux/ktime.h>
#include <linux/types.h>

struct gtdbg_gt;
struct module;

/* Which sub-slice a steered register is meant of; a NULL pointer: not steered. */
struct gtdbg_steer {
	u16 slice, subslice;
	bool all; /* writes only */
};

/* Registers of which each sub-slice has its own. */
struct gtdbg_rows {
	u64 subslice_mask; /* of those that are there, bit slice * subslices + subslice */
	u32 subslices; /* of a slice */
	u32 offset, count; /* so many dwords, one behind the other */
};

struct gtdbg_backend_ops {
	struct module *owner;
	bool is_virtual;
	bool is_shared; /* others than the client have work there */

	/*
	 * Is all done that was asked for? 1: yes; 0: not yet; -ENODEV: it will never
	 * be. Waits as long as a device may take to say that it is awake, at most.
	 */
	int (*settled)(void *backend);

	/* It is not used any more, although it is there. Does not wait. */
	void (*hangup)(void *backend);

	/*
	 * Never waits for anyone. That of the running context is read in an
	 * interrupt as well, without the lock.
	 */
	int (*reg_read)(void *backend, const struct gtdbg_steer *steer,
			u32 offset, u32 *value_out);

	/*
	 * All of @rows, @count values for each sub-slice, whether it is there or not. NULL:
	 * one by one takes no longer.
	 */
	int (*rows_read)(void *backend, const struct gtdbg_rows *rows,
			 u32 *values_out);

	/* Posted: in order, and done for sure only after a flush. */
	int (*reg_write)(void *backend, const struct gtdbg_steer *steer,
			 u32 offset, u32 value);
	int (*flush)(void *backend);

	/*
	 * Keep it awake, or let it sleep; asked for what is, it does nothing. NULL:
	 * the core sees to it. Where there is one, nothing but this wakes a device
	 * up, and what sleeps reads as zero.
	 */
	int (*wake)(void *backend, bool awake);

	int (*ggtt_read)(void *backend, u32 index, u64 *entry_out);

	/*
	 * All or nothing within a page; ranges do not cross pages of 4 KiB.
	 * -EFAULT: no such memory. A page that was never written reads as zero
	 * and cannot be written (-EFAULT).
	 */
	int (*memory_read)(void *backend, u64 phys, void *buf, u32 len_bytes);
	int (*memory_write)(void *backend, u64 phys, const void *buf,
			    u32 len_bytes);

	/* Reads, and does not sleep. -EAGAIN: it would have to. */
	int (*memory_peek)(void *backend, u64 phys, void *buf, u32 len_bytes);

	/*
	 * Of a shared GPU: nobody else gets the page at @phys before it is let go of.
	 * Returns what that takes; NULL: it is no device's.
	 */
	void *(*memory_hold)(void *backend, u64 phys);
	void (*memory_release)(void *backend, void *held);

	/*
	 * Likewise, for as long as one likes, and it stays the page of what it is of, also
	 * while no context runs that uses it. NULL, too: there is no promise of that. What
	 * is kept can be copied, within the page, and let go of, whatever becomes of the
	 * device: these do not wait.
	 */
	void *(*memory_keep)(void *backend, u64 phys);
	/* Is what is kept the page at @phys? */
	bool (*memory_is)(void *backend, u64 phys, const void *kept);
	/* What stays as long as those @count are kept. */
	u64 (*kept_bytes)(void *const *kept, u32 count);
	void (*kept_copy)(void *kept, u32 offset, void *buf, u32 len_bytes,
			  bool write);
	void (*memory_unkeep)(void *kept);
};

struct gtdbg_topology {
	u32 slices, subslices, eus, threads;
	u64 subslice_mask; /* bit slice * subslices + subslice; 0: all are there */
	u32 slots; /* product of all, the core's to fill in */
};

/* What a backend says of a device. */
struct gtdbg_backend {
	const struct gtdbg_backend_ops *ops;
	void *data; /* first argument of the operations */
	u32 platform; /* GTDBG_PLATFORM_* */
	struct gtdbg_topology topology;
	u64 bytes; /* of memory that it takes, and its creator pays for */
	/* Of one that is not virtual; as in struct gtdbg_event_device_add. */
	u32 pci_address;
	s32 drm_minor;
};

/*
 * A new GT, not published yet, charged to the caller's user. -EOPNOTSUPP:
 * unknown platform; -EINVAL: it cannot have that topology; -EDQUOT.
 */
struct gtdbg_gt *gtdbg_gt_create(const struct gtdbg_backend *backend);
void gtdbg_gt_put(struct gtdbg_gt *gt);

/*
 * Let sessions see it, as one that runs the work of the client behind the
 * descriptor @client_fd; returns its id. Who has the descriptor may say so: it
 * is the client's to give away. -EBADF, -EINVAL: it is no client's; -ESRCH: the
 * client has ended; -EDQUOT: it has too many GTs.
 */
int gtdbg_registry_publish(struct gtdbg_gt *gt, int client_fd);

/*
 * Of a shared GPU whose driver is about to go: let the client's work go on, and wait
 * until it has left the engine, but not beyond @end. A driver that finds something
 * there takes it for a hang.
 */
void gtdbg_registry_drain(struct gtdbg_gt *gt, ktime_t end);

/*
 * The device is gone, and its operations return -ENODEV from now on, but on a
 * shared GPU, which may be there: the client's work is left in order. After this call
 * they are not called any more.
 */
void gtdbg_registry_withdraw(struct gtdbg_gt *gt);

#endif
