// SPDX-License-Identifier: GPL-2.0-only
/*
 * Yama's scope 3: no one traces anyone, and there is no way back before the next
 * boot. So the guest's suite runs this last.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "harness.h"

#include "debuggee.h"
#include "descriptor.h"
#include "yama.h"

#include <linux/gtdbg.h>

FIXTURE(yama3)
{
	struct debuggee debuggee;
	int control;
};

FIXTURE_SETUP(yama3)
{
	self->debuggee = (struct debuggee){ .pid = -1, .wake = -1 };
	if (access("/dev/gtdbg", F_OK))
		SKIP(return, "no /dev/gtdbg: load the module");
	if (getuid() || yama_scope() < 0)
		SKIP(return, "needs root and Yama");
	self->control = open("/dev/gtdbg", O_RDWR | O_CLOEXEC);
	ASSERT_EQ(0, debuggee_start(&self->debuggee, 0, become_open));
	ASSERT_TRUE(yama_set_scope(3));
}

FIXTURE_TEARDOWN(yama3)
{
	debuggee_stop(&self->debuggee);
	close(self->control);
}

TEST_F(yama3, keeps_out_root)
{
	struct gtdbg_session_attach request = {
		.client_fd = -1,
		.pid = self->debuggee.pid,
	};

	EXPECT_EQ(-EPERM, descriptor_copy(self->debuggee.pid,
					  self->debuggee.fd));
	EXPECT_EQ(-1, ioctl(self->control, GTDBG_IOC_SESSION_ATTACH, &request));
	EXPECT_EQ(EPERM, errno);
	EXPECT_EQ(GTDBG_REFUSAL_NOT_TRACER, request.refusal);
}

/* Whoever was given the descriptor needs no one's leave: a process its own. */
TEST_F(yama3, lets_in_who_has_the_descriptor)
{
	struct gtdbg_client_register client = { .flags = 0 };
	struct gtdbg_session_attach request = {
		.client_fd = open("/dev/gtdbg", O_RDWR | O_CLOEXEC),
	};
	int session;

	ASSERT_EQ(0, ioctl(request.client_fd, GTDBG_IOC_CLIENT_REGISTER,
			   &client));
	session = ioctl(self->control, GTDBG_IOC_SESSION_ATTACH, &request);
	EXPECT_LT(0, session);
	close(session);
	close(request.client_fd);
}

TEST_HARNESS_MAIN
