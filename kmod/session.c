// SPDX-License-Identifier: GPL-2.0-only
#include "session.h"

#include <linux/anon_inodes.h>
#include <linux/fcntl.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>

#include "access.h"
#include "breakpoint.h"
#include "client.h"
#include "control.h"
#include "file.h"
#include "gt.h"
#include "ioctl.h"
#include "module.h"
#include "registry.h"
#include "submit.h"
#include "trace.h"

struct gtdbg_session *gtdbg_session_get(struct gtdbg_session *session)
{
	kref_get(&session->ref);
	return session;
}

static void session_free(struct kref *ref)
{
	struct gtdbg_session *session =
		container_of(ref, struct gtdbg_session, ref);

	gtdbg_event_queue_fini(&session->events);
	gtdbg_client_put(session->client);
	put_pid(session->pid);
	kfree(session);
}

void gtdbg_session_put(struct gtdbg_session *session)
{
	if (session)
		kref_put(&session->ref, session_free);
}

static struct gtdbg_session *
session_create(struct gtdbg_client *client,
	       const struct gtdbg_session_attach *request)
{
	struct gtdbg_session *session;

	session = kzalloc(sizeof(*session), GFP_KERNEL_ACCOUNT);
	if (!session)
		return NULL;
	if (gtdbg_event_queue_init(&session->events)) {
		kfree(session);
		return NULL;
	}
	kref_init(&session->ref);
	session->client = gtdbg_client_get(client);
	session->pid = get_pid(task_tgid(current));
	session->observer = request->flags & GTDBG_SESSION_F_OBSERVER;
	session->event_mask = request->event_mask;
	session->ack_mask = request->ack_mask;
	INIT_LIST_HEAD(&session->node);
	return session;
}

u64 gtdbg_session_emit(struct gtdbg_session *session,
		       const struct gtdbg_event_parts *parts)
{
	struct gtdbg_event_parts own = *parts;
	u64 bit = 1ULL << parts->kind;
	bool ack = session->ack_mask & bit;
	u64 seqno;

	lockdep_assert_held(&session->client->lock);
	if (!(session->event_mask & bit))
		return 0;
	if (ack)
		own.flags |= GTDBG_EVENT_F_ACK;
	seqno = gtdbg_event_queue_push(&session->events, &own);
	if (seqno)
		session->stats.events++;
	return ack ? seqno : 0;
}

int gtdbg_session_replay(struct gtdbg_session *session,
			 const struct gtdbg_event_parts *parts)
{
	struct gtdbg_event_parts own = *parts;
	int ret;

	if (!(session->event_mask & 1ULL << parts->kind) &&
	    parts->kind != GTDBG_EVENT_SYNCED)
		return 0;
	own.flags |= GTDBG_EVENT_F_REPLAY;
	ret = gtdbg_event_queue_replay(&session->events, &own);
	if (ret)
		return ret;
	session->stats.events++;
	return 0;
}

static int session_replay_client(struct gtdbg_session *session)
{
	struct gtdbg_client *client = session->client;
	struct gtdbg_event_client_add payload = {
		.pid = pid_vnr(client->pid),
		.flags = client->flags,
		.token = client->token,
	};
	struct gtdbg_event_parts parts = {
		.kind = GTDBG_EVENT_CLIENT_ADD,
		.payload = &payload,
		.payload_bytes = sizeof(payload),
	};

	memcpy(payload.comm, client->comm, sizeof(payload.comm));
	return gtdbg_session_replay(session, &parts);
}

static int session_replay_all(struct gtdbg_session *session)
{
	static const struct gtdbg_event_parts synced = {
		.kind = GTDBG_EVENT_SYNCED,
	};
	struct gtdbg_client *client = session->client;
	struct gtdbg_gt *gt;
	int ret;

	ret = session_replay_client(session);
	if (ret)
		return ret;
	list_for_each_entry(gt, &client->gts, client_node) {
		ret = gtdbg_gt_replay(gt, session);
		if (ret)
			return ret;
	}
	ret = gtdbg_modules_replay(client, session);
	if (ret)
		return ret;
	return gtdbg_session_replay(session, &synced);
}

/*
 * Replay and publish in one go, with everything locked that can be the subject
 * of an event: so nothing is told twice and nothing is missed.
 */
static int session_join(struct gtdbg_session *session)
{
	struct gtdbg_client *client = session->client;
	struct gtdbg_gt *gt;
	int ret;

	lockdep_assert_held(&gtdbg_registry_lock);
	list_for_each_entry(gt, &client->gts, client_node)
		mutex_lock_nest_lock(&gt->lock, &gtdbg_registry_lock);
	mutex_lock(&client->lock);
	ret = client->session_count < GTDBG_SESSIONS_MAX ?
		      session_replay_all(session) : -EDQUOT;
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
static void session_leave(struct gtdbg_session *session)
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

static int session_release(struct inode *inode, struct file *filp)
{
	struct gtdbg_session *session = filp->private_data;

	session_leave(session);
	trace_gtdbg_session_detach(pid_nr(session->client->pid),
				   session->observer);
	gtdbg_session_put(session);
	return 0;
}

static ssize_t session_read(struct file *filp, char __user *buf, size_t len,
			    loff_t *pos)
{
	struct gtdbg_session *session = filp->private_data;

	return gtdbg_event_queue_read(&session->events, buf, len,
				      filp->f_flags & O_NONBLOCK);
}

static __poll_t session_poll(struct file *filp, poll_table *table)
{
	struct gtdbg_session *session = filp->private_data;

	return gtdbg_event_queue_poll(&session->events, filp, table);
}

static long session_ioctl(struct file *filp, unsigned int cmd,
			  unsigned long arg)
{
	return gtdbg_ioctl_session(filp->private_data, cmd, (void __user *)arg);
}

static const struct file_operations session_fops = {
	.owner = THIS_MODULE,
	.release = session_release,
	.read = session_read,
	.poll = session_poll,
	.unlocked_ioctl = session_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
	.llseek = noop_llseek,
};

/* The client of @pid if a session like @request can have it. */
static struct gtdbg_client *
session_pick(struct pid *pid, struct gtdbg_session_attach *request)
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
session_open(struct pid *pid, struct gtdbg_session_attach *request)
{
	struct gtdbg_session *session;
	struct gtdbg_client *client;
	int ret;

	lockdep_assert_held(&gtdbg_registry_lock);
	client = session_pick(pid, request);
	if (IS_ERR(client))
		return ERR_CAST(client);
	session = session_create(client, request);
	if (!session)
		return ERR_PTR(-ENOMEM);
	ret = session_join(session);
	if (ret) {
		gtdbg_session_put(session);
		return ERR_PTR(ret);
	}
	return session;
}

static int session_install(struct gtdbg_session *session)
{
	struct file *filp;
	int fd;

	fd = get_unused_fd_flags(O_CLOEXEC);
	if (fd < 0)
		return fd;
	filp = anon_inode_getfile("[gtdbg]", &session_fops, session, O_RDWR);
	if (IS_ERR(filp)) {
		put_unused_fd(fd);
		return PTR_ERR(filp);
	}
	fd_install(fd, filp);
	return fd;
}

static int session_attach_pid(struct pid *pid,
			      struct gtdbg_session_attach *request)
{
	struct gtdbg_session *session;
	struct gtdbg_client *client;
	int ret;

	ret = mutex_lock_killable(&gtdbg_registry_lock);
	if (ret)
		return ret;
	session = session_open(pid, request);
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
		ret = session_install(session);
	if (ret < 0) {
		session_leave(session);
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
	if (gtdbg_event_masks_check(request->ack_mask, observer))
		return -EINVAL;
	if ((request->client_fd >= 0) == (request->pid > 0))
		return -EINVAL;
	pid = gtdbg_access_target(request);
	if (IS_ERR(pid))
		return PTR_ERR(pid);
	ret = session_attach_pid(pid, request);
	put_pid(pid);
	return ret;
}

int gtdbg_ioctl_session_stats(struct gtdbg_session *session, void *arg)
{
	struct gtdbg_session_stats *stats = arg;
	struct gtdbg_event_queue *queue = &session->events;

	if (stats->flags || stats->__reserved)
		return -EINVAL;
	mutex_lock(&session->client->lock);
	*stats = session->stats;
	mutex_unlock(&session->client->lock);
	spin_lock(&queue->lock);
	stats->events_lost = queue->lost_total;
	spin_unlock(&queue->lock);
	return 0;
}

int gtdbg_ioctl_session_info(struct gtdbg_session *session, void *arg)
{
	return gtdbg_info_fill(arg);
}

int gtdbg_event_masks_check(u64 ack_mask, bool observer)
{
	if (ack_mask & ~(1ULL << GTDBG_EVENT_KERNEL_SUBMIT))
		return -EINVAL;
	return observer && ack_mask ? -EINVAL : 0;
}

int gtdbg_ioctl_event_mask(struct gtdbg_session *session, void *arg)
{
	const struct gtdbg_event_mask *request = arg;

	if (gtdbg_event_masks_check(request->ack_mask, session->observer))
		return -EINVAL;
	mutex_lock(&session->client->lock);
	session->event_mask = request->event_mask;
	session->ack_mask = request->ack_mask;
	mutex_unlock(&session->client->lock);
	return 0;
}

int gtdbg_ioctl_event_ack(struct gtdbg_session *session, void *arg)
{
	const struct gtdbg_event_ack *request = arg;
	struct gtdbg_session_gts gts;
	int ret = -ENOENT;
	u32 i;

	if (request->flags || request->__reserved)
		return -EINVAL;
	if (session->observer)
		return -EPERM;
	gtdbg_session_gts_get(session, &gts);
	for (i = 0; i < gts.count && ret == -ENOENT; i++) {
		mutex_lock(&gts.gt[i]->lock);
		ret = gtdbg_submit_ack(gts.gt[i], request->seqno);
		mutex_unlock(&gts.gt[i]->lock);
	}
	gtdbg_session_gts_put(&gts);
	return ret;
}

static struct gtdbg_gt *session_gt_find(struct gtdbg_session *session,
					u32 device)
{
	struct gtdbg_gt *gt;

	lockdep_assert_held(&gtdbg_registry_lock);
	if (!gtdbg_client_check(session->client))
		return ERR_PTR(-ESRCH);
	list_for_each_entry(gt, &session->client->gts, client_node)
		if (gt->id == device)
			return gtdbg_gt_get(gt);
	return ERR_PTR(-ENOENT);
}

struct gtdbg_gt *gtdbg_session_gt_lock(struct gtdbg_session *session,
				       u32 device)
{
	struct gtdbg_gt *gt;
	int ret;

	ret = mutex_lock_killable(&gtdbg_registry_lock);
	if (ret)
		return ERR_PTR(ret);
	gt = session_gt_find(session, device);
	mutex_unlock(&gtdbg_registry_lock);
	if (IS_ERR(gt))
		return gt;
	ret = mutex_lock_killable(&gt->lock);
	if (ret) {
		gtdbg_gt_put(gt);
		return ERR_PTR(ret);
	}
	/* What outlives a session, its memory descriptors, may call then. */
	if (gt->lost || gt->client != session->client ||
	    READ_ONCE(session->closed)) {
		gtdbg_session_gt_unlock(gt);
		return ERR_PTR(-ENODEV);
	}
	gtdbg_gt_begin(gt);
	return gt;
}

void gtdbg_session_gt_unlock(struct gtdbg_gt *gt)
{
	mutex_unlock(&gt->lock);
	gtdbg_gt_put(gt);
}

void gtdbg_session_gts_get(struct gtdbg_session *session,
			   struct gtdbg_session_gts *gts)
{
	struct gtdbg_gt *gt;

	gts->count = 0;
	mutex_lock(&gtdbg_registry_lock);
	list_for_each_entry(gt, &session->client->gts, client_node)
		if (gts->count < ARRAY_SIZE(gts->gt))
			gts->gt[gts->count++] = gtdbg_gt_get(gt);
	mutex_unlock(&gtdbg_registry_lock);
}

void gtdbg_session_gts_put(struct gtdbg_session_gts *gts)
{
	while (gts->count)
		gtdbg_gt_put(gts->gt[--gts->count]);
}
