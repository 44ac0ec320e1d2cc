/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How a session becomes one of its client, and how it leaves it.
 */
#ifndef GTDBG_ATTACH_H
#define GTDBG_ATTACH_H

struct gtdbg_file;
struct gtdbg_session;

/* Nothing of @session remains at its client. No lock is held. */
void gtdbg_session_leave(struct gtdbg_session *session);

int gtdbg_ioctl_session_attach(struct gtdbg_file *file, void *arg);

#endif
