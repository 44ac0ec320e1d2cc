// SPDX-License-Identifier: MIT
/* The prompt: reading lines and finding the command that they mean. */
#include "prompt.h"

#include "cmd.h"
#include "debugger.h"
#include "script.h"
#include "settings.h"
#include "wait.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define PROMPT "(gtdbg) "

static int prompt_help(struct debugger *debugger, const char *args);
static int prompt_quit(struct debugger *debugger, const char *args);
static int prompt_shell(struct debugger *debugger, const char *args);

const struct prompt_command prompt_commands[] = {
	{ "advance", NULL, prompt_advance, "WHERE",
	  "run to a place, or out of the function" },
	{ "awatch", NULL, prompt_watch_accesses, "[-l] [-t [D.]T] EXPR [if COND]",
	  "stop a thread behind the instruction that reads or changes a value" },
	{ "backtrace", "bt", prompt_backtrace, "[full] [N]",
	  "show the call stack; with all variables, of N frames, of -N outer ones" },
	{ "break", "b", prompt_break, "WHERE [item|group X[,Y[,Z]]] [if COND]",
	  "stop at a line, function or *ADDRESS" },
	{ "clear", NULL, prompt_clear, "[WHERE]",
	  "remove the breakpoints at a line or function, or at this one" },
	{ "commands", NULL, prompt_commands_of, "[N]",
	  "say what to do at a breakpoint; lines up to \"end\"" },
	{ "condition", NULL, prompt_condition, "N [COND]",
	  "stop at a breakpoint only if COND holds in some lane" },
	{ "continue", "c", prompt_continue, "[N]",
	  "let all threads run; pass this breakpoint N - 1 times" },
	{ "define", NULL, prompt_define, "NAME",
	  "make a command of your own; lines up to \"end\"" },
	{ "delete", "d", prompt_delete, "[display] [N[-M]...]",
	  "remove breakpoints" },
	{ "detach", NULL, prompt_detach, "", "leave the program alone" },
	{ "disable", NULL, prompt_disable, "[display] [N[-M]...]",
	  "disarm breakpoints" },
	{ "disassemble", NULL, prompt_disassemble, "",
	  "show the code of the frame's function" },
	{ "display", NULL, prompt_display, "[/FMT] [EXPR]",
	  "show an expression at each stop" },
	{ "document", NULL, prompt_document, "NAME",
	  "say what a command of your own does; lines up to \"end\"" },
	{ "down", NULL, prompt_down, "[N]", "select an inner frame" },
	{ "dprintf", NULL, prompt_dprintf,
	  "WHERE [item|group X[,Y[,Z]]] [if COND],\"TEXT\"[,EXPR...]",
	  "print there for each lane, and run on" },
	{ "echo", NULL, prompt_echo, "TEXT",
	  "print a text; \\n ends a line, \\ before it keeps a space" },
	{ "enable", NULL, prompt_enable, "[display] [N[-M]...]",
	  "arm breakpoints" },
	{ "finish", "fin", prompt_finish, "",
	  "run until the selected frame's function returns" },
	{ "frame", "f", prompt_frame, "[N]", "select or show a frame" },
	{ "generate-core-file", "gcore", prompt_generate_core,
	  "[--memory=WHAT] [--limit=SIZE] [--compress=zstd] [FILE]",
	  "write a core file of the program as it is" },
	{ "help", "h", prompt_help, "[COMMAND]", "list the commands" },
	{ "ignore", NULL, prompt_ignore, "N COUNT",
	  "pass a breakpoint so many times" },
	{ "info", "i", prompt_info, "WHAT",
	  "args, breakpoints, devices, display, frame, functions, kernels, line, lines, locals, modules, registers, source, sources, stack, stats, symbol, threads, watchpoints" },
	{ "interrupt", NULL, prompt_interrupt, "", "stop the GPU threads that run" },
	{ "kill", "k", prompt_kill, "", "end the program" },
	{ "lane", NULL, prompt_lane, "[N]", "select or show a lane of the thread" },
	{ "lanes", NULL, prompt_lanes, "[/F] EXPR",
	  "print an expression in every lane" },
	{ "list", "l", prompt_list, "[[FILE:]LINE[,LAST]|FUNCTION|-]",
	  "show source lines" },
	{ "next", "n", prompt_next, "[N]", "run to the next line, over calls" },
	{ "nexti", "ni", prompt_stepi, "[N]", "execute one instruction" },
	{ "output", NULL, prompt_output, "[/F] EXPR",
	  "print an expression, and nothing else" },
	{ "print", "p", prompt_print, "[/F] EXPR", "print an expression" },
	{ "printf", NULL, prompt_printf, "\"TEXT\"[,EXPR...]",
	  "print a text with values in it" },
	{ "ptype", NULL, prompt_ptype, "TYPE|EXPR",
	  "show a type, or that of an expression" },
	{ "quit", "q", prompt_quit, "", "leave; ends a program that was run" },
	{ "run", "r", prompt_run_program, "", "start the program" },
	{ "rwatch", NULL, prompt_watch_reads, "[-l] [-t [D.]T] EXPR [if COND]",
	  "stop a thread behind the instruction that reads a value in memory" },
	{ "set", NULL, prompt_set, "[var] EXPR = EXPR | SETTING VALUE",
	  "change a variable, or how the tool behaves" },
	{ "show", NULL, prompt_show, "[SETTING]",
	  "show how the tool behaves, or \"user\": your own commands" },
	{ "shell", "!", prompt_shell, "COMMAND", "execute a command of the shell" },
	{ "silent", NULL, prompt_silent, "",
	  "first of a breakpoint's commands: the stop is not shown" },
	{ "source", NULL, prompt_source, "FILE", "execute commands of a file" },
	{ "step", "s", prompt_step, "[N]", "run to another line, into calls" },
	{ "stepi", "si", prompt_stepi, "[N]", "execute one instruction" },
	{ "tbreak", "tb", prompt_tbreak,
	  "WHERE [item|group X[,Y[,Z]]] [if COND]",
	  "set a breakpoint for one stop" },
	{ "thread", "t", prompt_thread, "[D.]T[:LANE] | apply WHICH COMMAND",
	  "select or show a thread and lane, or execute a command in several" },
	{ "undisplay", NULL, prompt_undisplay, "[N[-M]...]",
	  "show expressions no more" },
	{ "until", "u", prompt_until, "[WHERE]",
	  "run to a later line, or to a place in this function" },
	{ "up", NULL, prompt_up, "[N]", "select an outer frame" },
	{ "watch", NULL, prompt_watch, "[-l] [-t [D.]T] EXPR [if COND]",
	  "stop a thread behind the instruction that changes a value" },
	{ "whatis", NULL, prompt_whatis, "TYPE|EXPR", "say the name of a type" },
	{ "where", NULL, prompt_backtrace, "[full] [N]", "show the call stack" },
	{ "x", NULL, prompt_examine, "[/NFU] ADDRESS",
	  "show memory, code with /i, text with /s" },
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

bool prompt_has_command(const char *name)
{
	const struct prompt_command *command;

	for (command = prompt_commands; command->name; command++) {
		if (strcmp(command->name, name) == 0)
			return true;
	}
	return false;
}

static int prompt_help(struct debugger *debugger, const char *args)
{
	const struct prompt_command *command;
	bool ambiguous;

	if (*args && macro_help(debugger, args))
		return 0;
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
	if (debugger->session && !debugger->is_core &&
	    !script_confirm(debugger, "A debugging session is active.\n\n\tInferior 1 [process %d] will be %s.\n\nQuit anyway? ",
			    debugger->pid,
			    debugger->launch ? "killed" : "detached"))
		return -1;
	debugger->is_quitting = true;
	return 0;
}

static int shell_start(char *command, pid_t *pid)
{
	char *const argv[] = { "sh", "-c", command, NULL };
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attributes;
	int ret;

	posix_spawn_file_actions_init(&files);
	posix_spawnattr_init(&attributes);
	/* What comes on the tool's own standard input is not for the command. */
	posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null",
					 O_RDONLY, 0);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
	ret = posix_spawn(pid, "/bin/sh", &files, &attributes, argv, environ);
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&files);
	return ret;
}

/* As system(), where it is the tool who reads what the command writes: neither may wait. */
static int shell_handed_on(char *command)
{
	int status = -1, fd;
	pid_t pid;

	if (shell_start(command, &pid))
		return W_EXITCODE(127, 0);
	fd = syscall(SYS_pidfd_open, pid, 0);
	while (waitpid(pid, &status, WNOHANG) == 0)
		if (!wait_hand_on(fd))
			kill(-pid, SIGKILL);
	wait_hand_on(fd);
	if (fd >= 0)
		close(fd);
	return status;
}

static int prompt_shell(struct debugger *debugger, const char *args)
{
	const char *command = *args ? args : "exec ${SHELL:-sh}";
	int status;

	fflush(stdout);
	status = wait_hand_on ? shell_handed_on((char *)command) :
				system(command);
	return status ? fail(debugger, "The command has failed: status %d.",
			     WIFEXITED(status) ? WEXITSTATUS(status) :
			     128 + WTERMSIG(status)) : 0;
}

char *prompt_trim(char *line)
{
	char *end;

	while (isspace((unsigned char)*line))
		line++;
	end = line + strlen(line);
	while (end > line && isspace((unsigned char)end[-1]))
		*--end = 0;
	return line;
}

/* Does it need a program that runs, or could? */
static bool is_moving(const struct prompt_command *command)
{
	static int (*const moving[])(struct debugger *debugger,
				     const char *args) = {
		prompt_advance, prompt_break, prompt_continue, prompt_detach,
		prompt_finish, prompt_interrupt, prompt_kill, prompt_next,
		prompt_run_program, prompt_step, prompt_stepi, prompt_tbreak,
		prompt_until,
	};
	size_t i;

	for (i = 0; i < sizeof(moving) / sizeof(moving[0]); i++) {
		if (command->run == moving[i])
			return true;
	}
	return false;
}

/* Letters, and a "-" between two of them; "list-" is "list -"; or "!". */
static size_t name_length(const char *line)
{
	size_t len = 0;

	if (*line == '!')
		return 1;

	while (isalpha((unsigned char)line[len]) ||
	       (len && line[len] == '-' &&
		isalpha((unsigned char)line[len + 1])))
		len++;
	return len;
}

static int command_run(struct debugger *debugger, char *line)
{
	const struct prompt_command *command;
	bool ambiguous = false;
	size_t len = 0, word;
	int ret;

	word = strcspn(line, " \t");
	if (macro_run(debugger, line, word, prompt_trim(line + word), &ret))
		return ret;
	len = name_length(line);
	command = len ? command_find(line, len, &ambiguous) : NULL;
	if (command && debugger->is_core && is_moving(command))
		return fail(debugger, "A core file does not run: there is no \"%s\" in it.",
			    command->name);
	if (command)
		return command->run(debugger, prompt_trim(line + len));
	return fail(debugger, ambiguous ?
		    "Ambiguous command \"%.*s\".  Try \"help\"." :
		    "Undefined command: \"%.*s\".  Try \"help\".",
		    (int)word, line);
}

int prompt_line(struct debugger *debugger, const char *text)
{
	char *copy = strdup(text), *line;
	int ret = 0;

	if (!copy)
		return -1;
	/* From here on Ctrl-C is meant for this command, or for the script that has it. */
	if (!debugger->script)
		wait_is_interrupted = 0;
	line = prompt_trim(copy);
	if (*line && *line != '#')
		ret = command_run(debugger, line);
	free(copy);
	prompt_act(debugger);
	fflush(stdout);
	return ret;
}

/*
 * What an empty line stands for after this one, in place; false: nothing.
 * "list" and "x" go on where they were, "list -" backward.
 */
static bool line_repeat(char *line)
{
	static const char *const words[] = {
		"step", "next", "stepi", "nexti", "continue", "list", "x",
		"up", "down", "until", "advance",
	};
	const struct prompt_command *command;
	size_t len = strspn(line, "abcdefghijklmnopqrstuvwxyz"), i;
	bool ambiguous;

	command = command_find(line, len, &ambiguous);
	for (i = 0; command && i < sizeof(words) / sizeof(words[0]); i++) {
		if (strcmp(command->name, words[i]) != 0)
			continue;
		if (command->run == prompt_list &&
		    strcmp(line + len + strspn(line + len, " \t"), "-") != 0)
			line[len] = 0;
		else if (command->run == prompt_examine)
			line[len + prompt_format_length(line + len)] = 0;
		return true;
	}
	return false;
}

bool prompt_must_end(const struct debugger *debugger)
{
	return debugger->is_quitting || wait_is_ended;
}

static void prompt_loop(struct debugger *debugger)
{
	char *last = NULL, *line;

	for (;;) {
		while (!prompt_must_end(debugger) &&
		       (line = script_read(debugger, PROMPT))) {
			char *text = prompt_trim(line);

			if (*text) {
				prompt_line(debugger, text);
				free(last);
				last = line_repeat(text) ? strdup(text) : NULL;
			} else if (last) {
				prompt_line(debugger, last);
			}
			free(line);
		}
		if (prompt_must_end(debugger) || !debugger->is_interactive)
			break;
		/* Ctrl-D is short for it. */
		puts("quit");
		prompt_quit(debugger, "");
	}
	free(last);
}

static void init_file_run(struct debugger *debugger)
{
	const char *home = getenv("HOME");
	char path[4096];

	if (!home)
		return;
	snprintf(path, sizeof(path), "%s/.gtdbginit", home);
	if (access(path, R_OK) == 0)
		script_run_file(debugger, path);
}

/* From 1 on. */
static bool number_parse(const char *text, uint64_t *out)
{
	char *end;

	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	*out = strtoull(text, &end, 10);
	return !errno && !*end && *out;
}

int prompt_parse(int argc, char **argv, int *at,
		 struct prompt_options *options)
{
	bool is_file = strcmp(argv[*at], "-x") == 0;

	if (strcmp(argv[*at], "--batch") == 0) {
		options->is_batch = true;
		(*at)++;
		return 1;
	}
	if (strcmp(argv[*at], "-nx") == 0) {
		options->has_no_init = true;
		(*at)++;
		return 1;
	}
	if (strncmp(argv[*at], "--core-on-fault=", 16) == 0 && argv[*at][16]) {
		options->core_on_fault = argv[*at] + 16;
		(*at)++;
		return 1;
	}
	if (strncmp(argv[*at], "--core-on-assert=", 17) == 0 && argv[*at][17]) {
		options->core_on_assert = argv[*at] + 17;
		(*at)++;
		return 1;
	}
	if (strncmp(argv[*at], "--assert=", 9) == 0 &&
	    !assert_mode_parse(argv[*at] + 9, &options->assert_mode)) {
		options->has_no_prompt = options->assert_mode != ASSERT_STOP;
		(*at)++;
		return 1;
	}
	if (strncmp(argv[*at], "--assert-lines=", 15) == 0 &&
	    number_parse(argv[*at] + 15, &options->assert_lines_max)) {
		(*at)++;
		return 1;
	}
	if ((is_file || strcmp(argv[*at], "-ex") == 0) && *at + 1 < argc) {
		options->first[options->count++] = (struct prompt_first){
			.text = argv[*at + 1], .is_file = is_file,
		};
		*at += 2;
		return 1;
	}
	return 0;
}

static void first_run(struct debugger *debugger,
		      const struct prompt_first *first)
{
	if (first->is_file) {
		script_run_file(debugger, first->text);
		return;
	}
	printf(PROMPT "%s\n", first->text);
	prompt_line(debugger, first->text);
}

int prompt_run(struct debugger *debugger, const struct prompt_options *options)
{
	int i;

	debugger->is_interactive = !options->is_batch &&
				   isatty(STDIN_FILENO) &&
				   isatty(STDOUT_FILENO);
	settings_init(debugger->is_interactive);
	debugger->core_on_fault = options->core_on_fault;
	debugger->is_quiet = options->has_no_prompt && !options->count;
	if (debugger->is_interactive)
		input_open();
	if (!options->has_no_init)
		init_file_run(debugger);
	for (i = 0; i < options->count && !prompt_must_end(debugger); i++)
		first_run(debugger, &options->first[i]);
	if (debugger->is_quiet)
		prompt_line(debugger, debugger->launch ? "run" : "continue");
	else if (!options->is_batch)
		prompt_loop(debugger);
	if (debugger->is_interactive)
		input_close();
	if (debugger->is_detached)
		debugger_wait_exit(debugger);
	asserts_summarize(&debugger->asserts);
	if (wait_is_ended)
		return 128 + wait_is_ended;
	if (debugger->has_failed && (options->is_batch || debugger->is_quiet))
		return CMD_FAILED;
	return debugger->exit_status;
}
