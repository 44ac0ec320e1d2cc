// SPDX-License-Identifier: MIT
/* "clear": breakpoints by their place, as the user says it or as it came to be. */
#include "prompt.h"

#include "debugger.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In the words that it was set with; it may have no place yet. */
static bool is_called(const struct breakpoint *breakpoint,
		      const struct breakpoint *wanted)
{
	if (wanted->function)
		return breakpoint->function &&
		       strcmp(breakpoint->function, wanted->function) == 0;
	if (!wanted->line || breakpoint->line != wanted->line)
		return false;
	return !wanted->file || (breakpoint->file &&
				 strcmp(path_base(breakpoint->file),
					path_base(wanted->file)) == 0);
}

static bool is_in_line(struct gtdbg_symbols *symbols, uint64_t a, uint64_t b)
{
	struct gtdbg_line one, other;

	return !gtdbg_line_find(symbols, a, &one) &&
	       !gtdbg_line_find(symbols, b, &other) &&
	       one.line == other.line && strcmp(one.file, other.file) == 0;
}

/* At a place of the wanted one, or anywhere in its line. */
static bool is_there(struct debugger *debugger,
		     const struct location *location,
		     const struct breakpoint *wanted)
{
	struct kernel *kernel = location->kernel ?
		kernel_find(debugger, location->kernel) :
		kernel_find_address(debugger, location->offset);
	uint64_t pcs[PLACES_MAX], pc = location->offset, base = 0;
	size_t len;
	int count;

	if (!kernel)
		return false;
	if (!location->kernel)
		pc -= kernel->address;
	if (!wanted->line && !wanted->function)
		return kernel->address &&
		       kernel->address + pc == wanted->address;
	count = breakpoint_places(debugger, wanted, kernel, pcs);
	if (kernel->symbols)
		gtdbg_symbols_text(kernel->symbols, &base, &len);
	pc += base;
	while (count-- > 0) {
		if (pcs[count] == pc ||
		    (wanted->line && is_in_line(kernel->symbols, pcs[count],
						pc)))
			return true;
	}
	return false;
}

static bool is_wanted(struct debugger *debugger,
		      const struct breakpoint *breakpoint,
		      const struct breakpoint *wanted)
{
	const struct location *location;

	if (breakpoint->number < 0 || breakpoint->watch)
		return false;
	if (is_called(breakpoint, wanted))
		return true;
	for (location = breakpoint->locations; location;
	     location = location->next) {
		if (is_there(debugger, location, wanted))
			return true;
	}
	return false;
}

/* In gdb's words. */
static int clear(struct debugger *debugger, const struct breakpoint *wanted,
		 const char *args)
{
	struct breakpoint *breakpoint, *next;
	int count = 0;

	for (breakpoint = debugger->breakpoints; breakpoint;
	     breakpoint = breakpoint->next)
		count += is_wanted(debugger, breakpoint, wanted);
	if (!count)
		return *args ? fail(debugger, "No breakpoint at %s.", args) :
		       fail(debugger, "No breakpoint at this line.");
	printf("Deleted breakpoint%s", count > 1 ? "s" : "");
	for (breakpoint = debugger->breakpoints; breakpoint; breakpoint = next) {
		next = breakpoint->next;
		if (!is_wanted(debugger, breakpoint, wanted))
			continue;
		printf(" %d", breakpoint->number);
		breakpoint_delete(debugger, breakpoint);
	}
	putchar('\n');
	return 0;
}

int prompt_clear(struct debugger *debugger, const char *args)
{
	struct breakpoint wanted = { 0 };
	int ret = prompt_where(debugger, &wanted, args);

	if (!ret)
		ret = clear(debugger, &wanted, args);
	free(wanted.file);
	free(wanted.function);
	return ret;
}
