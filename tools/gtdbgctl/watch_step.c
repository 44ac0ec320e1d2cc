// SPDX-License-Identifier: MIT
/*
 * Letting watched threads go. A thread steps over the code around in one go, which the
 * EU does by itself, up to the next instruction that may write what is watched. Where a
 * message has addresses the EU compares them, with all that is watched in the thread and
 * what lies between, if it can: else each message is the end of such a step. If its
 * addresses are elsewhere it is part of the next one; else it is stepped alone. Of threads
 * that share what is watched one does so at a time, while the others at most execute what
 * writes nothing there: so it is known who has written.
 */
#include "watch.h"

#include "debugger.h"
#include "value.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* In one go: enough to cost little, and soon over, so that a thread stands when watches change. */
#define STEPS		4096
#define STAND_TRIES	1000	/* one a millisecond */

void watches_fini(struct debugger *debugger)
{
	struct breakpoint *breakpoint, *next;

	for (breakpoint = debugger->breakpoints; breakpoint;
	     breakpoint = next) {
		next = breakpoint->next;
		if (breakpoint->watch)
			breakpoint_delete(debugger, breakpoint);
	}
	free(debugger->watched);
	debugger->watched = NULL;
	debugger->watched_count = 0;
}

bool watch_is_of(const struct breakpoint *breakpoint,
		 const struct gtdbg_thread_info *thread)
{
	const struct watch *watch = breakpoint->watch;

	if (!watch || watch->device != thread->device)
		return false;
	return watch->is_shared ? watch->context == thread->context :
				  watch->slot == thread->slot;
}

bool watch_concerns(struct debugger *debugger,
		    const struct gtdbg_thread_info *thread)
{
	const struct breakpoint *breakpoint;

	for (breakpoint = debugger->breakpoints; breakpoint;
	     breakpoint = breakpoint->next) {
		if (watch_is_of(breakpoint, thread))
			return true;
	}
	return false;
}

struct watched *watched_find(struct debugger *debugger,
			     const struct gtdbg_thread_info *thread)
{
	for (size_t i = 0; i < debugger->watched_count; i++) {
		struct watched *watched = &debugger->watched[i];

		if (watched->thread.device == thread->device &&
		    watched->thread.slot == thread->slot)
			return watched;
	}
	return NULL;
}

static struct watched *watched_add(struct debugger *debugger,
				   const struct gtdbg_thread_info *thread)
{
	struct watched *watched = watched_find(debugger, thread);
	size_t count = debugger->watched_count;

	if (!watched) {
		watched = realloc(debugger->watched,
				  (count + 1) * sizeof(*watched));
		if (!watched)
			return NULL;
		debugger->watched = watched;
		debugger->watched_count++;
		watched += count;
	}
	*watched = (struct watched){ .thread = *thread, .accesses.count = -1 };
	return watched;
}

/* CODE_PASS_READS, if no watchpoint wants them. */
static uint32_t reads_pass(struct debugger *debugger,
			   const struct gtdbg_thread_info *thread)
{
	const struct breakpoint *breakpoint;

	for (breakpoint = debugger->breakpoints; breakpoint;
	     breakpoint = breakpoint->next) {
		if (watch_is_of(breakpoint, thread) &&
		    breakpoint->watch->what & WATCH_READS)
			return 0;
	}
	return CODE_PASS_READS;
}

void watch_note(struct debugger *debugger,
		const struct gtdbg_thread_info *thread)
{
	struct watched *watched = watched_find(debugger, thread);
	uint32_t lane = debugger->lane;

	if (!watched && watch_concerns(debugger, thread))
		watched = watched_add(debugger, thread);
	if (!watched)
		return;
	*watched = (struct watched){ .thread = *thread, .is_single = true,
				     .accesses.count = -1 };
	if (!thread_select(debugger, &watched->thread, -1))
		watched->accesses.count =
			access_list_at(debugger, watched->thread.address,
				       watched->accesses.list);
	debugger->lane = lane;
}

bool watch_drives(struct debugger *debugger,
		  const struct gtdbg_thread_info *thread)
{
	const struct watched *watched = watched_find(debugger, thread);

	return watched && watched->is_driven;
}

/* What watchpoints make of a thread that is to go on. */
struct need {
	bool is_single;
	bool may_write;
	bool is_shared;
	uint64_t stop;	/* code is not to be passed over there */
	struct watch_accesses accesses;
};

static void need_add(struct watch *watch, enum code_kind kind,
		     struct need *need)
{
	uint32_t lanes;

	/* Any instruction may write registers. */
	if (watch->old->place != VALUE_MEMORY) {
		need->is_single = true;
	} else if (kind == CODE_WRITES &&
		   watch_writers(watch, &need->accesses, &lanes)) {
		need->may_write = true;
		need->is_shared |= watch->is_shared;
	} else if (kind == CODE_READS && watch->what & WATCH_READS) {
		need->is_single |= watch_readers(watch, &need->accesses) != 0;
		watch->unknown += need->accesses.count < 0;
	}
	if (watch->return_address == WATCH_NOWHERE)
		return;
	/* A range can stop at one return, not at two. */
	if (need->stop != WATCH_NOWHERE && need->stop != watch->return_address)
		need->is_single = true;
	need->stop = watch->return_address;
}

static struct need need_of(struct debugger *debugger,
			   const struct gtdbg_thread_info *thread,
			   enum code_kind kind)
{
	struct need need = { .stop = WATCH_NOWHERE, .accesses.count = -1 };
	const struct gtdbg_thread_info copy = *thread;
	struct breakpoint *breakpoint;
	uint32_t lane = debugger->lane;

	/* For its registers, with the addresses of a message. */
	if (kind == CODE_WRITES || kind == CODE_READS) {
		if (thread_select(debugger, &copy, -1))
			need.may_write = true;
		else
			need.accesses.count =
				access_list_at(debugger, copy.address,
					       need.accesses.list);
	}
	for (breakpoint = debugger->breakpoints; breakpoint;
	     breakpoint = breakpoint->next) {
		if (watch_is_of(breakpoint, &copy))
			need_add(breakpoint->watch, kind, &need);
	}
	debugger->lane = lane;
	need.is_single |= need.may_write;
	return need;
}

static void count_step(struct debugger *debugger,
		       const struct gtdbg_thread_info *thread, bool is_write)
{
	struct breakpoint *breakpoint;

	for (breakpoint = debugger->breakpoints; breakpoint;
	     breakpoint = breakpoint->next) {
		if (!watch_is_of(breakpoint, thread))
			continue;
		breakpoint->watch->steps++;
		breakpoint->watch->writes += is_write;
	}
}

void watch_thread_end(struct debugger *debugger,
		      const struct gtdbg_thread_info *thread)
{
	struct watched *watched = watched_find(debugger, thread);
	struct breakpoint *breakpoint, *next;

	if (watched)
		*watched = debugger->watched[--debugger->watched_count];
	for (breakpoint = debugger->breakpoints; breakpoint;
	     breakpoint = next) {
		next = breakpoint->next;
		if (!watch_is_of(breakpoint, thread) ||
		    breakpoint->watch->is_shared)
			continue;
		printf("\nWatchpoint %d deleted because thread ",
		       breakpoint->number);
		thread_print_name(debugger, thread, -1);
		printf(" ends: %s\n", breakpoint->watch->expression);
		fflush(stdout);
		breakpoint_delete(debugger, breakpoint);
	}
}

/* Nobody can look behind that one. */
static void say_last(struct debugger *debugger,
		     const struct gtdbg_thread_info *thread,
		     const struct kernel *kernel)
{
	printf("\nThread ");
	thread_print_name(debugger, thread, -1);
	printf(" may write what is watched with its last instruction, <%s+%llu>.\n",
	       kernel->name,
	       (unsigned long long)(thread->address - kernel->address));
}

static bool step_one(struct debugger *debugger,
		     const struct gtdbg_thread_info *thread,
		     const struct need *need)
{
	struct watched *watched = watched_add(debugger, thread);

	if (!watched)
		return false;
	watched->is_single = true;
	watched->is_driven = true;
	watched->accesses = need->accesses;
	count_step(debugger, thread, need->may_write);
	if (resume_slot(debugger, thread, GTDBG_RESUME_STEP))
		return false;
	watched->is_writing = need->is_shared;
	return true;
}

/* All that is watched in the thread; false: some of it is in no memory of all threads. */
static bool watched_bytes(struct debugger *debugger,
			  const struct gtdbg_thread_info *thread,
			  struct step_range *range)
{
	const struct breakpoint *breakpoint;
	uint64_t first = UINT64_MAX, end = 0, at;

	for (breakpoint = debugger->breakpoints; breakpoint;
	     breakpoint = breakpoint->next) {
		const struct value *value;

		if (!watch_is_of(breakpoint, thread))
			continue;
		value = breakpoint->watch->old;
		if (!watch_is_global(value))
			return false;
		at = value->address << 16 >> 16;
		if (at < first)
			first = at;
		if (at + value->type->size_bytes > end)
			end = at + value->type->size_bytes;
	}
	/* What begins before may get there. */
	first -= first < WATCH_ACCESS_BYTES ? first : WATCH_ACCESS_BYTES - 1;
	if (end <= first || end - first > UINT32_MAX)
		return false;
	range->watch_first = first;
	range->watch_bytes = end - first;
	return true;
}

/*
 * The code around that is passed in one go, up to @stop in it, or, from an instruction that is
 * no such code, that behind it; false: there is none.
 */
static bool range_find(struct debugger *debugger,
		       const struct gtdbg_thread_info *thread,
		       struct kernel *kernel, uint64_t stop, uint32_t passes,
		       struct step_range *range)
{
	struct gtdbg_code *code = kernel_code(debugger, kernel);
	uint64_t offset = thread->address - kernel->address, from = offset;
	uint64_t first, end;

	if (code_kind(code, from, passes) != CODE_PLAIN)
		from += gtdbg_code_size(code, offset);
	if (from == stop || code_kind(code, from, passes) != CODE_PLAIN)
		return false;
	code_range(code, from, stop, passes, &first, &end);
	range->first = thread->ip - offset + first;
	range->end = thread->ip - offset + end;
	return true;
}

/* Where the EU looks at addresses; false: it cannot. */
static bool step_on_eu(struct debugger *debugger,
		       const struct gtdbg_thread_info *thread,
		       struct kernel *kernel, uint64_t stop)
{
	uint32_t passes = reads_pass(debugger, thread);
	struct step_range range = {
		.steps = STEPS, .watch = GTDBG_RESUME_WATCH_WRITES,
	};
	int ret;

	if (thread->context == debugger->unwatching_context ||
	    !watched_bytes(debugger, thread, &range) ||
	    !range_find(debugger, thread, kernel, stop,
			passes | CODE_PASS_SEEN, &range))
		return false;
	if (!(passes & CODE_PASS_READS))
		range.watch |= GTDBG_RESUME_WATCH_READS;
	ret = resume_slot_range(debugger, thread, &range);
	if (ret == -EOPNOTSUPP || ret == -E2BIG)
		debugger->unwatching_context = thread->context;
	return ret >= 0;
}

/*
 * To the end of the plain code around or, from an instruction that writes elsewhere,
 * behind it: never over such a one again, as in a loop, where it may write here.
 */
static bool step_far(struct debugger *debugger,
		     const struct gtdbg_thread_info *thread,
		     struct kernel *kernel, uint64_t stop)
{
	struct watched *watched = watched_add(debugger, thread);
	struct step_range range;

	if (!watched)
		return false;
	watched->is_driven = true;
	count_step(debugger, thread, false);
	if (stop != WATCH_NOWHERE)
		stop -= kernel->address;
	if (step_on_eu(debugger, thread, kernel, stop))
		return true;
	if (!range_find(debugger, thread, kernel, stop,
			reads_pass(debugger, thread), &range))
		return !resume_slot(debugger, thread, GTDBG_RESUME_STEP);
	return gtdbg_thread_step_range(debugger->session, thread, range.first,
				       range.end, 0, 0) >= 0;
}

bool watch_is_writing(const struct debugger *debugger)
{
	for (size_t i = 0; i < debugger->watched_count; i++) {
		if (debugger->watched[i].is_writing)
			return true;
	}
	return false;
}

static bool is_waiting(const struct debugger *debugger)
{
	for (size_t i = 0; i < debugger->watched_count; i++) {
		if (debugger->watched[i].is_waiting)
			return true;
	}
	return false;
}

static bool wait_turn(struct debugger *debugger,
		      const struct gtdbg_thread_info *thread,
		      const struct need *need)
{
	struct watched *watched = watched_add(debugger, thread);

	if (!watched)
		return false;
	watched->is_waiting = true;
	watched->is_driven = true;
	watched->accesses = need->accesses;
	stopped_keep(debugger, thread);
	return true;
}

bool watch_resume(struct debugger *debugger,
		  const struct gtdbg_thread_info *thread)
{
	struct watched *watched = watched_find(debugger, thread);
	struct kernel *kernel = thread_kernel(debugger, thread);
	struct gtdbg_code *code = kernel_code(debugger, kernel);
	enum code_kind kind = CODE_WRITES;
	struct need need;

	if (watched)
		watched->is_waiting = false;
	if (!watch_concerns(debugger, thread))
		return false;
	if (code)
		kind = code_kind(code, thread->address - kernel->address,
				 reads_pass(debugger, thread));
	if (kind == CODE_ENDS_WRITING &&
	    need_of(debugger, thread, CODE_WRITES).may_write)
		say_last(debugger, thread, kernel);
	if (kind == CODE_ENDS || kind == CODE_ENDS_WRITING) {
		watch_thread_end(debugger, thread);
		return false;
	}
	need = need_of(debugger, thread, kind);
	if (need.is_shared &&
	    (watch_is_writing(debugger) || is_waiting(debugger)))
		return wait_turn(debugger, thread, &need);
	if (need.is_single)
		return step_one(debugger, thread, &need);
	return step_far(debugger, thread, kernel, need.stop);
}

void watch_take_turns(struct debugger *debugger)
{
	struct need need = { .may_write = true, .is_shared = true };
	struct watched *watched, *next = NULL;
	struct gtdbg_thread_info thread;

	if (watch_is_writing(debugger))
		return;
	for (size_t i = 0; i < debugger->watched_count; i++) {
		watched = &debugger->watched[i];
		if (watched->is_waiting &&
		    (!next || watched->thread.generation <
			      next->thread.generation))
			next = watched;
	}
	if (!next)
		return;
	thread = next->thread;
	need.accesses = next->accesses;
	stopped_forget(debugger, &thread);
	step_one(debugger, &thread, &need);
}

/* Was it let go, and has not stopped since? */
static bool goes(const struct watched *watched,
		 const struct gtdbg_thread_info *infos, int count)
{
	if (!watched->is_driven || watched->is_waiting)
		return false;
	for (int i = 0; i < count; i++) {
		if (infos[i].device == watched->thread.device &&
		    infos[i].slot == watched->thread.slot &&
		    infos[i].generation > watched->thread.generation)
			return false;
	}
	return true;
}

void watch_stand(struct debugger *debugger)
{
	struct gtdbg_thread_info *infos;
	bool has_any = true;

	for (int i = 0; has_any && i < STAND_TRIES; i++) {
		int count = thread_list(debugger, &infos);

		if (count < 0)
			return;
		has_any = false;
		for (size_t j = 0; j < debugger->watched_count; j++)
			has_any |= goes(&debugger->watched[j], infos, count);
		free(infos);
		if (has_any)
			usleep(1000);
	}
}

void watch_settle(struct debugger *debugger)
{
	for (size_t i = 0; i < debugger->watched_count; i++)
		debugger->watched[i].is_waiting = false;
}
