// SPDX-License-Identifier: GPL-2.0-only
/* libgtdbg where it needs the module: whose descriptor it takes, of several. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness.h"

#include <linux/sched.h>

#include "../libgtdbg/gtdbg.h"
#include "debuggee.h"

/* Registers with @fd and stops, to be killed with its parent. */
static void client_stop(int fd)
{
	struct gtdbg_client_register client = { .flags = 0 };

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (ioctl(fd, GTDBG_IOC_CLIENT_REGISTER, &client))
		_exit(1);
	kill(getpid(), SIGSTOP);
	_exit(0);
}

static bool has_stopped(pid_t pid)
{
	int status;

	return waitpid(pid, &status, WUNTRACED) == pid && WIFSTOPPED(status);
}

/* The lower numbers, found first: a debugger's, and that of another client. */
static bool open_others(void)
{
	int unused = open("/dev/gtdbg", O_RDWR | O_CLOEXEC);
	int other = open("/dev/gtdbg", O_RDWR | O_CLOEXEC);
	pid_t child = fork();

	if (!child)
		client_stop(other);
	return unused >= 0 && has_stopped(child);
}

/* A client of that number, or -1. */
static pid_t client_numbered(pid_t number)
{
	struct clone_args args = {
		.exit_signal = SIGCHLD,
		.set_tid = (uintptr_t)&number,
		.set_tid_size = 1,
	};
	pid_t child = syscall(SYS_clone3, &args, sizeof(args));

	if (!child)
		client_stop(open("/dev/gtdbg", O_RDWR | O_CLOEXEC));
	return child == number && has_stopped(child) ? child : -1;
}

static void end(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static int pidfd_open(pid_t pid)
{
	return syscall(SYS_pidfd_open, pid, 0);
}

FIXTURE(client_find)
{
	struct debuggee debuggee;
	struct gtdbg *gtdbg;
	int pidfd;
};

FIXTURE_SETUP(client_find)
{
	self->debuggee = (struct debuggee){ .pid = -1, .wake = -1 };
	if (access("/dev/gtdbg", F_OK) || getuid())
		SKIP(return, "needs root and /dev/gtdbg");
	ASSERT_EQ(0, gtdbg_open(NULL, &self->gtdbg));
	ASSERT_EQ(0, debuggee_start(&self->debuggee, 0, open_others));
	self->pidfd = pidfd_open(self->debuggee.pid);
	ASSERT_LE(0, self->pidfd);
}

FIXTURE_TEARDOWN(client_find)
{
	debuggee_stop(&self->debuggee);
	close(self->pidfd);
	gtdbg_close(self->gtdbg);
}

/* Whose client is it? */
static int client_pid(struct gtdbg *gtdbg, int fd)
{
	struct gtdbg_session_attach attach = {
		.client_fd = fd,
		.flags = GTDBG_SESSION_F_OBSERVER,
		.event_mask = GTDBG_EVENTS_ALL,
	};
	const struct gtdbg_event_client_add *client;
	const struct gtdbg_event *event;
	struct gtdbg_session *session;
	int pid = -EIO;

	if (gtdbg_session_open(gtdbg, &attach, &session))
		return -EPERM;
	if (gtdbg_event_next(session, 1000, &event) == 1 &&
	    event->kind == GTDBG_EVENT_CLIENT_ADD) {
		client = gtdbg_event_payload(event, sizeof(*client));
		pid = client->pid;
	}
	gtdbg_session_close(session);
	return pid;
}

TEST_F(client_find, takes_the_one_that_makes_the_process_a_client)
{
	int fd = -1;

	EXPECT_EQ(0, gtdbg_client_find(self->debuggee.pid, &fd));
	EXPECT_EQ(self->debuggee.pid, client_pid(self->gtdbg, fd));
	close(fd);
	fd = -1;
	EXPECT_EQ(0, gtdbg_client_find_pidfd(self->pidfd, &fd));
	EXPECT_EQ(self->debuggee.pid, client_pid(self->gtdbg, fd));
	close(fd);
}

TEST_F(client_find, passes_over_those_of_others)
{
	pid_t child = fork();
	int fd = -77;

	if (!child) {
		if (open_others())
			kill(getpid(), SIGSTOP);
		_exit(1);
	}
	ASSERT_TRUE(has_stopped(child));
	EXPECT_EQ(-ENOENT, gtdbg_client_find(child, &fd));
	EXPECT_EQ(-77, fd);
	end(child);
}

TEST_F(client_find, pidfd_is_checked)
{
	int fd = -77, other = open("/dev/null", O_RDONLY);

	EXPECT_EQ(-EBADF, gtdbg_client_find_pidfd(other, &fd));
	EXPECT_EQ(-EBADF, gtdbg_client_find_pidfd(-1, &fd));
	close(other);
	debuggee_stop(&self->debuggee);
	EXPECT_EQ(-ESRCH, gtdbg_client_find_pidfd(self->pidfd, &fd));
	EXPECT_EQ(-ESRCH, gtdbg_client_find(0x7ffffff, &fd));
	EXPECT_EQ(-77, fd);
}

TEST_F(client_find, pidfd_never_means_who_has_got_the_number)
{
	pid_t number = self->debuggee.pid;
	int fd = -77;

	debuggee_stop(&self->debuggee);
	ASSERT_EQ(number, client_numbered(number));
	EXPECT_EQ(-ESRCH, gtdbg_client_find_pidfd(self->pidfd, &fd));
	EXPECT_EQ(-77, fd);
	EXPECT_EQ(0, gtdbg_client_find(number, &fd));
	close(fd);
	end(number);
}

/* A container with a process of the outside in it, but no devices. */
TEST_F(client_find, without_the_device_there_is_no_client)
{
	struct gtdbg *gtdbg;
	int status, fd;
	pid_t child = fork();

	if (!child) {
		if (unshare(CLONE_NEWNS) ||
		    mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
		    mount("none", "/dev", "tmpfs", 0, NULL))
			_exit(2);
		_exit(gtdbg_open(NULL, &gtdbg) == -ENOENT &&
		      gtdbg_client_find(self->debuggee.pid, &fd) == -ENOENT ?
			      0 : 3);
	}
	ASSERT_EQ(child, waitpid(child, &status, 0));
	EXPECT_EQ(0, status);
}

TEST_HARNESS_MAIN
