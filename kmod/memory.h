/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef GTDBG_MEMORY_H
#define GTDBG_MEMORY_H

struct gtdbg_session;

int gtdbg_ioctl_memory_open(struct gtdbg_session *session, void *arg);
int gtdbg_ioctl_memory_read(struct gtdbg_session *session, void *arg);
int gtdbg_ioctl_memory_write(struct gtdbg_session *session, void *arg);
int gtdbg_ioctl_memory_list(struct gtdbg_session *session, void *arg);

#endif
