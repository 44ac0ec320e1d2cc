/* SPDX-License-Identifier: MIT */
/*
 * A gate before each launch of the debuggee: it says that it is there, and
 * waits until it is let through. Between the two its GPU is idle.
 */
#ifndef EU_GATE_H
#define EU_GATE_H

#include <stdbool.h>

struct gate {
	int fd; /* ours; -1: none */
	int program_fd; /* the debuggee's, until it has started */
};

bool gate_init(struct gate *gate);
void gate_fini(struct gate *gate);

/* In the child, before launch replaces it: pass on its end. */
void gate_env(const struct gate *gate);
/* In the parent, once there is a child. */
void gate_started(struct gate *gate);

/* Does the program wait before a launch, or soon? Then it may pass, once. */
bool gate_reached(struct gate *gate, int timeout_ms);
bool gate_open(struct gate *gate);

#endif
