// SPDX-License-Identifier: MIT
/*
 * Save areas in a process's memory, here our own: buffers that only have the name of the
 * driver's. What is not one stays as it is.
 */
#include "gtdbg.h"
#include "support/tap.h"

#include <errno.h>
#include <limits.h>
#include <linux/gtdbg_sip.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define BYTES 4096
#define BOTH (GTDBG_SIP_CONTROL_F_ACTIVE | GTDBG_SIP_CONTROL_F_PASS)
#define OTHER 0x80u	/* a flag that is no matter of ours */

static unsigned int wants;	/* how often the answer is yes */
static unsigned int asked;

static bool is_wanted(void *argument)
{
	return (*(unsigned int *)argument)++ < wants;
}

/* A mapping of this name that begins as a save area does. */
static char *mapping(const char *name, const char *magic, uint64_t control_magic,
		     uint32_t flags)
{
	struct gtdbg_sip_control control = {
		.magic = control_magic, .flags = flags,
	};
	int fd = memfd_create(name, 0);
	char *at;

	if (fd < 0 || ftruncate(fd, BYTES))
		return NULL;
	at = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	if (at == MAP_FAILED)
		return NULL;
	memcpy(at, magic, 8);
	memcpy(at + GTDBG_SIP_CONTROL_OFFSET, &control, sizeof(control));
	return at;
}

static uint32_t flags_of(const char *at)
{
	uint32_t flags;

	memcpy(&flags, at + GTDBG_SIP_CONTROL_FLAGS, sizeof(flags));
	return flags;
}

static int arm(int pid, int pidfd, bool holds_launches)
{
	const struct gtdbg_savearea_target target = {
		.pid = pid, .pidfd = pidfd, .holds_launches = holds_launches,
		.is_wanted = is_wanted, .argument = &asked,
	};

	asked = 0;
	return gtdbg_savearea_arm(&target);
}

static void check_areas(int pidfd)
{
	char *idle = mapping("i915.gem", "tssarea", GTDBG_SIP_CONTROL_MAGIC, OTHER);
	char *passing = mapping("i915.gem", "tssarea", GTDBG_SIP_CONTROL_MAGIC,
				BOTH);
	const char *const others[] = {
		mapping("i915", "tssarea", GTDBG_SIP_CONTROL_MAGIC, 0),
		mapping("i915.gem", "tssarex", GTDBG_SIP_CONTROL_MAGIC, 0),
		mapping("i915.gem", "tssarea", GTDBG_SIP_CONTROL_MAGIC + 1, 0),
	};
	size_t i;

	tap_check(arm(getpid(), pidfd, false) == 0 && asked == 1 &&
		  flags_of(idle) == OTHER, "nothing is written that is not wanted");
	wants = 1;
	tap_check(arm(getpid(), pidfd, false) == 0 && asked == 2 &&
		  flags_of(idle) == OTHER,
		  "what is left while it is written does not stay");
	wants = UINT_MAX;
	tap_check(arm(getpid(), pidfd, false) == 1 &&
		  flags_of(idle) == (OTHER | GTDBG_SIP_CONTROL_F_ACTIVE),
		  "threads of an area are to stop");
	tap_check(flags_of(passing) == BOTH,
		  "those that pass at entries do so as long as launches are not held");
	tap_check(arm(getpid(), pidfd, true) == 1 &&
		  flags_of(passing) == GTDBG_SIP_CONTROL_F_ACTIVE,
		  "and then stop there");
	tap_check(arm(getpid(), pidfd, true) == 0, "what is so stays");
	for (i = 0; i < 3; i++)
		tap_check(!flags_of(others[i]), "what is no save area stays as it was");
}

/* One that has ended, whose number may be anyone's by now. */
static void check_ended(void)
{
	int pid = fork(), pidfd;

	if (!pid)
		_exit(0);
	pidfd = syscall(SYS_pidfd_open, pid, 0);
	waitpid(pid, NULL, 0);
	tap_check(arm(pid, pidfd, true) == -ESRCH, "a process that has ended");
	mapping("i915.gem", "tssarea", GTDBG_SIP_CONTROL_MAGIC, 0);
	tap_check(arm(getpid(), pidfd, true) == -ESRCH && !asked,
		  "and one that has its number is let alone");
	close(pidfd);
	tap_check(arm(getpid(), pidfd, true) == -EBADF && !asked &&
		  arm(getpid(), -1, true) == -EBADF && !asked,
		  "who says no process by a descriptor arms none");
}

int main(void)
{
	int pidfd = syscall(SYS_pidfd_open, getpid(), 0);

	puts("TAP version 13");
	check_areas(pidfd);
	check_ended();
	close(pidfd);
	return tap_end();
}
