/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef GTDBG_REGISTER_H
#define GTDBG_REGISTER_H

struct gtdbg_session;

int gtdbg_ioctl_register_list(struct gtdbg_session *session, void *arg);
int gtdbg_ioctl_register_read(struct gtdbg_session *session, void *arg);
int gtdbg_ioctl_register_write(struct gtdbg_session *session, void *arg);

#endif
