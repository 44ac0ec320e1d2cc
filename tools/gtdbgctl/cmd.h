/* SPDX-License-Identifier: MIT */
#ifndef GTDBGCTL_CMD_H
#define GTDBGCTL_CMD_H

/* Exit statuses of every command. */
#define CMD_OK 0
#define CMD_FAILED 1
#define CMD_USAGE 2

/* Each gets its own name in argv[0] and returns an exit status. */
int cmd_doctor(int argc, char **argv);
int cmd_version(int argc, char **argv);

/* Prints "gtdbgctl: WHAT: why", from a negative errno; returns CMD_FAILED. */
int cmd_fail(int ret, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Prints "gtdbgctl: usage: gtdbgctl SYNOPSIS"; returns CMD_USAGE. */
int cmd_usage(const char *synopsis);

#endif
