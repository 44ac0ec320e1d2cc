// SPDX-License-Identifier: GPL-2.0-only
/* Clients in containers: seen from outside and from inside. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness.h"

#include "debuggee.h"
#include "descriptor.h"
#include "rig.h"

#define CONTAINER (CLONE_NEWUSER | CLONE_NEWPID)

struct container {
	struct debuggee debuggee;
	int control, client;
};

FIXTURE(container)
{
	struct container container;
};

FIXTURE_SETUP(container)
{
	struct container *container = &self->container;

	*container = (struct container){
		.debuggee = { .pid = -1, .wake = -1 },
		.control = -1,
		.client = -1,
	};
	if (access("/dev/gtdbg", F_OK))
		SKIP(return, "no /dev/gtdbg: load the module");
	if (getuid() || access("/proc/self/ns/user", F_OK))
		SKIP(return, "needs root and user namespaces");
	container->control = open("/dev/gtdbg", O_RDWR | O_CLOEXEC);
	ASSERT_EQ(0, debuggee_start(&container->debuggee, CONTAINER, NULL));
	container->client = descriptor_copy(container->debuggee.pid,
					    container->debuggee.fd);
	ASSERT_LE(0, container->client);
}

FIXTURE_TEARDOWN(container)
{
	debuggee_stop(&self->container.debuggee);
	close(self->container.client);
	close(self->container.control);
}

/* The client's process id as a session sees it, or -errno. */
static int reported_pid(int control, struct gtdbg_session_attach *request)
{
	struct {
		struct gtdbg_event head;
		struct gtdbg_event_client_add add;
	} event;
	int session = ioctl(control, GTDBG_IOC_SESSION_ATTACH, request);
	ssize_t len;

	if (session < 0)
		return -errno;
	len = read(session, &event, sizeof(event));
	close(session);
	return len == sizeof(event) &&
	       event.head.kind == GTDBG_EVENT_CLIENT_ADD ? event.add.pid : -EIO;
}

TEST_F(container, debugger_outside_gets_its_own_number)
{
	struct gtdbg_session_attach request = {
		.client_fd = self->container.client,
		.event_mask = RIG_ALL_EVENTS,
	};

	EXPECT_EQ(self->container.debuggee.pid,
		  reported_pid(self->container.control, &request));
}

static void join(pid_t pid)
{
	int pidfd = syscall(SYS_pidfd_open, pid, 0);

	if (pidfd < 0 || setns(pidfd, CONTAINER))
		_exit(1);
	close(pidfd);
}

/* What @look returns to a process in the debuggee's namespaces: 0 is right. */
static int inside(const struct container *container,
		  int (*look)(const struct container *container))
{
	int status;
	pid_t child = fork();

	if (!child) {
		join(container->debuggee.pid);
		/* Only a child is in the other pid namespace. */
		child = fork();
		if (!child)
			_exit(look(container));
		waitpid(child, &status, 0);
		_exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
	}
	waitpid(child, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

static int look_from_inside(const struct container *container)
{
	struct gtdbg_session_attach request = {
		.flags = GTDBG_SESSION_F_OBSERVER,
		.client_fd = container->client,
		.event_mask = RIG_ALL_EVENTS,
	};

	/* The first process of a pid namespace. */
	return reported_pid(container->control, &request) == 1 ? 0 : 2;
}

TEST_F(container, debugger_inside_gets_its_own_number)
{
	EXPECT_EQ(0, inside(&self->container, look_from_inside));
}

static int look_who_holds(const struct container *container)
{
	struct gtdbg_session_attach request = {
		.client_fd = container->client,
		.holder_pid = -1,
	};

	if (ioctl(container->control, GTDBG_IOC_SESSION_ATTACH, &request) >= 0 ||
	    errno != EBUSY)
		return 2;
	return request.refusal == GTDBG_REFUSAL_CONTROLLED &&
	       request.holder_pid == 0 ? 0 : 3;
}

TEST_F(container, holder_outside_has_no_number_inside)
{
	struct container *container = &self->container;
	struct gtdbg_session_attach request = {
		.client_fd = container->client,
	};
	int session = ioctl(container->control, GTDBG_IOC_SESSION_ATTACH,
			    &request);

	ASSERT_LE(0, session);
	EXPECT_EQ(0, inside(container, look_who_holds));
	close(session);
}

static int look_out(const struct container *container)
{
	struct gtdbg_session_attach request = {
		.client_fd = -1,
		.pid = container->debuggee.pid,
	};

	if (ioctl(container->control, GTDBG_IOC_SESSION_ATTACH, &request) >= 0)
		return 2;
	return errno == ESRCH &&
	       request.refusal == GTDBG_REFUSAL_NO_PROCESS ? 0 : 3;
}

TEST_F(container, numbers_of_outside_mean_nothing_inside)
{
	EXPECT_EQ(0, inside(&self->container, look_out));
}

TEST_HARNESS_MAIN
