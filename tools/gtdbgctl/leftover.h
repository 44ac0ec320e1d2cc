/* SPDX-License-Identifier: MIT */
/*
 * What a program that is gone has left on an engine of i915's, while hang detection is
 * off for the sake of other sessions.
 */
#ifndef GTDBGCTL_LEFTOVER_H
#define GTDBGCTL_LEFTOVER_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#define LEFTOVER_ENGINE_BYTES 16

enum leftover_place {
	LEFTOVER_NONE,
	LEFTOVER_QUEUED, /* or may be: some requests have no line */
	LEFTOVER_RUNS,
};

struct leftover {
	char setting[128]; /* that is on for its sake; empty: none is */
};

/*
 * Is there something of process @pid, which is gone? What is on an engine the driver is
 * told to end. To be called again until there is nothing.
 */
bool leftover_end(struct leftover *leftover, pid_t pid);

/* It is not waited for any more. */
void leftover_forget(struct leftover *leftover);

/*
 * Looks for a closed context of process @pid in what i915_engine_info says. Where one of it
 * runs, @engine (of LEFTOVER_ENGINE_BYTES) is that engine's name.
 */
enum leftover_place leftover_search(FILE *info, pid_t pid, char *engine);

#endif
