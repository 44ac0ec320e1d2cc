// SPDX-License-Identifier: GPL-2.0-only
#include "attach.h"

#include <linux/pid.h>
#include <linux/wait.h>

#include "access.h"
#include "breakpoint.h"
#include "client.h"
#include "control.h"
#include "event.h"
#include "gt.h"
#include "gtdbg.h"
#include "registry.h"
#include "session.h"
#include "snapshot.h"
#include "trace.h"

/*
 * Replay and publish in one go, with everything locked that can be the subject
 * of an event: so nothing is told twice and nothing is missed.
 */
static int attach_join(struct gtdbg_session *session)
{
	struct gtdbg_client *client = session->client;
	struct gtdbg_gt *gt;
	int ret = -EDQUOT;

	lockdep_assert_held(&gtdbg_registry_lock);
	gtdbg_snapshot_lock(client);
	if (client->session_count < GTDBG_SESSIONS_MAX)
		ret = gtdbg_snapshot_take(session, NULL);
	if (!ret) {
		list_add_tail(&session->node, &client->sessions);
		client->session_count++;
		if (!session->observer) {
			WRITE_ONCE(client->controller, session);
			WRITE_ONCE(client->controlled, true);
		}
	}
	mutex_unlock(&client->lock);
	list_for_each_entry(gt, &client->gts, client_node) {
		if (!ret && !session->observer)
			gtdbg_control_activate(gt);
		mutex_unlock(&gt->lock);
	}
	return ret;
}

/*
 * The controller's place stays taken until its traces are removed, so that the
 * next one does not see them.
 */
void gtdbg_session_leave(struct gtdbg_session *session)
{
	struct gtdbg_client *client = session->client;

	WRITE_ONCE(session->closed, true);
	if (!session->observer) {
		gtdbg_control_quiesce_all(client);
		gtdbg_breakpoints_clear_all(client);
	}
	mutex_lock(&gtdbg_registry_lock);
	mutex_lock(&client->lock);
	list_del(&session->node);
	client->session_count--;
	if (!session->observer)
		WRITE_ONCE(client->controller, NULL);
	mutex_unlock(&client->lock);
	gtdbg_registry_update(client);
	mutex_unlock(&gtdbg_registry_lock);
}

/* The client of @pid if a session like @request can have it. */
static struct gtdbg_client *
attach_pick(struct pid *pid, struct gtdbg_session_attach *request)
{
	struct gtdbg_client *client = gtdbg_client_find(pid);

	lockdep_assert_held(&gtdbg_registry_lock);
	if (!client || client->ending)
		return ERR_PTR(request->refusal == GTDBG_REFUSAL_NO_CLIENT ?
				       -ENOENT : -ESRCH);
	if (client->controller &&
	    !(request->flags & GTDBG_SESSION_F_OBSERVER)) {
		request->refusal = GTDBG_REFUSAL_CONTROLLED;
		request->holder_pid = pid_vnr(client->controller->pid);
		return ERR_PTR(-EBUSY);
	}
	request->refusal = GTDBG_REFUSAL_NONE;
	return client;
}

/* Attach to process @pid: the new session, joined, or an error. */
static struct gtdbg_session *
attach_open(struct pid *pid, struct gtdbg_session_attach *request)
{
	struct gtdbg_session *session;
	struct gtdbg_client *client;
	int ret;

	lockdep_assert_held(&gtdbg_registry_lock);
	client = attach_pick(pid, request);
	if (IS_ERR(client))
		return ERR_CAST(client);
	session = gtdbg_session_create(client, request);
	if (!session)
		return ERR_PTR(-ENOMEM);
	ret = attach_join(session);
	if (ret) {
		gtdbg_session_put(session);
		return ERR_PTR(ret);
	}
	return session;
}

static int attach_to_pid(struct pid *pid,
			 struct gtdbg_session_attach *request)
{
	struct gtdbg_session *session;
	struct gtdbg_client *client;
	int ret;

	ret = mutex_lock_killable(&gtdbg_registry_lock);
	if (ret)
		return ret;
	session = attach_open(pid, request);
	/* A session without its pollers would see nothing. */
	ret = IS_ERR(session) ? PTR_ERR(session) :
				gtdbg_registry_update(session->client);
	mutex_unlock(&gtdbg_registry_lock);
	if (IS_ERR(session))
		return ret;
	client = gtdbg_client_get(session->client);
	trace_gtdbg_session_attach(pid_nr(pid), session->observer);
	/* Once installed, another thread may close it: it is not ours then. */
	if (!ret)
		ret = gtdbg_session_install(session);
	if (ret < 0) {
		gtdbg_session_leave(session);
		gtdbg_session_put(session);
	} else {
		wake_up_all(&client->wait);
	}
	gtdbg_client_put(client);
	return ret;
}

int gtdbg_ioctl_session_attach(struct gtdbg_file *file, void *arg)
{
	struct gtdbg_session_attach *request = arg;
	bool observer = request->flags & GTDBG_SESSION_F_OBSERVER;
	struct pid *pid;
	int ret;

	request->refusal = GTDBG_REFUSAL_NONE;
	request->holder_pid = 0;
	if ((request->flags & ~GTDBG_SESSION_F_OBSERVER) || request->__reserved)
		return -EINVAL;
	if (gtdbg_event_masks_check(request->event_mask, request->ack_mask,
				    observer))
		return -EINVAL;
	if ((request->client_fd >= 0) == (request->pid > 0))
		return -EINVAL;
	pid = gtdbg_access_target(request);
	if (IS_ERR(pid))
		return PTR_ERR(pid);
	ret = attach_to_pid(pid, request);
	put_pid(pid);
	return ret;
}
