/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Kills a process with SIGKILL at a system call of its that is given by number.
 * A process of its own traces the victim and counts, over all threads, from the
 * victim's first command to the module on: before that the module does not
 * know it. An odd call is cut short before it begins, at an even one the
 * victim is killed while it is under way.
 */
#ifndef KILLER_H
#define KILLER_H

#include <stdint.h>
#include <sys/types.h>

#define KILLER_NEVER UINT64_MAX /* only count */

struct killer_report {
	uint64_t calls; /* made by the victim */
	uint64_t killed_ns; /* when, or 0 */
};

struct killer {
	pid_t pid;
	int ready[2], gate[2];
	volatile struct killer_report *report; /* shared with the tracer */
};

/* Wait for a victim that will be killed at call number @call, 1 or more. */
int killer_start(struct killer *killer, uint64_t call);

/* What the victim calls, before it executes anything of its own. */
void killer_enter(void *killer);

/* Until the victim has ended: what became of it. */
struct killer_report killer_wait(struct killer *killer);

#endif
