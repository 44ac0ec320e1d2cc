// SPDX-License-Identifier: MIT
/* What the user types: lines, completed and remembered by readline. */
#include "script.h"

#include "debugger.h"
#include "pager.h"
#include "prompt.h"
#include "settings.h"

#include <errno.h>
#include <readline/history.h>
#include <readline/readline.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *complete_first(const char *text, int state)
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

static char *complete_topic(const char *text, int state)
{
	static size_t at;
	const char *name;

	if (!state)
		at = 0;
	while ((name = prompt_info_topic(at))) {
		at++;
		if (strncmp(name, text, strlen(text)) == 0)
			return strdup(name);
	}
	return NULL;
}

static char **complete(const char *text, int start, int end)
{
	(void)end;
	rl_attempted_completion_over = 1;
	if (!start)
		return rl_completion_matches(text, complete_first);
	if (strncmp(rl_line_buffer, "info ", 5) == 0 ||
	    strncmp(rl_line_buffer, "i ", 2) == 0)
		return rl_completion_matches(text, complete_topic);
	if (strncmp(rl_line_buffer, "help ", 5) == 0)
		return rl_completion_matches(text, complete_first);
	/* Files of the host, for "source". */
	if (strncmp(rl_line_buffer, "source ", 7) == 0)
		rl_attempted_completion_over = 0;
	return NULL;
}

/* Ctrl-C at the prompt drops the line. */
static int on_signal(void)
{
	if (wait_is_ended) {
		rl_done = 1;
		return 0;
	}
	if (!wait_is_interrupted)
		return 0;
	wait_is_interrupted = 0;
	fputs("Quit\n", rl_outstream);
	rl_replace_line("", 0);
	rl_on_new_line();
	rl_redisplay();
	return 0;
}

static const char *history_path(char *path, size_t capacity)
{
	const char *home = getenv("HOME");

	if (settings.history_file)
		return settings.history_file;
	snprintf(path, capacity, "%s/.gtdbg_history", home ? home : ".");
	return path;
}

void input_open(void)
{
	char path[4096];

	rl_readline_name = "gtdbgctl";
	rl_outstream = stdout;
	rl_attempted_completion_function = complete;
	rl_signal_event_hook = on_signal;
	using_history();
	pager_open();
	if (settings.saves_history)
		read_history(history_path(path, sizeof(path)));
	if (settings.history_size)
		stifle_history(settings.history_size);
}

void input_close(void)
{
	char path[4096];

	if (!settings.saves_history)
		return;
	if (settings.history_size)
		stifle_history(settings.history_size);
	write_history(history_path(path, sizeof(path)));
}

char *input_read(const char *prompt)
{
	char *line = NULL;
	size_t size = 0;

	pager_reset();
	if (isatty(STDIN_FILENO)) {
		line = readline(prompt);
		if (line && *line && strncmp(prompt, "(gtdbg)", 7) == 0)
			add_history(line);
		return line;
	}
	if (getline(&line, &size, stdin) < 0) {
		free(line);
		return NULL;
	}
	printf("%s%s", prompt, line);
	return line;
}
