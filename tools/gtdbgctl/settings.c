// SPDX-License-Identifier: MIT
#include "settings.h"

#include "debugger.h"
#include "prompt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

struct settings settings = {
	.list_size = 10, .history_size = 256, .elements = 200, .repeats = 10,
};

void settings_init(bool is_terminal)
{
	const char *no_colour = getenv("NO_COLOR"), *kind = getenv("TERM");

	settings.confirms = is_terminal;
	settings.pages = is_terminal;
	settings.is_styled = is_terminal && !(no_colour && *no_colour) &&
			     kind && strcmp(kind, "dumb") != 0;
}

void settings_follow_terminal(void)
{
	struct winsize size;

	if (settings.has_size || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size))
		return;
	settings.height = size.ws_row;
	settings.width = size.ws_col;
}

enum kind {
	KIND_SWITCH,
	KIND_COUNT,
	KIND_TEXT,
};

struct setting {
	const char *name;
	enum kind kind;
	void *value;
	const char *text;	/* of "show", up to the value */
};

static const struct setting list[] = {
	{ "confirm", KIND_SWITCH, &settings.confirms,
	  "Whether to confirm potentially dangerous operations is" },
	{ "height", KIND_COUNT, &settings.height,
	  "Number of lines gtdbgctl thinks are in a page is" },
	{ "history filename", KIND_TEXT, &settings.history_file,
	  "The filename in which to record the command history is" },
	{ "history save", KIND_SWITCH, &settings.saves_history,
	  "Saving of the history record on exit is" },
	{ "history size", KIND_COUNT, &settings.history_size,
	  "The size of the command history is" },
	{ "listsize", KIND_COUNT, &settings.list_size,
	  "Number of source lines gtdbgctl will list by default is" },
	{ "pagination", KIND_SWITCH, &settings.pages, "State of pagination is" },
	{ "print elements", KIND_COUNT, &settings.elements,
	  "Limit on string chars or array elements to print is" },
	{ "print pretty", KIND_SWITCH, &settings.is_pretty,
	  "Pretty formatting of structures is" },
	{ "print repeats", KIND_COUNT, &settings.repeats,
	  "Threshold for repeated print elements is" },
	{ "style enabled", KIND_SWITCH, &settings.is_styled,
	  "CLI output styling is" },
	{ "width", KIND_COUNT, &settings.width,
	  "Number of characters gtdbgctl thinks are in a line is" },
};

#define COUNT (sizeof(list) / sizeof(list[0]))

/* How much of @args names the setting, word by word abbreviated; 0: none. */
static size_t name_match(const char *name, const char *args)
{
	const char *at = args;

	while (*name) {
		size_t len = strcspn(at, " \t=");

		if (!len || strncmp(name, at, len) != 0 ||
		    len > strcspn(name, " "))
			return 0;
		at += len;
		name += strcspn(name, " ");
		if (*name) {
			name++;
			at += strspn(at, " \t");
		}
	}
	return at - args;
}

/* The first whose name fits, and what is behind it. */
static const struct setting *setting_find(const char *args, const char **rest)
{
	size_t i, len;

	for (i = 0; i < COUNT; i++) {
		len = name_match(list[i].name, args);
		if (!len)
			continue;
		*rest = args + len + strspn(args + len, " \t");
		return &list[i];
	}
	return NULL;
}

static void show(const struct setting *setting)
{
	const bool *is_on = setting->value;
	const unsigned int *number = setting->value;
	char *const *text = setting->value;

	printf("%s ", setting->text);
	if (setting->value == &settings.is_styled)
		puts(*is_on ? "enabled." : "disabled.");
	else if (setting->kind == KIND_SWITCH)
		puts(*is_on ? "on." : "off.");
	else if (setting->kind == KIND_TEXT)
		printf("\"%s\".\n", *text ? *text : "~/.gtdbg_history");
	else if (*number)
		printf("%u.\n", *number);
	else
		puts("unlimited.");
}

static int set_switch(struct debugger *debugger, bool *to, const char *text)
{
	static const char *const on[] = { "", "on", "1", "yes", "enable" };
	static const char *const off[] = { "off", "0", "no", "disable" };
	size_t i;

	for (i = 0; i < sizeof(on) / sizeof(on[0]); i++) {
		if (strcmp(text, on[i]) == 0) {
			*to = true;
			return 0;
		}
	}
	for (i = 0; i < sizeof(off) / sizeof(off[0]); i++) {
		if (strcmp(text, off[i]) == 0) {
			*to = false;
			return 0;
		}
	}
	return fail(debugger, "\"on\" or \"off\" expected.");
}

static int set_count(struct debugger *debugger, unsigned int *to,
		     const char *text)
{
	unsigned long number;
	char *end;

	if (!*text)
		return fail(debugger, "Argument required (integer to set it to, or \"unlimited\".).");
	number = strtoul(text, &end, 0);
	if (strcmp(text, "unlimited") == 0)
		number = 0;
	else if (end == text || *end || *text == '-')
		return fail(debugger, "Integer or \"unlimited\" expected, not \"%s\".",
			    text);
	if (number > INT32_MAX)
		return fail(debugger, "integer %s out of range", text);
	*to = number;
	if (to == &settings.height || to == &settings.width)
		settings.has_size = true;
	return 0;
}

static int set_text(struct debugger *debugger, char **to, const char *text)
{
	if (!*text)
		return fail(debugger, "Argument required (filename to set it to.).");
	free(*to);
	*to = strdup(text);
	return 0;
}

static int set(struct debugger *debugger, const struct setting *setting,
	       const char *text)
{
	switch (setting->kind) {
	case KIND_SWITCH:
		return set_switch(debugger, setting->value, text);
	case KIND_COUNT:
		return set_count(debugger, setting->value, text);
	default:
		return set_text(debugger, setting->value, text);
	}
}

int prompt_set(struct debugger *debugger, const char *args)
{
	const struct setting *setting;
	const char *rest;

	if (!*args)
		return fail(debugger, "\"set\" must be followed by \"var\" and an assignment, or a setting; see \"show\".");
	if (strncmp(args, "var ", 4) == 0)
		return prompt_assign(debugger, args + 4);
	if (strncmp(args, "variable ", 9) == 0)
		return prompt_assign(debugger, args + 9);
	setting = setting_find(args, &rest);
	if (setting && *rest != '=')
		return set(debugger, setting, rest);
	return prompt_assign(debugger, args);
}

int prompt_show(struct debugger *debugger, const char *args)
{
	const struct setting *setting;
	size_t len = strlen(args), i;
	bool has_some = false;
	const char *rest;

	if (len && strncmp("user", args, len) == 0)
		return prompt_show_user(debugger, "");
	setting = *args ? setting_find(args, &rest) : NULL;
	if (setting) {
		show(setting);
		return 0;
	}
	for (i = 0; i < COUNT; i++) {
		/* Of a group, "print" or "history", or of all. */
		if (strncmp(list[i].name, args, len) != 0 ||
		    (len && list[i].name[len] != ' '))
			continue;
		if (!len || strchr(list[i].name, ' '))
			printf("%s:  ", list[i].name);
		show(&list[i]);
		has_some = true;
	}
	return has_some ? 0 :
	       fail(debugger, "Undefined show command: \"%s\".  Try \"show\".",
		    args);
}
