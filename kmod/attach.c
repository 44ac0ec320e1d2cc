// SPDX-License-Identifier: GPL-2.0-only
#include "attach.h"

#include <linux/err.h>
#include <linux/pid.h>
#include <linux/wait.h>

#include "access.h"
#include "breakpoint.h"
#include "client.h"
#include "control.h"
#include "event.h"
#include "gt.h"
#include "gtdbg.h"
#include "kernel.h"
#include "session.h"
#include "snapshot.h"
#include "submit.h"
#include "trace.h"

/* With everything locked that can be the subject of an event. */
static int attach_enter(struct gtdbg_session *session)
{
	struct gtdbg_client *client = session->client;
	int ret;

	lockdep_assert_held(&client->lock);
	if (client->session_count >= GTDBG_SESSIONS_MAX)
		return -EDQUOT;
	ret = gtdbg_snapshot_take(session, NULL);
	if (ret)
		return ret;
	list_add_tail(&session->node, &client->sessions);
	client->session_count++;
	if (!session->observer) {
		client->controller = session;
		WRITE_ONCE(client->controlled, true);
	}
	if (session->asserts)
		gtdbg_kernels_assert(client);
	gtdbg_client_watch(client);
	return 0;
}

/*
 * The controller's place stays taken until its traces are removed, so that the
 * next one does not see them.
 */
void gtdbg_session_leave(struct gtdbg_session *session)
{
	struct gtdbg_client *client = session->client;

	mutex_lock(&client->lock);
	WRITE_ONCE(session->closed, true);
	/* Code that comes meanwhile gets no breakpoints. */
	if (!session->observer)
		client->asserts = false;
	mutex_unlock(&client->lock);
	if (!session->observer) {
		gtdbg_control_quiesce_all(client);
		gtdbg_breakpoints_clear_all(client);
	}
	mutex_lock(&client->lock);
	list_del(&session->node);
	client->session_count--;
	if (!session->observer)
		client->controller = NULL;
	if (!client->session_count)
		gtdbg_client_recheck(client);
	mutex_unlock(&client->lock);
}

/* Can a session like @request have @client? */
static int attach_check(struct gtdbg_client *client,
			struct gtdbg_session_attach *request)
{
	lockdep_assert_held(&client->lock);
	if (!gtdbg_client_runs(client) || client->ending)
		return request->refusal == GTDBG_REFUSAL_NO_CLIENT ? -ENOENT :
								     -ESRCH;
	if (client->controller &&
	    !(request->flags & GTDBG_SESSION_F_OBSERVER)) {
		request->refusal = GTDBG_REFUSAL_CONTROLLED;
		request->holder_pid = pid_vnr(client->controller->pid);
		return -EBUSY;
	}
	request->refusal = GTDBG_REFUSAL_NONE;
	return 0;
}

/*
 * Replay and publish in one go: so nothing is reported twice and nothing is
 * missed. In the same hold of the lock it is asked whether the program that
 * could be traced is the one that runs.
 */
static int attach_join(struct gtdbg_session *session,
		       struct gtdbg_session_attach *request)
{
	struct gtdbg_client *client = session->client;
	struct gtdbg_session_gts gts;
	int ret;
	u32 i;

	ret = gtdbg_snapshot_lock(client, &gts);
	if (ret)
		return ret;
	ret = attach_check(client, request) ?: attach_enter(session);
	mutex_unlock(&client->lock);
	for (i = 0; i < gts.count && !ret; i++) {
		if (session->observer)
			gtdbg_submits_want(gts.gt[i]);
		else if (!gts.gt[i]->lost)
			gtdbg_control_activate(gts.gt[i]);
	}
	gtdbg_snapshot_unlock_gts(&gts);
	return ret;
}

static int attach_to(struct gtdbg_client *client,
		     struct gtdbg_session_attach *request)
{
	struct gtdbg_session *session;
	struct file *filp;
	int ret, fd;

	session = gtdbg_session_create(client, request);
	if (!session)
		return -ENOMEM;
	fd = gtdbg_session_open(&filp);
	if (fd < 0) {
		ret = fd;
		goto err_put;
	}
	ret = attach_join(session, request);
	if (ret)
		goto err_close;
	/* Who waits for a debugger has one: nothing below may fail. */
	trace_gtdbg_session_attach(pid_nr(client->pid), session->observer);
	/* Once installed, another thread may close it: it is not ours then. */
	gtdbg_session_install(session, fd, filp);
	wake_up_all(&client->wait);
	return fd;

err_close:
	gtdbg_session_close(fd, filp);
err_put:
	gtdbg_session_put(session);
	return ret;
}

int gtdbg_ioctl_session_attach(struct gtdbg_file *file, void *arg)
{
	struct gtdbg_session_attach *request = arg;
	bool observer = request->flags & GTDBG_SESSION_F_OBSERVER;
	struct gtdbg_client *client;
	int ret;

	request->refusal = GTDBG_REFUSAL_NONE;
	request->holder_pid = 0;
	if ((request->flags & ~(GTDBG_SESSION_F_OBSERVER |
				GTDBG_SESSION_F_ASSERTS)) ||
	    request->__reserved)
		return -EINVAL;
	if (observer && request->flags & GTDBG_SESSION_F_ASSERTS)
		return -EINVAL;
	if (gtdbg_event_masks_check(request->event_mask, request->ack_mask,
				    observer))
		return -EINVAL;
	if (request->pid < 0 ||
	    (request->client_fd >= 0) == (request->pid > 0))
		return -EINVAL;
	client = gtdbg_access_target(request);
	if (IS_ERR(client))
		return PTR_ERR(client);
	ret = attach_to(client, request);
	gtdbg_client_put(client);
	/* Nobody has refused. */
	if (ret == -ENOMEM || ret == -EINTR || ret == -EMFILE || ret == -ENFILE)
		request->refusal = GTDBG_REFUSAL_NONE;
	return ret;
}
