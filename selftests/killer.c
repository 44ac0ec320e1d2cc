// SPDX-License-Identifier: GPL-2.0-only
#include "killer.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/gtdbg.h>

#include "rig.h"

static bool is_command(const struct __ptrace_syscall_info *info)
{
	return info->entry.nr == SYS_ioctl &&
	       _IOC_TYPE(info->entry.args[1]) == GTDBG_IOC_TYPE;
}

/* A thread begins or ends a call: is it the victim's last one? */
static bool call_counts(pid_t thread, struct killer_report *report,
			uint64_t call)
{
	struct __ptrace_syscall_info info;

	if (ptrace(PTRACE_GET_SYSCALL_INFO, thread, (void *)sizeof(info),
		   &info) <= 0 || info.op != PTRACE_SYSCALL_INFO_ENTRY)
		return false;
	if (!report->calls && !is_command(&info))
		return false;
	return ++report->calls == call;
}

/* Let a thread that has stopped go on to its next call. */
static void thread_continue(pid_t thread, int status)
{
	int sig = WSTOPSIG(status);

	if (status >> 16 == PTRACE_EVENT_STOP && sig != SIGTRAP)
		ptrace(PTRACE_LISTEN, thread, 0, 0);
	else
		ptrace(PTRACE_SYSCALL, thread, 0,
		       status >> 16 || sig == (SIGTRAP | 0x80) ? 0 : sig);
}

static void victim_kill(pid_t victim, pid_t thread,
			struct killer_report *report)
{
	if (report->calls % 2 == 0)
		ptrace(PTRACE_SYSCALL, thread, 0, 0);
	report->killed_ns = rig_now_ns();
	kill(victim, SIGKILL);
}

static void victim_follow(pid_t victim, struct killer_report *report,
			  uint64_t call)
{
	pid_t thread;
	int status;

	while ((thread = waitpid(-1, &status, __WALL)) > 0) {
		if (!WIFSTOPPED(status)) {
			if (thread == victim)
				return;
			continue;
		}
		if (WSTOPSIG(status) == (SIGTRAP | 0x80) &&
		    call_counts(thread, report, call))
			victim_kill(victim, thread, report);
		else
			thread_continue(thread, status);
	}
}

static int killer_run(struct killer *killer, uint64_t call)
{
	pid_t victim;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (read(killer->ready[0], &victim, sizeof(victim)) != sizeof(victim) ||
	    ptrace(PTRACE_SEIZE, victim, 0,
		   PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE) ||
	    ptrace(PTRACE_INTERRUPT, victim, 0, 0) ||
	    write(killer->gate[1], "", 1) != 1)
		return 1;
	victim_follow(victim, (struct killer_report *)killer->report, call);
	return 0;
}

int killer_start(struct killer *killer, uint64_t call)
{
	killer->report = mmap(NULL, sizeof(*killer->report),
			      PROT_READ | PROT_WRITE,
			      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (killer->report == MAP_FAILED)
		return -errno;
	if (pipe2(killer->ready, O_CLOEXEC) || pipe2(killer->gate, O_CLOEXEC))
		return -errno;
	killer->pid = fork();
	if (!killer->pid)
		_exit(killer_run(killer, call));
	return killer->pid < 0 ? -errno : 0;
}

void killer_enter(void *data)
{
	struct killer *killer = data;
	pid_t self = getpid();
	char go;

	if (write(killer->ready[1], &self, sizeof(self)) != sizeof(self) ||
	    read(killer->gate[0], &go, 1) != 1)
		_exit(126);
}

struct killer_report killer_wait(struct killer *killer)
{
	struct killer_report report;

	waitpid(killer->pid, NULL, 0);
	report = *(struct killer_report *)killer->report;
	munmap((void *)killer->report, sizeof(report));
	for (int end = 0; end < 2; end++) {
		close(killer->ready[end]);
		close(killer->gate[end]);
	}
	return report;
}
