// SPDX-License-Identifier: MIT
/*
 * What goes to a terminal. Names and source text are the debuggee's word, or a core
 * file's, and a terminal does what it reads: so of all control characters only ends of
 * lines, tabs and the colours of style.c pass, and others are shown as ^X.
 */
#include "screen.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define ESCAPE 0x1b
#define DELETE 0x7f
#define C1_FIRST 0xc2 /* in UTF-8, with one of 0x80 to 0x9f behind it */
#define COLOUR_BYTES 5 /* ESC [ 3 1 m */

/* What was held back: the beginning of a colour, or of a control character. */
struct screen {
	int fd;
	char held[COLOUR_BYTES];
	size_t count;
	char out[512];
	size_t len;
};

static struct screen screens[] = { { .fd = STDOUT_FILENO },
				   { .fd = STDERR_FILENO } };

static void screen_flush(struct screen *screen)
{
	const char *bytes = screen->out;
	ssize_t done;

	while (screen->len) {
		done = write(screen->fd, bytes, screen->len);
		if (done < 0 && errno != EINTR)
			break;
		if (done > 0) {
			bytes += done;
			screen->len -= done;
		}
	}
	screen->len = 0;
}

static void screen_put(struct screen *screen, char c)
{
	if (screen->len == sizeof(screen->out))
		screen_flush(screen);
	screen->out[screen->len++] = c;
}

static void screen_show(struct screen *screen, unsigned char c)
{
	bool is_control = (c < ' ' && c != '\n' && c != '\t') || c == DELETE;

	if (is_control)
		screen_put(screen, '^');
	screen_put(screen, is_control ? c ^ 0x40 : c);
}

/* "ESC [ m", "ESC [ 1 m" or "ESC [ 3 DIGIT m", as far as it goes. */
static bool is_colour(const char *text, size_t count)
{
	if (count > 1 && text[1] != '[')
		return false;
	if (count < 3 || (count == 3 && strchr("m13", text[2])))
		return true;
	if (count == 4)
		return (text[2] == '1' && text[3] == 'm') ||
		       (text[2] == '3' && text[3] >= '0' && text[3] <= '7');
	return count == COLOUR_BYTES && text[2] == '3' && text[4] == 'm';
}

static void screen_release(struct screen *screen)
{
	size_t i;

	for (i = 0; i < screen->count; i++)
		screen_show(screen, screen->held[i]);
	screen->count = 0;
}

static void screen_take(struct screen *screen, unsigned char c);

static void colour_take(struct screen *screen, char c)
{
	size_t i;

	screen->held[screen->count++] = c;
	if (!is_colour(screen->held, screen->count)) {
		screen->count--;
		screen_release(screen);
		/* It may begin a control character itself. */
		screen_take(screen, c);
	} else if (c == 'm') {
		for (i = 0; i < screen->count; i++)
			screen_put(screen, screen->held[i]);
		screen->count = 0;
	}
}

static void screen_take(struct screen *screen, unsigned char c)
{
	if (screen->count && screen->held[0] == ESCAPE && c != ESCAPE) {
		colour_take(screen, c);
		return;
	}
	if (screen->count && screen->held[0] != ESCAPE && c >= 0x80 &&
	    c < 0xa0) {
		screen->count = 0;
		screen_put(screen, '?');
		return;
	}
	screen_release(screen);
	if (c == ESCAPE || c == C1_FIRST)
		screen->held[screen->count++] = c;
	else
		screen_show(screen, c);
}

static ssize_t stream_write(void *cookie, const char *bytes, size_t len)
{
	struct screen *screen = cookie;
	size_t i;

	for (i = 0; i < len; i++)
		screen_take(screen, bytes[i]);
	screen_flush(screen);
	return len;
}

void screen_write(const char *bytes, size_t len)
{
	stream_write(&screens[0], bytes, len);
}

static FILE *screen_stream(struct screen *screen, FILE *before, int mode)
{
	static const cookie_io_functions_t calls = { .write = stream_write };
	FILE *stream = isatty(screen->fd) ? fopencookie(screen, "w", calls) :
					    NULL;

	if (!stream)
		return before;
	fflush(before);
	setvbuf(stream, NULL, mode, BUFSIZ);
	return stream;
}

void screen_open(void)
{
	stdout = screen_stream(&screens[0], stdout, _IOLBF);
	stderr = screen_stream(&screens[1], stderr, _IONBF);
}
