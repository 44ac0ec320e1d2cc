/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What sessions ask for at places of the code, and how far it was done there.
 */
#ifndef GTDBG_PLACE_H
#define GTDBG_PLACE_H

struct gtdbg_breakpoint_program;
struct gtdbg_session;

/* No lock held. Bring a breakpoint's sites up to date, and say how they are. */
int gtdbg_place_count(struct gtdbg_session *session,
		      struct gtdbg_breakpoint_program *request);

int gtdbg_ioctl_breakpoint_set(struct gtdbg_session *session, void *arg);
int gtdbg_ioctl_breakpoint_set_many(struct gtdbg_session *session, void *arg);
int gtdbg_ioctl_breakpoint_clear(struct gtdbg_session *session, void *arg);
int gtdbg_ioctl_breakpoint_clear_many(struct gtdbg_session *session, void *arg);

#endif
