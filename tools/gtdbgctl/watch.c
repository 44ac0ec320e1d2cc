// SPDX-License-Identifier: MIT
/*
 * Deciding about watchpoints. An instruction that may write what is watched is stepped
 * alone, between two looks: so a change is its own, but where threads run that are not
 * watched. Where addresses of a message say that it wrote elsewhere, they did it.
 */
#include "watch.h"

#include "debugger.h"
#include "expression.h"
#include "value.h"

#include <stdlib.h>
#include <string.h>

#define CR_DWORDS 4
/*
 * Lets software exceptions through, which no program raises that does not let them itself:
 * a thread begins without, and keeps it to its end.
 */
#define CR1_MARK (1U << 13)

void watch_destroy(struct watch *watch)
{
	if (!watch)
		return;
	free(watch->expression);
	free(watch->old);
	free(watch->was);
	free(watch->now);
	free(watch);
}

/* Reads a variable again, whose place may have changed: as its function sees it. */
static struct value *read_again(struct debugger *debugger,
				const struct watch *watch)
{
	int frame = debugger->frame;
	struct value *value;

	if (watch->depth > debugger->frame_count)
		return NULL;
	debugger->frame = debugger->frame_count - watch->depth;
	value = expression_evaluate(debugger, watch->expression);
	debugger->frame = frame;
	return value;
}

/* Its value now, of the current thread; NULL: it has none here. */
static struct value *watch_read(struct debugger *debugger,
				const struct watch *watch)
{
	const struct value *old = watch->old;
	bool held = debugger->holds_errors;
	struct value *value;

	debugger->holds_errors = true;
	if (old->place == VALUE_MEMORY || watch->is_location)
		value = value_read(debugger, old->type, old->place,
				   old->address);
	else
		value = read_again(debugger, watch);
	debugger->holds_errors = held;
	if (value && !value->unavailable &&
	    value->type->size_bytes == old->type->size_bytes)
		return value;
	free(value);
	return NULL;
}

/* Has the function returned? The same code may be one of its own calls. */
static bool has_returned(struct debugger *debugger, const struct watch *watch)
{
	return !watch->is_location &&
	       debugger->thread.address == watch->return_address &&
	       debugger->frame_count < watch->depth;
}

bool watch_is_global(const struct value *value)
{
	uint64_t tag = value->address >> 48;

	return value->place == VALUE_MEMORY && (!tag || tag == 0xffff);
}

/* Which lanes do something else there than @other. */
static uint32_t overlap(const struct watch *watch,
			const struct watch_accesses *accesses, const char *other)
{
	const struct access *list = accesses->list;
	const struct value *value = watch->old;
	uint64_t at = value->address << 16 >> 16;
	uint32_t lanes = 0;

	for (int i = 0; i < accesses->count; i++) {
		if (list[i].address < at + value->type->size_bytes &&
		    at < list[i].address + list[i].len_bytes &&
		    strcmp(list[i].verb, other) != 0)
			lanes |= 1u << list[i].lane;
	}
	return lanes;
}

uint32_t watch_readers(const struct watch *watch,
		       const struct watch_accesses *accesses)
{
	return overlap(watch, accesses, "writes");
}

bool watch_writers(const struct watch *watch,
		   const struct watch_accesses *accesses, uint32_t *lanes_out)
{
	*lanes_out = 0;
	if (!watch_is_global(watch->old) || accesses->count < 0)
		return true;
	*lanes_out = overlap(watch, accesses, "reads");
	return *lanes_out;
}

/* As its function sees it. */
static bool condition_holds(struct debugger *debugger,
			    struct breakpoint *breakpoint)
{
	int frame = debugger->frame;
	bool holds;

	if (!breakpoint->condition)
		return true;
	if (!breakpoint->watch->is_location &&
	    debugger->frame_count >= breakpoint->watch->depth)
		debugger->frame = debugger->frame_count -
				  breakpoint->watch->depth;
	holds = breakpoint_condition_holds(debugger, breakpoint);
	debugger->frame = frame;
	return holds;
}

/* Of the lanes that did it the first one for which the condition holds is shown. */
static bool condition_lane(struct debugger *debugger,
			   struct breakpoint *breakpoint)
{
	struct watch *watch = breakpoint->watch;
	uint32_t lanes = watch->lanes;

	watch->shown = watch->lane;
	if (!lanes)
		return condition_holds(debugger, breakpoint);
	for (; lanes; lanes &= lanes - 1) {
		watch->shown = __builtin_ctz(lanes);
		debugger->lane = watch->shown;
		if (condition_holds(debugger, breakpoint))
			return true;
	}
	return false;
}

/* Does it stop for that? Else it is counted only. */
static bool is_hit(struct debugger *debugger, struct breakpoint *breakpoint)
{
	return condition_lane(debugger, breakpoint) &&
	       !breakpoint_is_ignored(debugger, breakpoint);
}

/* What has not changed may have been read, as lanes were about to if the thread got on. */
static bool has_read(struct debugger *debugger, struct breakpoint *breakpoint,
		     const struct watched *watched)
{
	struct watch *watch = breakpoint->watch;
	struct value *now;
	uint32_t lanes;

	if (!(watch->what & WATCH_READS) || !breakpoint->is_enabled ||
	    debugger->thread.address == watched->thread.address)
		return false;
	lanes = watch_readers(watch, &watched->accesses);
	now = lanes ? watch_read(debugger, watch) : NULL;
	if (!now)
		return false;
	watch->lanes = lanes;
	free(watch->was);
	free(watch->now);
	watch->was = NULL;
	watch->now = now;
	watch->writer = watched->thread.address;
	return is_hit(debugger, breakpoint);
}

/*
 * Has the current thread changed the value, and does it stop for that? What it is now is the
 * old one from now on. What another thread is just writing is left for that one to see.
 */
static bool has_changed(struct debugger *debugger,
			struct breakpoint *breakpoint,
			const struct watched *watched, bool *is_its_own)
{
	struct watch *watch = breakpoint->watch;
	struct value *now, *was = watch->old;

	if (watch->is_shared && watch_is_writing(debugger))
		return false;
	now = watch_read(debugger, watch);
	if (!now)
		return false;
	if (!memcmp(now->bytes, was->bytes, now->type->size_bytes)) {
		free(now);
		return false;
	}
	watch->old = now;
	if (!(watch->what & WATCH_WRITES) || !breakpoint->is_enabled ||
	    !watched->is_single ||
	    !watch_writers(watch, &watched->accesses, &watch->lanes)) {
		free(was);
		return false;
	}
	free(watch->was);
	free(watch->now);
	watch->was = was;
	watch->now = value_copy(now);
	watch->writer = watched->thread.address;
	*is_its_own = true;
	return is_hit(debugger, breakpoint);
}

/* An operation that reads and changes is a change, also if that does not stop. */
static bool has_accessed(struct debugger *debugger,
			 struct breakpoint *breakpoint,
			 const struct watched *watched)
{
	bool is_its_own = false;

	if (has_changed(debugger, breakpoint, watched, &is_its_own))
		return true;
	return !is_its_own && has_read(debugger, breakpoint, watched);
}

bool watch_thread_mark(struct debugger *debugger,
		       const struct gtdbg_thread_info *thread)
{
	uint32_t cr[CR_DWORDS];

	if (gtdbg_register_read(debugger->session, thread, GTDBG_REGISTER_CR, 0,
				1, cr, sizeof(cr)))
		return false;
	cr[1] |= CR1_MARK;
	return !gtdbg_register_write(debugger->session, thread,
				    GTDBG_REGISTER_CR, 0, 1, cr,
				    sizeof(cr));
}

/* Is it not the one whose values are watched, which has ended meanwhile? */
static bool is_another(struct debugger *debugger,
		       const struct gtdbg_thread_info *thread)
{
	const struct breakpoint *breakpoint = debugger->breakpoints;
	uint32_t cr[CR_DWORDS];

	while (breakpoint && !(watch_is_of(breakpoint, thread) &&
			       breakpoint->watch->is_marked))
		breakpoint = breakpoint->next;
	return breakpoint &&
	       !gtdbg_register_read(debugger->session, thread, GTDBG_REGISTER_CR,
				    0, 1, cr, sizeof(cr)) &&
	       !(cr[1] & CR1_MARK);
}

int watch_lane(const struct watch *watch)
{
	return (int)(watch->has_ended ? watch->lane : watch->shown);
}

struct breakpoint *watch_hit(struct debugger *debugger,
			     const struct gtdbg_thread_info *thread,
			     int *lane_out)
{
	struct breakpoint *breakpoint, *hit = NULL;
	uint32_t lane = debugger->lane;
	struct watched *watched;

	if (is_another(debugger, thread))
		watch_thread_end(debugger, thread);
	watched = watched_find(debugger, thread);
	if (watched)
		watched->is_writing = false;
	for (breakpoint = debugger->breakpoints; watched && breakpoint;
	     breakpoint = breakpoint->next) {
		struct watch *watch = breakpoint->watch;

		if (!watch_is_of(breakpoint, thread) ||
		    thread_select(debugger, thread, watch->lane))
			continue;
		watch->has_ended = has_returned(debugger, watch);
		if (!watch->has_ended &&
		    !has_accessed(debugger, breakpoint, watched))
			continue;
		breakpoint->is_further = hit;
		if (hit)
			continue;
		*lane_out = watch_lane(watch);
		hit = breakpoint;
	}
	debugger->lane = lane;
	if (watched)
		watched->accesses.count = -1;
	return hit;
}
