// SPDX-License-Identifier: MIT
/*
 * On a GPU that a driver of the machine shares out, a program that runs already is told
 * in its own memory that it is debugged (gtdbg_savearea_arm()), again and again, as its
 * runtime makes new save areas. That is done by a thread of each process: a program which
 * unmaps what a stopped kernel uses has it wait until that goes on, and who lets it go on is
 * the caller.
 */
#include "level_zero.h"

#include <errno.h>
#include <signal.h>
#include <time.h>

#define LOOK_NS 200000000

/* Nor where it runs another program by now: that has no session. */
static bool is_wanted(void *argument)
{
	const struct ze_process *process = argument;

	return !atomic_load(&process->is_left) &&
	       !atomic_load(&process->has_ended);
}

static bool is_left_soon(struct ze_process *process)
{
	struct timespec end;

	clock_gettime(CLOCK_MONOTONIC, &end);
	end.tv_nsec += LOOK_NS;
	end.tv_sec += end.tv_nsec / 1000000000;
	end.tv_nsec %= 1000000000;
	while (sem_clockwait(&process->look.left, CLOCK_MONOTONIC, &end)) {
		if (errno != EINTR)
			return false;
	}
	return true;
}

static void *look(void *argument)
{
	struct ze_process *process = argument;
	const struct gtdbg_savearea_target target = {
		.pid = process->pid, .pidfd = process->pidfd,
		.holds_launches = true, .is_wanted = is_wanted,
		.argument = process,
	};

	while (is_wanted(process) && gtdbg_savearea_arm(&target) != -ESRCH &&
	       !is_left_soon(process))
		;
	return NULL;
}

/* Signals are for the debugger's own threads. */
static bool look_start(struct ze_process *process)
{
	sigset_t all, old;
	int ret;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &old);
	ret = pthread_create(&process->look.thread, NULL, look, process);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return !ret;
}

void gtdbg_ze_savearea_look(struct ze_process *process)
{
	if (process->look.is_running)
		return;
	sem_init(&process->look.left, 0, 0);
	process->look.is_running = look_start(process);
}

void gtdbg_ze_savearea_leave(struct ze_process *process)
{
	atomic_store(&process->is_left, true);
	if (process->look.is_running)
		sem_post(&process->look.left);
}

void gtdbg_ze_savearea_fini(struct ze_process *process)
{
	if (process->look.is_running)
		pthread_join(process->look.thread, NULL);
}
