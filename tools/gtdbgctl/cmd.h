/* SPDX-License-Identifier: MIT */
#ifndef GTDBGCTL_CMD_H
#define GTDBGCTL_CMD_H

/* Exit statuses of every command. */
#define CMD_OK 0
#define CMD_FAILED 1
#define CMD_USAGE 2

/* Each gets its own name in argv[0] and returns an exit status. */
int cmd_attach(int argc, char **argv);
int cmd_doctor(int argc, char **argv);
int cmd_events(int argc, char **argv);
int cmd_list(int argc, char **argv);
int cmd_run(int argc, char **argv);
int cmd_version(int argc, char **argv);

/* Prints "gtdbgctl: WHAT: why", from a negative errno; returns CMD_FAILED. */
int cmd_fail(int ret, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Says why the module cannot be used; returns CMD_FAILED. */
int cmd_fail_open(int ret);

/* A process id, or -1. */
int cmd_pid_parse(const char *text);

/* Takes a debuggee's descriptor; 0, or a negative errno after saying why not. */
int cmd_client_open(int pid, int *fd_out);

/* Says how the command of that name is used; returns CMD_USAGE. */
int cmd_usage(const char *name);

#endif
