// SPDX-License-Identifier: GPL-2.0-only
/*
 * A client lives as long as its process keeps the descriptor open. Descriptors
 * that others hold (a debugger's pidfd_getfd(), a fork's) must neither prolong
 * nor end it, so the end is taken from flush(), which tells who closes, and
 * not from release().
 */
#include "client.h"

#include <linux/random.h>
#include <linux/sched/signal.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

#include "account.h"
#include "breakpoint.h"
#include "control.h"
#include "event_queue.h"
#include "file.h"
#include "gt.h"
#include "gtdbg.h"
#include "kernel.h"
#include "module.h"
#include "registry.h"
#include "session.h"
#include "trace.h"

static LIST_HEAD(clients); /* protected by gtdbg_registry_lock */

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
	struct gtdbg_client *client = kzalloc(sizeof(*client), GFP_KERNEL);

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
	INIT_LIST_HEAD(&client->gts);
	mutex_init(&client->lock);
	INIT_LIST_HEAD(&client->sessions);
	gtdbg_breakpoints_init(client);
	gtdbg_modules_init(client);
	gtdbg_kernels_init(client);
	return client;
}

/*
 * A descriptor without O_CLOEXEC survives an exec. The new program may be one
 * that who has attached may not trace, as one with other credentials; and that
 * number changes before the new credentials apply.
 */
static bool client_runs(const struct gtdbg_client *client)
{
	struct task_struct *leader;
	bool runs;

	rcu_read_lock();
	leader = pid_task(client->pid, PIDTYPE_TGID);
	runs = leader && READ_ONCE(leader->self_exec_id) == client->exec_id;
	rcu_read_unlock();
	return runs;
}

static void client_end(struct gtdbg_client *client, u32 reason)
{
	struct gtdbg_session *session;

	lockdep_assert_held(&gtdbg_registry_lock);
	if (client->gone)
		return;
	list_del(&client->node);
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

bool gtdbg_client_check(struct gtdbg_client *client)
{
	lockdep_assert_held(&gtdbg_registry_lock);
	if (!client_runs(client))
		client_end(client, GTDBG_EXIT_CLOSED);
	return !client->gone;
}

struct gtdbg_client *gtdbg_client_find(const struct pid *pid)
{
	struct gtdbg_client *client;

	lockdep_assert_held(&gtdbg_registry_lock);
	list_for_each_entry(client, &clients, node)
		if (client->pid == pid)
			return gtdbg_client_check(client) ? client : NULL;
	return NULL;
}

static int client_publish(struct gtdbg_client *client, struct gtdbg_file *file)
{
	lockdep_assert_held(&gtdbg_registry_lock);
	if (file->client || gtdbg_client_find(client->pid))
		return -EBUSY;
	list_add(&client->node, &clients);
	/* Pairs with gtdbg_file_client(): it is complete. */
	smp_store_release(&file->client, client);
	gtdbg_registry_adopt(client);
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
	ret = mutex_lock_killable(&gtdbg_registry_lock);
	if (!ret) {
		ret = client_publish(client, file);
		mutex_unlock(&gtdbg_registry_lock);
	}
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
	return client;
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

	seq_printf(out, "client pid=%d comm=%s modules=%u kernels=%u breakpoints=%u\n",
		   pid_nr(client->pid), client->comm, client->module_count,
		   client->kernel_count, client->breakpoint_count);
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

	lockdep_assert_held(&gtdbg_registry_lock);
	list_for_each_entry(client, &clients, node) {
		mutex_lock(&client->lock);
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
	if (!client_runs(client))
		return 0;
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

void gtdbg_client_end(struct gtdbg_client *client, u32 reason)
{
	mutex_lock(&gtdbg_registry_lock);
	if (client->ending) {
		mutex_unlock(&gtdbg_registry_lock);
		return;
	}
	client->ending = true;
	mutex_unlock(&gtdbg_registry_lock);
	gtdbg_control_quiesce_all(client);
	mutex_lock(&gtdbg_registry_lock);
	client_end(client, reason);
	mutex_unlock(&gtdbg_registry_lock);
}

void gtdbg_client_closed(struct gtdbg_client *client, struct task_struct *task)
{
	if (task_tgid(task) != client->pid)
		return;
	gtdbg_client_end(client, task->flags & PF_EXITING ? GTDBG_EXIT_EXITED :
							    GTDBG_EXIT_CLOSED);
}
