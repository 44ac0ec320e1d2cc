/* SPDX-License-Identifier: GPL-2.0-only */
/* A process that is a client and does nothing else, until it is stopped. */
#ifndef DEBUGGEE_H
#define DEBUGGEE_H

#include <stdbool.h>
#include <sys/types.h>

struct debuggee {
	pid_t pid;
	int fd; /* its number of /dev/gtdbg */
	int wake; /* closed: it ends */
};

/*
 * Starts one in the namespaces that the CLONE_NEW* of @namespaces ask for;
 * @become is called in it first. 0 or -errno.
 */
int debuggee_start(struct debuggee *debuggee, int namespaces,
		   bool (*become)(void));
/* Kills it; does nothing if there is none. */
void debuggee_stop(struct debuggee *debuggee);

/* For @become: another user, whom others of that user may trace. */
bool become_user(void);

/* The same user, whom only the privileged may trace. */
bool become_undumpable(void);

/* The same user, who may be traced by all of that user. */
bool become_open(void);

/* Yet another user. */
bool become_stranger(void);

/* The first user, with all rights in a user namespace of its own. */
bool become_contained(void);

#endif
