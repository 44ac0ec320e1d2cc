// SPDX-License-Identifier: GPL-2.0-only
/*
 * A client lives as long as its process keeps the descriptor open. Descriptors
 * that others hold (a debugger's pidfd_getfd(), a fork's) must neither prolong
 * nor end it, so the end is taken from flush(), which knows who closes, and
 * not from release().
 */
#include "client.h"

#include <linux/hashtable.h>
#include <linux/random.h>
#include <linux/sched/signal.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

#include "account.h"
#include "breakpoint.h"
#include "event_queue.h"
#include "file.h"
#include "gt.h"
#include "gtdbg.h"
#include "kernel.h"
#include "module.h"
#include "registry.h"
#include "session.h"
#include "trace.h"

#define WATCH_PERIOD (HZ / 4)
#define CLIENT_HASH_BITS 10

/* By process; protected by gtdbg_registry_lock. */
static DEFINE_HASHTABLE(clients, CLIENT_HASH_BITS);
static struct workqueue_struct *watchers;

struct gtdbg_client *gtdbg_client_get(struct gtdbg_client *client)
{
	kref_get(&client->ref);
	return client;
}

static void client_free(struct kref *ref)
{
	struct gtdbg_client *client =
		container_of(ref, struct gtdbg_client, ref);

	gtdbg_breakpoints_fini(client);
	gtdbg_kernels_fini(client);
	gtdbg_modules_fini(client);
	gtdbg_account_uncharge(client->account, GTDBG_ACCOUNT_CLIENTS, 1);
	gtdbg_account_put(client->account);
	put_pid(client->pid);
	kfree(client);
}

void gtdbg_client_put(struct gtdbg_client *client)
{
	if (client)
		kref_put(&client->ref, client_free);
}

static bool client_process_lives(const struct gtdbg_client *client)
{
	struct task_struct *leader;
	bool lives;

	rcu_read_lock();
	leader = pid_task(client->pid, PIDTYPE_TGID);
	lives = leader && atomic_read(&leader->signal->live);
	rcu_read_unlock();
	return lives;
}

/*
 * A descriptor without O_CLOEXEC survives an exec. The new program may be one
 * that who has attached may not trace, as one with other credentials; and that
 * number changes before the new credentials apply. One that has ended is the same.
 */
static bool client_is_same(const struct gtdbg_client *client)
{
	struct task_struct *leader;
	bool same;

	rcu_read_lock();
	leader = pid_task(client->pid, PIDTYPE_TGID);
	same = leader && READ_ONCE(leader->self_exec_id) == client->exec_id;
	rcu_read_unlock();
	return same;
}

/* Neither becomes true again. */
bool gtdbg_client_runs(const struct gtdbg_client *client)
{
	return client_process_lives(client) && client_is_same(client);
}

/* From here on nobody finds it. False: it has begun to end before. */
static bool client_begin_end(struct gtdbg_client *client)
{
	bool begun;

	mutex_lock(&gtdbg_registry_lock);
	begun = !client->ending;
	if (begun) {
		WRITE_ONCE(client->ending, true);
		hash_del(&client->node);
	}
	mutex_unlock(&gtdbg_registry_lock);
	return begun;
}

void gtdbg_client_end(struct gtdbg_client *client, u32 reason)
{
	struct gtdbg_session *session;

	if (!client_begin_end(client))
		return;
	/* The program may run on: leave it as if never debugged. */
	gtdbg_registry_disown(client);
	mutex_lock(&client->lock);
	WRITE_ONCE(client->gone, true);
	list_for_each_entry(session, &client->sessions, node)
		gtdbg_event_queue_exit(&session->events, reason);
	mutex_unlock(&client->lock);
	wake_up_all(&client->wait);
	trace_gtdbg_client_end(pid_nr(client->pid), reason);
}

static void client_watch(struct work_struct *work)
{
	struct gtdbg_client *client =
		container_of(to_delayed_work(work), struct gtdbg_client, watch);
	bool watched;

	if (!gtdbg_client_runs(client))
		gtdbg_client_end(client, client_process_lives(client) ?
						 GTDBG_EXIT_CLOSED :
						 GTDBG_EXIT_EXITED);
	mutex_lock(&client->lock);
	watched = client->session_count && !client->gone;
	if (watched) {
		queue_delayed_work(watchers, &client->watch, WATCH_PERIOD);
	} else {
		client->watched = false;
		/* Someone may have been in a hurry meanwhile. */
		cancel_delayed_work(&client->watch);
	}
	mutex_unlock(&client->lock);
	if (!watched)
		gtdbg_client_put(client);
}

void gtdbg_client_watch(struct gtdbg_client *client)
{
	lockdep_assert_held(&client->lock);
	if (client->watched || client->gone)
		return;
	client->watched = true;
	gtdbg_client_get(client);
	queue_delayed_work(watchers, &client->watch, WATCH_PERIOD);
}

/*
 * To end a client may take time, and the caller may have locked a GT. The
 * watch's reference is given up by the watch alone: while it runs it may be
 * queued again, so that who cancels it does not know which of the two that was.
 */
void gtdbg_client_recheck(struct gtdbg_client *client)
{
	lockdep_assert_held(&client->lock);
	if (client->watched)
		mod_delayed_work(watchers, &client->watch, 0);
}

bool gtdbg_client_check(struct gtdbg_client *client)
{
	if (READ_ONCE(client->gone))
		return false;
	if (gtdbg_client_runs(client))
		return true;
	mutex_lock(&client->lock);
	gtdbg_client_recheck(client);
	mutex_unlock(&client->lock);
	return false;
}

bool gtdbg_client_controlled(struct gtdbg_client *client)
{
	bool controlled;

	mutex_lock(&client->lock);
	controlled = !READ_ONCE(client->ending) && client->controller &&
		     !client->controller->closed;
	mutex_unlock(&client->lock);
	return controlled;
}

struct gtdbg_gt *gtdbg_client_gt_get(struct gtdbg_client *client, u32 device)
{
	struct gtdbg_gt *gt = NULL;
	u32 i;

	mutex_lock(&client->lock);
	for (i = 0; i < ARRAY_SIZE(client->gts) && !gt; i++)
		if (client->gts[i] && client->gts[i]->id == device)
			gt = gtdbg_gt_get(client->gts[i]);
	mutex_unlock(&client->lock);
	return gt;
}

void gtdbg_client_gts_get(struct gtdbg_client *client,
			  struct gtdbg_session_gts *gts)
{
	u32 i;

	gts->count = 0;
	mutex_lock(&client->lock);
	for (i = 0; i < ARRAY_SIZE(client->gts); i++)
		if (client->gts[i])
			gts->gt[gts->count++] = gtdbg_gt_get(client->gts[i]);
	mutex_unlock(&client->lock);
}

static u64 client_token(void)
{
	u64 token;

	do
		token = get_random_u64();
	while (!token);
	return token;
}

static struct gtdbg_client *client_create(u32 flags)
{
	struct gtdbg_client *client = kzalloc(sizeof(*client), GFP_KERNEL_ACCOUNT);

	if (!client)
		return ERR_PTR(-ENOMEM);
	client->account = gtdbg_account_get();
	if (!client->account) {
		kfree(client);
		return ERR_PTR(-ENOMEM);
	}
	if (gtdbg_account_charge(client->account, GTDBG_ACCOUNT_CLIENTS, 1)) {
		gtdbg_account_put(client->account);
		kfree(client);
		return ERR_PTR(-EDQUOT);
	}
	kref_init(&client->ref);
	init_waitqueue_head(&client->wait);
	client->pid = get_pid(task_tgid(current));
	client->token = client_token();
	client->exec_id = READ_ONCE(current->self_exec_id);
	client->flags = flags;
	get_task_comm(client->comm, current->group_leader);
	INIT_DELAYED_WORK(&client->watch, client_watch);
	mutex_init(&client->lock);
	INIT_LIST_HEAD(&client->sessions);
	gtdbg_breakpoints_init(client);
	gtdbg_modules_init(client);
	gtdbg_kernels_init(client);
	return client;
}

static struct gtdbg_client *client_find(const struct pid *pid)
{
	struct gtdbg_client *client;

	lockdep_assert_held(&gtdbg_registry_lock);
	hash_for_each_possible(clients, client, node, (unsigned long)pid)
		if (client->pid == pid)
			return client;
	return NULL;
}

struct gtdbg_client *gtdbg_client_find(const struct pid *pid)
{
	struct gtdbg_client *client;

	mutex_lock(&gtdbg_registry_lock);
	client = client_find(pid);
	if (client && gtdbg_client_runs(client))
		gtdbg_client_get(client);
	else
		client = NULL;
	mutex_unlock(&gtdbg_registry_lock);
	return client;
}

/*
 * 0, or the client that its process was before it executed another program, to be
 * ended first; or an error.
 */
static struct gtdbg_client *client_add(struct gtdbg_client *client,
				       struct gtdbg_file *file)
{
	struct gtdbg_client *old;
	int ret = mutex_lock_killable(&gtdbg_registry_lock);

	if (ret)
		return ERR_PTR(ret);
	old = client_find(client->pid);
	if (file->client || (old && gtdbg_client_runs(old))) {
		old = ERR_PTR(-EBUSY);
	} else if (old) {
		gtdbg_client_get(old);
	} else {
		hash_add(clients, &client->node, (unsigned long)client->pid);
		/* Pairs with gtdbg_file_client(): it is complete. */
		smp_store_release(&file->client, client);
	}
	mutex_unlock(&gtdbg_registry_lock);
	return old;
}

static int client_publish(struct gtdbg_client *client, struct gtdbg_file *file)
{
	struct gtdbg_client *old;

	while ((old = client_add(client, file))) {
		if (IS_ERR(old))
			return PTR_ERR(old);
		gtdbg_client_end(old, GTDBG_EXIT_CLOSED);
		gtdbg_client_put(old);
	}
	return 0;
}

int gtdbg_ioctl_client_register(struct gtdbg_file *file, void *arg)
{
	struct gtdbg_client_register *request = arg;
	struct gtdbg_client *client;
	int ret;

	if ((request->flags & ~GTDBG_CLIENT_F_ARMED) || request->__reserved)
		return -EINVAL;
	client = client_create(request->flags);
	if (IS_ERR(client))
		return PTR_ERR(client);
	ret = client_publish(client, file);
	if (ret) {
		gtdbg_client_put(client);
		return ret;
	}
	request->token = client->token;
	trace_gtdbg_client_register(pid_nr(client->pid));
	return 0;
}

struct gtdbg_client *gtdbg_client_of_caller(struct gtdbg_file *file)
{
	struct gtdbg_client *client = gtdbg_file_client(file);

	if (!client)
		return ERR_PTR(-EINVAL);
	if (client->pid != task_tgid(current))
		return ERR_PTR(-EPERM);
	/* What another program says would be reported in its name. */
	return gtdbg_client_check(client) ? client : ERR_PTR(-ESRCH);
}

int gtdbg_ioctl_client_wait(struct gtdbg_file *file, void *arg)
{
	const struct gtdbg_client_wait *request = arg;
	struct gtdbg_client *client;
	long left;

	if (request->flags || request->__reserved)
		return -EINVAL;
	client = gtdbg_client_of_caller(file);
	if (IS_ERR(client))
		return PTR_ERR(client);
	left = wait_event_interruptible_timeout(client->wait,
			READ_ONCE(client->controlled) ||
			READ_ONCE(client->gone),
			nsecs_to_jiffies(request->timeout_ns));
	if (left < 0)
		return -EINTR;
	if (READ_ONCE(client->gone))
		return -ESRCH;
	return READ_ONCE(client->controlled) ? 0 : -ETIMEDOUT;
}

static void client_show(struct seq_file *out, struct gtdbg_client *client)
{
	struct gtdbg_session *session;

	/* Programs choose their names. */
	seq_printf(out, "client pid=%d modules=%u kernels=%u breakpoints=%u comm=%*pE\n",
		   pid_nr(client->pid), client->module_count,
		   client->kernel_count, client->breakpoint_count,
		   (int)strnlen(client->comm, sizeof(client->comm)),
		   client->comm);
	list_for_each_entry(session, &client->sessions, node)
		seq_printf(out, "  session pid=%d %s events=%llu stops=%llu resumes=%llu stale=%llu\n",
			   pid_nr(session->pid),
			   session->observer ? "observer" : "controller",
			   session->stats.events, session->stats.stops,
			   session->stats.resumes, session->stats.stale);
}

void gtdbg_clients_show(struct seq_file *out)
{
	struct gtdbg_client *client;
	int bucket;

	lockdep_assert_held(&gtdbg_registry_lock);
	hash_for_each(clients, bucket, client, node) {
		if (!mutex_trylock(&client->lock)) {
			seq_printf(out, "client pid=%d busy\n",
				   pid_nr(client->pid));
			continue;
		}
		client_show(out, client);
		mutex_unlock(&client->lock);
	}
}

u64 gtdbg_client_emit(struct gtdbg_client *client,
		      const struct gtdbg_event_parts *parts)
{
	struct gtdbg_session *session;
	u64 seqno = 0;

	lockdep_assert_held(&client->lock);
	if (!gtdbg_client_runs(client)) {
		gtdbg_client_recheck(client);
		/* Its last records are taken while it ends; nobody waits for it any more. */
		if (parts->kind != GTDBG_EVENT_THREAD_RECORD ||
		    !client_is_same(client))
			return 0;
	}
	list_for_each_entry(session, &client->sessions, node)
		seqno = gtdbg_session_emit(session, parts) ?: seqno;
	return seqno;
}

bool gtdbg_client_wants(struct gtdbg_client *client, u16 kind)
{
	struct gtdbg_session *session;

	lockdep_assert_held(&client->lock);
	list_for_each_entry(session, &client->sessions, node)
		if (session->event_mask & 1ULL << kind)
			return true;
	return false;
}

void gtdbg_client_closed(struct gtdbg_client *client, struct task_struct *task)
{
	if (task_tgid(task) != client->pid)
		return;
	/* A thread with descriptors of its own ends, and nobody else. */
	if (task->flags & PF_EXITING && atomic_read(&task->signal->live))
		return;
	gtdbg_client_end(client, task->flags & PF_EXITING ? GTDBG_EXIT_EXITED :
							    GTDBG_EXIT_CLOSED);
}

/* To end a client may take time: others' are not to wait for that. */
int gtdbg_client_init(void)
{
	watchers = alloc_workqueue("gtdbg", WQ_UNBOUND | WQ_FREEZABLE,
				   WQ_MAX_ACTIVE);
	return watchers ? 0 : -ENOMEM;
}

/* No session is left; the last ones' watches may be about to end. */
void gtdbg_client_fini(void)
{
	destroy_workqueue(watchers);
}
