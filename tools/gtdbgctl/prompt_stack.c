// SPDX-License-Identifier: MIT
#include "prompt.h"

#include "debugger.h"
#include "expression.h"
#include "settings.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "[full] [N]": N inner frames, -N outer ones. */
static int backtrace_parse(struct debugger *debugger, const char *args,
			   bool *is_full, long *count)
{
	size_t len = strcspn(args, " \t");
	char *end = NULL;

	*is_full = (len == 4 && strncmp(args, "full", len) == 0) ||
		   (len == 5 && strncmp(args, "-full", len) == 0);
	if (*is_full)
		args += len + strspn(args + len, " \t");
	*count = *args ? strtol(args, &end, 0) : 0;
	if (end && (end == args || *end))
		return fail(debugger, "\"%s\" is no number of frames.", args);
	return 0;
}

static void frame_variables(struct debugger *debugger, int frame)
{
	int saved = debugger->frame;

	debugger->frame = frame;
	if (!prompt_variables(debugger, false, "        "))
		puts("No locals.");
	debugger->frame = saved;
}

int prompt_backtrace(struct debugger *debugger, const char *args)
{
	int i, first = 0, end;
	bool is_full;
	long count;

	if (debugger_need_thread(debugger) ||
	    backtrace_parse(debugger, args, &is_full, &count))
		return -1;
	end = debugger->frame_count;
	if (count > 0 && count < end)
		end = (int)count;
	if (count < 0 && count > -end)
		first = end + (int)count;
	for (i = first; i < end; i++) {
		thread_print_frame(debugger, i, false);
		if (is_full)
			frame_variables(debugger, i);
	}
	if (end < debugger->frame_count)
		puts("(More stack frames follow...)");
	return 0;
}

static int frame_show(struct debugger *debugger)
{
	thread_print_frame(debugger, debugger->frame, false);
	thread_print_source(debugger);
	return 0;
}

int prompt_frame(struct debugger *debugger, const char *args)
{
	char *end;
	long number = strtol(args, &end, 10);

	if (debugger_need_thread(debugger))
		return -1;
	if (*args) {
		if (*end || number < 0 || number >= debugger->frame_count)
			return fail(debugger, "No frame at level %s.", args);
		debugger->frame = number;
	}
	return frame_show(debugger);
}

static int frame_move(struct debugger *debugger, const char *args, int sign)
{
	int64_t by = 1, number;

	if (debugger_need_thread(debugger) ||
	    (*args && expression_integer(debugger, args, &by)))
		return -1;
	by = by > FRAMES_MAX ? FRAMES_MAX : by < -FRAMES_MAX ? -FRAMES_MAX : by;
	number = debugger->frame + sign * by;
	if (number < 0 && debugger->frame == 0)
		return fail(debugger, "Bottom (innermost) frame selected; you can't go down.");
	if (number >= debugger->frame_count &&
	    debugger->frame == debugger->frame_count - 1)
		return fail(debugger, "Initial frame selected; you can't go up.");
	if (number < 0)
		number = 0;
	if (number >= debugger->frame_count)
		number = debugger->frame_count - 1;
	debugger->frame = (int)number;
	return frame_show(debugger);
}

int prompt_up(struct debugger *debugger, const char *args)
{
	return frame_move(debugger, args, 1);
}

int prompt_down(struct debugger *debugger, const char *args)
{
	return frame_move(debugger, args, -1);
}

/* Only from the thread that has it: else the user stays where he was. */
static int lane_select(struct debugger *debugger,
		       const struct gtdbg_thread_info *thread, int lane)
{
	struct gtdbg_thread_info was = debugger->thread;
	bool had_thread = debugger->has_thread;
	uint32_t was_lane = debugger->lane;
	int frame = debugger->frame;

	if (thread_select(debugger, thread, lane))
		return -1;
	if (lane < (int)thread_lanes(debugger))
		return 0;
	if (!had_thread)
		thread_deselect(debugger);
	else if (!thread_select(debugger, &was, (int)was_lane))
		debugger->frame = frame;
	return fail(debugger, "Invalid lane: %d.", lane);
}

/* @lane: -1 is the first one that is active */
static int lane_switch(struct debugger *debugger,
		       const struct gtdbg_thread_info *thread, int lane)
{
	if (lane_select(debugger, thread, lane))
		return -1;
	thread_lane_keep(debugger);
	printf("[Switching to thread ");
	thread_print_name(debugger, &debugger->thread, debugger->lane);
	printf("%s]\n", debugger->thread.exec_mask >> debugger->lane & 1 ?
	       "" : ", an inactive lane");
	return frame_show(debugger);
}

int prompt_lane(struct debugger *debugger, const char *args)
{
	struct gtdbg_thread_info thread;
	unsigned long lane;
	char *end;

	if (debugger_need_thread(debugger))
		return -1;
	if (!*args) {
		printf("[Current lane is %d]\n", debugger->lane);
		return 0;
	}
	lane = strtoul(args, &end, 0);
	if (*end || !isdigit((unsigned char)*args))
		return fail(debugger, "Invalid lane: %s. \"lanes EXPR\" prints an expression in each of them.",
			    args);
	if (lane >= (unsigned long)thread_lanes(debugger))
		return fail(debugger, "Invalid lane: %s.", args);
	thread = debugger->thread;
	return lane_switch(debugger, &thread, (int)lane);
}

int prompt_thread(struct debugger *debugger, const char *args)
{
	size_t len = strcspn(args, " \t");
	struct gtdbg_thread_info thread;
	int lane;

	if (debugger_need_session(debugger))
		return -1;
	if (len && strncmp(args, "apply", len) == 0)
		return prompt_apply(debugger,
				    args + len + strspn(args + len, " \t"));
	if (!*args) {
		if (debugger_need_thread(debugger))
			return -1;
		printf("[Current thread is ");
		thread_print_name(debugger, &debugger->thread, debugger->lane);
		puts("]");
		return 0;
	}
	if (thread_parse(debugger, args, &thread, &lane))
		return -1;
	return lane_switch(debugger, &thread, lane);
}

static unsigned int list_size(void)
{
	return settings.list_size ? settings.list_size : INT32_MAX / 2;
}

/* The first line to show so that @line is in the middle. */
static uint32_t list_around(uint32_t line)
{
	uint32_t half = list_size() / 2;

	return line > half ? line - half : 1;
}

static int list_function(struct debugger *debugger, const char *name,
			 char **file, uint32_t *line)
{
	struct gtdbg_function function;
	struct kernel *kernel;

	for (kernel = debugger->kernels; kernel; kernel = kernel->next) {
		struct gtdbg_symbols *symbols = kernel_symbols(debugger,
							       kernel);

		if (!symbols ||
		    (gtdbg_function_find_name(symbols, name, &function) &&
		     !gtdbg_function_find_copies(symbols, name, &function, 1)))
			continue;
		free(*file);
		*file = strdup(function.file ? function.file : "");
		*line = list_around(function.line);
		return 0;
	}
	return fail(debugger, "Function \"%s\" not defined.", name);
}

/* Chooses file and lines: [FILE:]LINE, FIRST,[LAST] or a function. */
static int list_where(struct debugger *debugger, const char *args,
		      char **file, uint32_t *line, uint32_t *last)
{
	const char *colon = strrchr(args, ':'), *whole;
	char *end, *name;

	if (colon) {
		free(*file);
		name = strndup(args, colon - args);
		whole = name && !source_is_module(debugger, name) ?
			source_named(debugger, name) : NULL;
		*file = whole ? strdup(whole) : name;
		if (whole)
			free(name);
		args = colon + 1;
	}
	if (*args == '-' && !args[1]) {
		*last = debugger->list_first > 1 ? debugger->list_first - 1 : 0;
		*line = *last > list_size() ? *last - list_size() + 1 : 1;
		return *last ? 0 : fail(debugger, "Already at the start of %s.",
					*file ? path_base(*file) : "it");
	}
	*line = strtoul(args, &end, 10);
	if (end == args || (*end && *end != ','))
		return list_function(debugger, args, file, line);
	if (!*end)
		*line = list_around(*line);
	else if (end[1])
		*last = strtoul(end + 1, NULL, 10);
	return 0;
}

static int list_print(struct debugger *debugger, const char *file,
		      uint32_t line, uint32_t last)
{
	int lines = source_lines(debugger, file);

	if (lines < 0)
		return fail(debugger, "No source file named %s.",
			    path_base(file));
	if (line > (uint32_t)lines)
		return fail(debugger, "Line number %u out of range; \"%s\" has %d lines.",
			    line, path_base(file), lines);
	source_print(debugger, file, line, last);
	return 0;
}

int prompt_list(struct debugger *debugger, const char *args)
{
	uint32_t line = debugger->list_line ? debugger->list_line : 1, last = 0;
	char *file = NULL;
	int ret = 0;

	if (debugger->list_file)
		file = strdup(debugger->list_file);
	else if (debugger->modules && debugger->modules->name)
		file = strdup(debugger->modules->name);
	if (*args)
		ret = list_where(debugger, args, &file, &line, &last);
	if (!ret && !file)
		ret = fail(debugger, "No source is known.");
	if (!last)
		last = line + list_size() - 1;
	if (!ret)
		ret = list_print(debugger, file, line, last);
	if (ret) {
		free(file);
		return -1;
	}
	free(debugger->list_file);
	debugger->list_file = file;
	debugger->list_first = line;
	debugger->list_line = last + 1;
	return 0;
}
