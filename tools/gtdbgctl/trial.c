// SPDX-License-Identifier: MIT
/*
 * What a GPU does when it is debugged, found out on a program of ours, from what
 * disturbs nothing to what changes a thread: whoever sends the report wants to know
 * how far it goes. This tool is run for each, so that it is what a user would see.
 */
#include "trial.h"

#include "debugger.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#define COMMANDS_MAX 8
#define TEXTS_MAX 6
#define SILENCE_MS 300000 /* of a session that does not go on */
#define WORDS_MAX (2 * COMMANDS_MAX + 8)

/* in[i] is i + 100; even items add 1000 at line 5, odd ones set -1 at line 7. */
#define RESULTS "1100 -1 1102 -1 1104 -1 1106 -1"

struct trial {
	const char *what;
	bool is_free; /* without a debugger */
	const char *commands[COMMANDS_MAX];
	const char *texts[TEXTS_MAX]; /* come in this order */
	const char *meaning; /* if they do not */
};

static const struct trial trials[] = {
	{ "a program without a debugger", .is_free = true,
	  .texts = { RESULTS },
	  .meaning = "the runtime, the driver and the GPU: hardly anything of gtdbg is used yet" },
	{ "a session that stops nothing",
	  .commands = { "run" },
	  .texts = { RESULTS, "exited normally" },
	  .meaning = "the hook, the module, or its SIP in the program's way" },
	{ "a breakpoint stops threads, and they go on",
	  .commands = { "break 7", "run", "info devices", "bt", "delete",
			"continue" },
	  .texts = { "hit Breakpoint 1, compute", " threads, ", "#0  compute",
		     RESULTS, "exited normally" },
	  .meaning = "attention, the save area's place, or the resume" },
	{ "registers and memory are those of the stopped thread",
	  .commands = { "break 7", "run", "print point", "x/4dw in",
			"delete", "continue" },
	  .texts = { "$1 = 101", "100\t101\t102\t103", RESULTS },
	  .meaning = "the save area's layout, or page tables" },
	{ "a step over a source line",
	  .commands = { "break 5", "run", "print point", "step",
			"print point", "delete", "continue" },
	  .texts = { "$1 = 100", "out[index] = point;", "$2 = 1100", RESULTS },
	  .meaning = "the single-step exception" },
	{ "what is written to a variable is what the program goes on with",
	  .commands = { "break 8", "run", "set var point = 5", "delete",
			"continue" },
	  .texts = { "out[index] = point;", "5 -1 1102 -1",
		     "exited normally" },
	  .meaning = "the SIP's way back, or caches" },
};

/* To its end; false: none comes. */
static bool output_copy(int from, FILE *to)
{
	struct pollfd wait = { .fd = from, .events = POLLIN };
	char buf[4096];
	ssize_t got;

	do {
		if (!poll(&wait, 1, SILENCE_MS))
			return false;
		got = read(from, buf, sizeof(buf));
		if (got > 0)
			fwrite(buf, 1, got, to);
	} while (got > 0);
	return true;
}

/* What the tool prints if it has these words: to be freed; NULL: it cannot be run. */
static char *tool_run(char *const words[], int *status_out)
{
	char *text = NULL;
	size_t len = 0;
	int out[2];
	FILE *to;
	pid_t pid;

	if (pipe(out))
		return NULL;
	fflush(stdout);
	pid = fork();
	if (!pid) {
		dup2(out[1], 1);
		dup2(out[1], 2);
		close(out[0]);
		close(out[1]);
		execv("/proc/self/exe", words);
		_exit(127);
	}
	close(out[1]);
	to = open_memstream(&text, &len);
	if (to && !output_copy(out[0], to)) {
		kill(pid, SIGTERM);
		fprintf(to, "Nothing came for %d s: ended.\n",
			SILENCE_MS / 1000);
	}
	close(out[0]);
	if (to)
		fclose(to);
	if (pid < 0 || waitpid(pid, status_out, 0) != pid) {
		free(text);
		return NULL;
	}
	return text;
}

static void text_print(const char *text)
{
	size_t len;

	for (; *text; text += len + (text[len] == '\n')) {
		len = strcspn(text, "\n");
		printf("         | %.*s\n", (int)len, text);
	}
}

/* The first text that does not come, behind those that do; NULL: all come. */
static const char *text_missing(const struct trial *trial, const char *said)
{
	size_t i;

	for (i = 0; i < TEXTS_MAX && trial->texts[i]; i++) {
		said = strstr(said, trial->texts[i]);
		if (!said)
			return trial->texts[i];
		said += strlen(trial->texts[i]);
	}
	return NULL;
}

static bool trial_run(const struct trial *trial, const char *door,
		      const char *program)
{
	const char *words[WORDS_MAX] = { "gtdbgctl", "run" }, *missing = "";
	int at = 2, status = 0, i;
	char *said;
	bool passes;

	if (door)
		words[at++] = door;
	if (trial->is_free)
		words[at++] = "--attachable";
	else
		words[at++] = "-nx", words[at++] = "--batch";
	for (i = 0; i < COMMANDS_MAX && trial->commands[i]; i++) {
		words[at++] = "-ex";
		words[at++] = trial->commands[i];
	}
	words[at++] = "--";
	words[at] = program;
	said = tool_run((char *const *)words, &status);
	if (said)
		missing = text_missing(trial, said);
	passes = said && !missing && WIFEXITED(status) && !WEXITSTATUS(status);
	if (passes) {
		printf("ok       %s\n", trial->what);
	} else {
		printf("failed   %s: look at %s\n", trial->what, trial->meaning);
		if (missing && *missing)
			printf("         expected next: %s\n", missing);
		text_print(said ? said : "gtdbgctl cannot be run");
	}
	free(said);
	return passes;
}

/* Of whose machine the report is. */
static void report_begin(void)
{
	static const char *const commands[] = { "version", "list" };
	struct utsname system;
	size_t i;

	if (!uname(&system))
		printf("%s %s %s\n", system.sysname, system.release,
		       system.machine);
	for (i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		const char *words[3] = { "gtdbgctl", commands[i] };
		char *said;
		int status;

		said = tool_run((char *const *)words, &status);
		fputs(said ? said : "", stdout);
		free(said);
	}
}

bool trial_all(const char *door)
{
	char program[PATH_MAX];
	size_t i;

	if (launch_product_find(program, "demo/compute", "lib/gtdbg/compute")) {
		fputs("gtdbgctl: cannot find the program compute, which was built or installed with gtdbgctl\n",
		      stderr);
		return false;
	}
	report_begin();
	for (i = 0; i < sizeof(trials) / sizeof(trials[0]); i++)
		if (!trial_run(&trials[i], door, program))
			break;
	if (i == sizeof(trials) / sizeof(trials[0]))
		return true;
	while (++i < sizeof(trials) / sizeof(trials[0]))
		printf("untried  %s\n", trials[i].what);
	return false;
}
