/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * All commands of the uapi, with arguments that are right, for the tests that
 * go through each of them.
 */
#ifndef COMMAND_H
#define COMMAND_H

#include "target.h"

/* Kinds of descriptor. */
enum { COMMAND_CONTROL = 1, COMMAND_SESSION = 2, COMMAND_VGT = 4 };

struct command {
	const char *name;
	unsigned int cmd;
	unsigned int on; /* kinds of descriptor that take it */
	int flags; /* offset of the field that takes no such flag */
	int expect; /* of a right call: an errno, negative, or 0: success */
	void (*fill)(void *arg);
};

extern const struct command commands[];
extern const size_t command_count;

/* A client, its GT, a session and a stopped thread, for all to work on. */
extern struct target command_target;
int command_prepare(void);

/* Right arguments, followed by some zeroes; good until the next call. */
uint8_t *command_fresh(const struct command *command);

/* 0 for any success, descriptors being closed; else the negative errno. */
int command_call(const struct command *command, int fd, unsigned int cmd,
		 void *arg);

#endif
