/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A snapshot: records that tell a session all that there is, at one moment. Each
 * session begins with one, and can ask for another.
 */
#ifndef GTDBG_SNAPSHOT_H
#define GTDBG_SNAPSHOT_H

struct gtdbg_client;
struct gtdbg_event_snapshot;
struct gtdbg_session;

/*
 * Take the locks of all that can be the subject of an event: those of the
 * client's GTs, then the client's own. The registry lock is held.
 */
void gtdbg_snapshot_lock(struct gtdbg_client *client);
void gtdbg_snapshot_unlock(struct gtdbg_client *client);

/* With these locks: queue it, all or nothing. @out may be NULL. */
int gtdbg_snapshot_take(struct gtdbg_session *session,
			struct gtdbg_event_snapshot *out);

int gtdbg_ioctl_event_snapshot(struct gtdbg_session *session, void *arg);

#endif
