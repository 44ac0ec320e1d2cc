// SPDX-License-Identifier: MIT
/*
 * Data breakpoints are the prompt's watchpoints: of all threads where what is watched is
 * theirs, else of one variable in one thread's lane and frame. An *id* says which, and is
 * good for one stop; what was set then stays.
 */
#include "dap.h"

#include "expression.h"
#include "field.h"
#include "prompt.h"
#include "value.h"
#include "watch.h"

#include <errno.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* NULL after saying why it cannot be watched. */
static struct value *watchable(struct debugger *debugger, const char *expression)
{
	struct value *value = expression_evaluate(debugger, expression);

	if (!value)
		return NULL;
	if (!value->unavailable && value->place != VALUE_NOWHERE)
		return value;
	if (value->unavailable)
		dap_fail("%s has no value here: %s.", expression,
			 value->unavailable);
	else
		dap_fail("%s has no place that can be watched.", expression);
	free(value);
	return NULL;
}

/* A variable of the frame, or a part of one: not what it points to. */
static bool is_of_frame(struct debugger *debugger, const char *expression)
{
	struct kernel *kernel = thread_kernel(debugger, &debugger->thread);
	struct gtdbg_symbols *symbols = kernel_symbols(debugger, kernel);
	size_t len = strcspn(expression, ".[");
	char *name = strndup(expression, len);
	struct gtdbg_variable variable;
	int ret = -ENOMEM;

	if (symbols && name)
		ret = gtdbg_variable_find(symbols, frame_current(debugger),
					  name, &variable);
	free(name);
	return !ret && (!expression[len] ||
			variable.type->kind != GTDBG_TYPE_POINTER);
}

static void id_add(struct dap *dap, struct json_object *body,
		   const char *expression, bool is_shared)
{
	const struct debugger *debugger = &dap->debugger;
	const struct gtdbg_thread_info *thread = &debugger->thread;
	const struct device *device = device_find(&dap->debugger,
						  thread->device);
	char *id, where[64] = "all threads", *text;

	if (!is_shared)
		snprintf(where, sizeof(where), "thread %u.%u:%u",
			 device ? device->number : 0, thread->slot + 1,
			 debugger->lane);
	if (asprintf(&id, "%u %u %" PRIu64 " %u %d %d %s",
		 thread->device, thread->slot, (uint64_t)thread->generation,
		 debugger->lane, debugger->frame, is_shared, expression) < 0)
		return;
	field_add_text(body, "dataId", id);
	free(id);
	if (asprintf(&text, "%s (%s)", expression, where) < 0)
		return;
	field_add_text(body, "description", text);
	free(text);
}

int dap_data_breakpoint_info(struct dap *dap, struct json_object *arguments,
			     struct json_object *body)
{
	char *expression = dap_variable_expression(dap, arguments), *why;
	struct json_object *list;
	struct capture errors;
	struct value *value;

	if (!expression)
		return -1;
	capture_begin(&errors, &stderr);
	value = watchable(&dap->debugger, expression);
	why = capture_end(&errors);
	if (value) {
		id_add(dap, body, expression, watch_is_global(value) &&
		       !is_of_frame(&dap->debugger, expression));
		list = field_add_array(body, "accessTypes");
		json_object_array_add(list, json_object_new_string("write"));
	} else {
		json_object_object_add(body, "dataId", NULL);
		if (why)
			why[strcspn(why, "\n")] = 0;
		field_add_text(body, "description", why ? why : "");
	}
	free(value);
	free(why);
	free(expression);
	return 0;
}

static bool thread_stands(struct dap *dap, struct gtdbg_thread_info *thread)
{
	const struct debugger *debugger = &dap->debugger;
	size_t i;

	for (i = 0; !dap->is_at_work && i < debugger->stopped_count; i++) {
		const struct gtdbg_thread_info *stopped = &debugger->stopped[i];

		if (stopped->device == thread->device &&
		    stopped->slot == thread->slot &&
		    stopped->generation == thread->generation) {
			*thread = *stopped;
			return true;
		}
	}
	return false;
}

struct breakpoint *dap_watch_create(struct dap *dap, const char *id,
				    const char *condition)
{
	struct debugger *debugger = &dap->debugger;
	struct gtdbg_thread_info thread;
	unsigned int lane, is_shared;
	int frame, len = 0;
	uint64_t generation;

	if (sscanf(id, "%u %u %" SCNu64 " %u %d %u %n", &thread.device,
		   &thread.slot, &generation, &lane, &frame, &is_shared,
		   &len) < 6 || !len || !id[len]) {
		dap_fail("a dataId that is none: \"%s\"", id);
		return NULL;
	}
	thread.generation = generation;
	if (!thread_stands(dap, &thread)) {
		dap_fail("%s: its thread has run since that was asked for.",
			 id + len);
		return NULL;
	}
	if (thread_select(debugger, &thread, -1))
		return NULL;
	if (lane >= thread_lanes(debugger)) {
		dap_fail("a dataId that is none: \"%s\"", id);
		return NULL;
	}
	debugger->lane = lane;
	if (frame < 0 || frame >= debugger->frame_count) {
		dap_fail("a dataId that is none: \"%s\"", id);
		return NULL;
	}
	debugger->frame = frame;
	return prompt_watch_value(debugger, id + len,
				  condition && *condition ? condition : NULL,
				  is_shared);
}
