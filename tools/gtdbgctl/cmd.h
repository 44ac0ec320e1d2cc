/* SPDX-License-Identifier: MIT */
#ifndef GTDBGCTL_CMD_H
#define GTDBGCTL_CMD_H

#include "debugger.h"

#include <stdbool.h>

/* Exit statuses of every command. */
#define CMD_OK 0
#define CMD_FAILED 1
#define CMD_USAGE 2

/* Each gets its own name in argv[0] and returns an exit status. */
int cmd_attach(int argc, char **argv);
int cmd_core(int argc, char **argv);
int cmd_dap(int argc, char **argv);
int cmd_doctor(int argc, char **argv);
int cmd_events(int argc, char **argv);
int cmd_gcore(int argc, char **argv);
int cmd_gdb(int argc, char **argv);
int cmd_list(int argc, char **argv);
int cmd_print_trace(int argc, char **argv);
int cmd_run(int argc, char **argv);
int cmd_top(int argc, char **argv);
int cmd_trace(int argc, char **argv);
int cmd_version(int argc, char **argv);

/* Prints "gtdbgctl: WHAT: why", from a negative errno; returns CMD_FAILED. */
int cmd_fail(int ret, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Says why the module cannot be used; returns CMD_FAILED. */
int cmd_fail_open(int ret);

/* The door that VGT_DOOR names; CMD_USAGE after saying that there is none. */
struct launch_options;
int cmd_door_set(struct launch_options *launch);

/* The door to take: the one that is wanted, or what there is. */
enum launch_door cmd_launch_door(const struct launch_options *launch);

/* The way that GTDBG_ASSERT names, likewise. */
struct prompt_options;
int cmd_assert_set(struct prompt_options *options);

/* Is the word an option that says how a program is started? */
bool cmd_launch_parse(const char *word, struct launch_options *launch);

/* Says why its GPU could not be used or started; returns an exit status. */
int cmd_offer_check(const struct launch_options *launch);

/* A process id, or -1. */
int cmd_pid_parse(const char *text);

/*
 * Opens the module, and takes a debuggee's descriptor; 0, or a negative errno
 * after saying why not.
 */
struct gtdbg;
int cmd_client_open(int pid, struct gtdbg **gtdbg_out, int *fd_out);

/*
 * Says how the command of that name is used, and which word is wrong (NULL: one is
 * missing); returns CMD_USAGE.
 */
int cmd_usage(const char *name, const char *word);

#endif
