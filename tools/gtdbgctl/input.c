// SPDX-License-Identifier: MIT
/* What the user types: lines, completed and remembered by readline. */
#include "script.h"

#include "debugger.h"
#include "pager.h"
#include "prompt.h"
#include "settings.h"

#include <errno.h>
#include <poll.h>
#include <readline/history.h>
#include <readline/readline.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
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

/* What may stand behind some commands. */
static const struct {
	const char *before;
	const char *word;
} words[] = {
	{ "backtrace ", "full" }, { "bt ", "full" }, { "where ", "full" },
	{ "thread ", "apply" }, { "thread apply ", "all" },
};

static char *complete_word(const char *text, int state)
{
	size_t i;

	for (i = 0; !state && i < sizeof(words) / sizeof(words[0]); i++) {
		const char *before = words[i].before;

		if (strncmp(rl_line_buffer, before, strlen(before)) == 0 &&
		    rl_line_buffer + strlen(before) + strlen(text) ==
		    rl_line_buffer + rl_point &&
		    strncmp(words[i].word, text, strlen(text)) == 0)
			return strdup(words[i].word);
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
	if (strncmp(rl_line_buffer, "help ", 5) == 0 ||
	    strncmp(rl_line_buffer, "thread apply all ", 17) == 0)
		return rl_completion_matches(text, complete_first);
	/* Files of the host, for "source". */
	if (strncmp(rl_line_buffer, "source ", 7) == 0)
		rl_attempted_completion_over = 0;
	return rl_completion_matches(text, complete_word);
}

static void drop_line(void)
{
	wait_is_interrupted = 0;
	fputs("Quit\n", rl_outstream);
	rl_replace_line("", 0);
	rl_on_new_line();
	rl_redisplay();
}

/*
 * To read what is there, and not to wait: Ctrl-C throws away what was typed before it, so
 * a read behind a poll might wait for what is gone, and the signal with it.
 */
static void terminal_prepare(int meta)
{
	int fd = fileno(rl_instream);
	struct termios modes;

	rl_prep_terminal(meta);
	if (tcgetattr(fd, &modes))
		return;
	modes.c_cc[VMIN] = 0;
	modes.c_cc[VTIME] = 0;
	tcsetattr(fd, TCSANOW, &modes);
}

/* Waits for a character or a signal. False: there is no character; a read finds out what fails. */
static bool wait_character(struct pollfd *wait)
{
	sigset_t all, old;
	int ready = 0;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &old);
	if (!rl_pending_signal() && !wait_is_interrupted && !wait_is_ended)
		ready = ppoll(wait, 1, NULL, &old);
	sigprocmask(SIG_SETMASK, &old, NULL);
	return ready > 0 || (ready < 0 && errno != EINTR);
}

/*
 * The next character; Ctrl-C drops the line. A signal comes while this waits or
 * not at all, so none is left unseen until the next character.
 */
static int read_character(FILE *stream)
{
	struct pollfd wait = { .fd = fileno(stream), .events = POLLIN };
	unsigned char character;
	bool is_ready;
	ssize_t got;

	while (!wait_is_ended) {
		is_ready = wait_character(&wait);
		/* Readline's own handlers pass signals on to ours here. */
		rl_check_signals();
		if (wait_is_interrupted && !wait_is_ended)
			drop_line();
		else if (is_ready) {
			got = read(wait.fd, &character, 1);
			if (got == 1)
				return character;
			if (got < 0 ? errno != EINTR : wait.revents != POLLIN)
				return EOF;
		}
	}
	return READERR;
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
	/* It moves the cursor, which stdout does not let through. */
	rl_outstream = fdopen(STDOUT_FILENO, "w");
	rl_attempted_completion_function = complete;
	rl_getc_function = read_character;
	rl_prep_term_function = terminal_prepare;
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
	while (getline(&line, &size, stdin) < 0) {
		if (!ferror(stdin) || errno != EINTR || wait_is_ended) {
			free(line);
			return NULL;
		}
		/* Ctrl-C where nothing is under way: the next line may come. */
		clearerr(stdin);
		wait_is_interrupted = 0;
	}
	printf("%s%s", prompt, line);
	return line;
}
