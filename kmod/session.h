/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A session: who debugs a client. One controls it, others look on.
 */
#ifndef GTDBG_SESSION_H
#define GTDBG_SESSION_H

#include <linux/kref.h>
#include <linux/list.h>

#include "event_queue.h"
#include "gtdbg.h"

struct file;
struct gtdbg_client;
struct gtdbg_gt;

struct gtdbg_session {
	struct kref ref;
	struct gtdbg_event_queue events;

	/* Written once before the session is published. */
	struct gtdbg_client *client;
	struct pid *pid;
	bool observer, asserts;

	/*
	 * Set once, with the client's lock held, when the descriptor is closed;
	 * checked without it by what outlives that.
	 */
	bool closed;

	/* Protected by the client's lock. */
	struct list_head node;
	u64 event_mask, ack_mask;
	struct gtdbg_session_stats stats;
};

/* A session of @client that no one knows of yet; NULL: no memory. */
struct gtdbg_session *
gtdbg_session_create(struct gtdbg_client *client,
		     const struct gtdbg_session_attach *request);
struct gtdbg_session *gtdbg_session_get(struct gtdbg_session *session);
void gtdbg_session_put(struct gtdbg_session *session);

/*
 * A new descriptor that no one can use yet, or an error: all that can fail of it is
 * done before a session becomes one of its client. Until it is installed it can be
 * closed again.
 */
int gtdbg_session_open(struct file **filp_out);
void gtdbg_session_close(int fd, struct file *filp);

/*
 * @session belongs to the descriptor from then on: once installed, another thread may
 * close that.
 */
void gtdbg_session_install(struct gtdbg_session *session, int fd,
			   struct file *filp);

/*
 * Queue an event if the session wants it; the client's lock is held. Returns
 * its number if it is to be acknowledged, else 0.
 */
u64 gtdbg_session_emit(struct gtdbg_session *session,
		       const struct gtdbg_event_parts *parts);

/* Stage what is to be replayed, if the session wants it; see event_queue.h. */
int gtdbg_session_replay(struct gtdbg_session *session,
			 const struct gtdbg_event_parts *parts);

/*
 * The GT of id @device, referenced and locked, if it belongs to the session's
 * client; else -ENOENT, -ENODEV (lost), -ESRCH (client gone) or -EINTR.
 */
struct gtdbg_gt *gtdbg_session_gt_lock(struct gtdbg_session *session,
				       u32 device);
void gtdbg_session_gt_unlock(struct gtdbg_gt *gt);

/*
 * Of a GT that is locked: is it still the session's client's, and has that executed no
 * other program? Who has waited for the lock asks again.
 */
bool gtdbg_session_holds(const struct gtdbg_session *session,
			 const struct gtdbg_gt *gt);

/* References to all GTs of the session's client, in a fixed order. */
struct gtdbg_session_gts {
	u32 count;
	struct gtdbg_gt *gt[GTDBG_DEVICES_OF_CLIENT_MAX];
};
void gtdbg_session_gts_get(struct gtdbg_session *session,
			   struct gtdbg_session_gts *gts);
void gtdbg_session_gts_put(struct gtdbg_session_gts *gts);

int gtdbg_ioctl_session_stats(struct gtdbg_session *session, void *arg);
int gtdbg_ioctl_session_info(struct gtdbg_session *session, void *arg);

#endif
