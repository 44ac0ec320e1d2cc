// SPDX-License-Identifier: MIT
/*
 * Save areas of a program that was started without a debugger tell the system
 * routine not to stop its threads. On the machine's GPU the module can change that
 * only while a context is on the engine, which a short kernel leaves too soon. But
 * the runtime keeps them mapped in the program: there we may write, too. Each is a
 * buffer of the driver i915, and begins with it.
 *
 * A program has several, and the one that counts may come last: the runtime makes a
 * queue's when that is first used. So they are looked for as long as the session lasts.
 */
#include "debugger.h"

#include <fcntl.h>
#include <linux/gtdbg_sip.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define MAGIC 0x0061657261737374ull	/* "tssarea" */
#define BUFFER "i915.gem"	/* in the name of its mapping */
#define LOOK_MS 200

static void savearea_activate(int memory, uint64_t address)
{
	struct gtdbg_sip_control control;
	uint64_t magic;

	if (pread(memory, &magic, sizeof(magic), address) != sizeof(magic) ||
	    magic != MAGIC ||
	    pread(memory, &control, sizeof(control),
		  address + GTDBG_SIP_CONTROL_OFFSET) != sizeof(control) ||
	    control.magic != GTDBG_SIP_CONTROL_MAGIC ||
	    control.flags & GTDBG_SIP_CONTROL_F_ACTIVE)
		return;
	control.flags |= GTDBG_SIP_CONTROL_F_ACTIVE;
	/* A program that ends meanwhile needs it no more. */
	if (pwrite(memory, &control.flags, sizeof(control.flags),
		   address + GTDBG_SIP_CONTROL_FLAGS) < 0)
		return;
}

static void saveareas_activate(int memory, FILE *maps)
{
	unsigned long long address;
	char line[512];

	while (fgets(line, sizeof(line), maps))
		if (strstr(line, BUFFER) &&
		    sscanf(line, "%llx-", &address) == 1)
			savearea_activate(memory, address);
}

/* Of the process that is debugged, if it is there still: its number may be another's. */
static bool is_there(const struct debugger *debugger)
{
	struct pollfd ended = { .fd = debugger->pidfd, .events = POLLIN };

	return debugger->pidfd > 0 && poll(&ended, 1, 0) == 0;
}

static bool is_due(struct debugger *debugger)
{
	struct timespec now;
	uint64_t now_ms;

	clock_gettime(CLOCK_MONOTONIC, &now);
	now_ms = now.tv_sec * 1000ull + now.tv_nsec / 1000000;
	if (now_ms - debugger->saveareas_looked_ms < LOOK_MS)
		return false;
	debugger->saveareas_looked_ms = now_ms;
	return true;
}

void saveareas_look(struct debugger *debugger)
{
	char path[64];
	FILE *maps;
	int memory;

	if (!debugger->seeks_saveareas || !is_due(debugger))
		return;
	snprintf(path, sizeof(path), "/proc/%d/mem", debugger->pid);
	memory = open(path, O_RDWR | O_CLOEXEC);
	snprintf(path, sizeof(path), "/proc/%d/maps", debugger->pid);
	maps = fopen(path, "re");
	if (memory >= 0 && maps && is_there(debugger))
		saveareas_activate(memory, maps);
	if (maps)
		fclose(maps);
	if (memory >= 0)
		close(memory);
}
