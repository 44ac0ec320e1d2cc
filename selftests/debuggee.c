// SPDX-License-Identifier: GPL-2.0-only
#include "debuggee.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/gtdbg.h>

#define USER 65534
#define STRANGER 65533

static bool become(uid_t user)
{
	return !setgroups(0, NULL) && !setresgid(user, user, user) &&
	       !setresuid(user, user, user) && !prctl(PR_SET_DUMPABLE, 1);
}

bool become_user(void)
{
	return become(USER);
}

bool become_undumpable(void)
{
	return become(USER) && !prctl(PR_SET_DUMPABLE, 0);
}

bool become_open(void)
{
	return become(USER) && !prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
}

bool become_stranger(void)
{
	return become(STRANGER);
}

bool become_contained(void)
{
	return become(USER) && !unshare(CLONE_NEWUSER) &&
	       !prctl(PR_SET_DUMPABLE, 1);
}

static void debuggee_run(int report, int wake, bool (*prepare)(void))
{
	struct gtdbg_client_register client = { .flags = 0 };
	char byte;
	int fd = -1;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (!prepare || prepare())
		fd = open("/dev/gtdbg", O_RDWR | O_CLOEXEC);
	if (fd >= 0 && ioctl(fd, GTDBG_IOC_CLIENT_REGISTER, &client))
		fd = -1;
	if (write(report, &fd, sizeof(fd)) == sizeof(fd) && fd >= 0)
		read(wake, &byte, 1);
	_exit(fd < 0);
}

int debuggee_start(struct debuggee *debuggee, int namespaces,
		   bool (*prepare)(void))
{
	int report[2], wake[2];

	if (pipe2(report, O_CLOEXEC) || pipe2(wake, O_CLOEXEC))
		return -errno;
	debuggee->pid = syscall(SYS_clone, namespaces | SIGCHLD, 0, 0, 0, 0);
	if (!debuggee->pid) {
		close(wake[1]);
		debuggee_run(report[1], wake[0], prepare);
	}
	close(report[1]);
	close(wake[0]);
	debuggee->wake = wake[1];
	debuggee->fd = -1;
	read(report[0], &debuggee->fd, sizeof(debuggee->fd));
	close(report[0]);
	return debuggee->fd < 0 ? -ECHILD : 0;
}

void debuggee_stop(struct debuggee *debuggee)
{
	if (debuggee->wake >= 0)
		close(debuggee->wake);
	if (debuggee->pid > 0) {
		kill(debuggee->pid, SIGKILL);
		waitpid(debuggee->pid, NULL, 0);
	}
	*debuggee = (struct debuggee){ .pid = -1, .fd = -1, .wake = -1 };
}
