// SPDX-License-Identifier: GPL-2.0-only
#include "session.h"

#include <linux/anon_inodes.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>

#include "attach.h"
#include "client.h"
#include "file.h"
#include "gt.h"
#include "ioctl.h"
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

struct gtdbg_session *
gtdbg_session_create(struct gtdbg_client *client,
		     const struct gtdbg_session_attach *request)
{
	struct gtdbg_session *session;

	session = kzalloc(sizeof(*session), GFP_KERNEL_ACCOUNT);
	if (!session)
		return NULL;
	if (gtdbg_event_queue_init(&session->events, client->account)) {
		kfree(session);
		return NULL;
	}
	kref_init(&session->ref);
	session->client = gtdbg_client_get(client);
	session->pid = get_pid(task_tgid(current));
	session->observer = request->flags & GTDBG_SESSION_F_OBSERVER;
	session->asserts = request->flags & GTDBG_SESSION_F_ASSERTS;
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

	lockdep_assert_held(&session->client->lock);
	if (!(session->event_mask & 1ULL << parts->kind) &&
	    parts->kind != GTDBG_EVENT_SYNCED)
		return 0;
	own.flags |= GTDBG_EVENT_F_REPLAY;
	/* Only the controller acknowledges. */
	if (session->observer)
		own.seqno_out = NULL;
	if (own.seqno_out)
		own.flags |= GTDBG_EVENT_F_ACK;
	ret = gtdbg_event_queue_stage(&session->events, &own);
	if (ret)
		return ret;
	session->stats.events++;
	return 0;
}

static int session_release(struct inode *inode, struct file *filp)
{
	struct gtdbg_session *session = filp->private_data;

	/* It could not be one of its client. */
	if (!session)
		return 0;
	gtdbg_session_leave(session);
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

int gtdbg_session_open(struct file **filp_out)
{
	struct file *filp;
	int fd;

	fd = get_unused_fd_flags(O_CLOEXEC);
	if (fd < 0)
		return fd;
	filp = anon_inode_getfile("[gtdbg]", &session_fops, NULL, O_RDWR);
	if (IS_ERR(filp)) {
		put_unused_fd(fd);
		return PTR_ERR(filp);
	}
	*filp_out = filp;
	return fd;
}

void gtdbg_session_close(int fd, struct file *filp)
{
	put_unused_fd(fd);
	fput(filp);
}

void gtdbg_session_install(struct gtdbg_session *session, int fd,
			   struct file *filp)
{
	filp->private_data = session;
	fd_install(fd, filp);
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

struct gtdbg_gt *gtdbg_session_gt_lock(struct gtdbg_session *session,
				       u32 device)
{
	struct gtdbg_gt *gt;
	int ret;

	if (!gtdbg_client_check(session->client))
		return ERR_PTR(-ESRCH);
	gt = gtdbg_client_gt_get(session->client, device);
	if (!gt)
		return ERR_PTR(-ENOENT);
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
	/* It may have executed another program while this waited. */
	if (!gtdbg_client_runs(session->client)) {
		gtdbg_session_gt_unlock(gt);
		return ERR_PTR(-ESRCH);
	}
	gtdbg_gt_begin(gt);
	return gt;
}

void gtdbg_session_gt_unlock(struct gtdbg_gt *gt)
{
	mutex_unlock(&gt->lock);
	gtdbg_gt_put(gt);
}

bool gtdbg_session_holds(const struct gtdbg_session *session,
			 const struct gtdbg_gt *gt)
{
	lockdep_assert_held(&gt->lock);
	return gt->client == session->client &&
	       gtdbg_client_runs(session->client);
}

void gtdbg_session_gts_get(struct gtdbg_session *session,
			   struct gtdbg_session_gts *gts)
{
	gtdbg_client_gts_get(session->client, gts);
}

void gtdbg_session_gts_put(struct gtdbg_session_gts *gts)
{
	while (gts->count)
		gtdbg_gt_put(gts->gt[--gts->count]);
}
