// SPDX-License-Identifier: MIT
#include "prompt.h"
#include "debugger.h"
#include "expression.h"
#include "message.h"
#include "watch.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *prompt_skip_space(const char *text)
{
	while (isspace((unsigned char)*text))
		text++;
	return text;
}

static bool is_if(const char *text)
{
	return strncmp(text, "if", 2) == 0 &&
	       (isspace((unsigned char)text[2]) || text[2] == '(');
}

char *prompt_split_condition(char *text)
{
	char *end = text, *at;	/* of what is before, without blanks */

	for (at = text; *at; at++) {
		if (isspace((unsigned char)*at))
			continue;
		if ((at == text || isspace((unsigned char)at[-1])) &&
		    is_if(at)) {
			*end = 0;
			return at + 2;
		}
		end = at + 1;
	}
	return NULL;
}

static bool is_number(const char *text)
{
	return *text && strspn(text, "0123456789") == strlen(text);
}

static bool is_name(const char *text)
{
	if (!isalpha((unsigned char)*text) && *text != '_')
		return false;
	while (isalnum((unsigned char)*text) || *text == '_')
		text++;
	return !*text;
}

static int where_line(struct debugger *debugger, struct breakpoint *breakpoint,
		      const char *text)
{
	unsigned long line = strtoul(text, NULL, 10);

	if (!line || line > INT32_MAX)
		return fail(debugger, "Line number %s is out of range.", text);
	breakpoint->line = line;
	return 0;
}

/* The line where the current frame stands. */
static int where_here(struct debugger *debugger, struct breakpoint *breakpoint)
{
	const struct gtdbg_frame *frame;

	if (!debugger->has_thread)
		return fail(debugger, "No default breakpoint location now.");
	frame = frame_current(debugger);
	if (!frame->line)
		breakpoint->address = frame_address(debugger);
	breakpoint->line = frame->line;
	breakpoint->file = frame->file ? strdup(frame->file) : NULL;
	return 0;
}

static int where_address(struct debugger *debugger,
			 struct breakpoint *breakpoint, const char *text)
{
	int64_t address;

	if (expression_integer(debugger, text, &address))
		return -1;
	breakpoint->address = address;
	return 0;
}

/* WHERE is LINE, FILE:LINE, a function, or *ADDRESS. */
int prompt_where(struct debugger *debugger, struct breakpoint *breakpoint,
		 const char *text)
{
	const char *colon = strrchr(text, ':');

	if (!*text)
		return where_here(debugger, breakpoint);
	if (*text == '*')
		return where_address(debugger, breakpoint, text + 1);
	if (is_number(text))
		return where_line(debugger, breakpoint, text);
	if (colon && is_number(colon + 1)) {
		breakpoint->file = strndup(text, colon - text);
		return where_line(debugger, breakpoint, colon + 1);
	}
	if (!is_name(text))
		return fail(debugger, "\"%s\" is no line, function or *address.",
			    text);
	breakpoint->function = strdup(text);
	return 0;
}

static void print_where(const struct breakpoint *breakpoint)
{
	if (breakpoint->line && breakpoint->file)
		printf("%s:%u", path_base(breakpoint->file), breakpoint->line);
	else if (breakpoint->line)
		printf("%u", breakpoint->line);
	else if (breakpoint->function)
		printf("%s", breakpoint->function);
	else
		printf("*0x%llx", (unsigned long long)breakpoint->address);
}

/* "; the program's sources are compute_1.cl, compute_2.cl": what is built twice once */
static void print_sources(const struct debugger *debugger)
{
	const char *before = "; the program's sources are ";
	const struct module *module, *other;

	for (module = debugger->modules; module; module = module->next) {
		other = debugger->modules;
		while (strcmp(other->name, module->name) != 0)
			other = other->next;
		if (other != module || !module->source_size)
			continue;
		printf("%s%s", before, path_base(module->name));
		before = ", ";
	}
}

void prompt_break_report(struct debugger *debugger)
{
	const struct breakpoint *breakpoint;

	for (breakpoint = debugger->breakpoints; breakpoint;
	     breakpoint = breakpoint->next) {
		if (breakpoint->number < 0 || !breakpoint->is_enabled ||
		    breakpoint->watch || breakpoint->was_placed)
			continue;
		printf("Breakpoint %d (", breakpoint->number);
		print_where(breakpoint);
		printf(debugger->kernels ? ") was in no kernel" :
			") was in no kernel: the program has built none");
		if (debugger->kernels && breakpoint->file)
			print_sources(debugger);
		puts(".");
	}
}

/* Place of a location in the source, as gdb words it. */
static void print_place(struct debugger *debugger,
			const struct location *location)
{
	struct kernel *kernel = kernel_find(debugger, location->kernel);
	struct gtdbg_line line;

	if (!kernel) {
		printf("0x%llx", (unsigned long long)location->offset);
		return;
	}
	printf("<%s+%llu>", kernel->name,
	       (unsigned long long)location->offset);
	if (kernel_line(debugger, kernel, location->offset, &line))
		printf(": file %s, line %u.", path_base(line.file), line.line);
}

/* In the current thread's address space, and later again where it was first. */
static int place_address(struct debugger *debugger,
			 struct breakpoint *breakpoint)
{
	int ret;

	if (breakpoint->locations)
		return 1;
	if (!breakpoint->has_context) {
		if (debugger_need_thread(debugger))
			return -1;
		breakpoint->device = debugger->thread.device;
		breakpoint->context = debugger->thread.context;
		breakpoint->has_context = true;
	}
	ret = breakpoint_plant_at(debugger, breakpoint, 0, breakpoint->address);
	if (ret > 0)
		return 1;
	if (ret == -ESRCH && breakpoint->number < 0)
		return ret;
	return fail(debugger, "Cannot insert breakpoint at address 0x%llx: %s.",
		    (unsigned long long)breakpoint->address,
		    strerror(ret ? -ret : ENOMEM));
}

int prompt_place(struct debugger *debugger, struct breakpoint *breakpoint)
{
	struct kernel *kernel;
	int count = 0, ret;

	if (!breakpoint->watch && !breakpoint->line && !breakpoint->function)
		return place_address(debugger, breakpoint);
	for (kernel = debugger->kernels; kernel; kernel = kernel->next) {
		ret = breakpoint_plant(debugger, breakpoint, kernel);
		if (ret < 0 && breakpoint->number < 0)
			return ret;
		count += ret > 0 ? ret : 0;
	}
	return count;
}

static int create_undo(struct debugger *debugger,
		       struct breakpoint *breakpoint)
{
	debugger->next_breakpoint--;
	breakpoint_delete(debugger, breakpoint);
	return -1;
}

/* It has all but a place, which @where says. */
static int place(struct debugger *debugger, struct breakpoint *breakpoint,
		 const char *where)
{
	int count = prompt_where(debugger, breakpoint, where);

	if (!count)
		count = prompt_place(debugger, breakpoint);
	if (count < 0)
		return create_undo(debugger, breakpoint);
	if (count > 0 && (breakpoint->condition || breakpoint->message)) {
		int checked = breakpoint_check(debugger, breakpoint,
					       breakpoint->condition);

		if (checked < 0)
			return create_undo(debugger, breakpoint);
		breakpoint->is_checked = checked;
	}
	printf("%s %d ", breakpoint->message ? "Dprintf" :
	       breakpoint_kind(breakpoint), breakpoint->number);
	if (!count) {
		putchar('(');
		print_where(breakpoint);
		puts(breakpoint->message ?
		     ") pending; so is the check of its arguments." :
		     breakpoint->condition ?
		     ") pending; so is the check of its condition." :
		     ") pending.");
		if (debugger->kernels)
			puts("No kernel so far has such a place.");
	} else {
		printf("at ");
		print_place(debugger, breakpoint->locations);
		if (count > 1)
			printf(" (%d locations)", count);
		putchar('\n');
	}
	return 0;
}

/* @message becomes the breakpoint's, or is freed. */
static int create(struct debugger *debugger, const char *args, bool temporary,
		  struct message *message)
{
	char *text = strdup(args), *condition;
	struct breakpoint *breakpoint = text ?
		breakpoint_create(debugger, false) : NULL;
	int ret;

	if (!breakpoint) {
		free(text);
		message_destroy(message);
		return fail(debugger, "Out of memory.");
	}
	condition = prompt_split_condition(text);
	breakpoint->is_temporary = temporary;
	breakpoint->message = message;
	if (filter_take(debugger, breakpoint, text)) {
		ret = create_undo(debugger, breakpoint);
	} else {
		breakpoint_set_condition(breakpoint, condition ?
					 prompt_skip_space(condition) : NULL);
		ret = place(debugger, breakpoint, text);
	}
	free(text);
	return ret;
}

static int create_plain(struct debugger *debugger, const char *args,
			bool temporary)
{
	if (debugger->is_observer)
		return fail(debugger, "An observer cannot set breakpoints.");
	return create(debugger, args, temporary, NULL);
}

int prompt_message(struct debugger *debugger, const char *where,
		   struct message *message)
{
	return message ? create(debugger, where, false, message) : -1;
}

/* The comma before the text: a filter has some of its own. */
static const char *comma_find(const char *args)
{
	const char *at = strchr(args, '"');

	while (at && at > args && isspace((unsigned char)at[-1]))
		at--;
	return at && at > args && at[-1] == ',' ? at - 1 : strchr(args, ',');
}

int prompt_dprintf(struct debugger *debugger, const char *args)
{
	const char *comma = comma_find(args);
	char *where;
	int ret;

	if (debugger->is_observer)
		return fail(debugger, "An observer cannot set breakpoints.");
	if (!comma)
		return fail(debugger, "Format string required: dprintf WHERE [if CONDITION],\"FORMAT\",EXPR...");
	where = strndup(args, (size_t)(comma - args));
	if (!where)
		return fail(debugger, "Out of memory.");
	ret = prompt_message(debugger, where,
			     message_create(debugger, comma + 1));
	free(where);
	return ret;
}

int prompt_break(struct debugger *debugger, const char *args)
{
	return create_plain(debugger, args, false);
}

int prompt_tbreak(struct debugger *debugger, const char *args)
{
	return create_plain(debugger, args, true);
}

/* 0; -1 after saying why not. */
typedef int action_fn(struct debugger *debugger,
		       struct breakpoint *breakpoint);

/* How many there are in a range; @action, if there is one, is called for each; or -1. */
static int each_between(struct debugger *debugger, long first, long last,
			action_fn *action)
{
	struct breakpoint *breakpoint, *next;
	int count = 0;

	for (breakpoint = debugger->breakpoints; breakpoint;
	     breakpoint = next) {
		next = breakpoint->next;
		if (breakpoint->number < first || breakpoint->number > last)
			continue;
		count++;
		if (action && action(debugger, breakpoint))
			return -1;
	}
	return count;
}

const char *prompt_range(const char *args, long *first, long *last)
{
	char *end;

	*first = strtol(args, &end, 10);
	*last = *first;
	if (isdigit((unsigned char)*args) && *end == '-' &&
	    isdigit((unsigned char)end[1]))
		*last = strtol(end + 1, &end, 10);
	if (isdigit((unsigned char)*args) && *last >= *first &&
	    (!*end || isspace((unsigned char)*end)))
		return prompt_skip_space(end);
	return NULL;
}

/* Without an action only looks whether all are there; of a range some have to be. */
static int each_of(struct debugger *debugger, const char *args,
		   action_fn *action)
{
	const char *next;
	long first, last;
	int count;

	for (; *args; args = next) {
		next = prompt_range(args, &first, &last);
		if (!next)
			return fail(debugger, "Bad breakpoint argument: '%s'",
				    args);
		count = each_between(debugger, first, last, action);
		if (count < 0)
			return -1;
		if (count || action)
			continue;
		return first == last ?
		       fail(debugger, "No breakpoint number %ld.", first) :
		       fail(debugger, "No breakpoint numbers %ld-%ld.", first,
			    last);
	}
	return 0;
}

/* Calls @action for each number and range in @args, or for all breakpoints. */
static int each(struct debugger *debugger, const char *args, action_fn *action)
{
	if (!*args)
		return each_between(debugger, 1, INT_MAX, action) < 0 ? -1 : 0;
	return each_of(debugger, args, NULL) ? -1 :
	       each_of(debugger, args, action);
}

static int delete(struct debugger *debugger, struct breakpoint *breakpoint)
{
	breakpoint_delete(debugger, breakpoint);
	return 0;
}

int prompt_delete(struct debugger *debugger, const char *args)
{
	if (strncmp(args, "breakpoints", 11) == 0)
		args = prompt_skip_space(args + 11);
	if (strncmp(args, "display", 7) == 0)
		return prompt_undisplay(debugger, prompt_skip_space(args + 7));
	if (!*args && debugger->breakpoints &&
	    !script_confirm(debugger, "Delete all breakpoints? "))
		return -1;
	return each(debugger, args, delete);
}

static int enable(struct debugger *debugger, struct breakpoint *breakpoint)
{
	breakpoint->is_enabled = true;
	if (!debugger->session || prompt_place(debugger, breakpoint) >= 0)
		return 0;
	breakpoint->is_enabled = false;
	return -1;
}

static int disable(struct debugger *debugger, struct breakpoint *breakpoint)
{
	breakpoint->is_enabled = false;
	/* Its threads still step, so that their end is seen. */
	if (!breakpoint->watch)
		breakpoint_lift(debugger, breakpoint);
	return 0;
}

int prompt_enable(struct debugger *debugger, const char *args)
{
	if (strncmp(args, "display", 7) == 0)
		return prompt_display_enable(debugger, prompt_skip_space(args + 7),
					     true);
	return each(debugger, args, enable);
}

int prompt_disable(struct debugger *debugger, const char *args)
{
	if (strncmp(args, "display", 7) == 0)
		return prompt_display_enable(debugger, prompt_skip_space(args + 7),
					     false);
	return each(debugger, args, disable);
}

/* A breakpoint's number, and what follows it. */
static struct breakpoint *number_parse(struct debugger *debugger,
				       const char *args, const char **rest)
{
	struct breakpoint *breakpoint;
	char *end;
	long number = strtol(args, &end, 10);

	if (end == args) {
		fail(debugger, "Argument required (breakpoint number).");
		return NULL;
	}
	breakpoint = number > 0 ? breakpoint_find(debugger, number) : NULL;
	if (!breakpoint)
		fail(debugger, "No breakpoint number %ld.", number);
	*rest = prompt_skip_space(end);
	return breakpoint;
}

int prompt_condition(struct debugger *debugger, const char *args)
{
	const char *rest;
	struct breakpoint *breakpoint = number_parse(debugger, args, &rest);
	int checked = 1;

	if (!breakpoint)
		return -1;
	if (*rest && !breakpoint->watch)
		checked = breakpoint_check(debugger, breakpoint, rest);
	if (checked < 0)
		return -1;
	breakpoint_set_condition(breakpoint, *rest ? rest : NULL);
	if (*rest)
		breakpoint->is_checked = checked;
	breakpoint_program(debugger, breakpoint);
	if (!*rest && breakpoint->filter)
		printf("Breakpoint %d now unconditional for %s.\n",
		       breakpoint->number, breakpoint->filter);
	else if (!*rest)
		printf("Breakpoint %d now unconditional.\n",
		       breakpoint->number);
	else if (!checked)
		printf("Breakpoint %d is pending; so is the check of its condition.\n",
		       breakpoint->number);
	return 0;
}

int prompt_ignore(struct debugger *debugger, const char *args)
{
	const char *rest;
	struct breakpoint *breakpoint = number_parse(debugger, args, &rest);
	int64_t count;

	if (!breakpoint)
		return -1;
	if (!*rest)
		return fail(debugger, "Second argument (specified ignore-count) is missing.");
	if (breakpoint->message && !breakpoint->log)
		return fail(debugger, "Breakpoint %d prints each time: it cannot be ignored.",
			    breakpoint->number);
	if (expression_integer(debugger, rest, &count))
		return -1;
	breakpoint_ignore(debugger, breakpoint,
			  count < 0 ? 0 : (uint64_t)count);
	if (!breakpoint->ignore)
		printf("Will stop next time breakpoint %d is reached.\n",
		       breakpoint->number);
	else if (breakpoint->ignore == 1)
		printf("Will ignore next crossing of breakpoint %d.\n",
		       breakpoint->number);
	else
		printf("Will ignore next %u crossings of breakpoint %d.\n",
		       breakpoint->ignore, breakpoint->number);
	return 0;
}

/* As the user has said it. */
static void print_what(const struct breakpoint *breakpoint)
{
	if (breakpoint->message)
		printf("\t%s %s", breakpoint->log ? "log" : "printf",
		       breakpoint->message->source);
	else
		fputs("\tstop", stdout);
	if (breakpoint->condition)
		fputs(" only", stdout);
	if (breakpoint->filter)
		printf(" for %s", breakpoint->filter);
	if (breakpoint->wanted)
		printf(" if %s", breakpoint->wanted);
}

/* As gdb does it, which says "host evals" and "target evals". */
static void print_decision(struct debugger *debugger,
			   const struct breakpoint *breakpoint)
{
	const struct breakpoint *other =
		breakpoint_beside(debugger, breakpoint);

	print_what(breakpoint);
	/* Nowhere yet, or not any more. */
	if (!breakpoint->locations && !breakpoint->was_recorded &&
	    !(breakpoint->message && breakpoint->hits)) {
		putchar('\n');
		return;
	}
	printf(" (on the ");
	if (breakpoint_decided(debugger, breakpoint) && breakpoint->why_host[0])
		printf("EU in part, else on the host: %s)\n",
		       breakpoint->why_host);
	else if (breakpoint_decided(debugger, breakpoint))
		printf("EU)\n");
	else if (breakpoint->why_host[0])
		printf("host: %s)\n", breakpoint->why_host);
	else if (other)
		printf("host: breakpoint %d is there as well)\n",
		       other->number);
	else
		printf("host)\n");
}

static void print_places(struct debugger *debugger,
			 const struct breakpoint *breakpoint)
{
	const struct location *location;

	if (!breakpoint->locations) {
		print_where(breakpoint);
		printf(breakpoint->is_enabled ? " (pending)" : "");
	}
	for (location = breakpoint->locations; location;
	     location = location->next) {
		if (location != breakpoint->locations)
			printf("\n%27s", "");
		print_place(debugger, location);
	}
	putchar('\n');
	if (breakpoint->condition || breakpoint->message)
		print_decision(debugger, breakpoint);
}

static void print_watch(const struct breakpoint *breakpoint)
{
	puts(breakpoint->watch->expression);
	if (breakpoint->condition)
		printf("\tstop only if %s (on the host)\n",
		       breakpoint->condition);
	putchar('\t');
	watch_print_cost(breakpoint->watch);
	putchar('\n');
}

static const char *type_of(const struct breakpoint *breakpoint)
{
	if (breakpoint->watch)
		return !(breakpoint->watch->what & WATCH_READS) ? "watchpoint" :
		       breakpoint->watch->what & WATCH_WRITES ?
		       "acc watch" : "read watch";
	if (breakpoint->log)
		return "log";
	return breakpoint->message ? "dprintf" : "breakpoint";
}

/* Do threads count themselves what is ignored? */
static bool counts_itself(struct debugger *debugger,
			  const struct breakpoint *breakpoint)
{
	return breakpoint->counter && breakpoint_decided(debugger, breakpoint) &&
	       !breakpoint->locations->next;
}

static void print_ignore(struct debugger *debugger,
			 const struct breakpoint *breakpoint)
{
	printf("\tignore next %u hit%s", breakpoint->ignore,
	       breakpoint->ignore == 1 ? "" : "s");
	if (breakpoint->locations)
		printf(" (on the %s)", counts_itself(debugger, breakpoint) ?
			       "EU" : "host");
	putchar('\n');
}

static void print_one(struct debugger *debugger,
		      struct breakpoint *breakpoint)
{
	breakpoint_count(debugger, breakpoint);
	printf("%-7d %-10s %-4s %-3s ", breakpoint->number,
	       type_of(breakpoint), breakpoint->is_temporary ? "del" : "keep",
	       breakpoint->is_enabled ? "y" : "n");
	if (breakpoint->watch)
		print_watch(breakpoint);
	else
		print_places(debugger, breakpoint);
	if (breakpoint->hits)
		printf("\tbreakpoint already hit %u time%s\n",
		       breakpoint->hits, breakpoint->hits == 1 ? "" : "s");
	if (breakpoint->ignore)
		print_ignore(debugger, breakpoint);
	lines_print(&breakpoint->commands, false, "        ");
}

static int list(struct debugger *debugger, bool wants_all, const char *none)
{
	struct breakpoint *breakpoint = debugger->breakpoints;

	while (breakpoint && !wants_all && !breakpoint->watch)
		breakpoint = breakpoint->next;
	if (!breakpoint) {
		puts(none);
		return 0;
	}
	puts("Num     Type       Disp Enb What");
	for (; breakpoint; breakpoint = breakpoint->next)
		if (wants_all || breakpoint->watch)
			print_one(debugger, breakpoint);
	return 0;
}

int prompt_info_breakpoints(struct debugger *debugger, const char *args)
{
	(void)args;
	return list(debugger, true, "No breakpoints.");
}

int prompt_info_watchpoints(struct debugger *debugger, const char *args)
{
	(void)args;
	return list(debugger, false, "No watchpoints.");
}
