/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef GTDBG_INTERRUPT_H
#define GTDBG_INTERRUPT_H

struct gtdbg_session;

int gtdbg_ioctl_thread_interrupt(struct gtdbg_session *session, void *arg);

#endif
