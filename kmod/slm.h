/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef GTDBG_SLM_H
#define GTDBG_SLM_H

struct gtdbg_session;

int gtdbg_ioctl_slm_read(struct gtdbg_session *session, void *arg);
int gtdbg_ioctl_slm_write(struct gtdbg_session *session, void *arg);

#endif
