// SPDX-License-Identifier: MIT
/*
 * Runs a program in a terminal of its own, of 30 lines of 100 columns, types
 * what a script on stdin says, and looks at what comes; prints TAP, one line
 * for each "see" and "ends".
 * usage: terminal PROGRAM [ARGUMENT...]
 *
 *	type TEXT			\n: Enter, \t: Tab, \c: Ctrl-C, \d: Ctrl-D
 *	see SECONDS "TEXT" NAME		TEXT comes, behind the one seen last
 *	ends SECONDS STATUS NAME	the program ends with that exit status
 */
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LINE_MAX_BYTES 512
#define TEXT_MAX_BYTES (1 << 20)

struct terminal {
	int fd;
	pid_t pid;
	unsigned int count;	/* lines of TAP */
	bool has_ended;
	bool has_failed;
	size_t len;
	size_t at;		/* behind what was seen last */
	char text[TEXT_MAX_BYTES + 1];
};

static long now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Waits until @deadline at most; false: nothing more has come. */
static bool terminal_read(struct terminal *terminal, long deadline)
{
	struct pollfd poll_fd = { .fd = terminal->fd, .events = POLLIN };
	long left = deadline - now_ms();
	ssize_t got;

	if (terminal->has_ended || left <= 0 || poll(&poll_fd, 1, left) <= 0)
		return false;
	got = read(terminal->fd, terminal->text + terminal->len,
		   TEXT_MAX_BYTES - terminal->len);
	if (got <= 0) {
		terminal->has_ended = true;
		return false;
	}
	terminal->len += got;
	return true;
}

static void result(struct terminal *terminal, bool is_good, const char *name)
{
	const char *line = terminal->text + terminal->at;

	printf("%s %u - %s\n", is_good ? "ok" : "not ok", ++terminal->count,
	       name);
	if (is_good)
		return;
	terminal->has_failed = true;
	while (*line) {
		size_t len = strcspn(line, "\r\n");

		printf("# %.*s\n", (int)len, line);
		line += len + strspn(line + len, "\r\n");
	}
}

static void see(struct terminal *terminal, long seconds, const char *text,
		const char *name)
{
	long deadline = now_ms() + seconds * 1000;
	char *found;

	do {
		terminal->text[terminal->len] = 0;
		found = strstr(terminal->text + terminal->at, text);
	} while (!found && terminal_read(terminal, deadline));
	result(terminal, found, name);
	if (found)
		terminal->at = found + strlen(text) - terminal->text;
}

static void type(struct terminal *terminal, const char *text)
{
	static const char escapes[] = "ntcd", keys[] = "\n\t\003\004";

	for (; *text; text++) {
		const char *escape = NULL;
		char key = *text;

		if (key == '\\' && text[1])
			escape = strchr(escapes, text[1]);
		if (escape) {
			key = keys[escape - escapes];
			text++;
		}
		if (write(terminal->fd, &key, 1) != 1)
			terminal->has_ended = true;
	}
}

static void ends(struct terminal *terminal, long seconds, int expected,
		 const char *name)
{
	long deadline = now_ms() + seconds * 1000;
	int status;

	while (terminal_read(terminal, deadline))
		;
	terminal->text[terminal->len] = 0;
	if (!terminal->has_ended)
		kill(terminal->pid, SIGKILL);
	waitpid(terminal->pid, &status, 0);
	terminal->pid = 0;
	printf("# status 0x%x\n", status);
	result(terminal, WIFEXITED(status) && WEXITSTATUS(status) == expected,
	       name);
}

static void script_line(struct terminal *terminal, const char *line)
{
	char text[LINE_MAX_BYTES], name[LINE_MAX_BYTES];
	int status;
	long seconds;

	if (strncmp(line, "type ", 5) == 0) {
		type(terminal, line + 5);
	} else if (sscanf(line, "see %ld \"%[^\"]\" %[^\n]", &seconds, text,
			  name) == 3) {
		see(terminal, seconds, text, name);
	} else if (sscanf(line, "ends %ld %d %[^\n]", &seconds, &status,
			  name) == 3) {
		ends(terminal, seconds, status, name);
	} else {
		fprintf(stderr, "terminal: not understood: %s\n", line);
		terminal->has_failed = true;
	}
}

int main(int argc, char **argv)
{
	const struct winsize size = { .ws_row = 30, .ws_col = 100 };
	static struct terminal terminal;
	char line[LINE_MAX_BYTES];

	if (argc < 2) {
		fputs("usage: terminal PROGRAM [ARGUMENT...]\n", stderr);
		return 2;
	}
	setenv("TERM", "dumb", 1);
	terminal.pid = forkpty(&terminal.fd, NULL, NULL, &size);
	if (terminal.pid < 0) {
		perror("terminal: forkpty");
		return 1;
	}
	if (!terminal.pid) {
		execvp(argv[1], argv + 1);
		perror(argv[1]);
		_exit(127);
	}
	puts("TAP version 13");
	while (!terminal.has_failed && fgets(line, sizeof(line), stdin)) {
		line[strcspn(line, "\n")] = 0;
		if (*line)
			script_line(&terminal, line);
		fflush(stdout);
	}
	if (terminal.pid)
		kill(terminal.pid, SIGKILL);
	printf("1..%u\n", terminal.count);
	return terminal.has_failed;
}
