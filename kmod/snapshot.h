/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A snapshot: records that describe to a session all that there is, at one
 * moment. Each session begins with one, and can ask for another.
 */
#ifndef GTDBG_SNAPSHOT_H
#define GTDBG_SNAPSHOT_H

struct gtdbg_client;
struct gtdbg_event_snapshot;
struct gtdbg_session;
struct gtdbg_session_gts;

/*
 * Take the locks of all that can be the subject of an event: those of the
 * client's GTs, put into @gts, then the client's own. -EINTR: killed meanwhile.
 * The client's lock is for the caller to release, those of the GTs after it.
 */
int gtdbg_snapshot_lock(struct gtdbg_client *client,
			struct gtdbg_session_gts *gts);
void gtdbg_snapshot_unlock_gts(struct gtdbg_session_gts *gts);

/* With these locks: queue it, all or nothing. @out may be NULL. */
int gtdbg_snapshot_take(struct gtdbg_session *session,
			struct gtdbg_event_snapshot *out);

int gtdbg_ioctl_event_snapshot(struct gtdbg_session *session, void *arg);

#endif
