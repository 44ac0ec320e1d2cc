/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What time it is on a device, and here.
 */
#ifndef GTDBG_CLOCK_H
#define GTDBG_CLOCK_H

struct gtdbg_session;

int gtdbg_ioctl_device_clock(struct gtdbg_session *session, void *arg);

#endif
