/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef GTDBG_REGISTER_H
#define GTDBG_REGISTER_H

#include <linux/types.h>

struct gtdbg_gt;
struct gtdbg_session;

/*
 * Bytes of a register set of the thread that is stopped in @slot. Needs the GT's
 * lock. -EOPNOTSUPP: its SIP saves no such set; -EINVAL: it has not so many bytes.
 */
int gtdbg_register_copy(struct gtdbg_gt *gt, u32 slot, u32 set,
			u32 offset_bytes, void *buf, u32 len_bytes);

int gtdbg_ioctl_register_list(struct gtdbg_session *session, void *arg);
int gtdbg_ioctl_register_read(struct gtdbg_session *session, void *arg);
int gtdbg_ioctl_register_write(struct gtdbg_session *session, void *arg);

#endif
