/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What begins on a GT when a controller comes, and ends when it goes.
 */
#ifndef GTDBG_CONTROL_H
#define GTDBG_CONTROL_H

#include <linux/types.h>

struct gtdbg_client;
struct gtdbg_gt;

/*
 * The controller of @client goes, or the client itself, and no other can come:
 * quiesce all GTs. No lock is held, so that no one else waits for a device that
 * does not answer.
 */
void gtdbg_control_quiesce_all(struct gtdbg_client *client);

/*
 * Below here, the GT's lock is held.
 */

/* A controller came. Its contexts' threads stop from now on. */
void gtdbg_control_activate(struct gtdbg_gt *gt);

/*
 * It went: restore the code, resume all, let nothing stop any more. Threads that
 * were on their way into the SIP are let go by the poller, which stays for that.
 */
void gtdbg_control_quiesce(struct gtdbg_gt *gt);

/*
 * The device was lost because it did not answer: leave it as if never debugged,
 * without waiting for it, and take it back when it answers. Repeatable. False: it
 * is lost for good.
 */
bool gtdbg_control_stalled(struct gtdbg_gt *gt);

/* Is there something to look for although no controller is there? */
bool gtdbg_control_lingers(const struct gtdbg_gt *gt);

/* Is there anything to look for? */
bool gtdbg_control_looks(const struct gtdbg_gt *gt);

/* After a scan without a controller: is that over? */
void gtdbg_control_linger_check(struct gtdbg_gt *gt, bool busy);

#endif
