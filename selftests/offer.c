// SPDX-License-Identifier: GPL-2.0-only
/*
 * Whose GT a virtual one is: its client's, for as long as that lives, and only
 * by the client's own descriptor.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/gtdbg_vgt.h>

#include "harness.h"

#include "debuggee.h"
#include "descriptor.h"
#include "rig.h"

#define PLACES 16 /* for GTs of a client */

FIXTURE(offer)
{
	struct debuggee debuggee;
	int client; /* a copy of its descriptor */
	int memory;
};

FIXTURE_SETUP(offer)
{
	self->debuggee = (struct debuggee){ .pid = -1, .wake = -1 };
	self->client = -1;
	self->memory = memfd_create("offer", MFD_CLOEXEC);
	if (access("/dev/gtdbg-vgt", R_OK | W_OK))
		SKIP(return, "no /dev/gtdbg-vgt: load the modules");
	if (getuid())
		SKIP(return, "needs root");
	ASSERT_EQ(0, ftruncate(self->memory, 4096));
	ASSERT_EQ(0, debuggee_start(&self->debuggee, 0, become_user));
	self->client = descriptor_copy(self->debuggee.pid, self->debuggee.fd);
	ASSERT_LE(0, self->client);
}

FIXTURE_TEARDOWN(offer)
{
	debuggee_stop(&self->debuggee);
	close(self->client);
	close(self->memory);
}

/* The descriptor of a GT of @client, or -errno. */
static int offer_make(int memory, int client)
{
	struct gtdbg_vgt_offer offer = {
		.platform = GTDBG_PLATFORM_GEN12LP,
		.client_fd = client,
		.memory_fd = memory,
		.memory_bytes = 4096,
		.slices = 1,
		.subslices = 6,
		.eus = 16,
		.threads = 7,
	};
	int fd = open("/dev/gtdbg-vgt", O_RDWR | O_CLOEXEC), ret;

	if (ioctl(fd, GTDBG_VGT_IOC_OFFER, &offer) > 0)
		return fd;
	ret = -errno;
	close(fd);
	return ret;
}

TEST_F(offer, descriptor_proves_whose_it_is)
{
	int gt = offer_make(self->memory, self->client);

	EXPECT_LE(0, gt);
	close(gt);
}

/* Its number is all that a process of the same user has of it under Yama. */
TEST_F(offer, without_the_descriptor_no_one_may)
{
	int other = open("/dev/gtdbg", O_RDWR | O_CLOEXEC);

	EXPECT_EQ(-EBADF, offer_make(self->memory, -1));
	EXPECT_EQ(-EBADF, offer_make(self->memory, self->debuggee.pid));
	EXPECT_EQ(-EBADF, offer_make(self->memory, self->memory));
	EXPECT_EQ(-EINVAL, offer_make(self->memory, other));
	close(other);
}

TEST_F(offer, ended_client_is_refused)
{
	debuggee_stop(&self->debuggee);
	EXPECT_EQ(-ESRCH, offer_make(self->memory, self->client));
}

TEST_F(offer, places_of_a_client_are_limited)
{
	int gts[PLACES], i;

	for (i = 0; i < PLACES; i++) {
		gts[i] = offer_make(self->memory, self->client);
		EXPECT_LE(0, gts[i]);
	}
	EXPECT_EQ(-EDQUOT, offer_make(self->memory, self->client));
	for (i = 0; i < PLACES; i++)
		close(gts[i]);
	gts[0] = offer_make(self->memory, self->client);
	EXPECT_LE(0, gts[0]);
	close(gts[0]);
}

/* EFAULT: charged, and then no source to be read. */
static int charge(int client, uint64_t len_bytes)
{
	struct gtdbg_module_add add = {
		.source = 8, .source_len_bytes = len_bytes,
	};

	return ioctl(client, GTDBG_IOC_MODULE_ADD, &add) < 0 ? -errno : 0;
}

/* The window of a GT is memory that its server's user has to account for. */
TEST_F(offer, windows_count_as_bytes_of_a_user)
{
	struct gtdbg_client_register request = { .flags = 0 };
	int own = open("/dev/gtdbg", O_RDWR | O_CLOEXEC), gt;
	struct gtdbg_info info = { .flags = 0 };
	uint64_t room;

	ASSERT_EQ(0, ioctl(own, GTDBG_IOC_CLIENT_REGISTER, &request));
	ASSERT_EQ(0, ioctl(own, GTDBG_IOC_INFO, &info));
	room = info.client_bytes_max - GTDBG_VGT_WINDOW_BYTES;
	EXPECT_EQ(-EFAULT, charge(own, room));
	gt = offer_make(self->memory, self->client);
	EXPECT_LE(0, gt);
	EXPECT_EQ(-EDQUOT, charge(own, room));
	close(gt);
	EXPECT_EQ(-EFAULT, charge(own, room));
	close(own);
}

#define CLIENTS 5 /* more than a user's devices have places in */
#define DEVICES 64 /* of a user */

TEST_F(offer, devices_of_a_user_are_limited)
{
	struct debuggee clients[CLIENTS];
	int gts[DEVICES], fds[CLIENTS], more, i;

	for (i = 0; i < CLIENTS; i++) {
		ASSERT_EQ(0, debuggee_start(&clients[i], 0, become_user));
		fds[i] = descriptor_copy(clients[i].pid, clients[i].fd);
		ASSERT_LE(0, fds[i]);
	}
	for (i = 0; i < DEVICES; i++) {
		gts[i] = offer_make(self->memory, fds[i / PLACES]);
		EXPECT_LE(0, gts[i]);
	}
	EXPECT_EQ(-EDQUOT, offer_make(self->memory, fds[CLIENTS - 1]));
	close(gts[0]);
	more = offer_make(self->memory, fds[CLIENTS - 1]);
	EXPECT_LE(0, more);
	close(more);
	for (i = 1; i < DEVICES; i++)
		close(gts[i]);
	for (i = 0; i < CLIENTS; i++) {
		close(fds[i]);
		debuggee_stop(&clients[i]);
	}
}

/* A client whose descriptor outlives the execution of another program. */
static void exec_run(int report, int go)
{
	struct gtdbg_client_register client = { .flags = 0 };
	int fd = open("/dev/gtdbg", O_RDWR);
	char byte;

	if (ioctl(fd, GTDBG_IOC_CLIENT_REGISTER, &client))
		fd = -1;
	if (write(report, &fd, sizeof(fd)) == sizeof(fd) &&
	    read(go, &byte, 1) == 1)
		execl("/bin/sleep", "sleep", "1000", (char *)NULL);
	_exit(1);
}

static bool exec_done(pid_t pid)
{
	char path[64], name[16] = { 0 };
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/comm", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (read(fd, name, sizeof(name) - 1) < 0)
		name[0] = 0;
	close(fd);
	return !strcmp(name, "sleep\n");
}

TEST_F(offer, program_that_the_client_becomes_has_nothing_of_it)
{
	uint64_t end = rig_now_ns() + RIG_TIMEOUT_MS * 1000000ULL;
	int report[2], go[2], fd = -1, copy, gt;
	pid_t child;

	ASSERT_EQ(0, pipe2(report, O_CLOEXEC));
	ASSERT_EQ(0, pipe2(go, O_CLOEXEC));
	child = fork();
	if (!child)
		exec_run(report[1], go[0]);
	ASSERT_EQ(sizeof(fd), read(report[0], &fd, sizeof(fd)));
	copy = descriptor_copy(child, fd);
	ASSERT_LE(0, copy);
	gt = offer_make(self->memory, copy);
	EXPECT_LE(0, gt);
	ASSERT_EQ(1, write(go[1], "", 1));
	while (!exec_done(child) && rig_now_ns() < end)
		usleep(1000);
	EXPECT_TRUE(exec_done(child));
	EXPECT_EQ(-ESRCH, offer_make(self->memory, copy));
	close(gt);
	close(copy);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
}

TEST_HARNESS_MAIN
