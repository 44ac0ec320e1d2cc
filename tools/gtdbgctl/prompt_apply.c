// SPDX-License-Identifier: MIT
/*
 * "thread apply": a command in each of several threads, named as gdb names them.
 * The command may let threads run, so each one is looked up again when its turn
 * has come; then the user is where he was before.
 */
#include "prompt.h"

#include "debugger.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A thread, by its place. */
struct member {
	uint32_t device;
	uint32_t slot;
	int lane;		/* -1: the first active one */
};

struct apply {
	struct debugger *debugger;
	uint32_t device;	/* of the thread that was selected */
	const char *command;
	bool is_quiet;		/* no line for each thread */
	bool goes_on;		/* where the command fails */
	bool ascends;		/* "all" begins with the first */
	struct gtdbg_thread_info *threads;	/* that are stopped, */
	int count;
	unsigned int resumes;			/* as of then */
	struct member *members;
	size_t member_count;
};

/* "[D.]A[-B][:L[-M]]" */
struct range {
	struct device *device;
	unsigned long first, last;
	long lane_first, lane_last;
};

static int threads_list(struct apply *apply)
{
	free(apply->threads);
	apply->threads = NULL;
	apply->resumes = apply->debugger->resumes;
	apply->count = thread_list(apply->debugger, &apply->threads);
	if (apply->count >= 0)
		return 0;
	apply->threads = NULL;
	return fail(apply->debugger, "Cannot list threads: %s.",
		    strerror(-apply->count));
}

static const struct gtdbg_thread_info *
thread_find(const struct apply *apply, uint32_t device, uint32_t slot)
{
	int i;

	for (i = 0; i < apply->count; i++) {
		if (apply->threads[i].device == device &&
		    apply->threads[i].slot == slot &&
		    apply->threads[i].state == GTDBG_THREAD_STOPPED)
			return &apply->threads[i];
	}
	return NULL;
}

static void member_add(struct apply *apply,
		       const struct gtdbg_thread_info *thread, int lane)
{
	struct member *grown = realloc(apply->members,
				       (apply->member_count + 1) *
				       sizeof(*grown));

	if (!grown)
		return;
	apply->members = grown;
	grown[apply->member_count++] = (struct member){
		.device = thread->device, .slot = thread->slot, .lane = lane,
	};
}

static bool number_take(const char **at, unsigned long *out)
{
	char *end;

	if (!isdigit((unsigned char)**at))
		return false;
	*out = strtoul(*at, &end, 10);
	*at = end;
	return *out <= UINT16_MAX;
}

static bool span_take(const char **at, unsigned long *first,
		      unsigned long *last)
{
	if (!number_take(at, first))
		return false;
	*last = *first;
	if (**at != '-')
		return true;
	(*at)++;
	return number_take(at, last) && *last >= *first;
}

static bool range_parse(const struct apply *apply, const char *text,
			struct range *out)
{
	struct debugger *debugger = apply->debugger;
	unsigned long number, last;
	const char *dot = strchr(text, '.');

	out->device = device_find(debugger, apply->device);
	if (!out->device)
		out->device = debugger->devices;
	if (dot) {
		if (!number_take(&text, &number) || text != dot)
			return false;
		out->device = device_find_number(debugger, number);
		text++;
	}
	out->lane_first = -1;
	out->lane_last = -1;
	if (!span_take(&text, &out->first, &out->last))
		return false;
	if (*text == ':') {
		text++;
		if (!span_take(&text, &number, &last) || last > 31)
			return false;
		out->lane_first = (long)number;
		out->lane_last = (long)last;
	}
	return !*text && out->device && out->first;
}

/* Has the thread all the lanes of a range? */
static int lanes_check(struct debugger *debugger, const struct range *range,
		       const struct gtdbg_thread_info *thread)
{
	if (range->lane_last < 0)
		return 0;
	if (thread_select(debugger, thread, -1))
		return -1;
	return range->lane_last < (long)thread_lanes(debugger) ? 0 :
	       fail(debugger, "Invalid lane: %ld.", range->lane_last);
}

/* The threads of one word that are stopped. */
static int members_add(struct apply *apply, const char *word)
{
	size_t before = apply->member_count;
	struct range range;
	unsigned long number;
	long lane;

	if (!range_parse(apply, word, &range))
		return fail(apply->debugger, "Invalid thread ID: %s", word);
	for (number = range.first; number <= range.last; number++) {
		const struct gtdbg_thread_info *thread =
			thread_find(apply, range.device->info.device,
				    number - 1);

		if (thread && lanes_check(apply->debugger, &range, thread))
			return -1;
		for (lane = range.lane_first; thread && lane <= range.lane_last;
		     lane++)
			member_add(apply, thread, (int)lane);
	}
	if (apply->member_count == before)
		printf("warning: Thread %s is not stopped.\n", word);
	return 0;
}

/* gdb begins with the last one, so that the first ends up above the prompt. */
static void members_all(struct apply *apply)
{
	int i;

	for (i = 0; i < apply->count; i++) {
		const struct gtdbg_thread_info *thread =
			&apply->threads[apply->ascends ? i :
					apply->count - 1 - i];

		if (thread->state == GTDBG_THREAD_STOPPED)
			member_add(apply, thread, -1);
	}
}

/* The next word, in place; NULL if there is none. */
static char *word_take(char **at)
{
	char *word = *at + strspn(*at, " \t");

	*at = word + strcspn(word, " \t");
	if (**at)
		*(*at)++ = 0;
	*at += strspn(*at, " \t");
	return *word ? word : NULL;
}

static int flags_parse(struct apply *apply, char **at)
{
	while (**at == '-') {
		const char *word = word_take(at);

		if (strcmp(word, "-q") == 0)
			apply->is_quiet = true;
		else if (strcmp(word, "-c") == 0)
			apply->goes_on = true;
		else if (strcmp(word, "-ascending") == 0)
			apply->ascends = true;
		else
			return fail(apply->debugger, "Invalid option \"%s\".",
				    word);
	}
	return 0;
}

/* "[THREAD...|all] [FLAG...] COMMAND" */
static int apply_parse(struct apply *apply, char *args)
{
	struct debugger *debugger = apply->debugger;
	bool is_all = strncmp(args, "all", 3) == 0 &&
		      (!args[3] || isblank((unsigned char)args[3]));

	if (!*args)
		return fail(debugger, "Please specify a thread ID list");
	if (!is_all && !isdigit((unsigned char)*args))
		return fail(debugger, "Invalid thread ID: %s", args);
	if (is_all)
		word_take(&args);
	while (!is_all && isdigit((unsigned char)*args)) {
		if (members_add(apply, word_take(&args)))
			return -1;
	}
	if (flags_parse(apply, &args))
		return -1;
	if (is_all)
		members_all(apply);
	if (!*args)
		return fail(debugger, "Please specify a command at the end of 'thread apply'");
	apply->command = args;
	return 0;
}

static int member_apply(struct apply *apply, const struct member *member)
{
	struct debugger *debugger = apply->debugger;
	const struct gtdbg_thread_info *thread;
	int ret;

	if (apply->resumes != debugger->resumes && threads_list(apply))
		return -1;
	thread = thread_find(apply, member->device, member->slot);
	if (!thread)
		return 0;
	if (thread_select(debugger, thread, member->lane))
		return -1;
	debugger->frame = 0;
	if (!apply->is_quiet) {
		fputs("\nThread ", stdout);
		thread_print_name(debugger, thread, (int)debugger->lane);
		printf(" (%u.%u.%u.%u):\n", thread->slice, thread->subslice,
		       thread->eu, thread->thread);
	}
	ret = prompt_line(debugger, apply->command);
	if (wait_is_interrupted)
		return fail(debugger, "Quit");
	return apply->goes_on ? 0 : ret;
}

/* Where the user was, if that thread is still stopped. */
static void restore(struct apply *apply, const struct gtdbg_thread_info *was,
		    uint32_t lane, int frame)
{
	struct debugger *debugger = apply->debugger;
	const struct gtdbg_thread_info *thread;

	if (!debugger->session ||
	    (apply->resumes != debugger->resumes && threads_list(apply)))
		return;
	thread = thread_find(apply, was->device, was->slot);
	if (!thread || thread_select(debugger, thread, (int)lane))
		return;
	debugger->frame = 0;
	if (thread->generation == was->generation &&
	    frame < debugger->frame_count)
		debugger->frame = frame;
}

int prompt_apply(struct debugger *debugger, const char *args)
{
	struct apply apply = {
		.debugger = debugger, .device = debugger->thread.device,
	};
	struct gtdbg_thread_info was = debugger->thread;
	bool had_thread = debugger->has_thread;
	uint32_t lane = debugger->lane;
	int frame = debugger->frame;
	char *text = strdup(args);
	int ret = -1;
	size_t i;

	if (text && !threads_list(&apply))
		ret = apply_parse(&apply, text);
	for (i = 0; i < apply.member_count && !ret && debugger->session &&
	     !prompt_must_end(debugger); i++)
		ret = member_apply(&apply, &apply.members[i]);
	if (had_thread)
		restore(&apply, &was, lane, frame);
	free(apply.members);
	free(apply.threads);
	free(text);
	return ret;
}
