// SPDX-License-Identifier: MIT
/*
 * Paging. All that the tool prints goes through stdout, so that is where the
 * pager sits: a stream whose writer counts lines. Commands know nothing of it.
 */
#include "pager.h"

#include "debugger.h"
#include "screen.h"
#include "settings.h"

#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#define QUESTION "--Type <RET> for more, q to quit, c to continue without paging--"

static unsigned int row, column;
static bool is_quiet;		/* "q": until the next command */
static bool is_free;		/* "c": likewise */
static bool is_open;

/* The first character of the answer; anything that ends the reading quits. */
static char answer_read(void)
{
	char first = 0, c;

	for (;;) {
		if (read(STDIN_FILENO, &c, 1) != 1)
			return 'q';
		if (c == '\n')
			return first;
		if (!first)
			first = c;
	}
}

static void ask(void)
{
	char answer;

	screen_write(QUESTION, sizeof(QUESTION) - 1);
	answer = answer_read();
	if (wait_is_interrupted)
		screen_write("\n", 1);
	is_quiet = answer == 'q' || wait_is_interrupted;
	is_free = answer == 'c';
	row = 0;
	column = 0;
}

/* How much of @bytes fits on the screen. */
static size_t fitting(const char *bytes, size_t len)
{
	static bool is_in_escape;
	size_t i;

	for (i = 0; i < len && row + 1 < settings.height; i++) {
		if (is_in_escape) {
			is_in_escape = bytes[i] != 'm';
		} else if (bytes[i] == '\033') {
			is_in_escape = true;
		} else if (bytes[i] == '\n' ||
			   (settings.width && ++column > settings.width)) {
			row++;
			column = 0;
		}
	}
	return i;
}

static ssize_t pager_write(void *cookie, const char *bytes, size_t len)
{
	size_t left = len, part;

	(void)cookie;
	while (left && !is_quiet) {
		if (!settings.pages || !settings.height || is_free) {
			screen_write(bytes, left);
			break;
		}
		part = fitting(bytes, left);
		screen_write(bytes, part);
		bytes += part;
		left -= part;
		if (left)
			ask();
	}
	return len;
}

void pager_open(void)
{
	static const cookie_io_functions_t calls = { .write = pager_write };
	FILE *stream = fopencookie(NULL, "w", calls);

	if (!stream)
		return;
	fflush(stdout);
	setvbuf(stream, NULL, _IOLBF, BUFSIZ);
	stdout = stream;
	is_open = true;
	pager_reset();
}

void pager_reset(void)
{
	if (!is_open)
		return;
	fflush(stdout);
	settings_follow_terminal();
	row = 0;
	column = 0;
	is_quiet = false;
	is_free = false;
}
