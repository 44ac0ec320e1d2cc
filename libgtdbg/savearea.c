// SPDX-License-Identifier: MIT
/*
 * Save areas of a program that was started without a debugger tell the system
 * routine not to stop its threads, and those of a session without breakpoints to let
 * them pass at kernels' entries. On the machine's GPU the module can change that
 * only while a context is on the engine, which a short kernel leaves too soon. But
 * the runtime keeps them mapped in the program: there we may write, too. Each is a
 * buffer of the driver i915, and begins with it.
 *
 * All that is read there is the program's to say. Nothing but a dword of its own is
 * written for it, with the flag PASS always clear: so the module alone sets that.
 */
#include "gtdbg.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/gtdbg_sip.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define MAGIC 0x0061657261737374ull	/* "tssarea" */
#define BUFFER "i915.gem"	/* in the name of its mapping */

/* Whether it was changed. */
static bool savearea_set(int memory, uint64_t address,
			 const struct gtdbg_savearea_target *arm)
{
	struct gtdbg_sip_control control;
	uint64_t magic;

	if (pread(memory, &magic, sizeof(magic), address) != sizeof(magic) ||
	    magic != MAGIC ||
	    pread(memory, &control, sizeof(control),
		  address + GTDBG_SIP_CONTROL_OFFSET) != sizeof(control) ||
	    control.magic != GTDBG_SIP_CONTROL_MAGIC)
		return false;
	if (control.flags & GTDBG_SIP_CONTROL_F_ACTIVE &&
	    !(arm->holds_launches && control.flags & GTDBG_SIP_CONTROL_F_PASS))
		return false;
	control.flags |= GTDBG_SIP_CONTROL_F_ACTIVE;
	control.flags &= ~GTDBG_SIP_CONTROL_F_PASS;
	/* A program that ends meanwhile needs it no more, nor one that was left. */
	return arm->is_wanted(arm->argument) &&
	       pwrite(memory, &control.flags, sizeof(control.flags),
		      address + GTDBG_SIP_CONTROL_FLAGS) > 0;
}

/* Without stdio: a process may end while this waits, and would wait for its lock. */
static int saveareas_set(int memory, int maps,
			 const struct gtdbg_savearea_target *arm)
{
	unsigned long long address;
	char lines[8192], *line, *end;
	size_t kept = 0;
	ssize_t got;
	int count = 0;

	while ((got = read(maps, lines + kept, sizeof(lines) - 1 - kept)) > 0) {
		lines[kept + got] = 0;
		for (line = lines; (end = strchr(line, '\n')); line = end + 1) {
			*end = 0;
			if (strstr(line, BUFFER) &&
			    sscanf(line, "%llx-", &address) == 1)
				count += savearea_set(memory, address, arm);
		}
		/* A line that does not end has the name of no buffer. */
		kept = strlen(line);
		if (kept == sizeof(lines) - 1)
			kept = 0;
		memmove(lines, line, kept);
	}
	return count;
}

/* Its number may be another's by now. */
static bool is_there(int pidfd)
{
	struct pollfd ended = { .fd = pidfd, .events = POLLIN };

	return poll(&ended, 1, 0) == 0;
}

int gtdbg_savearea_arm(const struct gtdbg_savearea_target *arm)
{
	char path[64];
	int memory, maps, ret;

	snprintf(path, sizeof(path), "/proc/%d/mem", arm->pid);
	memory = open(path, O_RDWR | O_CLOEXEC);
	if (memory < 0)
		return errno == ENOENT ? -ESRCH : -errno;
	snprintf(path, sizeof(path), "/proc/%d/maps", arm->pid);
	maps = open(path, O_RDONLY | O_CLOEXEC);
	ret = maps < 0 ? -errno : -ESRCH;
	if (maps >= 0 && is_there(arm->pidfd))
		ret = saveareas_set(memory, maps, arm);
	if (maps >= 0)
		close(maps);
	close(memory);
	return ret;
}
