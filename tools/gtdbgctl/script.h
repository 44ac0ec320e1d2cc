/* SPDX-License-Identifier: MIT */
/*
 * Where commands come from: scripts, one called by the other, and below them
 * the user. A script is a file, or lines that were kept for later: the body of
 * a user's own command, or what to do at a breakpoint.
 */
#ifndef GTDBGCTL_SCRIPT_H
#define GTDBGCTL_SCRIPT_H

#include <stdbool.h>
#include <stddef.h>

struct debugger;

struct lines {
	char **line;
	size_t count;
};

int lines_add(struct lines *lines, const char *text);
int lines_copy(struct lines *to, const struct lines *from);
/* @is_text: what looks like a command begins nothing. */
void lines_print(const struct lines *lines, bool is_text, const char *indent);
void lines_fini(struct lines *lines);

struct script {
	struct script *outer;
	const char *name;	/* of the file; NULL: lines */
	void *file;
	unsigned int number;	/* of the line that is being executed */
	struct lines lines;
	unsigned int depth;
};

/* The next line, from the innermost script or the user; NULL: no more. */
char *script_read(struct debugger *debugger, const char *prompt);
/* Reads up to "end", after saying @what is to be typed: commands, or text. */
int script_read_body(struct debugger *debugger, const char *what, bool is_text,
		     struct lines *out);
/* Is it the user at a terminal who gives the commands? */
bool script_is_user(const struct debugger *debugger);
/* Asks whether that is meant; without a user it is. */
bool script_confirm(struct debugger *debugger, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/*
 * Executes commands up to the first that fails, or, if @until_resumed, that
 * lets threads run. Takes @lines over.
 */
int script_run_lines(struct debugger *debugger, struct lines *lines,
		     bool until_resumed);
int script_run_file(struct debugger *debugger, const char *path);
/* Ctrl-C, between two commands or in one that has not seen it: no more of any script. */
int script_quit(struct debugger *debugger);

/* input.c: the user */
void input_open(void);
void input_close(void);
/* A line from terminal or pipe; NULL at the end. */
char *input_read(const char *prompt);

#endif
