// SPDX-License-Identifier: MIT
#include "prompt.h"

#include "debugger.h"
#include "expression.h"
#include "value.h"
#include "watch.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the user has asked for: reads, writes; -l, -t THREAD, EXPR and what follows "if". */
struct request {
	uint32_t what;		/* WATCH_* */
	bool is_location;
	bool has_thread;
	struct gtdbg_thread_info thread;
	int lane;
	const char *expression;
	const char *condition;
};

/* Behind a word, if it is that; else NULL. */
static const char *skip_word(const char *text, const char *word)
{
	size_t len = strlen(word);

	if (strncmp(text, word, len) != 0 ||
	    (text[len] && !isspace((unsigned char)text[len])))
		return NULL;
	return prompt_skip_space(text + len);
}

static int thread_take(struct debugger *debugger, const char **text,
		       struct request *request)
{
	size_t len = strcspn(*text, " \t");
	char *name = strndup(*text, len);
	int ret;

	if (!name)
		return fail(debugger, "Out of memory.");
	ret = thread_parse(debugger, name, &request->thread, &request->lane);
	free(name);
	*text = prompt_skip_space(*text + len);
	request->has_thread = true;
	return ret;
}

static int request_parse(struct debugger *debugger, char *args,
			 struct request *request)
{
	const char *condition = prompt_split_condition(args);
	const char *text = args, *next;

	request->thread = debugger->thread;
	request->lane = -1;
	for (;;) {
		next = skip_word(text, "-l");
		if (!next)
			next = skip_word(text, "-location");
		if (next) {
			request->is_location = true;
			text = next;
			continue;
		}
		next = skip_word(text, "-t");
		if (!next)
			break;
		text = next;
		if (thread_take(debugger, &text, request))
			return -1;
	}
	request->expression = text;
	request->condition = condition ? prompt_skip_space(condition) : NULL;
	if (!*text)
		return fail(debugger, "Argument required (expression to watch).");
	return 0;
}

/* In the current frame: the function that has called it waits where it returns to. */
static void scope_find(struct debugger *debugger, struct watch *watch)
{
	int frame = debugger->frame;

	watch->depth = debugger->frame_count - frame;
	watch->return_address = WATCH_NOWHERE;
	/* What was merged into another function returns with that one. */
	while (frame < debugger->frame_count - 1 &&
	       debugger->frames[frame].is_inlined)
		frame++;
	if (!watch->is_location && frame < debugger->frame_count - 1)
		watch->return_address = debugger->thread.address -
					debugger->frames[0].pc +
					debugger->frames[frame + 1].pc;
}

/* An address alone is that of an int. */
static char *expression_of(const struct request *request)
{
	char *end, *text;

	strtoull(request->expression, &end, 0);
	if (!request->is_location || *end || end == request->expression)
		return strdup(request->expression);
	return asprintf(&text, "*(int *)%s", request->expression) < 0 ? NULL :
	       text;
}

static int watch_fill(struct debugger *debugger, struct watch *watch,
		      const struct request *request)
{
	struct kernel *kernel;

	watch->what = request->what;
	watch->is_location = request->is_location;
	watch->expression = expression_of(request);
	if (!watch->expression)
		return fail(debugger, "Out of memory.");
	watch->old = expression_evaluate(debugger, watch->expression);
	if (!watch->old)
		return -1;
	if (watch->old->unavailable)
		return fail(debugger, "Cannot watch it: %s has no value here: %s.",
			    watch->expression, watch->old->unavailable);
	if (watch->old->place == VALUE_NOWHERE ||
	    !watch->old->type->size_bytes)
		return fail(debugger, "Cannot watch constant value `%s'.",
			    watch->expression);
	if (watch->what & WATCH_READS && !watch_is_global(watch->old))
		return fail(debugger, "Reads of registers and of local memory cannot be watched: \"watch\" stops at writes.");
	watch->is_shared = request->is_location && !request->has_thread &&
			   watch_is_global(watch->old);
	watch->device = debugger->thread.device;
	watch->context = debugger->thread.context;
	watch->slot = debugger->thread.slot;
	watch->lane = debugger->lane;
	watch->is_marked = !watch->is_shared &&
			   watch_thread_mark(debugger, &debugger->thread);
	scope_find(debugger, watch);
	/* Values may be printed when the kernel is gone. */
	kernel = thread_kernel(debugger, &debugger->thread);
	if (kernel)
		kernel->has_values = true;
	return 0;
}

static struct breakpoint *watchpoint_create(struct debugger *debugger,
					    const struct request *request)
{
	struct breakpoint *breakpoint;
	struct watch *watch;

	if (debugger->is_observer || debugger->is_core) {
		fail(debugger, "Only a debugger of a program that runs can watch.");
		return NULL;
	}
	watch = calloc(1, sizeof(*watch));
	watch_stand(debugger);
	if (watch && watch_fill(debugger, watch, request)) {
		watch_destroy(watch);
		return NULL;
	}
	breakpoint = watch ? breakpoint_create(debugger, false) : NULL;
	if (!breakpoint) {
		watch_destroy(watch);
		fail(debugger, "Out of memory.");
		return NULL;
	}
	breakpoint->watch = watch;
	breakpoint_set_condition(breakpoint, request->condition);
	breakpoint->is_checked = true;
	if (watch->is_shared)
		prompt_place(debugger, breakpoint);
	return breakpoint;
}

struct breakpoint *prompt_watch_value(struct debugger *debugger,
				      const char *expression,
				      const char *condition, bool is_location)
{
	const struct request request = {
		.what = WATCH_WRITES,
		.is_location = is_location, .expression = expression,
		.condition = condition,
	};

	return watchpoint_create(debugger, &request);
}

static int create(struct debugger *debugger, const struct request *request)
{
	struct breakpoint *breakpoint = watchpoint_create(debugger, request);
	const struct watch *watch;

	if (!breakpoint)
		return -1;
	watch = breakpoint->watch;
	printf("%s %d: %s (", watch_name(watch), breakpoint->number,
	       watch->expression);
	if (watch->is_shared) {
		puts("all threads)");
		return 0;
	}
	printf("thread ");
	thread_print_name(debugger, &debugger->thread, watch->lane);
	puts(")");
	return 0;
}

/* In a thread that the user does not look at there is no frame to choose. */
static int create_in(struct debugger *debugger, const struct request *request)
{
	struct gtdbg_thread_info was = debugger->thread;
	uint32_t lane = debugger->lane;
	int frame = debugger->frame, ret;

	if (thread_select(debugger, &request->thread, request->lane))
		return -1;
	ret = create(debugger, request);
	if (!thread_select(debugger, &was, lane))
		debugger->frame = frame;
	return ret;
}

static int watch_command(struct debugger *debugger, const char *args,
			 uint32_t what)
{
	struct request request = { .what = what };
	char *text;
	int ret;

	if (debugger_need_thread(debugger))
		return -1;
	text = strdup(args);
	if (!text)
		return fail(debugger, "Out of memory.");
	ret = request_parse(debugger, text, &request);
	if (!ret)
		ret = create_in(debugger, &request);
	free(text);
	return ret;
}

int prompt_watch(struct debugger *debugger, const char *args)
{
	return watch_command(debugger, args, WATCH_WRITES);
}

int prompt_watch_reads(struct debugger *debugger, const char *args)
{
	return watch_command(debugger, args, WATCH_READS);
}

int prompt_watch_accesses(struct debugger *debugger, const char *args)
{
	return watch_command(debugger, args, WATCH_READS | WATCH_WRITES);
}
