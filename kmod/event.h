/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a session does with events beside reading them.
 */
#ifndef GTDBG_EVENT_H
#define GTDBG_EVENT_H

#include <linux/types.h>

struct gtdbg_session;

/* -EINVAL: kinds that there are not, or that cannot be acknowledged. */
int gtdbg_event_masks_check(u64 event_mask, u64 ack_mask, bool observer);

int gtdbg_ioctl_event_mask(struct gtdbg_session *session, void *arg);
int gtdbg_ioctl_event_ack(struct gtdbg_session *session, void *arg);

#endif
