// SPDX-License-Identifier: MIT
/*
 * What was asserted, by the line of source that has failed: optimised code keeps no
 * record of it. A line with several assertions, or a part of one, does not tell.
 */
#include "debugger.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = { "assert", "gtdbg_assert_msg" };

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Behind the parenthesis of a call of one of them that is the word at @at; else NULL. */
static const char *call_begin(const char *line, const char *at)
{
	const char *end;
	size_t i, len;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		len = strlen(names[i]);
		if (strncmp(at, names[i], len) != 0 ||
		    (at > line && is_word(at[-1])))
			continue;
		end = at + len + strspn(at + len, " \t");
		if (*end == '(')
			return end + 1;
	}
	return NULL;
}

/* Behind a string or character, whose quote is at @at. */
static const char *quoted_skip(const char *at)
{
	const char quote = *at++;

	while (*at && *at != quote)
		at += at[0] == '\\' && at[1] ? 2 : 1;
	return *at ? at + 1 : at;
}

/* Behind what is no code at @at: a string, a character or a comment. */
static const char *words_skip(const char *at)
{
	const char *end;

	if (*at == '"' || *at == '\'')
		return quoted_skip(at);
	if (at[0] != '/' || (at[1] != '/' && at[1] != '*'))
		return at;
	end = at[1] == '*' ? strstr(at + 2, "*/") : NULL;
	return end ? end + 2 : at + strlen(at);
}

/* The only one in the line. */
static const char *call_find(const char *line)
{
	const char *found = NULL, *begin, *at = line, *end;

	while (*at) {
		end = words_skip(at);
		if (end != at) {
			at = end;
			continue;
		}
		begin = call_begin(line, at++);
		if (begin && found)
			return NULL;
		if (begin)
			found = begin;
	}
	return found;
}

/*
 * The end of an argument: a comma at which a text follows, as the other ones are the
 * expression's, or the parenthesis of the call. NULL: it is in another line.
 */
static const char *argument_end(const char *at)
{
	unsigned int depth = 0;

	while (*at) {
		if (*at == '"' || *at == '\'') {
			at = quoted_skip(at);
			continue;
		}
		if (!depth && (*at == ')' ||
			       (*at == ',' && at[1 + strspn(at + 1, " \t")] == '"')))
			return at;
		if (strchr("([{", *at))
			depth++;
		else if (strchr(")]}", *at))
			depth--;
		at++;
	}
	return NULL;
}

/* As the preprocessor has it: one blank for many, and none at the ends. */
static void argument_print(FILE *to, const char *begin, const char *end)
{
	bool has_any = false, is_parted = false;

	for (; begin < end; begin++) {
		if (isspace((unsigned char)*begin)) {
			is_parted = has_any;
			continue;
		}
		if (is_parted)
			fputc(' ', to);
		fputc(iscntrl((unsigned char)*begin) ? '?' : *begin, to);
		has_any = true;
		is_parted = false;
	}
}

static bool text_print(FILE *to, const char *begin)
{
	const char *end = argument_end(begin), *text;

	if (!end)
		return false;
	fputc('\'', to);
	argument_print(to, begin, end);
	fputs("' failed", to);
	if (*end == ',') {
		text = strchr(end, '"');
		end = quoted_skip(text);
		fputs(": ", to);
		argument_print(to, text + 1, end - 1);
	}
	fputc('.', to);
	return true;
}

bool assert_text_print(struct debugger *debugger,
		       const struct gtdbg_frame *frame, FILE *to)
{
	char *line = frame->file ? source_line(debugger, frame->file,
					       frame->line) : NULL;
	const char *begin = line ? call_find(line) : NULL;
	bool is_known = begin && text_print(to, begin);

	free(line);
	return is_known;
}
