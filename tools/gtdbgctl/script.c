// SPDX-License-Identifier: MIT
#include "script.h"

#include "debugger.h"
#include "prompt.h"
#include "settings.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DEPTH_MAX 64

int lines_add(struct lines *lines, const char *text)
{
	char **line = realloc(lines->line,
			      (lines->count + 1) * sizeof(*line));
	char *copy = strdup(text);

	if (line)
		lines->line = line;
	if (!line || !copy) {
		free(copy);
		return -ENOMEM;
	}
	line[lines->count++] = copy;
	return 0;
}

int lines_copy(struct lines *to, const struct lines *from)
{
	size_t i;

	memset(to, 0, sizeof(*to));
	for (i = 0; i < from->count; i++) {
		if (lines_add(to, from->line[i])) {
			lines_fini(to);
			return -ENOMEM;
		}
	}
	return 0;
}

/* Bodies, one in the other; the innermost may be text, in which no other one begins. */
struct bodies {
	unsigned int depth;
	bool has_text;
};

static bool line_is(const char *text, const char *command)
{
	size_t len = strcspn(text, " \t");

	return len == strlen(command) && strncmp(text, command, len) == 0;
}

/* The "end" of a body belongs to it. */
static void bodies_end(struct bodies *bodies, const char *text)
{
	if (!bodies->depth || strcmp(text, "end") != 0)
		return;
	bodies->depth--;
	bodies->has_text = false;
}

static void bodies_begin(struct bodies *bodies, const char *text)
{
	if (bodies->has_text)
		return;
	bodies->has_text = line_is(text, "document");
	bodies->depth += bodies->has_text || line_is(text, "commands") ||
			 line_is(text, "define");
}

void lines_print(const struct lines *lines, bool is_text, const char *indent)
{
	struct bodies bodies = { .has_text = is_text };
	unsigned int j;
	size_t i;

	for (i = 0; i < lines->count; i++) {
		bodies_end(&bodies, lines->line[i]);
		fputs(indent, stdout);
		for (j = 0; j < bodies.depth; j++)
			fputs("  ", stdout);
		puts(lines->line[i]);
		bodies_begin(&bodies, lines->line[i]);
	}
}

void lines_fini(struct lines *lines)
{
	while (lines->count)
		free(lines->line[--lines->count]);
	free(lines->line);
	lines->line = NULL;
}

bool script_is_user(const struct debugger *debugger)
{
	return !debugger->script && debugger->is_interactive;
}

static char *script_next(struct script *script)
{
	char *line = NULL;
	size_t size = 0;

	if (!script->name)
		return script->number < script->lines.count ?
		       strdup(script->lines.line[script->number++]) : NULL;
	if (getline(&line, &size, script->file) < 0) {
		free(line);
		return NULL;
	}
	script->number++;
	return line;
}

char *script_read(struct debugger *debugger, const char *prompt)
{
	if (debugger->script)
		return script_next(debugger->script);
	fflush(stdout);
	return input_read(prompt);
}

int script_read_body(struct debugger *debugger, const char *what, bool is_text,
		     struct lines *out)
{
	struct bodies bodies = { .depth = 1, .has_text = is_text };
	char *line;
	int ret = 0;

	memset(out, 0, sizeof(*out));
	if (script_is_user(debugger))
		printf("%s\nEnd with a line saying just \"end\".\n", what);
	while ((line = script_read(debugger, ">"))) {
		const char *text = prompt_trim(line);

		bodies_begin(&bodies, text);
		bodies_end(&bodies, text);
		if (bodies.depth)
			ret = *text ? lines_add(out, text) : 0;
		free(line);
		if (!bodies.depth || ret)
			break;
	}
	if (ret) {
		lines_fini(out);
		return fail(debugger, "Out of memory.");
	}
	return 0;
}

bool script_confirm(struct debugger *debugger, const char *format, ...)
{
	char *question, *answer = NULL, first = 0;
	va_list args;
	int ret;

	if (!script_is_user(debugger) || !settings.confirms)
		return true;
	va_start(args, format);
	ret = vasprintf(&question, format, args);
	va_end(args);
	if (ret < 0)
		return true;
	while (first != 'y' && first != 'n') {
		printf("%s", question);
		fflush(stdout);
		answer = input_read("(y or n) ");
		/* As gdb does: who hangs up means it. */
		first = answer ? *prompt_trim(answer) | ' ' : 'y';
		puts(answer ? "" : "[answered Y; end of input]");
		free(answer);
		if (first != 'y' && first != 'n')
			puts("Please answer y or n.");
	}
	free(question);
	return first == 'y';
}

int script_quit(struct debugger *debugger)
{
	wait_is_interrupted = 0;
	lines_fini(&debugger->actions);
	return fail(debugger, "Quit");
}

static int script_run(struct debugger *debugger, struct script *script,
		      bool until_resumed)
{
	unsigned int resumes = debugger->resumes;
	int ret = 0;
	char *line;

	script->outer = debugger->script;
	script->depth = script->outer ? script->outer->depth + 1 : 1;
	if (script->depth > DEPTH_MAX)
		return fail(debugger, "Max user call depth exceeded -- command aborted.");
	debugger->script = script;
	while (!ret && !prompt_must_end(debugger)) {
		line = script_next(script);
		if (wait_is_interrupted && !prompt_must_end(debugger))
			ret = script_quit(debugger);
		else if (line)
			ret = prompt_line(debugger, line);
		free(line);
		if (!line || (until_resumed && debugger->resumes != resumes))
			break;
	}
	debugger->script = script->outer;
	return ret;
}

int script_run_lines(struct debugger *debugger, struct lines *lines,
		     bool until_resumed)
{
	struct script script = { .lines = *lines };
	int ret = script_run(debugger, &script, until_resumed);

	memset(lines, 0, sizeof(*lines));
	lines_fini(&script.lines);
	return ret;
}

int script_run_file(struct debugger *debugger, const char *path)
{
	struct script script = { .name = path };
	int ret;

	script.file = fopen(path, "re");
	if (!script.file)
		return fail(debugger, "%s: %s.", path, strerror(errno));
	ret = script_run(debugger, &script, false);
	fclose(script.file);
	return ret;
}
