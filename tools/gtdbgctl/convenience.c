// SPDX-License-Identifier: MIT
#include "convenience.h"

#include "debugger.h"
#include "value.h"

#include <stdlib.h>
#include <string.h>

struct convenience {
	struct convenience *next;
	struct value *value;	/* NULL: nothing was assigned yet */
	char name[];
};

struct convenience *convenience_find(struct debugger *debugger,
				     const char *name)
{
	struct convenience *at;

	for (at = debugger->conveniences; at; at = at->next)
		if (strcmp(at->name, name) == 0)
			return at;
	return NULL;
}

struct convenience *convenience_create(struct debugger *debugger,
				       const char *name)
{
	struct convenience *out = calloc(1, sizeof(*out) + strlen(name) + 1);

	if (!out)
		return NULL;
	strcpy(out->name, name);
	out->next = debugger->conveniences;
	debugger->conveniences = out;
	return out;
}

const struct value *convenience_value(const struct convenience *convenience)
{
	return convenience->value;
}

int convenience_set(struct debugger *debugger, struct convenience *convenience,
		    const struct value *value)
{
	struct kernel *kernel = debugger->has_thread ?
		thread_kernel(debugger, &debugger->thread) : NULL;
	struct value *copy;

	if (value->unavailable)
		return fail(debugger, "value is not available: %s",
			    value->unavailable);
	if (debugger_skips(debugger))
		return 0;
	copy = value_copy(value);
	if (!copy)
		return fail(debugger, "Out of memory.");
	/* A value of its own: what it was read from may change. */
	copy->place = VALUE_NOWHERE;
	if (kernel)
		kernel->has_values = true;
	free(convenience->value);
	convenience->value = copy;
	return 0;
}

void conveniences_fini(struct debugger *debugger)
{
	struct convenience *next;

	while (debugger->conveniences) {
		next = debugger->conveniences->next;
		free(debugger->conveniences->value);
		free(debugger->conveniences);
		debugger->conveniences = next;
	}
}
