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

static struct pid *access_by_fd(int fd, u32 *refusal)
{
	struct file *filp = fget(fd);
	struct gtdbg_file *file = filp ? gtdbg_file_of(filp) : NULL;
	struct gtdbg_client *client = file ? gtdbg_file_client(file) : NULL;
	struct pid *pid;

	if (!file) {
		*refusal = GTDBG_REFUSAL_BAD_FD;
		pid = ERR_PTR(-EBADF);
	} else if (!client) {
		*refusal = GTDBG_REFUSAL_NOT_CLIENT;
		pid = ERR_PTR(-EINVAL);
	} else {
		*refusal = GTDBG_REFUSAL_CLIENT_GONE;
		pid = READ_ONCE(client->gone) ? ERR_PTR(-ESRCH) :
						get_pid(client->pid);
	}
	if (filp)
		fput(filp);
	return pid;
}

static struct pid *access_by_pid(pid_t nr, u32 *refusal)
{
	struct pid *pid = find_get_pid(nr);
	struct task_struct *task = get_pid_task(pid, PIDTYPE_TGID);
	int ret = 0;

	if (!task) {
		*refusal = GTDBG_REFUSAL_NO_PROCESS;
		ret = -ESRCH;
	} else if (!access_is_tracer(task)) {
		*refusal = GTDBG_REFUSAL_NOT_TRACER;
		ret = -EPERM;
	}
	if (task)
		put_task_struct(task);
	if (ret) {
		put_pid(pid);
		return ERR_PTR(ret);
	}
	*refusal = GTDBG_REFUSAL_NO_CLIENT;
	return pid;
}

struct pid *gtdbg_access_target(struct gtdbg_session_attach *request)
{
	return request->pid > 0 ?
		       access_by_pid(request->pid, &request->refusal) :
		       access_by_fd(request->client_fd, &request->refusal);
}
