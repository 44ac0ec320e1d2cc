// SPDX-License-Identifier: MIT
/* The prompt: reading lines and finding the command that they mean. */
#include "prompt.h"

#include "cmd.h"
#include "debugger.h"

#include <ctype.h>
#include <readline/history.h>
#include <readline/readline.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PROMPT "(gtdbg) "

static int prompt_help(struct debugger *debugger, const char *args);
static int prompt_quit(struct debugger *debugger, const char *args);
static int prompt_echo(struct debugger *debugger, const char *args);

const struct prompt_command prompt_commands[] = {
	{ "backtrace", "bt", prompt_backtrace, "", "show the call stack" },
	{ "break", "b", prompt_break, "WHERE [if COND]",
	  "stop at a line, function or *ADDRESS" },
	{ "condition", NULL, prompt_condition, "N [COND]",
	  "stop at a breakpoint only if COND holds in some lane" },
	{ "continue", "c", prompt_continue, "[N]",
	  "let all threads run; pass this breakpoint N - 1 times" },
	{ "delete", "d", prompt_delete, "[N...]", "remove breakpoints" },
	{ "detach", NULL, prompt_detach, "", "leave the program alone" },
	{ "disable", NULL, prompt_disable, "[N...]", "disarm breakpoints" },
	{ "down", NULL, prompt_down, "[N]", "select an inner frame" },
	{ "echo", NULL, prompt_echo, "TEXT", "print a text" },
	{ "enable", NULL, prompt_enable, "[N...]", "arm breakpoints" },
	{ "finish", "fin", prompt_finish, "", "run until the function returns" },
	{ "frame", "f", prompt_frame, "[N]", "select or show a frame" },
	{ "help", "h", prompt_help, "[COMMAND]", "list the commands" },
	{ "ignore", NULL, prompt_ignore, "N COUNT",
	  "pass a breakpoint so many times" },
	{ "info", "i", prompt_info, "WHAT",
	  "breakpoints, kernels, threads, registers, modules, devices, locals, args, frame, source, stats" },
	{ "interrupt", NULL, prompt_interrupt, "", "stop the GPU threads that run" },
	{ "kill", "k", prompt_kill, "", "end the program" },
	{ "lanes", NULL, prompt_lanes, "[/F] EXPR",
	  "print an expression in every lane" },
	{ "list", "l", prompt_list, "[FILE:][LINE]|FUNCTION", "show source lines" },
	{ "next", "n", prompt_next, "[N]", "run to the next line, over calls" },
	{ "nexti", "ni", prompt_stepi, "[N]", "execute one instruction" },
	{ "print", "p", prompt_print, "[/F] EXPR", "print an expression" },
	{ "ptype", NULL, prompt_ptype, "TYPE|EXPR",
	  "show a type, or that of an expression" },
	{ "quit", "q", prompt_quit, "", "leave; ends a program that was run" },
	{ "run", "r", prompt_run_program, "", "start the program" },
	{ "set", NULL, prompt_set, "var EXPR = EXPR", "change a variable" },
	{ "step", "s", prompt_step, "[N]", "run to another line, into calls" },
	{ "stepi", "si", prompt_stepi, "[N]", "execute one instruction" },
	{ "tbreak", "tb", prompt_tbreak, "WHERE [if COND]",
	  "set a breakpoint for one stop" },
	{ "thread", "t", prompt_thread, "[D.]T[:LANE]",
	  "select or show a thread and lane" },
	{ "up", NULL, prompt_up, "[N]", "select an outer frame" },
	{ "x", NULL, prompt_examine, "[/NFU] ADDRESS",
	  "show memory, or code with /i" },
	{ 0 },
};

static const struct prompt_command *command_find(const char *name, size_t len,
						 bool *ambiguous)
{
	const struct prompt_command *command, *found = NULL;

	*ambiguous = false;
	for (command = prompt_commands; command->name; command++) {
		if ((strlen(command->name) == len &&
		     strncmp(command->name, name, len) == 0) ||
		    (command->alias && strlen(command->alias) == len &&
		     strncmp(command->alias, name, len) == 0))
			return command;
		if (strncmp(command->name, name, len) == 0) {
			*ambiguous = found;
			found = command;
		}
	}
	return *ambiguous ? NULL : found;
}

static int prompt_help(struct debugger *debugger, const char *args)
{
	const struct prompt_command *command;
	bool ambiguous;

	if (*args) {
		command = command_find(args, strlen(args), &ambiguous);
		if (!command)
			return fail(debugger, "Undefined command: \"%s\".  Try \"help\".",
				    args);
		printf("%s %s\n%s\n", command->name, command->synopsis,
		       command->summary);
		return 0;
	}
	for (command = prompt_commands; command->name; command++)
		printf("%-10s %s\n", command->name, command->summary);
	return 0;
}

static int prompt_quit(struct debugger *debugger, const char *args)
{
	(void)args;
	debugger->is_quitting = true;
	return 0;
}

static int prompt_echo(struct debugger *debugger, const char *args)
{
	(void)debugger;
	puts(args);
	return 0;
}

/* Trims @line in place. */
static char *trim(char *line)
{
	char *end;

	while (isspace((unsigned char)*line))
		line++;
	end = line + strlen(line);
	while (end > line && isspace((unsigned char)end[-1]))
		*--end = 0;
	return line;
}

static int line_run(struct debugger *debugger, const char *text)
{
	const struct prompt_command *command;
	char *copy = strdup(text), *line, *args;
	bool ambiguous;
	size_t len = 0;
	int ret;

	if (!copy)
		return -1;
	/* From here on Ctrl-C is meant for this command. */
	wait_is_interrupted = 0;
	line = trim(copy);
	while (isalpha((unsigned char)line[len]))
		len++;
	if (!*line || *line == '#') {
		free(copy);
		return 0;
	}
	command = len ? command_find(line, len, &ambiguous) : NULL;
	if (!command) {
		ret = fail(debugger, len && ambiguous ?
			   "Ambiguous command \"%s\".  Try \"help\"." :
			   "Undefined command: \"%s\".  Try \"help\".", line);
	} else {
		args = trim(line + len);
		ret = command->run(debugger, args);
	}
	fflush(stdout);
	free(copy);
	return ret;
}

static char *complete_command(const char *text, int state)
{
	static const struct prompt_command *command;

	if (!state)
		command = prompt_commands;
	while (command->name) {
		const char *name = command++->name;

		if (strncmp(name, text, strlen(text)) == 0)
			return strdup(name);
	}
	return NULL;
}

static char **complete(const char *text, int start, int end)
{
	(void)end;
	rl_attempted_completion_over = 1;
	return start ? NULL : rl_completion_matches(text, complete_command);
}

static bool line_repeats(const char *line)
{
	static const char *const words[] = {
		"step", "next", "stepi", "nexti", "continue", "list", "x",
		"up", "down",
	};
	const struct prompt_command *command;
	size_t len = strspn(line, "abcdefghijklmnopqrstuvwxyz"), i;
	bool ambiguous;

	command = command_find(line, len, &ambiguous);
	for (i = 0; command && i < sizeof(words) / sizeof(words[0]); i++) {
		if (strcmp(command->name, words[i]) == 0)
			return true;
	}
	return false;
}

/* The next line: from the terminal with editing, else plainly. */
static char *line_read(void)
{
	char *line = NULL;
	size_t size = 0;

	if (isatty(0))
		return readline(PROMPT);
	if (getline(&line, &size, stdin) < 0) {
		free(line);
		return NULL;
	}
	printf(PROMPT "%s", line);
	return line;
}

static bool must_end(const struct debugger *debugger)
{
	return debugger->is_quitting || wait_is_ended;
}

static void prompt_loop(struct debugger *debugger)
{
	char *last = NULL, *line;

	rl_attempted_completion_function = complete;
	using_history();
	while (!must_end(debugger) && (line = line_read())) {
		const char *text = trim(line);

		if (*text) {
			if (isatty(0))
				add_history(text);
			free(last);
			last = line_repeats(text) ? strdup(text) : NULL;
			line_run(debugger, text);
		} else if (last) {
			line_run(debugger, last);
		}
		free(line);
	}
	free(last);
}

int prompt_parse(int argc, char **argv, int *at,
		 struct prompt_options *options)
{
	if (strcmp(argv[*at], "--batch") == 0) {
		options->is_batch = true;
		(*at)++;
		return 1;
	}
	if (strcmp(argv[*at], "-ex") == 0 && *at + 1 < argc) {
		options->commands[options->command_count++] = argv[*at + 1];
		*at += 2;
		return 1;
	}
	return 0;
}

int prompt_run(struct debugger *debugger, const struct prompt_options *options)
{
	int i;

	for (i = 0; i < options->command_count && !must_end(debugger); i++) {
		printf(PROMPT "%s\n", options->commands[i]);
		line_run(debugger, options->commands[i]);
	}
	if (!options->is_batch)
		prompt_loop(debugger);
	if (debugger->is_detached)
		debugger_wait_exit(debugger);
	if (wait_is_ended)
		return 128 + wait_is_ended;
	if (debugger->has_failed && options->is_batch)
		return CMD_FAILED;
	return debugger->exit_status;
}
