// SPDX-License-Identifier: MIT
#include "missed.h"

#include "debugger.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct missed {
	struct gtdbg_thread_info thread;
	int number;		/* of the breakpoint */
	int lane;
	bool is_meanwhile;	/* it came while another thread went alone */
};

static bool is_enabled(struct debugger *debugger, int number)
{
	const struct breakpoint *breakpoint = breakpoint_find(debugger, number);

	return breakpoint && breakpoint->is_enabled;
}

void missed_forget(struct debugger *debugger, int number)
{
	size_t i, count = 0;

	for (i = 0; i < debugger->missed_count; i++) {
		const struct missed *missed = &debugger->missed[i];

		if (missed->number != number &&
		    stopped_is_known(debugger, &missed->thread) &&
		    is_enabled(debugger, missed->number))
			debugger->missed[count++] = *missed;
	}
	debugger->missed_count = count;
}

void missed_keep(struct debugger *debugger,
		 const struct gtdbg_thread_info *thread,
		 const struct breakpoint *hit, int lane, bool is_meanwhile)
{
	struct missed *list;
	size_t i;

	if (!hit || hit->number <= 0 || hit->watch)
		return;
	/* One that has gone on since does not stand for this one. */
	missed_forget(debugger, 0);
	for (i = 0; i < debugger->missed_count; i++) {
		if (debugger->missed[i].number == hit->number)
			return;
	}
	list = realloc(debugger->missed, (i + 1) * sizeof(*list));
	if (!list)
		return;
	list[i] = (struct missed){ .thread = *thread, .number = hit->number,
				   .lane = lane, .is_meanwhile = is_meanwhile };
	debugger->missed = list;
	debugger->missed_count++;
}

void missed_keep_further(struct debugger *debugger,
			 const struct gtdbg_thread_info *thread, int lane,
			 bool is_meanwhile)
{
	struct breakpoint *breakpoint;

	for (breakpoint = debugger->breakpoints; breakpoint;
	     breakpoint = breakpoint->next) {
		if (!breakpoint->is_further)
			continue;
		breakpoint->is_further = false;
		missed_keep(debugger, thread, breakpoint, lane, is_meanwhile);
	}
}

static void missed_remove(struct debugger *debugger, size_t i)
{
	struct missed *missed = debugger->missed + i;

	memmove(missed, missed + 1,
		(--debugger->missed_count - i) * sizeof(*missed));
}

struct breakpoint *missed_take(struct debugger *debugger,
			       struct gtdbg_thread_info *thread_out,
			       int *lane_out)
{
	struct breakpoint *breakpoint;

	missed_forget(debugger, 0);
	if (!debugger->missed_count)
		return NULL;
	*thread_out = debugger->missed[0].thread;
	*lane_out = debugger->missed[0].lane;
	breakpoint = breakpoint_find(debugger, debugger->missed[0].number);
	missed_remove(debugger, 0);
	return breakpoint;
}

static void further_add(struct debugger *debugger, int number)
{
	size_t count = debugger->further_hit_count;
	int *list = realloc(debugger->further_hits,
			    (count + 1) * sizeof(*list));

	if (!list)
		return;
	list[count] = number;
	debugger->further_hits = list;
	debugger->further_hit_count++;
}

/* What all of them ask for; "silent" is the first one's to say. */
static void commands_follow(struct debugger *debugger,
			    const struct lines *commands)
{
	size_t i;

	for (i = 0; i < commands->count; i++)
		lines_add(&debugger->actions, commands->line[i]);
}

void missed_announce(struct debugger *debugger, bool starts)
{
	struct breakpoint *breakpoint;
	size_t i = 0;

	debugger->further_hit_count = 0;
	while (i < debugger->missed_count) {
		const struct missed *missed = &debugger->missed[i];

		if (!thread_is_same(&missed->thread, &debugger->thread)) {
			i++;
			continue;
		}
		breakpoint = breakpoint_find(debugger, missed->number);
		missed_remove(debugger, i);
		if (!debugger->is_silent && !debugger->is_served) {
			if (starts) {
				printf("\nThread ");
				thread_print_name(debugger, &debugger->thread,
						  debugger->lane);
				printf(" hit ");
			}
			starts = false;
			printf("%s %d, ", breakpoint_kind(breakpoint),
			       breakpoint->number);
		}
		further_add(debugger, breakpoint->number);
		commands_follow(debugger, &breakpoint->commands);
		if (breakpoint->is_temporary)
			breakpoint_delete(debugger, breakpoint);
	}
}

static void tell(struct debugger *debugger, const struct missed *missed)
{
	struct breakpoint *breakpoint =
		breakpoint_find(debugger, missed->number);

	if (!debugger->is_served) {
		printf("[Thread ");
		thread_print_name(debugger, &missed->thread, missed->lane);
		printf(" hit %s %d meanwhile]\n", breakpoint_kind(breakpoint),
		       breakpoint->number);
	}
	if (breakpoint->is_temporary)
		breakpoint_delete(debugger, breakpoint);
}

void missed_tell(struct debugger *debugger)
{
	size_t i, count = 0;

	missed_forget(debugger, 0);
	for (i = 0; i < debugger->missed_count; i++) {
		if (debugger->missed[i].is_meanwhile)
			tell(debugger, &debugger->missed[i]);
		else
			debugger->missed[count++] = debugger->missed[i];
	}
	debugger->missed_count = count;
}

void missed_fini(struct debugger *debugger)
{
	free(debugger->missed);
	debugger->missed = NULL;
	debugger->missed_count = 0;
	free(debugger->further_hits);
	debugger->further_hits = NULL;
	debugger->further_hit_count = 0;
}
