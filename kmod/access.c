// SPDX-License-Identifier: GPL-2.0-only
/*
 * Who may attach. The core kernel has decided that already: it lets a process
 * take a descriptor out of another one (pidfd_getfd()), or trace it, only after
 * it has asked credentials, namespaces and security modules. The function that
 * asks is closed to modules, and to ask only half of it here would let someone
 * in whom Yama or another security module keeps out. So there are two proofs of
 * that decision, and no third way: to have the descriptor, or to be the tracer.
 */
#include "access.h"

#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/ptrace.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>

#include "client.h"
#include "file.h"
#include "gtdbg.h"

static bool access_is_tracer(struct task_struct *task)
{
	struct task_struct *tracer;
	bool is_tracer;

	rcu_read_lock();
	tracer = ptrace_parent(task);
	is_tracer = tracer && same_thread_group(tracer, current);
	rcu_read_unlock();
	return is_tracer;
}

static struct gtdbg_client *access_by_fd(int fd, u32 *refusal)
{
	struct file *filp = fget(fd);
	struct gtdbg_file *file = filp ? gtdbg_file_of(filp) : NULL;
	struct gtdbg_client *client = file ? gtdbg_file_client(file) : NULL;

	if (!file) {
		*refusal = GTDBG_REFUSAL_BAD_FD;
		client = ERR_PTR(-EBADF);
	} else if (!client) {
		*refusal = GTDBG_REFUSAL_NOT_CLIENT;
		client = ERR_PTR(-EINVAL);
	} else {
		*refusal = GTDBG_REFUSAL_CLIENT_GONE;
		gtdbg_client_get(client);
	}
	if (filp)
		fput(filp);
	return client;
}

static int access_check_tracer(struct pid *pid, u32 *refusal)
{
	struct task_struct *task = get_pid_task(pid, PIDTYPE_TGID);
	int ret = 0;

	if (!task) {
		*refusal = GTDBG_REFUSAL_NO_PROCESS;
		return -ESRCH;
	}
	if (!access_is_tracer(task)) {
		*refusal = GTDBG_REFUSAL_NOT_TRACER;
		ret = -EPERM;
	}
	put_task_struct(task);
	return ret;
}

/*
 * The client is looked up before the tracer is asked about: if it still runs the
 * program that has registered when it is attached to, that program is the one
 * that was traced. The other way round it might have executed another one.
 */
static struct gtdbg_client *access_by_pid(pid_t nr, u32 *refusal)
{
	struct pid *pid = find_get_pid(nr);
	struct gtdbg_client *client = pid ? gtdbg_client_find(pid) : NULL;
	int ret = access_check_tracer(pid, refusal);

	put_pid(pid);
	if (!ret) {
		*refusal = GTDBG_REFUSAL_NO_CLIENT;
		if (client)
			return client;
		ret = -ENOENT;
	}
	gtdbg_client_put(client);
	return ERR_PTR(ret);
}

struct gtdbg_client *gtdbg_access_target(struct gtdbg_session_attach *request)
{
	return request->pid > 0 ?
		       access_by_pid(request->pid, &request->refusal) :
		       access_by_fd(request->client_fd, &request->refusal);
}
