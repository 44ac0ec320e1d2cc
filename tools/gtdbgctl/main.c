// SPDX-License-Identifier: MIT
#include "cmd.h"

#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct command {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *summary;
};

static int cmd_help(int argc, char **argv);

static const struct command commands[] = {
	{ "attach", cmd_attach, "debug a running program" },
	{ "doctor", cmd_doctor, "say what is missing here for debugging" },
	{ "events", cmd_events, "print a program's events as they come" },
	{ "help", cmd_help, "list the commands" },
	{ "list", cmd_list, "list GPUs and programs that can be debugged" },
	{ "run", cmd_run, "debug a program from its start" },
	{ "version", cmd_version, "print the versions of tool and module" },
};

#define COMMAND_COUNT (sizeof(commands) / sizeof(commands[0]))

int cmd_fail(int ret, const char *format, ...)
{
	va_list args;

	fflush(stdout);
	fputs("gtdbgctl: ", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fprintf(stderr, ": %s\n", strerror(-ret));
	return CMD_FAILED;
}

int cmd_fail_open(int ret)
{
	if (ret == -ENOENT)
		fputs("gtdbgctl: the kernel module is not loaded: try \"modprobe gtdbg\"\n",
		      stderr);
	else
		cmd_fail(ret, "cannot open /dev/gtdbg");
	return CMD_FAILED;
}

int cmd_usage(const char *synopsis)
{
	fprintf(stderr, "gtdbgctl: usage: gtdbgctl %s\n", synopsis);
	return CMD_USAGE;
}

static int cmd_help(int argc, char **argv)
{
	size_t i;

	(void)argv;
	if (argc > 1)
		return cmd_usage("help");
	puts("usage: gtdbgctl COMMAND [ARGUMENT...]");
	for (i = 0; i < COMMAND_COUNT; i++)
		printf("  %-12s %s\n", commands[i].name, commands[i].summary);
	return CMD_OK;
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";
	size_t i;

	if (!strcmp(name, "--help") || !strcmp(name, "-h"))
		name = "help";
	if (!strcmp(name, "--version"))
		name = "version";
	for (i = 0; i < COMMAND_COUNT; i++) {
		if (!strcmp(name, commands[i].name))
			return commands[i].run(argc - 1, argv + 1);
	}
	return cmd_usage("COMMAND [ARGUMENT...] (see gtdbgctl help)");
}
