// SPDX-License-Identifier: GPL-2.0-only
/* What is kept for a program counts as memory of its control group. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/gtdbg.h>

#include "harness.h"

#define GROUPS "/sys/fs/cgroup"
#define GROUP GROUPS "/gtdbg-selftest"
#define KERNELS 1000
#define NONE 4 /* status of a process that could not have a group */

static bool group_write(const char *path, const char *text)
{
	ssize_t len = strlen(text);
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	bool right = fd >= 0 && write(fd, text, len) == len;

	close(fd);
	return right;
}

static long group_bytes(void)
{
	char text[32] = { 0 };
	int fd = open(GROUP "/memory.current", O_RDONLY | O_CLOEXEC);
	ssize_t len = read(fd, text, sizeof(text) - 1);

	close(fd);
	return len > 0 ? atol(text) : -1;
}

/* The mount is this process's own, and ends with it. */
static bool group_make(void)
{
	return !unshare(CLONE_NEWNS) &&
	       !mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) &&
	       !mount("none", GROUPS, "cgroup2", 0, NULL) &&
	       group_write(GROUPS "/cgroup.subtree_control", "+memory") &&
	       (!mkdir(GROUP, 0755) || errno == EEXIST);
}

static bool kernels_add(int client)
{
	static char name[4096];
	struct gtdbg_kernel_add add = {
		.name = (uintptr_t)memset(name, 'x', sizeof(name)),
		.name_len_bytes = sizeof(name),
	};

	for (int i = 0; i < KERNELS; i++)
		if (ioctl(client, GTDBG_IOC_KERNEL_ADD, &add) < 0)
			return false;
	return true;
}

/* A program of the group: has that at least what is kept for it? */
static int member_run(void)
{
	struct gtdbg_client_register request = { .flags = 0 };
	int client = open("/dev/gtdbg", O_RDWR | O_CLOEXEC);
	long before, added;

	if (!group_write(GROUP "/cgroup.procs", "0") ||
	    ioctl(client, GTDBG_IOC_CLIENT_REGISTER, &request))
		return 1;
	before = group_bytes();
	if (before < 0 || !kernels_add(client))
		return 1;
	added = group_bytes() - before;
	printf("# %d names of 4096 bytes: %ld bytes\n", KERNELS, added);
	return added < KERNELS * 4096L;
}

static int status_of(pid_t child)
{
	int status;

	if (child < 0 || waitpid(child, &status, 0) != child)
		return 1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

static int group_run(void)
{
	pid_t child;
	int status;

	if (!group_make())
		return NONE;
	fflush(stdout);
	child = fork();
	if (!child)
		exit(member_run());
	status = status_of(child);
	rmdir(GROUP);
	return status;
}

TEST(names_are_charged_to_the_group_of_the_program)
{
	pid_t child;
	int status;

	if (access("/dev/gtdbg", F_OK))
		SKIP(return, "no /dev/gtdbg: load the module");
	fflush(stdout);
	child = fork();
	if (!child)
		_exit(group_run());
	status = status_of(child);
	if (status == NONE)
		SKIP(return, "no control groups of memory: needs root, and version 2");
	EXPECT_EQ(0, status);
}

TEST_HARNESS_MAIN
