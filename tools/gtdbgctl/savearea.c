// SPDX-License-Identifier: MIT
/*
 * Save areas of a program that was started without a debugger tell the system
 * routine not to stop its threads. On the machine's GPU the module can change that
 * only while a context is on the engine, which a short kernel leaves too soon. But
 * the runtime keeps them mapped in the program: there we may write, too. Each is a
 * buffer of the driver i915, and begins with it.
 */
#include "debugger.h"

#include <fcntl.h>
#include <linux/gtdbg_sip.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define MAGIC 0x0061657261737374ull	/* "tssarea" */
#define BUFFER "i915.gem"	/* in the name of its mapping */

static bool savearea_activate(int memory, uint64_t address)
{
	struct gtdbg_sip_control control;
	uint64_t magic;

	if (pread(memory, &magic, sizeof(magic), address) != sizeof(magic) ||
	    magic != MAGIC ||
	    pread(memory, &control, sizeof(control),
		  address + GTDBG_SIP_CONTROL_OFFSET) != sizeof(control) ||
	    control.magic != GTDBG_SIP_CONTROL_MAGIC)
		return false;
	control.flags |= GTDBG_SIP_CONTROL_F_ACTIVE;
	return pwrite(memory, &control.flags, sizeof(control.flags),
		      address + GTDBG_SIP_CONTROL_FLAGS) > 0;
}

/* All of them; false if there is none. */
static bool saveareas_activate(int memory, FILE *maps)
{
	unsigned long long address;
	bool found = false;
	char line[512];

	while (fgets(line, sizeof(line), maps))
		if (strstr(line, BUFFER) &&
		    sscanf(line, "%llx-", &address) == 1 &&
		    savearea_activate(memory, address))
			found = true;
	return found;
}

void saveareas_look(struct debugger *debugger)
{
	char path[64];
	FILE *maps;
	int memory;

	if (!debugger->seeks_saveareas)
		return;
	snprintf(path, sizeof(path), "/proc/%d/mem", debugger->pid);
	memory = open(path, O_RDWR | O_CLOEXEC);
	snprintf(path, sizeof(path), "/proc/%d/maps", debugger->pid);
	maps = fopen(path, "re");
	if (memory >= 0 && maps && saveareas_activate(memory, maps))
		debugger->seeks_saveareas = false;
	if (maps)
		fclose(maps);
	if (memory >= 0)
		close(memory);
}
