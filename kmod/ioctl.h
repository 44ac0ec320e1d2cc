/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef GTDBG_IOCTL_H
#define GTDBG_IOCTL_H

#include <linux/compiler.h>

struct gtdbg_file;
struct gtdbg_session;

/* Carry out @cmd on an open /dev/gtdbg, or on a session. */
long gtdbg_ioctl_control(struct gtdbg_file *file, unsigned int cmd,
			 void __user *arg);
long gtdbg_ioctl_session(struct gtdbg_session *session, unsigned int cmd,
			 void __user *arg);

#endif
