// SPDX-License-Identifier: MIT
/*
 * Filters of breakpoints: "item X,Y,Z" and "group X,Y,Z" behind a place. A filter is a
 * condition like others, so the GPU decides it where it can.
 */
#include "debugger.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const kinds[] = { "item", "group" };

static const char *skip_blank(const char *text)
{
	return text + strspn(text, " \t");
}

/* "item" or "group", and numbers behind it; else 0. */
static size_t kind_length(const char *text)
{
	size_t i, len;

	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		len = strlen(kinds[i]);
		if (strncmp(text, kinds[i], len) != 0 ||
		    !isblank((unsigned char)text[len]))
			continue;
		text = skip_blank(text + len);
		return isdigit((unsigned char)*text) || *text == '*' ? len : 0;
	}
	return 0;
}

static char *filter_find(char *text)
{
	char *at;

	for (at = text; *at; at++) {
		if ((at == text || isblank((unsigned char)at[-1])) &&
		    kind_length(at))
			return at;
	}
	return NULL;
}

/* "5", "5,6,7" or "*,6": any number of the first dimension. */
static const char *numbers_parse(const char *text, const char *kind, size_t len,
				 FILE *to)
{
	unsigned long number;
	char dimension, *end;
	bool is_any;

	for (dimension = 'x'; dimension <= 'z'; dimension++) {
		text = skip_blank(text);
		is_any = *text == '*';
		errno = 0;
		number = strtoul(text, &end, 0);
		if (!is_any && (!isdigit((unsigned char)*text) || errno ||
				number > UINT32_MAX))
			return NULL;
		if (!is_any)
			fprintf(to, "%s$%.*s.%c == %lu", ftell(to) ? " && " : "",
				(int)len, kind, dimension, number);
		text = skip_blank(is_any ? text + 1 : end);
		if (*text != ',')
			return text;
		text++;
	}
	return NULL;
}

static bool filter_write(const char *text, FILE *to)
{
	size_t len;

	while (text && *text) {
		len = kind_length(text);
		if (!len)
			return false;
		text = numbers_parse(text + len, text, len, to);
	}
	return text;
}

/* The filter as a condition, and the user's own behind it. */
static char *condition_create(const char *filter, const char *wanted)
{
	char *out = NULL;
	size_t size;
	FILE *to = open_memstream(&out, &size);
	bool is_good;

	if (!to)
		return NULL;
	is_good = filter_write(filter, to);
	fflush(to);
	is_good = is_good && size;
	if (wanted)
		fprintf(to, " && (%s)", wanted);
	if (!fclose(to) && is_good)
		return out;
	free(out);
	return NULL;
}

int filter_take(struct debugger *debugger, struct breakpoint *breakpoint,
		char *text)
{
	char *at = filter_find(text), *condition;

	if (!at)
		return 0;
	condition = condition_create(at, NULL);
	if (!condition)
		return fail(debugger, "\"%s\" is no work-item or group.", at);
	free(condition);
	breakpoint->filter = strdup(at);
	while (at > text && isblank((unsigned char)at[-1]))
		at--;
	*at = 0;
	return breakpoint->filter ? 0 : fail(debugger, "Out of memory.");
}

void breakpoint_set_condition(struct breakpoint *breakpoint, const char *wanted)
{
	char *copy = wanted ? strdup(wanted) : NULL;

	free(breakpoint->wanted);
	free(breakpoint->condition);
	breakpoint->wanted = copy;
	breakpoint->is_unanswered = false;
	breakpoint->condition = breakpoint->filter ?
		condition_create(breakpoint->filter, copy) :
		copy ? strdup(copy) : NULL;
}
