// SPDX-License-Identifier: MIT
/*
 * Threads, frames and scopes. A GPU stops with hundreds of threads, most of them
 * at the same place; so that they can be looked through, the current one comes
 * first, then one of each other place, which says how many stand there, then the
 * rest, up to a number that the user has set.
 */
#include "dap.h"

#include "field.h"
#include "prompt.h"

#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#define HANDLES_MAX	(1u << 20)
#define LANES_MAX	32
/* What stands for the program where no thread does. */
#define ID_PROGRAM	1

int64_t dap_thread_id(struct dap *dap, const struct gtdbg_thread_info *thread,
		      int lane)
{
	struct device *device = device_find(&dap->debugger, thread->device);
	int64_t number = device ? device->number : 0;

	return (number * THREADS_MAX + thread->slot) * LANES_MAX +
	       (dap->has_lanes_as_threads ? lane : 0) + 1;
}

static const struct gtdbg_thread_info *stopped_find(struct dap *dap, int64_t id)
{
	struct debugger *debugger = &dap->debugger;
	int64_t lane = dap->has_lanes_as_threads ? (id - 1) % LANES_MAX : 0;
	size_t i;

	for (i = 0; i < debugger->stopped_count; i++) {
		if (dap_thread_id(dap, &debugger->stopped[i], lane) == id)
			return &debugger->stopped[i];
	}
	return NULL;
}

int dap_thread_select(struct dap *dap, int64_t id)
{
	const struct gtdbg_thread_info *thread =
		id > 0 ? stopped_find(dap, id) : NULL;
	int lane = -1;

	if (thread && dap->has_lanes_as_threads)
		lane = (id - 1) % LANES_MAX;
	if (!thread && id == ID_PROGRAM)
		thread = &dap->focus;
	if (!thread)
		return dap_fail("Thread %lld is not stopped.", (long long)id);
	if (thread_select(&dap->debugger, thread, lane))
		return -1;
	dap->debugger.frame = 0;
	if (lane < 0 || (uint32_t)lane < thread_lanes(&dap->debugger))
		return 0;
	thread_select(&dap->debugger, thread, -1);
	return dap_fail("Thread %lld is not stopped.", (long long)id);
}

int64_t handle_add(struct dap *dap, enum handle_kind kind, const char *expression)
{
	struct debugger *debugger = &dap->debugger;
	struct handle *list;

	if (dap->handle_count == HANDLES_MAX)
		return 0;
	/* Doubled each time. */
	if (!(dap->handle_count & (dap->handle_count - 1))) {
		list = realloc(dap->handles, sizeof(*list) *
			       (dap->handle_count ? 2 * dap->handle_count : 1));
		if (!list)
			return 0;
		dap->handles = list;
	}
	dap->handles[dap->handle_count] = (struct handle){
		.kind = kind, .frame = debugger->frame,
		.lane = (int)debugger->lane, .thread = debugger->thread,
		.expression = expression ? strdup(expression) : NULL,
	};
	return ++dap->handle_count;
}

struct handle *handle_use(struct dap *dap, int64_t number)
{
	struct debugger *debugger = &dap->debugger;
	struct handle *handle;

	if (number <= 0 || (uint64_t)number > dap->handle_count) {
		dap_fail("%lld is no reference of this stop.",
			 (long long)number);
		return NULL;
	}
	handle = &dap->handles[number - 1];
	if (thread_select(debugger, &handle->thread, handle->lane))
		return NULL;
	debugger->frame = handle->frame < debugger->frame_count ?
			  handle->frame : 0;
	return handle;
}

void handles_fini(struct dap *dap)
{
	size_t i;

	for (i = 0; i < dap->handle_count; i++)
		free(dap->handles[i].expression);
	free(dap->handles);
	dap->handles = NULL;
	dap->handle_count = 0;
}

/* Threads that stand at one place. */
struct place_count {
	uint32_t device;
	uint64_t address;
	unsigned int count;
};

struct list {
	struct dap *dap;
	struct json_object *threads;
	struct place_count *places;
	size_t place_count;
	int64_t listed;
};

static struct place_count *place_of(struct list *list,
				    const struct gtdbg_thread_info *thread)
{
	size_t i;

	for (i = 0; i < list->place_count; i++) {
		if (list->places[i].device == thread->device &&
		    list->places[i].address == thread->address)
			return &list->places[i];
	}
	return NULL;
}

static void places_count(struct list *list)
{
	struct debugger *debugger = &list->dap->debugger;
	struct place_count *place;
	size_t i;

	for (i = 0; i < debugger->stopped_count; i++) {
		place = place_of(list, &debugger->stopped[i]);
		if (!place) {
			place = &list->places[list->place_count++];
			place->device = debugger->stopped[i].device;
			place->address = debugger->stopped[i].address;
		}
		place->count++;
	}
}

static int where_text(struct debugger *debugger,
		      const struct gtdbg_thread_info *thread, char *text,
		      size_t size)
{
	struct kernel *kernel = thread_kernel(debugger, thread);
	struct gtdbg_symbols *symbols = kernel_symbols(debugger, kernel);
	struct gtdbg_line line;

	if (!kernel)
		return snprintf(text, size, "0x%llx",
				(unsigned long long)thread->address);
	if (!symbols || gtdbg_line_find(symbols, thread_pc(debugger, kernel,
							   thread), &line))
		return snprintf(text, size, "%s", kernel->name);
	return snprintf(text, size, "%s:%u", kernel->name, line.line);
}

static void thread_add(struct list *list,
		       const struct gtdbg_thread_info *thread, int lane,
		       unsigned int others)
{
	struct dap *dap = list->dap;
	struct json_object *item = array_add_object(list->threads);
	struct device *device = device_find(&dap->debugger, thread->device);
	char name[512], where[256], lanes[LANES_TEXT_MAX];
	int len;

	where_text(&dap->debugger, thread, where, sizeof(where));
	prompt_lanes_text(thread->exec_mask, lanes);
	len = snprintf(name, sizeof(name), "%u.%u", device ? device->number : 0,
		       thread->slot + 1);
	if (lane >= 0)
		len += snprintf(name + len, sizeof(name) - len, ":%d %s", lane,
				where);
	else
		len += snprintf(name + len, sizeof(name) - len, " %s %s", where,
				lanes);
	if (others)
		snprintf(name + len, sizeof(name) - len,
			 " and %u more here", others);
	field_add_number(item, "id", dap_thread_id(dap, thread, lane));
	field_add_text(item, "name", name);
	list->listed++;
}

static bool is_full(const struct list *list)
{
	return list->dap->threads_max > 0 &&
	       list->listed >= list->dap->threads_max;
}

/* One entry, or one for each active lane. */
static void stopped_add(struct list *list,
			const struct gtdbg_thread_info *thread,
			unsigned int others)
{
	int lane;

	if (!list->dap->has_lanes_as_threads) {
		thread_add(list, thread, -1, others);
		return;
	}
	for (lane = 0; lane < LANES_MAX; lane++) {
		if (thread->exec_mask >> lane & 1 && !is_full(list))
			thread_add(list, thread, lane, others);
	}
}

static void stopped_list(struct list *list)
{
	struct dap *dap = list->dap;
	struct debugger *debugger = &dap->debugger;
	uint8_t *is_listed = calloc(debugger->stopped_count, 1);
	struct gtdbg_thread_info *thread;
	struct place_count *place;
	int round;
	size_t i;

	/* The current one, one of each place, the rest. */
	for (round = 0; round < 3 && is_listed; round++) {
		for (i = 0; i < debugger->stopped_count && !is_full(list);
		     i++) {
			thread = &debugger->stopped[i];
			place = place_of(list, thread);
			if (is_listed[i] || (round == 1 && !place->count) ||
			    (!round && (thread->device != dap->focus.device ||
					thread->slot != dap->focus.slot)))
				continue;
			is_listed[i] = 1;
			stopped_add(list, thread, place->count ?
				    place->count - 1 : 0);
			place->count = 0;
		}
	}
	free(is_listed);
}

int dap_threads(struct dap *dap, struct json_object *arguments,
		struct json_object *body)
{
	struct debugger *debugger = &dap->debugger;
	struct list list = { .dap = dap };
	struct json_object *item;

	(void)arguments;
	list.threads = field_add_array(body, "threads");
	if (dap->is_at_work || !debugger->stopped_count) {
		if (dap->has_ended)
			return 0;
		/* For an editor that has to name a thread to make all stop. */
		item = array_add_object(list.threads);
		field_add_number(item, "id", ID_PROGRAM);
		field_add_text(item, "name", "GPU threads (running)");
		return 0;
	}
	list.places = calloc(debugger->stopped_count, sizeof(*list.places));
	if (!list.places)
		return dap_fail("Out of memory.");
	places_count(&list);
	stopped_list(&list);
	free(list.places);
	return 0;
}

static void frame_add(struct dap *dap, struct json_object *frames, int number)
{
	struct debugger *debugger = &dap->debugger;
	const struct gtdbg_frame *frame = &debugger->frames[number];
	struct kernel *kernel = thread_kernel(debugger, &debugger->thread);
	struct json_object *item = array_add_object(frames);
	struct gtdbg_line line;

	debugger->frame = number;
	field_add_number(item, "id", handle_add(dap, HANDLE_FRAME, NULL));
	field_add_text(item, "name", frame->function ? frame->function : "??");
	field_add_number(item, "line", 0);
	field_add_number(item, "column", 0);
	if (frame->line && frame->file) {
		dap_place_add(dap, item, "source", frame->file, frame->line);
		if (kernel && kernel->symbols &&
		    !gtdbg_line_find(kernel->symbols, frame->lookup_pc, &line) &&
		    line.line == frame->line && line.column)
			field_add_number(item, "column", line.column - 1 +
					 dap->first_column);
	}
	field_add_address(item, "instructionPointerReference",
			  frame_address(debugger));
	if (kernel)
		field_add_number(item, "moduleId", kernel->module);
}

int dap_stack_trace(struct dap *dap, struct json_object *arguments,
		    struct json_object *body)
{
	struct debugger *debugger = &dap->debugger;
	int64_t first = field_number(arguments, "startFrame", 0);
	int64_t levels = field_number(arguments, "levels", 0);
	struct json_object *frames;
	int64_t i;

	if (dap_thread_select(dap, field_number(arguments, "threadId", 0)))
		return -1;
	if (first < 0 || levels < 0)
		return dap_fail("stackTrace: startFrame and levels count from 0");
	if (!levels || levels > FRAMES_MAX)
		levels = FRAMES_MAX;
	frames = field_add_array(body, "stackFrames");
	for (i = first; i < debugger->frame_count && i < first + levels; i++)
		frame_add(dap, frames, (int)i);
	debugger->frame = 0;
	field_add_number(body, "totalFrames", debugger->frame_count);
	return 0;
}

static struct json_object *scope_add(struct dap *dap,
				     struct json_object *scopes,
				     const char *name, enum handle_kind kind,
				     const char *hint)
{
	struct json_object *scope = array_add_object(scopes);

	field_add_text(scope, "name", name);
	if (hint)
		field_add_text(scope, "presentationHint", hint);
	field_add_number(scope, "variablesReference",
			 handle_add(dap, kind, NULL));
	/* Lanes and registers are read when they are opened. */
	field_add_bool(scope, "expensive", kind == HANDLE_REGISTERS ||
		       kind == HANDLE_LANES);
	return scope;
}

int dap_scopes(struct dap *dap, struct json_object *arguments,
	       struct json_object *body)
{
	struct json_object *scopes, *scope;
	struct handle *handle;
	char name[32];

	handle = handle_use(dap, field_number(arguments, "frameId", 0));
	if (!handle)
		return -1;
	if (handle->kind != HANDLE_FRAME)
		return dap_fail("scopes: frameId is no frame's");
	scopes = field_add_array(body, "scopes");
	snprintf(name, sizeof(name), "Locals (lane %u)", dap->debugger.lane);
	scope_add(dap, scopes, name, HANDLE_LOCALS, "locals");
	scope_add(dap, scopes, "Arguments", HANDLE_ARGUMENTS, "arguments");
	if (!dap->has_lanes_as_threads) {
		scope = scope_add(dap, scopes, "Lanes", HANDLE_LANES, NULL);
		field_add_number(scope, "indexedVariables",
				 thread_lanes(&dap->debugger));
	}
	scope_add(dap, scopes, "Registers", HANDLE_REGISTERS, "registers");
	return 0;
}
