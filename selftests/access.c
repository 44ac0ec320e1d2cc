// SPDX-License-Identifier: GPL-2.0-only
/*
 * Who may attach. What is expected of pidfd_getfd() is what ptrace(2), in "Ptrace
 * access mode checking", and Yama's documentation say of PTRACE_MODE_ATTACH.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness.h"

#include "debuggee.h"
#include "descriptor.h"
#include "rig.h"
#include "yama.h"

#define NOT_SET_UP 125

/* Why there was no session, for whoever waits for a child. */
static int attach_status(struct gtdbg_session_attach *request)
{
	int control = open("/dev/gtdbg", O_RDWR | O_CLOEXEC);
	int session, status = 0;

	if (control < 0)
		return errno;
	request->flags = GTDBG_SESSION_F_OBSERVER;
	session = ioctl(control, GTDBG_IOC_SESSION_ATTACH, request);
	if (session < 0)
		status = errno;
	else
		close(session);
	close(control);
	return status;
}

static int attach_by_fd(const struct debuggee *debuggee)
{
	struct gtdbg_session_attach request = {
		.client_fd = descriptor_copy(debuggee->pid, debuggee->fd),
	};
	int status;

	if (request.client_fd < 0)
		return -request.client_fd;
	status = attach_status(&request);
	close(request.client_fd);
	return status;
}

static int attach_by_pid(const struct debuggee *debuggee)
{
	struct gtdbg_session_attach request = {
		.client_fd = -1,
		.pid = debuggee->pid,
	};
	int status = attach_status(&request);

	if (status == EPERM && request.refusal != GTDBG_REFUSAL_NOT_TRACER)
		return NOT_SET_UP;
	return status;
}

static int attach_as_tracer(const struct debuggee *debuggee)
{
	if (ptrace(PTRACE_SEIZE, debuggee->pid, NULL, NULL))
		return NOT_SET_UP;
	return attach_by_pid(debuggee);
}

static void *attach_thread(void *debuggee)
{
	return (void *)(long)attach_by_pid(debuggee);
}

/* The one thread traces, the other one attaches. */
static int attach_beside_tracer(const struct debuggee *debuggee)
{
	pthread_t thread;
	void *status;

	if (ptrace(PTRACE_SEIZE, debuggee->pid, NULL, NULL) ||
	    pthread_create(&thread, NULL, attach_thread, (void *)debuggee) ||
	    pthread_join(thread, &status))
		return NOT_SET_UP;
	return (int)(long)status;
}

/* A debugger: what it gets, 0 for a session, else an errno. */
static int debugger(const struct debuggee *debuggee, bool (*become)(void),
		    int (*attach)(const struct debuggee *debuggee))
{
	int status;
	pid_t child = fork();

	if (!child)
		_exit(become && !become() ? NOT_SET_UP : attach(debuggee));
	waitpid(child, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : NOT_SET_UP;
}

/* A debugger that has started its debuggee, as both become. */
static int parent_debugger(bool (*become)(void),
			   int (*attach)(const struct debuggee *debuggee))
{
	struct debuggee debuggee;
	int status;
	pid_t child = fork();

	if (!child) {
		if (!become() || debuggee_start(&debuggee, 0, NULL))
			_exit(NOT_SET_UP);
		status = attach(&debuggee);
		debuggee_stop(&debuggee);
		_exit(status);
	}
	waitpid(child, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : NOT_SET_UP;
}

FIXTURE(access)
{
	struct debuggee debuggee;
	int scope; /* Yama's, before */
};

FIXTURE_VARIANT(access)
{
	int scope; /* Yama's */
	bool (*debuggee)(void);
	bool (*debugger)(void);
	int by_fd, by_pid; /* errno, or 0 for a session */
};

#define ACCESS(name, ...) FIXTURE_VARIANT_ADD(access, name) { __VA_ARGS__ }

/* Without Yama credentials count, and the program's wish. */
ACCESS(same_user, 0, become_user, become_user, 0, EPERM);
ACCESS(other_user, 0, become_user, become_stranger, EPERM, EPERM);
ACCESS(root_of_user, 0, become_user, NULL, 0, EPERM);
ACCESS(user_of_root, 0, NULL, become_user, EPERM, EPERM);
ACCESS(undumpable, 0, become_undumpable, become_user, EPERM, EPERM);
ACCESS(undumpable_by_root, 0, become_undumpable, NULL, 0, EPERM);
/* Rights in a user namespace are none outside of it, but those above hold. */
ACCESS(out_of_namespace, 0, become_user, become_contained, EPERM, EPERM);
ACCESS(out_to_root, 0, NULL, become_contained, EPERM, EPERM);
ACCESS(into_namespace, 0, become_contained, NULL, 0, EPERM);
ACCESS(into_namespace_of_user, 0, become_contained, become_user, 0, EPERM);
ACCESS(into_foreign_namespace, 0, become_contained, become_stranger, EPERM,
	EPERM);
ACCESS(beside_namespace, 0, become_contained, become_contained, EPERM, EPERM);
/* 1: descendants, and who asks for it. */
ACCESS(yama1_same_user, 1, become_user, become_user, EPERM, EPERM);
ACCESS(yama1_asked_for, 1, become_open, become_user, 0, EPERM);
ACCESS(yama1_asked_for_by_stranger, 1, become_open, become_stranger, EPERM,
	EPERM);
ACCESS(yama1_root, 1, become_user, NULL, 0, EPERM);
/* 2: only with CAP_SYS_PTRACE where the debuggee is. */
ACCESS(yama2_asked_for, 2, become_open, become_user, EPERM, EPERM);
ACCESS(yama2_root, 2, become_user, NULL, 0, EPERM);
ACCESS(yama2_out_of_namespace, 2, become_user, become_contained, EPERM, EPERM);
ACCESS(yama2_into_namespace, 2, become_contained, NULL, 0, EPERM);

FIXTURE_SETUP(access)
{
	self->debuggee.pid = -1;
	self->debuggee.wake = -1;
	self->scope = yama_scope();
	if (access("/dev/gtdbg", F_OK))
		SKIP(return, "no /dev/gtdbg: load the module");
	if (getuid() || access("/proc/self/ns/user", F_OK))
		SKIP(return, "needs root and user namespaces");
	if (variant->scope && self->scope < 0)
		SKIP(return, "needs Yama");
	if (self->scope >= 0)
		ASSERT_TRUE(yama_set_scope(variant->scope));
	ASSERT_EQ(0, debuggee_start(&self->debuggee, 0, variant->debuggee));
}

FIXTURE_TEARDOWN(access)
{
	debuggee_stop(&self->debuggee);
	if (self->scope >= 0)
		yama_set_scope(self->scope);
}

TEST_F(access, kernel_decides_about_the_descriptor)
{
	EXPECT_EQ(variant->by_fd, debugger(&self->debuggee, variant->debugger,
					   attach_by_fd));
}

TEST_F(access, number_alone_is_not_enough_for_anyone)
{
	EXPECT_EQ(variant->by_pid, debugger(&self->debuggee, variant->debugger,
					    attach_by_pid));
}

FIXTURE(tracer)
{
	int scope;
};

FIXTURE_SETUP(tracer)
{
	self->scope = yama_scope();
	if (access("/dev/gtdbg", F_OK))
		SKIP(return, "no /dev/gtdbg: load the module");
	if (getuid() || self->scope < 0)
		SKIP(return, "needs root and Yama");
	ASSERT_TRUE(yama_set_scope(1));
}

FIXTURE_TEARDOWN(tracer)
{
	if (self->scope >= 0)
		yama_set_scope(self->scope);
}

TEST_F(tracer, parent_may_under_yama_1)
{
	EXPECT_EQ(0, parent_debugger(become_user, attach_by_fd));
}

TEST_F(tracer, parent_may_not_under_yama_2)
{
	ASSERT_TRUE(yama_set_scope(2));
	EXPECT_EQ(EPERM, parent_debugger(become_user, attach_by_fd));
}

TEST_F(tracer, tracer_may_by_number)
{
	EXPECT_EQ(0, parent_debugger(become_user, attach_as_tracer));
	EXPECT_EQ(0, parent_debugger(become_user, attach_beside_tracer));
	EXPECT_EQ(EPERM, parent_debugger(become_user, attach_by_pid));
}

/* It was given away on purpose: by inheritance here. */
TEST_F(tracer, who_has_the_descriptor_may)
{
	struct gtdbg_client_register client = { .flags = 0 };
	struct gtdbg_session_attach request = { .client_fd = -1 };
	int status;
	pid_t child;

	request.client_fd = open("/dev/gtdbg", O_RDWR | O_CLOEXEC);
	ASSERT_EQ(0, ioctl(request.client_fd, GTDBG_IOC_CLIENT_REGISTER,
			   &client));
	child = fork();
	if (!child)
		_exit(become_stranger() ? attach_status(&request) : NOT_SET_UP);
	ASSERT_EQ(child, waitpid(child, &status, 0));
	EXPECT_EQ(0, status);
	close(request.client_fd);
}

TEST_HARNESS_MAIN
