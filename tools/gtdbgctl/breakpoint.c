// SPDX-License-Identifier: MIT
#include "debugger.h"

#include "expression.h"
#include "message.h"
#include "record.h"
#include "watch.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>


void breakpoint_events(struct debugger *debugger)
{
	const uint64_t submit = 1ull << GTDBG_EVENT_KERNEL_SUBMIT;
	bool wanted = debugger->breakpoints || debugger->asserts.calls ||
		      debugger->asserts.is_rehearsing;
	struct device *device;

	if (!debugger->session || debugger->is_observer ||
	    debugger->holds_launches == wanted)
		return;
	debugger->holds_launches = wanted;
	gtdbg_event_mask(debugger->session,
			 GTDBG_EVENTS_ALL & ~(wanted ? 0 : submit),
			 (wanted ? submit : 0) |
				 1ull << GTDBG_EVENT_PAGE_FAULT);
	/* The next launch is to stop, however short it is. */
	saveareas_hold(debugger);
	/* What is launched from now on was not seen, or is the first to be. */
	for (device = debugger->devices; device; device = device->next) {
		device->launched = 0;
		device->launched_kernel = 0;
	}
}

struct breakpoint *breakpoint_create(struct debugger *debugger, bool own)
{
	struct breakpoint *breakpoint = calloc(1, sizeof(*breakpoint));
	struct breakpoint **at = &debugger->breakpoints;

	if (!breakpoint)
		return NULL;
	breakpoint->number = own ? -1 : ++debugger->next_breakpoint;
	breakpoint->is_enabled = true;
	while (*at)
		at = &(*at)->next;
	*at = breakpoint;
	breakpoint_events(debugger);
	return breakpoint;
}

/* The module says how many were ignored: it may take back some that then stop. */
static void counted_set(struct breakpoint *breakpoint, uint64_t counted)
{
	int64_t more = (int64_t)(counted - breakpoint->counted);
	int64_t left = breakpoint->ignore - more;

	breakpoint->counted = counted;
	breakpoint->hits += (unsigned int)more;
	breakpoint->ignore = left > 0 ? (unsigned int)left : 0;
}

void breakpoint_count(struct debugger *debugger, struct breakpoint *breakpoint)
{
	uint64_t counted;

	if (breakpoint->counter && debugger->session &&
	    !gtdbg_breakpoint_decided(debugger->session, breakpoint->counter,
				      NULL, NULL, &counted))
		counted_set(breakpoint, counted);
}

/* The place is about to go, if it is the one whose threads count. */
static void counter_leave(struct debugger *debugger,
			  struct breakpoint *breakpoint, uint32_t id)
{
	if (breakpoint->counter != id)
		return;
	breakpoint_count(debugger, breakpoint);
	breakpoint->counter = 0;
}

void breakpoint_forget(struct breakpoint *breakpoint)
{
	breakpoint->counter = 0;
	breakpoint->was_placed = false;
	while (breakpoint->locations) {
		struct location *location = breakpoint->locations;

		breakpoint->locations = location->next;
		free(location);
	}
}

void breakpoint_lift(struct debugger *debugger, struct breakpoint *breakpoint)
{
	struct location *location = breakpoint->locations;
	uint32_t ids[PLACES_MAX];
	size_t count = 0;

	while (debugger->session && location) {
		counter_leave(debugger, breakpoint, location->id);
		ids[count++] = location->id;
		location = location->next;
		if (count == PLACES_MAX || !location) {
			gtdbg_breakpoint_clear_many(debugger->session, ids,
						    count);
			count = 0;
		}
	}
	breakpoint_forget(breakpoint);
}

void breakpoint_delete(struct debugger *debugger, struct breakpoint *gone)
{
	struct breakpoint **at = &debugger->breakpoints;

	while (*at && *at != gone)
		at = &(*at)->next;
	if (*at)
		*at = gone->next;
	breakpoint_lift(debugger, gone);
	free(gone->file);
	free(gone->function);
	free(gone->filter);
	free(gone->wanted);
	free(gone->condition);
	free(gone->log);
	message_destroy(gone->message);
	record_forget(gone);
	watch_destroy(gone->watch);
	lines_fini(&gone->commands);
	free(gone);
}

const char *breakpoint_kind(const struct breakpoint *breakpoint)
{
	return breakpoint->is_temporary ? "Temporary breakpoint" : "Breakpoint";
}

struct breakpoint *breakpoint_find(struct debugger *debugger, int number)
{
	struct breakpoint *breakpoint;

	for (breakpoint = debugger->breakpoints; breakpoint;
	     breakpoint = breakpoint->next) {
		if (breakpoint->number == number)
			return breakpoint;
	}
	return NULL;
}

static struct location *location_find(const struct breakpoint *breakpoint,
				      uint32_t kernel, uint64_t offset)
{
	struct location *location;

	for (location = breakpoint->locations; location;
	     location = location->next) {
		if (location->kernel == kernel && location->offset == offset)
			return location;
	}
	return NULL;
}

static bool location_add(struct breakpoint *breakpoint,
			 const struct gtdbg_breakpoint_place *place)
{
	struct location *location = calloc(1, sizeof(*location));

	if (!location)
		return false;
	location->kernel = place->kernel;
	location->offset = place->offset;
	location->id = (uint32_t)place->breakpoint;
	location->next = breakpoint->locations;
	breakpoint->locations = location;
	breakpoint->was_placed = true;
	return true;
}

/*
 * Threads there count what is ignored, if no other place's do: one count is not split.
 * The program is there already, and nobody takes from what is left meanwhile.
 */
static void counter_begin(struct debugger *debugger,
			  struct breakpoint *breakpoint, uint32_t id,
			  const uint8_t *program, size_t len)
{
	if (breakpoint->counter || !breakpoint->ignore ||
	    gtdbg_breakpoint_decided(debugger->session, id, NULL, NULL,
				     &breakpoint->counted) ||
	    gtdbg_breakpoint_program(debugger->session, id, program, len,
				     breakpoint->ignore, NULL, NULL))
		return;
	breakpoint->counter = id;
}

/* Let the GPU decide the condition there if it can, else it is decided here. */
static void location_program(struct debugger *debugger,
			     struct breakpoint *breakpoint,
			     const struct location *location)
{
	struct kernel *kernel = kernel_find(debugger, location->kernel);
	struct gtdbg_symbols *symbols = kernel ?
		kernel_symbols(debugger, kernel) : NULL;
	uint8_t program[GTDBG_PROGRAM_BYTES_MAX];
	uint64_t base = 0;
	size_t text_len;
	int len = 0;

	/* Its condition is for its hits, and not for its places. */
	if (breakpoint->watch)
		return;
	breakpoint->why_host[0] = 0;
	if (symbols)
		gtdbg_symbols_text(symbols, &base, &text_len);
	if (breakpoint->message && symbols) {
		len = record_compile(debugger, breakpoint, symbols,
				     base + location->offset, program,
				     sizeof(program));
	} else if (breakpoint->condition && symbols) {
		len = gtdbg_condition_compile(symbols, base + location->offset,
					      breakpoint->condition, program,
					      sizeof(program),
					      breakpoint->why_host,
					      sizeof(breakpoint->why_host));
	}
	/* Where that fails the one before must not go on deciding. */
	if (len > 0 && gtdbg_breakpoint_program(debugger->session,
						location->id, program,
						(size_t)len, 0, NULL, NULL))
		len = 0;
	if (len <= 0)
		gtdbg_breakpoint_program(debugger->session, location->id, NULL,
					 0, 0, NULL, NULL);
	counter_leave(debugger, breakpoint, location->id);
	/* Who stops for a part of the condition may be none to count. */
	if (!breakpoint->message && !breakpoint->why_host[0] &&
	    (len > 0 || !breakpoint->condition))
		counter_begin(debugger, breakpoint, location->id,
			      len > 0 ? program : NULL,
			      len > 0 ? (size_t)len : 0);
}

void breakpoint_program(struct debugger *debugger,
			struct breakpoint *breakpoint)
{
	struct location *location;

	breakpoint->why_host[0] = 0;
	for (location = breakpoint->locations; location;
	     location = location->next)
		if (debugger->session)
			location_program(debugger, breakpoint, location);
}

void breakpoint_ignore(struct debugger *debugger, struct breakpoint *breakpoint,
		       uint64_t count)
{
	bool counts = breakpoint->counter;

	breakpoint->ignore = 0;
	if (counts)
		breakpoint_program(debugger, breakpoint);
	breakpoint->ignore = count < INT32_MAX ? (unsigned int)count : INT32_MAX;
	if (count && !breakpoint->watch)
		breakpoint_program(debugger, breakpoint);
}

bool breakpoint_decided(struct debugger *debugger,
			const struct breakpoint *breakpoint)
{
	uint32_t planted, decided, all = 0;
	struct location *location;

	if (!debugger->session)
		return breakpoint->was_recorded;
	for (location = breakpoint->locations; location;
	     location = location->next) {
		if (gtdbg_breakpoint_decided(debugger->session, location->id,
					     &planted, &decided, NULL) ||
		    planted != decided)
			return false;
		all += decided;
	}
	return all;
}

const struct breakpoint *breakpoint_beside(const struct debugger *debugger,
					   const struct breakpoint *breakpoint)
{
	const struct breakpoint *other = debugger->breakpoints;
	const struct location *location;

	for (; other; other = other->next) {
		if (other == breakpoint || other->number < 0)
			continue;
		for (location = other->locations; location;
		     location = location->next)
			if (location_find(breakpoint, location->kernel,
					  location->offset))
				return other;
	}
	return NULL;
}

/* In one call to the module; returns how many are new. */
static int plant_some(struct debugger *debugger, struct breakpoint *breakpoint,
		     uint32_t kernel, const uint64_t *offsets, int count)
{
	struct gtdbg_breakpoint_place places[PLACES_MAX], *place = places;
	int planted = 0, ret;

	for (int i = 0; i < count; i++) {
		if (location_find(breakpoint, kernel, offsets[i]))
			continue;
		*place++ = (struct gtdbg_breakpoint_place){
			.kernel = kernel,
			.device = kernel ? 0 : breakpoint->device,
			.context = kernel ? 0 : breakpoint->context,
			.offset = offsets[i],
		};
	}
	if (place == places)
		return 0;
	ret = gtdbg_breakpoint_set_many(debugger->session, places,
					(size_t)(place - places));
	if (ret <= 0)
		return ret;
	while (place > places) {
		place--;
		if (place->breakpoint <= 0)
			continue;
		if (location_add(breakpoint, place)) {
			if (breakpoint->condition || breakpoint->message ||
			    breakpoint->ignore)
				location_program(debugger, breakpoint,
						 breakpoint->locations);
			planted++;
		} else {
			gtdbg_breakpoint_clear(debugger->session,
					       (uint32_t)place->breakpoint);
		}
	}
	return planted;
}

int breakpoint_plant_many(struct debugger *debugger,
			  struct breakpoint *breakpoint, uint32_t kernel,
			  const uint64_t *offsets, int count)
{
	int done = 0, first = 0, some, ret;

	for (int at = 0; at < count; at += PLACES_MAX) {
		some = count - at < PLACES_MAX ? count - at : PLACES_MAX;
		ret = plant_some(debugger, breakpoint, kernel, offsets + at,
				 some);
		if (ret > 0)
			done += ret;
		else if (!first)
			first = ret;
	}
	return done ? done : first;
}

int breakpoint_plant_at(struct debugger *debugger,
			struct breakpoint *breakpoint, uint32_t kernel,
			uint64_t offset)
{
	return breakpoint_plant_many(debugger, breakpoint, kernel, &offset, 1);
}

bool function_next(struct gtdbg_symbols *symbols, uint64_t *pc, uint64_t end,
		   struct gtdbg_function *out)
{
	while (*pc < end && (gtdbg_function_find(symbols, *pc, out) ||
			     out->end <= *pc))
		*pc += COMPACT_BYTES;
	if (*pc >= end)
		return false;
	*pc = out->end;
	return true;
}

uint64_t function_entry(struct gtdbg_symbols *symbols,
			const struct gtdbg_function *function)
{
	uint64_t pc = function->start;
	struct gtdbg_line line;

	while (pc < function->end && !gtdbg_line_find(symbols, pc, &line)) {
		if (line.line != function->line && line.is_statement &&
		    line.start >= function->body)
			return line.start;
		pc = line.end;
	}
	return function->body;
}

int functions_find(struct gtdbg_symbols *symbols, const char *name,
		   struct gtdbg_function functions[PLACES_MAX])
{
	int count = !gtdbg_function_find_name(symbols, name, &functions[0]);

	return count + gtdbg_function_find_copies(symbols, name,
						  &functions[count],
						  PLACES_MAX - count);
}

int function_entries(struct gtdbg_symbols *symbols, const char *name,
		     uint64_t pcs[PLACES_MAX])
{
	struct gtdbg_function functions[PLACES_MAX];
	int count = functions_find(symbols, name, functions), i;

	for (i = 0; i < count; i++)
		pcs[i] = function_entry(symbols, &functions[i]);
	return count;
}

/* Where a breakpoint's line or function is in a kernel, as program counters. */
static int places_find(const struct breakpoint *breakpoint,
		       struct gtdbg_symbols *symbols, uint64_t *pcs)
{
	if (breakpoint->line)
		return gtdbg_line_addresses(symbols, breakpoint->file,
					    breakpoint->line, NULL, pcs,
					    PLACES_MAX);
	return breakpoint->function ?
	       function_entries(symbols, breakpoint->function, pcs) : 0;
}

/* The user has the kernel's text in a file of another name. */
static int places_match(struct debugger *debugger,
			const struct breakpoint *breakpoint,
			const struct kernel *kernel, uint64_t *pcs)
{
	struct module *module = module_find(debugger, kernel->module);
	int64_t delta;

	if (!breakpoint->line || !breakpoint->file || !module ||
	    !source_match(debugger, module, breakpoint->file, &delta) ||
	    breakpoint->line <= delta)
		return 0;
	return gtdbg_line_addresses(kernel->symbols, module->name,
				    breakpoint->line - delta, NULL, pcs,
				    PLACES_MAX);
}

/*
 * Without debug information a kernel still has a name and a start. The first
 * instruction is the entry breakpoint's; it has 16 bytes or 8.
 */
static int plant_at_start(struct debugger *debugger,
			  struct breakpoint *breakpoint,
			  const struct kernel *kernel)
{
	int ret = breakpoint_plant_at(debugger, breakpoint, kernel->id, 16);

	if (ret == -EINVAL)
		ret = breakpoint_plant_at(debugger, breakpoint, kernel->id, 8);
	return ret;
}

/* There is no thread to look at. */
static int nothing_read_register(void *context, uint32_t offset, void *buf,
				 size_t len)
{
	(void)context;
	(void)offset;
	(void)buf;
	(void)len;
	return -ENODATA;
}

static int nothing_read_memory(void *context, uint64_t address, void *buf,
			       size_t len)
{
	(void)context;
	(void)address;
	(void)buf;
	(void)len;
	return -ENODATA;
}

/* Where its first location is. False: nothing is known there. */
static bool place_find(struct debugger *debugger,
		       const struct breakpoint *breakpoint, struct place *place)
{
	static const struct gtdbg_machine nothing = {
		.register_read = nothing_read_register,
		.memory_read = nothing_read_memory,
	};
	const struct location *location = breakpoint->locations;
	struct kernel *kernel;
	uint64_t base = 0;
	size_t len;

	memset(place, 0, sizeof(*place));
	place->machine = &nothing;
	if (!location)
		return false;
	kernel = kernel_find(debugger, location->kernel);
	place->symbols = kernel_symbols(debugger, kernel);
	if (!place->symbols)
		return false;
	gtdbg_symbols_text(place->symbols, &base, &len);
	gtdbg_frame_unwind(place->symbols, &nothing, base + location->offset, 1,
			   0, &place->frame, 1);
	return true;
}

int breakpoint_check(struct debugger *debugger,
		     const struct breakpoint *breakpoint,
		     const char *condition)
{
	struct place place;

	if (!place_find(debugger, breakpoint, &place))
		return 0;
	if (breakpoint->message && !breakpoint->log &&
	    message_check(debugger, breakpoint->message, &place))
		return -1;
	if (condition && expression_check(debugger, &place, condition))
		return -1;
	return 1;
}

/* It was set before any kernel was known. */
static void check_late(struct debugger *debugger,
		       struct breakpoint *breakpoint)
{
	int ret;

	if (!(breakpoint->condition || breakpoint->message) ||
	    breakpoint->is_checked)
		return;
	debugger->holds_errors = true;
	ret = breakpoint_check(debugger, breakpoint, breakpoint->condition);
	debugger->holds_errors = false;
	breakpoint->is_checked = ret;
	if (ret < 0)
		printf("warning: failed to validate %s of breakpoint %d:\n  %s\n",
		       breakpoint->message ? "format or condition" :
		       "condition", breakpoint->number, debugger->held);
}

int breakpoint_places(struct debugger *debugger,
		      const struct breakpoint *breakpoint,
		      struct kernel *kernel, uint64_t *pcs)
{
	struct gtdbg_symbols *symbols = kernel_symbols(debugger, kernel);
	int count = symbols ? places_find(breakpoint, symbols, pcs) : 0;

	if (symbols && count <= 0)
		count = places_match(debugger, breakpoint, kernel, pcs);
	return count;
}

int breakpoint_plant(struct debugger *debugger, struct breakpoint *breakpoint,
		     struct kernel *kernel)
{
	uint64_t pcs[PLACES_MAX], base = 0;
	int count, i, planted;
	size_t len;

	if (!debugger->session || !breakpoint->is_enabled)
		return 0;
	/* From its first instruction on a thread is watched. */
	if (breakpoint->watch)
		return breakpoint->watch->is_shared &&
		       plant_at_start(debugger, breakpoint, kernel) > 0;
	count = breakpoint_places(debugger, breakpoint, kernel, pcs);
	if (count > 0)
		gtdbg_symbols_text(kernel->symbols, &base, &len);
	if (!count && breakpoint->function &&
	    strcmp(breakpoint->function, kernel->name) == 0)
		return plant_at_start(debugger, breakpoint, kernel) > 0;
	for (i = 0; i < count; i++)
		pcs[i] -= base;
	planted = breakpoint_plant_many(debugger, breakpoint, kernel->id, pcs,
					count);
	return planted > 0 || planted == -ESRCH ? planted : 0;
}

void breakpoints_kernel_added(struct debugger *debugger, struct kernel *kernel)
{
	struct breakpoint *breakpoint;

	if (debugger->is_observer)
		return;
	for (breakpoint = debugger->breakpoints; breakpoint;
	     breakpoint = breakpoint->next) {
		if (breakpoint_plant(debugger, breakpoint, kernel) > 0)
			check_late(debugger, breakpoint);
	}
}

static void breakpoint_kernel_gone(struct debugger *debugger,
				   struct breakpoint *breakpoint,
				   uint32_t kernel)
{
	struct location **at = &breakpoint->locations;

	while (*at) {
		struct location *location = *at;

		if (location->kernel != kernel) {
			at = &location->next;
			continue;
		}
		counter_leave(debugger, breakpoint, location->id);
		gtdbg_breakpoint_clear(debugger->session, location->id);
		*at = location->next;
		free(location);
	}
}

void breakpoints_kernel_gone(struct debugger *debugger, uint32_t kernel)
{
	struct breakpoint *breakpoint;

	for (breakpoint = debugger->breakpoints; breakpoint;
	     breakpoint = breakpoint->next)
		breakpoint_kernel_gone(debugger, breakpoint, kernel);
	if (debugger->asserts.calls)
		breakpoint_kernel_gone(debugger, debugger->asserts.calls,
				       kernel);
}

/* That it cannot is said once for all threads that come there one after the other. */
bool breakpoint_condition_holds(struct debugger *debugger,
				struct breakpoint *breakpoint)
{
	bool had_held = debugger->holds_errors, holds = true;

	debugger->holds_errors = true;
	if (!expression_condition(debugger, breakpoint->condition, &holds)) {
		breakpoint->is_unanswered = false;
	} else {
		debugger->has_failed = true;
		fflush(stdout);
		if (!breakpoint->is_unanswered)
			fprintf(stderr, "Error in testing condition for %s %d:\n%s\n",
				breakpoint->watch ? "watchpoint" : "breakpoint",
				breakpoint->number, debugger->held);
		breakpoint->is_unanswered = true;
	}
	debugger->holds_errors = had_held;
	return holds;
}

/* The first active lane for which the condition holds, -1 if for none. */
static int condition_lane(struct debugger *debugger,
			  struct breakpoint *breakpoint,
			  const struct gtdbg_thread_info *thread)
{
	int lane;

	for (lane = 0; lane < 32; lane++) {
		if (!(thread->exec_mask >> lane & 1))
			continue;
		if (thread_select(debugger, thread, lane))
			return lane;
		if (breakpoint_condition_holds(debugger, breakpoint))
			return lane;
	}
	return -1;
}

/* Prints for each lane that is concerned. The thread does not stay stopped. */
static void message_hit(struct debugger *debugger,
			struct breakpoint *breakpoint,
			const struct gtdbg_thread_info *thread)
{
	bool holds = true, is_hit = false;

	for (int lane = 0; lane < 32; lane++) {
		if (!(thread->exec_mask >> lane & 1) ||
		    thread_select(debugger, thread, lane))
			continue;
		debugger->holds_errors = true;
		if (breakpoint->condition &&
		    expression_condition(debugger, breakpoint->condition,
					 &holds))
			holds = true;
		debugger->holds_errors = false;
		if (holds)
			message_print(debugger, breakpoint->message);
		is_hit = is_hit || holds;
	}
	breakpoint->hits += is_hit;
	fflush(stdout);
}

/* Threads may have taken what was left, or others give it back. */
bool breakpoint_is_ignored(struct debugger *debugger,
			   struct breakpoint *breakpoint)
{
	uint64_t counted;
	int ret = 0;

	if (breakpoint->counter)
		ret = gtdbg_breakpoint_ignore(debugger->session,
					      breakpoint->counter, &counted);
	if (breakpoint->counter && ret >= 0)
		counted_set(breakpoint, counted);
	if (ret > 0)
		return true;
	breakpoint->hits++;
	if (!breakpoint->ignore)
		return false;
	breakpoint->ignore--;
	return true;
}

static bool breakpoint_wants(struct debugger *debugger,
			     struct breakpoint *breakpoint,
			     const struct gtdbg_thread_info *thread,
			     int *lane_out)
{
	if (breakpoint->watch)
		return false;
	if (breakpoint->number < 0)
		return breakpoint->device == thread->device &&
		       breakpoint->slot == thread->slot;
	if (breakpoint->message && !breakpoint->log) {
		message_hit(debugger, breakpoint, thread);
		return false;
	}
	if (breakpoint->condition) {
		int lane = condition_lane(debugger, breakpoint, thread);

		if (lane < 0)
			return false;
		*lane_out = lane;
	}
	if (breakpoint_is_ignored(debugger, breakpoint))
		return false;
	if (!breakpoint->log)
		return true;
	/* Once for each thread, in its first lane that is concerned. */
	if (!thread_select(debugger, thread, *lane_out))
		logpoint_print(debugger, breakpoint->log);
	return false;
}

bool breakpoint_is_at(const struct breakpoint *breakpoint, uint32_t kernel,
		      uint64_t offset, uint64_t address)
{
	const struct location *location;

	for (location = breakpoint->locations; location;
	     location = location->next) {
		if (location->kernel ? location->kernel == kernel &&
		    location->offset == offset : location->offset == address)
			return true;
	}
	return false;
}

struct breakpoint *breakpoint_hit(struct debugger *debugger,
				  const struct gtdbg_thread_info *thread,
				  bool *is_known_out, int *lane_out)
{
	struct kernel *kernel = thread_kernel(debugger, thread);
	struct breakpoint *breakpoint, *hit = NULL;
	uint64_t offset = kernel ? thread->address - kernel->address : 0;
	int first_lane = *lane_out, lane;

	*is_known_out = false;
	for (breakpoint = debugger->breakpoints; breakpoint;
	     breakpoint = breakpoint->next) {
		if (!breakpoint_is_at(breakpoint, kernel ? kernel->id : 0,
				      offset, thread->address))
			continue;
		*is_known_out = true;
		lane = *lane_out;
		if (!breakpoint_wants(debugger, breakpoint, thread, &lane))
			continue;
		breakpoint->is_further = hit;
		if (hit)
			continue;
		hit = breakpoint;
		first_lane = lane;
	}
	*lane_out = first_lane;
	return hit;
}
