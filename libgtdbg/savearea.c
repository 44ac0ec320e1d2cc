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

static bool flags_write(int memory, uint64_t address, uint32_t flags)
{
	return pwrite(memory, &flags, sizeof(flags),
		      address + GTDBG_SIP_CONTROL_FLAGS) == sizeof(flags);
}

/* Whether it was changed. */
static bool savearea_set(int memory, uint64_t address,
			 const struct gtdbg_savearea_target *target)
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
	    !(target->holds_launches &&
	      control.flags & GTDBG_SIP_CONTROL_F_PASS))
		return false;
	control.flags |= GTDBG_SIP_CONTROL_F_ACTIVE;
	control.flags &= ~GTDBG_SIP_CONTROL_F_PASS;
	/* A program that ends meanwhile needs it no more, nor one that was left. */
	if (!target->is_wanted(target->argument) ||
	    !flags_write(memory, address, control.flags))
		return false;
	if (target->is_wanted(target->argument))
		return true;
	/* It was left while we waited for its memory: nobody serves what stops now. */
	flags_write(memory, address,
		    control.flags & ~GTDBG_SIP_CONTROL_F_ACTIVE);
	return false;
}

/* Without stdio: a process may end while this waits, and would wait for its lock. */
static int saveareas_set(int memory, int maps,
			 const struct gtdbg_savearea_target *target)
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
				count += savearea_set(memory, address,
						      target);
		}
		/* A line that does not end has the name of no buffer. */
		kept = strlen(line);
		if (kept == sizeof(lines) - 1)
			kept = 0;
		memmove(lines, line, kept);
	}
	return count;
}

/* Its number may be another's by now. 0: it lives. */
static int process_check(int pidfd)
{
	struct pollfd ended = { .fd = pidfd, .events = POLLIN };
	int ret = poll(&ended, 1, 0);

	return ret < 0 ? -errno : ret ? -ESRCH : 0;
}

static int file_open(int pid, const char *name, int flags)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/%s", pid, name);
	fd = open(path, flags | O_CLOEXEC);
	if (fd >= 0)
		return fd;
	return errno == ENOENT ? -ESRCH : -errno;
}

int gtdbg_savearea_arm(const struct gtdbg_savearea_target *target)
{
	int memory, maps, ret;

	/* Before what we open may have its number. */
	if (fcntl(target->pidfd, F_GETFD) < 0)
		return -errno;
	memory = file_open(target->pid, "mem", O_RDWR);
	if (memory < 0)
		return memory;
	maps = file_open(target->pid, "maps", O_RDONLY);
	ret = maps < 0 ? maps : process_check(target->pidfd);
	if (!ret)
		ret = saveareas_set(memory, maps, target);
	if (maps >= 0)
		close(maps);
	close(memory);
	return ret;
}
