/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * gtdbg: how a process says that its work runs on a GPU of the machine.
 *
 * The GPU belongs to its driver, i915, which knows nothing of this. A process opens
 * /dev/gtdbg-pci, once for each GPU and client, and binds the two. Sessions of
 * the client see a device then, until the descriptor is closed. The GPU is used by
 * others, too: nothing of their contexts is reported, stopped or written to. The
 * client's own are known by the token in their save areas (linux/gtdbg_sip.h).
 *
 * Memory of a context can be read and written only while it is on the engine, as it
 * always is while a thread of it is stopped: EAGAIN otherwise. Breakpoints that
 * are set or cleared meanwhile are so when it runs again.
 */
#ifndef _UAPI_LINUX_GTDBG_PCI_H
#define _UAPI_LINUX_GTDBG_PCI_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define GTDBG_PCI_IOC_TYPE 0xe7

/**
 * struct gtdbg_pci_bind - argument of GTDBG_PCI_IOC_BIND
 * @flags: in: must be zero
 * @client_fd: in: descriptor of the client (linux/gtdbg.h) whose work runs
 *             there; may be closed afterwards
 * @drm_fd: in: descriptor of the GPU's render node, /dev/dri/renderD*; may be
 *          closed afterwards
 * @__reserved: in: must be zero
 *
 * Returns the id of the device, 1 or more. Who has both descriptors may use the GPU
 * and speak for the client. The device is lost when the GPU goes or its driver is
 * unbound; a new descriptor can be bound afterwards.
 *
 * EBADF: one of the two is not open, or the client's is no /dev/gtdbg. EINVAL: no
 * client has registered with it, the other is no render node, or flags are set.
 * EBUSY: this descriptor has bound one already. ESRCH: the client has ended.
 * EOPNOTSUPP: no such GPU or driver is supported; the kernel's log names it.
 * ENODEV: the GPU is on its way out, or does not answer. EDQUOT: too many devices
 * of this user, or of this client.
 */
struct gtdbg_pci_bind {
	__u32 flags;
	__s32 client_fd;
	__s32 drm_fd;
	__u32 __reserved;
};
#define GTDBG_PCI_IOC_BIND \
	_IOW(GTDBG_PCI_IOC_TYPE, 0x70, struct gtdbg_pci_bind)

#endif
