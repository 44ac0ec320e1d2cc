// SPDX-License-Identifier: MIT
/* Scripts, the user's own commands, and what to do at a breakpoint. */
#include "prompt.h"

#include "debugger.h"
#include "script.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORDS_MAX 32

struct macro {
	struct macro *next;
	char *name;
	struct lines body;
	struct lines help;
};

static struct macro *macro_find(const struct debugger *debugger,
				const char *name, size_t len)
{
	struct macro *macro;

	for (macro = debugger->macros; macro; macro = macro->next) {
		if (strlen(macro->name) == len &&
		    strncmp(macro->name, name, len) == 0)
			return macro;
	}
	return NULL;
}

static struct macro *macro_get(struct debugger *debugger, const char *name)
{
	struct macro *macro = macro_find(debugger, name, strlen(name));
	struct macro **at = &debugger->macros;

	if (macro)
		return macro;
	macro = calloc(1, sizeof(*macro));
	if (!macro)
		return NULL;
	macro->name = strdup(name);
	while (*at && strcmp((*at)->name, name) < 0)
		at = &(*at)->next;
	macro->next = *at;
	*at = macro;
	return macro;
}

void macros_fini(struct debugger *debugger)
{
	while (debugger->macros) {
		struct macro *gone = debugger->macros;

		debugger->macros = gone->next;
		lines_fini(&gone->body);
		lines_fini(&gone->help);
		free(gone->name);
		free(gone);
	}
}

static bool is_name(const char *text)
{
	if (!isalpha((unsigned char)*text))
		return false;
	while (isalnum((unsigned char)*text) || *text == '_' || *text == '-')
		text++;
	return !*text;
}

int prompt_define(struct debugger *debugger, const char *args)
{
	struct lines body;
	struct macro *macro;
	char what[256];

	if (!is_name(args))
		return fail(debugger, *args ? "Junk in argument list: \"%s\"" :
			    "Argument required (name of command to define).%s",
			    args);
	if ((macro_find(debugger, args, strlen(args)) ||
	     prompt_has_command(args)) &&
	    !script_confirm(debugger, "Really redefine command \"%s\"? ",
			    args))
		return -1;
	snprintf(what, sizeof(what),
		 "Type commands for definition of \"%s\".", args);
	if (script_read_body(debugger, what, false, &body))
		return -1;
	macro = macro_get(debugger, args);
	if (!macro)
		return -1;
	lines_fini(&macro->body);
	macro->body = body;
	return 0;
}

int prompt_document(struct debugger *debugger, const char *args)
{
	struct macro *macro = macro_find(debugger, args, strlen(args));
	struct lines help;
	char what[256];

	if (!macro)
		return fail(debugger, "Undefined command: \"%s\".  Try \"help\".",
			    args);
	snprintf(what, sizeof(what), "Type documentation for \"%s\".", args);
	if (script_read_body(debugger, what, true, &help))
		return -1;
	lines_fini(&macro->help);
	macro->help = help;
	return 0;
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Puts $argc and $arg0 ... in place. */
static char *substitute(const char *text, char **words, int count)
{
	size_t size = 0;
	char *out = NULL;
	FILE *to = open_memstream(&out, &size);
	unsigned long number;
	char *end;

	if (!to)
		return NULL;
	for (; *text; text++) {
		if (strncmp(text, "$argc", 5) == 0 && !is_word(text[5])) {
			fprintf(to, "%d", count);
			text += 4;
			continue;
		}
		number = WORDS_MAX;
		if (strncmp(text, "$arg", 4) == 0 &&
		    isdigit((unsigned char)text[4]))
			number = strtoul(text + 4, &end, 10);
		if (number < (unsigned long)count) {
			fputs(words[number], to);
			text = end - 1;
			continue;
		}
		fputc(*text, to);
	}
	fclose(to);
	return out;
}

/* Splits at blanks, but not inside of quotes; in place. */
static int words_split(char *text, char **words)
{
	int count = 0;
	char quote;

	while (count < WORDS_MAX) {
		text += strspn(text, " \t");
		if (!*text)
			break;
		words[count++] = text;
		for (quote = 0; *text && (quote || !isblank(*text)); text++) {
			if (quote ? *text == quote : strchr("'\"", *text) != NULL)
				quote = quote ? 0 : *text;
		}
		if (*text)
			*text++ = 0;
	}
	return count;
}

bool macro_run(struct debugger *debugger, const char *name, size_t len,
	       const char *args, int *ret_out)
{
	const struct macro *macro = macro_find(debugger, name, len);
	char *words[WORDS_MAX], *copy = strdup(args), *line;
	struct lines lines = { 0 };
	size_t i;
	int count;

	if (!macro || !copy) {
		free(copy);
		return false;
	}
	count = words_split(copy, words);
	for (i = 0; i < macro->body.count; i++) {
		line = substitute(macro->body.line[i], words, count);
		if (line)
			lines_add(&lines, line);
		free(line);
	}
	free(copy);
	*ret_out = script_run_lines(debugger, &lines, false);
	return true;
}

bool macro_help(struct debugger *debugger, const char *name)
{
	const struct macro *macro = macro_find(debugger, name, strlen(name));

	if (!macro)
		return false;
	if (macro->help.count)
		lines_print(&macro->help, true, "");
	else
		puts("User-defined.");
	return true;
}

int prompt_show_user(struct debugger *debugger, const char *args)
{
	const struct macro *macro;

	(void)args;
	for (macro = debugger->macros; macro; macro = macro->next) {
		printf("User command \"%s\":\n", macro->name);
		lines_print(&macro->body, false, "  ");
		putchar('\n');
	}
	return 0;
}

static char *home_expand(const char *path)
{
	const char *home = getenv("HOME");
	char *out;

	if (strncmp(path, "~/", 2) != 0 || !home)
		return strdup(path);
	return asprintf(&out, "%s%s", home, path + 1) < 0 ? NULL : out;
}

int prompt_source(struct debugger *debugger, const char *args)
{
	char *path;
	int ret;

	if (!*args)
		return fail(debugger, "source command requires file name of file to source.");
	path = home_expand(args);
	ret = path ? script_run_file(debugger, path) : -1;
	free(path);
	return ret;
}

int prompt_commands_of(struct debugger *debugger, const char *args)
{
	struct breakpoint *breakpoint;
	struct lines lines;
	char what[128], *end;
	long number;

	number = *args ? strtol(args, &end, 10) : debugger->next_breakpoint;
	if (*args && *end)
		return fail(debugger, "Bad breakpoint argument: '%s'", args);
	breakpoint = number > 0 ? breakpoint_find(debugger, number) : NULL;
	/* What was meant for it must not be executed now. */
	snprintf(what, sizeof(what),
		 "Type commands for breakpoint(s) %ld, one per line.", number);
	if (!breakpoint && script_is_user(debugger))
		return *args ? fail(debugger, "No breakpoint number %ld.",
				    number) :
		       fail(debugger, "No breakpoints specified.");
	if (script_read_body(debugger, what, false, &lines))
		return -1;
	if (!breakpoint) {
		lines_fini(&lines);
		return fail(debugger, "No breakpoint number %ld.", number);
	}
	lines_fini(&breakpoint->commands);
	breakpoint->commands = lines;
	return 0;
}

void prompt_act(struct debugger *debugger)
{
	struct lines now;

	if (debugger->is_acting)
		return;
	debugger->is_acting = true;
	while (debugger->actions.count && !prompt_must_end(debugger)) {
		now = debugger->actions;
		memset(&debugger->actions, 0, sizeof(debugger->actions));
		script_run_lines(debugger, &now, true);
	}
	debugger->is_acting = false;
}

/* Says nothing by itself: announce() has looked for it. */
int prompt_silent(struct debugger *debugger, const char *args)
{
	(void)debugger;
	(void)args;
	return 0;
}

/* What stands behind a backslash, as in C; @text is left behind it. */
static char escape(const char **text)
{
	static const char letters[] = "abefnrtv", means[] = "\a\b\033\f\n\r\t\v";
	const char *found = strchr(letters, **text);
	int number = 0, digits;

	for (digits = 0; digits < 3 && strchr("01234567", **text) && **text;
	     digits++)
		number = 8 * number + *(*text)++ - '0';
	if (digits)
		return (char)number;
	return found ? means[(*text)++, found - letters] : *(*text)++;
}

/* As in gdb the end of a line is not added, and a last backslash is nothing. */
int prompt_echo(struct debugger *debugger, const char *args)
{
	(void)debugger;
	while (*args) {
		char c = *args++;

		if (c != '\\')
			putchar(c);
		else if (*args)
			putchar(escape(&args));
	}
	return 0;
}
