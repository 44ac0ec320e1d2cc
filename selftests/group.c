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

#include "target.h"

#define PML4 0x300000 /* the peer's own */
#define OTHER_PML4 0x2000000 /* room for many more */
#define IMAGE_PML4 0x2010cc /* where the context image names it */
#define GROUPS "/sys/fs/cgroup"
#define GROUP GROUPS "/gtdbg-selftest"
#define KERNELS 1000
#define CONTEXTS 200
#define CONTEXT_BYTES 512 /* at least */
#define SETTLE_READS 30 /* of 100 ms: statistics are two seconds old at most */
#define SETTLE_READS_MAX 200
#define GROW_READS 600
#define SETTLE_BYTES 16384 /* to read statistics takes some, too */
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

/* Bytes of objects that are charged to the group, as statistics have it so far. */
static long group_objects(void)
{
	static char text[16384];
	int fd = open(GROUP "/memory.stat", O_RDONLY | O_CLOEXEC);
	char *line;

	memset(text, 0, sizeof(text));
	if (read(fd, text, sizeof(text) - 1) < 0)
		text[0] = 0;
	close(fd);
	line = strstr(text, "\nslab_unreclaimable ");
	return line ? atol(strchr(line + 1, ' ')) : -1;
}

/* What was there before has come in. */
static long group_settled(void)
{
	long now, before = -1;

	for (int i = 0, same = 0; i < SETTLE_READS_MAX && same < SETTLE_READS; i++) {
		usleep(100000);
		now = group_objects();
		same = labs(now - before) < SETTLE_BYTES ? same + 1 : 0;
		before = now;
	}
	return before;
}

/* Waits until it has grown so much, if it does. */
static long group_grown(long before, long least)
{
	long added = 0;

	for (int i = 0; i < GROW_READS && added < least; i++) {
		usleep(100000);
		added = group_objects() - before;
	}
	return added;
}

/* The same pages below a top table of its own. */
static void context_enter(struct peer *peer, int number)
{
	uint32_t pml4 = OTHER_PML4 + 4096 * number;

	pthread_mutex_lock(&peer->lock);
	memcpy(peer->memory + pml4, peer->memory + PML4, 4096);
	memcpy(peer->memory + IMAGE_PML4, &pml4, 4);
	pthread_mutex_unlock(&peer->lock);
}

/* A server of the group, whose poller finds context after context. */
static int server_run(void)
{
	struct target target;
	struct rig_event event;
	long before, added;

	if (!group_write(GROUP "/cgroup.procs", "0") ||
	    target_start(&target, 1ULL << GTDBG_EVENT_CONTEXT_ADD, 0) ||
	    rig_next(&target.rig, GTDBG_EVENT_CONTEXT_ADD, &event))
		return 1;
	before = group_settled();
	for (int i = 1; i <= CONTEXTS; i++) {
		context_enter(&target.peer, i);
		if (rig_next(&target.rig, GTDBG_EVENT_CONTEXT_ADD, &event))
			return 1;
	}
	added = group_grown(before, CONTEXTS * CONTEXT_BYTES);
	printf("# %d contexts: %ld bytes\n", CONTEXTS, added);
	target_stop(&target);
	return before < 0 || added < CONTEXTS * CONTEXT_BYTES;
}

static int status_of(pid_t child)
{
	int status;

	if (child < 0 || waitpid(child, &status, 0) != child)
		return 1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

static int group_run(int (*run)(void))
{
	pid_t child;
	int status;

	if (!group_make())
		return NONE;
	fflush(stdout);
	child = fork();
	if (!child)
		exit(run());
	status = status_of(child);
	rmdir(GROUP);
	return status;
}

/* In a process and a group of its own: what @run says, or NONE. */
static int group_status(int (*run)(void))
{
	pid_t child;

	fflush(stdout);
	child = fork();
	if (!child)
		_exit(group_run(run));
	return status_of(child);
}

TEST(names_are_charged_to_the_group_of_the_program)
{
	int status;

	if (access("/dev/gtdbg", F_OK))
		SKIP(return, "no /dev/gtdbg: load the module");
	status = group_status(member_run);
	if (status == NONE)
		SKIP(return, "no control groups of memory: needs root, and version 2");
	EXPECT_EQ(0, status);
}

TEST(contexts_are_charged_to_the_group_of_the_server)
{
	int status;

	if (access("/dev/gtdbg-vgt", F_OK))
		SKIP(return, "no /dev/gtdbg-vgt: load the module");
	status = group_status(server_run);
	if (status == NONE)
		SKIP(return, "no control groups of memory: needs root, and version 2");
	EXPECT_EQ(0, status);
}

TEST_HARNESS_MAIN
