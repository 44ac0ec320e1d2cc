// SPDX-License-Identifier: MIT
/* Expressions that are shown at each stop. */
#include "prompt.h"

#include "debugger.h"
#include "expression.h"
#include "script.h"
#include "value.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct display {
	struct display *next;
	int number;
	bool is_enabled;
	struct format format;
	char *text;
};

/* Shown as memory, by address, rather than as a value. */
static bool is_memory(const struct format *format)
{
	return format->letter == 'i' || format->letter == 's' ||
	       format->size || format->count > 1;
}

static void format_print(const struct format *format)
{
	putchar('/');
	if (format->count > 1)
		printf("%d", format->count);
	if (format->letter)
		putchar(format->letter);
	if (format->size)
		putchar(format->size);
}

/* In a function that has no such variable there is nothing to show, as in gdb. */
static bool is_elsewhere(const struct debugger *debugger)
{
	static const char message[] = "No symbol \"";

	return !strncmp(debugger->held, message, sizeof(message) - 1);
}

static struct value *evaluate(struct debugger *debugger,
			      const struct display *display)
{
	struct value *value;

	debugger->holds_errors = true;
	value = expression_evaluate(debugger, display->text);
	debugger->holds_errors = false;
	return value;
}

static void show_value(struct debugger *debugger, const struct display *display)
{
	struct value *value = evaluate(debugger, display);

	if (!value && is_elsewhere(debugger))
		return;
	printf("%d: ", display->number);
	if (display->format.letter) {
		format_print(&display->format);
		putchar(' ');
	}
	printf("%s = ", display->text);
	if (value)
		value_print(value, &display->format);
	else
		printf("<error: %s>", debugger->held);
	putchar('\n');
	free(value);
}

static void show_memory(struct debugger *debugger,
			const struct display *display)
{
	struct format format = display->format;
	uint64_t saved = debugger->examine_address;
	struct value *value = evaluate(debugger, display);
	int ret;

	free(value);
	if (!value && is_elsewhere(debugger))
		return;
	printf("%d: x", display->number);
	format_print(&format);
	printf(" %s\n", display->text);
	debugger->holds_errors = true;
	ret = prompt_examine_at(debugger, &format, display->text);
	debugger->holds_errors = false;
	if (ret)
		printf("<error: %s>\n", debugger->held);
	debugger->examine_address = saved;
}

static void show(struct debugger *debugger, const struct display *display)
{
	if (is_memory(&display->format))
		show_memory(debugger, display);
	else
		show_value(debugger, display);
}

void displays_show(struct debugger *debugger)
{
	const struct display *display;

	if (!debugger->has_thread)
		return;
	for (display = debugger->displays; display; display = display->next) {
		if (display->is_enabled)
			show(debugger, display);
	}
}

static int display_create(struct debugger *debugger,
			  const struct format *format, const char *text)
{
	struct display **at = &debugger->displays;
	struct display *display = calloc(1, sizeof(*display));

	if (!display)
		return -1;
	display->text = strdup(text);
	display->number = ++debugger->next_display;
	display->is_enabled = true;
	display->format = *format;
	while (*at)
		at = &(*at)->next;
	*at = display;
	if (debugger->has_thread)
		show(debugger, display);
	return 0;
}

int prompt_display(struct debugger *debugger, const char *args)
{
	struct format format = { 0 };
	struct value *value;

	if (!*args) {
		displays_show(debugger);
		return 0;
	}
	if (prompt_format_parse(debugger, &args, &format))
		return -1;
	if (!*args)
		return fail(debugger, "Argument required (expression to compute).");
	if (debugger->has_thread) {
		/* It is computed when it is shown. */
		debugger->skips++;
		value = expression_evaluate(debugger, args);
		debugger->skips--;
		if (!value)
			return -1;
		free(value);
	}
	return display_create(debugger, &format, args);
}

static void display_enable(struct display **at)
{
	(*at)->is_enabled = true;
}

static void display_disable(struct display **at)
{
	(*at)->is_enabled = false;
}

static void display_delete(struct display **at)
{
	struct display *gone = *at;

	*at = gone->next;
	free(gone->text);
	free(gone);
}

void displays_fini(struct debugger *debugger)
{
	while (debugger->displays)
		display_delete(&debugger->displays);
}

static int each_between(struct debugger *debugger, long first, long last,
			void (*action)(struct display **at))
{
	struct display **at = &debugger->displays, *display;
	int count = 0;

	while ((display = *at)) {
		if (display->number >= first && display->number <= last) {
			count++;
			if (action)
				action(at);
		}
		if (*at == display)
			at = &display->next;
	}
	return count;
}

/* Without an action only looks whether all are there; of a range some have to be. */
static int each_of(struct debugger *debugger, const char *args,
		   void (*action)(struct display **at))
{
	long first, last;

	while (*args) {
		args = prompt_range(args, &first, &last);
		if (!args)
			return fail(debugger, "Arguments must be display numbers.");
		if (each_between(debugger, first, last, action) || action)
			continue;
		return first == last ?
		       fail(debugger, "Could not find display number %ld.",
			    first) :
		       fail(debugger, "Could not find display numbers %ld-%ld.",
			    first, last);
	}
	return 0;
}

/* For each number and range in @args, or for all displays. */
static int each(struct debugger *debugger, const char *args,
		void (*action)(struct display **at))
{
	if (!*args) {
		each_between(debugger, 1, INT_MAX, action);
		return 0;
	}
	return each_of(debugger, args, NULL) ? -1 :
	       each_of(debugger, args, action);
}

int prompt_undisplay(struct debugger *debugger, const char *args)
{
	if (!*args &&
	    !script_confirm(debugger, "Delete all auto-display expressions? "))
		return 0;
	return each(debugger, args, display_delete);
}

int prompt_display_enable(struct debugger *debugger, const char *args,
			  bool is_enabled)
{
	return each(debugger, args, is_enabled ? display_enable :
						 display_disable);
}

int prompt_info_display(struct debugger *debugger, const char *args)
{
	const struct display *display = debugger->displays;

	(void)args;
	if (!display) {
		puts("There are no auto-display expressions now.");
		return 0;
	}
	puts("Auto-display expressions now in effect:\nNum Enb Expression");
	for (; display; display = display->next) {
		printf("%d:   %c  ", display->number,
		       display->is_enabled ? 'y' : 'n');
		if (display->format.letter || is_memory(&display->format)) {
			format_print(&display->format);
			putchar(' ');
		}
		puts(display->text);
	}
	return 0;
}
