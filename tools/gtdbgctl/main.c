// SPDX-License-Identifier: MIT
#include "cmd.h"

#include "core.h"
#include "screen.h"

#include <ctype.h>
#include <errno.h>
#include <signal.h>
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

#define FAULT_OPTION \
	"  --core-on-fault=FILE  write a core file at the first page fault\n" \
	"  --core-on-assert=FILE  write one at the first assertion that fails\n" \
	"  --assert=WHAT         where a kernel's assertion fails: stop (default),\n" \
	"                        abort, continue or ignore; but for stop, no prompt\n" \
	"  --assert-lines=N      of the first N work-items that fail (default: 16)\n"

static const struct command commands[] = {
	{ "attach", cmd_attach, "debug a running program",
	  "[-nx] [--batch] [--core-on-fault=FILE] [--core-on-assert=FILE] [--assert=stop|abort|continue|ignore] [--assert-lines=N] [-ex COMMAND | -x FILE]... PID",
	  PROMPT_OPTIONS FAULT_OPTION },
	{ "core", cmd_core, "look at a core file, with the whole prompt",
	  "[-nx] [--batch] [--limit=SIZE] [-ex COMMAND | -x FILE]... FILE",
	  PROMPT_OPTIONS
	  "  --limit=SIZE          of a compressed file, look at no more (default: 4G)\n" },
	{ "dap", cmd_dap, "serve an editor by the Debug Adapter Protocol",
	  "[--socket=PATH | --port=PORT]",
	  "  --socket=PATH  wait for the editor at a socket, not on standard input\n"
	  "  --port=PORT    or at a port of 127.0.0.1; 0: one that is free\n" },
	{ "doctor", cmd_doctor, "say what is missing here for debugging",
	  "[--try [--door=drm|socket|gpu]]",
	  "  --try    debug a small program, and report how far that goes\n"
	  "  --door=  as with run\n" },
	{ "events", cmd_events, "print a program's events as they come",
	  "[--json] [--gpu-time] PID",
	  "  --json      each line is a JSON object\n"
	  "  --gpu-time  with the device's time stamps, as CLOCK_MONOTONIC\n" },
	{ "gcore", cmd_gcore, "write a core file of a running program",
	  "[-o FILE] [--memory=all|writable|none] [--limit=SIZE] [--compress=zstd] [--wait=SECONDS] PID",
	  CORE_OPTIONS
	  "  --wait=SECONDS        for a launch, where nothing runs (default 10)\n" },
	{ "gdb", cmd_gdb, "debug a program with Intel's gdb",
	  "[--sip=own|stock|stock-bindless] [--door=drm|socket] [GDB-OPTION...] -- PROGRAM [ARGUMENT...] | [GDB-OPTION...] -p PID",
	  "  GDB-OPTION...         as -ex COMMAND, for gdb; once both are attached\n"
	  "  -p PID                a program that runs already\n"
	  "  --sip=, --door=       as with run\n" },
	{ "help", cmd_help, "list the commands, or explain one", "[COMMAND]",
	  NULL },
	{ "list", cmd_list, "list GPUs and programs that can be debugged",
	  "[--json]", "  --json  each line is a JSON object\n" },
	{ "print-trace", cmd_print_trace,
	  "print values in a running program without stopping it",
	  "-p PID 'WHERE EXPR[,EXPR...]'...",
	  "  -p PID  the process\n" },
	{ "run", cmd_run, "debug a program from its start",
	  "[--sip=own|stock|stock-bindless] [--door=drm|socket|gpu] [--attachable] [--memcheck[=end|aligned|begin]] [--check=LIST] [-nx] [--batch] [--core-on-fault=FILE] [--core-on-assert=FILE] [--assert=stop|abort|continue|ignore] [--assert-lines=N] [-ex COMMAND | -x FILE]... -- PROGRAM [ARGUMENT...]",
	  PROMPT_OPTIONS FAULT_OPTION
	  "  --attachable          run it without a session, for a later attach\n"
	  "  --check=LIST          stop at what the virtual GPU's checkers find: of\n"
	  "                        bounds,races,uninit\n"
	  "  --sip=own             with gtdbg's system routine (default)\n"
	  "  --sip=stock           with the runtime's own\n"
	  "  --sip=stock-bindless  with the compiler's other one\n"
	  "  --door=drm            virtual GPU as a render node (default)\n"
	  "  --door=socket         over the runtime's simulator connection\n"
	  "  --door=gpu            the machine's GPU (default if there is one)\n" },
	{ "top", cmd_top, "show what GPUs do, live",
	  "[-d SECONDS] [-n COUNT] [--batch | --json]",
	  "  -d SECONDS  between two updates (default: 0.5)\n"
	  "  -n COUNT    end after so many\n"
	  "  --batch     text, one update behind the other\n"
	  "  --json      each update is a JSON object\n" },
	{ "trace", cmd_trace, "record OpenCL calls and GPU kernels, for Perfetto or as CTF",
	  "[-o FILE] [--format=FORMAT] {-p PID | [-a] [--sip=KIND] [--door=KIND] [--] [PROGRAM [ARGUMENT...]]}",
	  "  -o FILE            the trace (default: gtdbg.pftrace, or gtdbg.ctf)\n"
	  "  --format=perfetto  a file for Perfetto (default)\n"
	  "  --format=ctf       a folder for babeltrace2 and Trace Compass (default for *.ctf)\n"
	  "  -p PID             of that process, and what it starts, until it ends\n"
	  "  -a                 of all processes, until Ctrl-C or the program's end\n"
	  "  --sip=, --door=    as with run\n" },
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

int cmd_usage(const char *name, const char *word)
{
	if (word)
		fprintf(stderr, "gtdbgctl: %s does not take \"%s\"\n", name,
			word);
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
	printf("\nThe manual has more: man gtdbgctl-%s\n", command->name);
	return CMD_OK;
}

static int no_command(const char *name)
{
	fprintf(stderr, "gtdbgctl: no command \"%s\": try \"gtdbgctl help\"\n",
		name);
	return CMD_USAGE;
}

static int cmd_help(int argc, char **argv)
{
	const struct command *command;
	size_t i;

	if (argc > 2)
		return cmd_usage("help", argv[2]);
	if (argc == 2) {
		command = command_find(argv[1]);
		return command ? explain(command) : no_command(argv[1]);
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

/* What could not be written is missing from somebody's file. */
static int output_check(int status)
{
	int error = fflush(stdout) ? -errno : ferror(stdout) ? -EIO : 0;

	return error && status == CMD_OK ?
	       cmd_fail(error, "standard output") : status;
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";
	const struct command *command;

	/*
	 * Who has started the tool may ignore it: then programs that it starts would
	 * have no status, and their numbers could be others' by the time of a signal.
	 */
	signal(SIGCHLD, SIG_DFL);
	screen_open();
	if (is_help(name))
		name = "help";
	if (!strcmp(name, "--version"))
		name = "version";
	command = command_find(name);
	if (!command && *name)
		return no_command(name);
	if (!command) {
		fputs("gtdbgctl: usage: gtdbgctl COMMAND [ARGUMENT...] (see gtdbgctl help)\n",
		      stderr);
		return CMD_USAGE;
	}
	if (argc > 2 && is_help(argv[2]))
		return output_check(explain(command));
	return output_check(command->run(argc - 1, argv + 1));
}
