// SPDX-License-Identifier: MIT
#include "cmd.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct command {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *summary;
	const char *synopsis;	/* behind the name */
	const char *options;	/* one in a line, NULL: none */
};

static int cmd_help(int argc, char **argv);

#define PROMPT_OPTIONS \
	"  -ex COMMAND           execute a command of the prompt\n" \
	"  -x FILE               execute the commands in a file\n" \
	"  -nx                   do not read ~/.gtdbginit\n" \
	"  --batch               end when those commands are done\n"

static const struct command commands[] = {
	{ "attach", cmd_attach, "debug a running program",
	  "[-nx] [--batch] [-ex COMMAND | -x FILE]... PID", PROMPT_OPTIONS },
	{ "doctor", cmd_doctor, "say what is missing here for debugging",
	  NULL, NULL },
	{ "events", cmd_events, "print a program's events as they come",
	  "[--json] PID", "  --json  each line is a JSON object\n" },
	{ "help", cmd_help, "list the commands, or explain one", "[COMMAND]",
	  NULL },
	{ "list", cmd_list, "list GPUs and programs that can be debugged",
	  "[--json]", "  --json  each line is a JSON object\n" },
	{ "run", cmd_run, "debug a program from its start",
	  "[--sip=own|stock|stock-bindless] [--door=drm|socket] [--attachable] [-nx] [--batch] [-ex COMMAND | -x FILE]... -- PROGRAM [ARGUMENT...]",
	  PROMPT_OPTIONS
	  "  --attachable          run it without a session, for a later attach\n"
	  "  --sip=own             with gtdbg's system routine (default)\n"
	  "  --sip=stock           with the runtime's own\n"
	  "  --sip=stock-bindless  with the compiler's other one\n"
	  "  --door=drm            virtual GPU as a render node (default)\n"
	  "  --door=socket         over the runtime's simulator connection\n" },
	{ "version", cmd_version, "print the versions of tool and module",
	  NULL, NULL },
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

static const struct command *command_find(const char *name)
{
	size_t i;

	for (i = 0; i < COMMAND_COUNT; i++) {
		if (!strcmp(name, commands[i].name))
			return &commands[i];
	}
	return NULL;
}

static void print_synopsis(FILE *to, const struct command *command)
{
	fprintf(to, "usage: gtdbgctl %s%s%s\n", command->name,
		command->synopsis ? " " : "",
		command->synopsis ? command->synopsis : "");
}

int cmd_usage(const char *name)
{
	fputs("gtdbgctl: ", stderr);
	print_synopsis(stderr, command_find(name));
	return CMD_USAGE;
}

static int explain(const struct command *command)
{
	print_synopsis(stdout, command);
	printf("%c%s.\n", toupper((unsigned char)*command->summary),
	       command->summary + 1);
	if (command->options)
		printf("\n%s", command->options);
	printf("\nThe manual has more: man gtdbgctl\n");
	return CMD_OK;
}

static int cmd_help(int argc, char **argv)
{
	const struct command *command;
	size_t i;

	if (argc > 2)
		return cmd_usage("help");
	if (argc == 2) {
		command = command_find(argv[1]);
		return command ? explain(command) : cmd_usage("help");
	}
	puts("usage: gtdbgctl COMMAND [ARGUMENT...]");
	for (i = 0; i < COMMAND_COUNT; i++)
		printf("  %-12s %s\n", commands[i].name, commands[i].summary);
	puts("\n\"gtdbgctl COMMAND --help\" explains one of them.");
	return CMD_OK;
}

static bool is_help(const char *word)
{
	return !strcmp(word, "--help") || !strcmp(word, "-h");
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";
	const struct command *command;

	if (is_help(name))
		name = "help";
	if (!strcmp(name, "--version"))
		name = "version";
	command = command_find(name);
	if (!command) {
		fputs("gtdbgctl: usage: gtdbgctl COMMAND [ARGUMENT...] (see gtdbgctl help)\n",
		      stderr);
		return CMD_USAGE;
	}
	if (argc > 2 && is_help(argv[2]))
		return explain(command);
	return command->run(argc - 1, argv + 1);
}
