// SPDX-License-Identifier: MIT
/*
 * Assertions of other runtimes, SYCL's above all: where one fails the kernel calls a
 * function that says so, mostly one that the compiler has merged into it. It is
 * found by name in the debug information, and threads stop in it. What has failed are
 * its parameters, which are found by name as well.
 */
#include "debugger.h"

#include "expression.h"
#include "value.h"

#include <stdlib.h>
#include <string.h>


/* The first one that a kernel has: the second one calls it. */
static const char *const names[] = {
	"__devicelib_assert_fail", "__assert_fail",
};
#define NAMES (sizeof(names) / sizeof(names[0]))

bool assert_call_is(const char *function)
{
	size_t i;

	for (i = 0; function && i < NAMES; i++)
		if (strcmp(function, names[i]) == 0)
			return true;
	return false;
}

/*
 * As the program begins to build it: from now on launches wait until their kernels are
 * known, which is not free. What was not built from source may be anything.
 */
void assert_calls_module_added(struct debugger *debugger, struct module *module)
{
	const char *source;

	if (debugger->asserts.calls || debugger->is_observer ||
	    debugger->is_core || debugger->asserts.mode == ASSERT_IGNORE)
		return;
	source = module_source(debugger, module);
	if (source && !memmem(source, module->source_len, names[1],
			      strlen(names[1])) &&
	    !memmem(source, module->source_len, names[0], strlen(names[0])))
		return;
	debugger->asserts.calls = calloc(1, sizeof(struct breakpoint));
	breakpoint_events(debugger);
}

void assert_calls_kernel_added(struct debugger *debugger, struct kernel *kernel)
{
	struct breakpoint *calls = debugger->asserts.calls;
	uint64_t pcs[PLACES_MAX], base = 0;
	struct gtdbg_symbols *symbols;
	int count = 0, i;
	size_t len, name;

	symbols = calls ? kernel_symbols(debugger, kernel) : NULL;
	if (!symbols)
		return;
	gtdbg_symbols_text(symbols, &base, &len);
	for (name = 0; name < NAMES && !count; name++)
		count = function_entries(symbols, names[name], pcs);
	for (i = 0; i < count; i++)
		pcs[i] -= base;
	if (count)
		breakpoint_plant_many(debugger, calls, kernel->id, pcs, count);
}

bool assert_call_is_at(struct debugger *debugger,
		       const struct gtdbg_thread_info *thread)
{
	struct kernel *kernel = thread_kernel(debugger, thread);

	return debugger->asserts.calls && kernel &&
	       breakpoint_is_at(debugger->asserts.calls, kernel->id,
				thread->address - kernel->address,
				thread->address);
}

int assert_call_frame(struct debugger *debugger)
{
	int frame = 0;

	while (frame + 1 < debugger->frame_count &&
	       assert_call_is(debugger->frames[frame].function))
		frame++;
	return frame;
}

/* Of the function that the thread has stopped in. */
static bool parameter_read(struct debugger *debugger, const char *name,
			   uint64_t *out)
{
	struct value *value;
	bool is_there;

	debugger->holds_errors = true;
	value = expression_evaluate(debugger, name);
	debugger->holds_errors = false;
	is_there = value && !value->unavailable &&
		   value->type->size_bytes <= sizeof(*out);
	*out = 0;
	if (is_there)
		memcpy(out, value->bytes, value->type->size_bytes);
	free(value);
	return is_there;
}

bool assert_call_read(struct debugger *debugger, uint32_t lane,
		      struct assert_call *out)
{
	static const char *const items[] = { "gid0", "gid1", "gid2" };
	static const char *const places[] = { "lid0", "lid1", "lid2" };
	int was = debugger->frame, i;

	memset(out, 0, sizeof(*out));
	debugger->frame = 0;
	debugger->lane = lane;
	out->has_line = parameter_read(debugger, "line", &out->line);
	parameter_read(debugger, "expr", &out->expression);
	parameter_read(debugger, "file", &out->file);
	parameter_read(debugger, "func", &out->function);
	out->has_items = true;
	for (i = 0; i < 3; i++)
		out->has_items &= parameter_read(debugger, items[i],
						 &out->item[i]) &&
				  parameter_read(debugger, places[i],
						 &out->place[i]);
	debugger->frame = was;
	return out->has_line;
}
