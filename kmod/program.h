/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Programs that the SIP carries out at a breakpoint. A session brings the
 * operations; what it brings is checked before it gets near a thread.
 */
#ifndef GTDBG_PROGRAM_H
#define GTDBG_PROGRAM_H

#include <linux/gtdbg_sip.h>
#include <linux/types.h>

struct gtdbg_session;

struct gtdbg_program {
	u64 serial; /* no two that a session brings have the same */
	bool records;
	bool sure; /* it writes them once it would not stop */
	u16 sip_minor; /* the oldest SIP that can carry it out */
	u8 windows; /* that it looks into: they are its first ones */
	u16 count;

	/*
	 * So many threads that it would stop run on; so many have. The latter two change,
	 * in client->lock, and are up to date in the breakpoint's own alone.
	 */
	u32 breakpoint; /* id */
	u32 ignore, ignored;
	bool ignore_held; /* threads take from what is left, at one place */

	struct gtdbg_sip_op op[GTDBG_SIP_PROGRAM_OPS_MAX];
};

int gtdbg_ioctl_breakpoint_program(struct gtdbg_session *session, void *arg);

#endif
