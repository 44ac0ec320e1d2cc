// SPDX-License-Identifier: MIT
/* What is said of watchpoints. */
#include "watch.h"

#include "debugger.h"
#include "value.h"

#include <stdio.h>
#include <string.h>

static void print_value(const char *label, const struct value *value)
{
	const struct format format = { 0 };

	printf("%s = ", label);
	value_print(value, &format);
	putchar('\n');
}

/* " <compute+416> (compute_1.cl:5)" */
static void print_place(struct debugger *debugger, struct kernel *kernel,
			uint64_t address)
{
	uint64_t offset = address - kernel->address;
	struct gtdbg_line line;

	printf(" <%s+%llu>", kernel->name, (unsigned long long)offset);
	if (kernel_line(debugger, kernel, offset, &line))
		printf(" (%s:%u)", path_base(line.file), line.line);
}

/* On one line, without the columns and the comment of a listing. */
static void print_code(struct debugger *debugger, struct kernel *kernel,
		       uint64_t address)
{
	struct gtdbg_code *code = kernel_code(debugger, kernel);
	char text[512], *rest = text, *word, *comment;
	const char *separator = ": ";

	if (!code || gtdbg_code_text(code, address - kernel->address, text,
				     sizeof(text)))
		return;
	comment = strstr(text, "//");
	if (comment)
		*comment = 0;
	while ((word = strsep(&rest, " "))) {
		if (*word)
			printf("%s%s", separator, word);
		if (*word)
			separator = " ";
	}
}

static void print_writer(struct debugger *debugger,
			 const struct gtdbg_thread_info *thread,
			 const struct watch *watch)
{
	struct kernel *kernel = thread_kernel(debugger, thread);
	const char *separator = " of lane ";

	printf("%s by 0x%llx", watch->was ? "Written" : "Read",
	       (unsigned long long)watch->writer);
	if (kernel)
		print_place(debugger, kernel, watch->writer);
	for (int lane = 0; lane < 32; lane++) {
		if (!(watch->lanes >> lane & 1))
			continue;
		printf("%s%d", separator, lane);
		separator = ", ";
	}
	if (kernel)
		print_code(debugger, kernel, watch->writer);
	putchar('\n');
}

static const char *plural(uint64_t count)
{
	return count == 1 ? "" : "s";
}

void watch_print_cost(const struct watch *watch)
{
	printf("%llu step%s so far, %llu of them to see what was written",
	       (unsigned long long)watch->steps, plural(watch->steps),
	       (unsigned long long)watch->writes);
	if (watch->unknown)
		printf(", %llu read%s at addresses that are not known",
		       (unsigned long long)watch->unknown,
		       plural(watch->unknown));
}

const char *watch_name(const struct watch *watch)
{
	return !(watch->what & WATCH_READS) ? "Watchpoint" :
	       watch->what & WATCH_WRITES ? "Access watchpoint" :
	       "Read watchpoint";
}

void watch_print_hit(struct debugger *debugger,
		     const struct gtdbg_thread_info *thread, int lane,
		     const struct breakpoint *breakpoint)
{
	const struct watch *watch = breakpoint->watch;

	if (watch->has_ended) {
		printf("\nWatchpoint %d deleted because the program has left the block in\nwhich its expression is valid.\n",
		       breakpoint->number);
		return;
	}
	printf("\nThread ");
	thread_print_name(debugger, thread, lane);
	printf(" hit %s %d: %s\n\n", watch_name(watch), breakpoint->number,
	       watch->expression);
	if (watch->was)
		print_value("Old value", watch->was);
	print_value(watch->was ? "New value" : "Value", watch->now);
	print_writer(debugger, thread, watch);
	fputs("Cost: ", stdout);
	watch_print_cost(watch);
	puts(".");
}

void watch_print_further(struct debugger *debugger,
			 const struct gtdbg_thread_info *thread)
{
	struct breakpoint *breakpoint = debugger->breakpoints, *next;

	for (; breakpoint; breakpoint = next) {
		struct watch *watch = breakpoint->watch;

		next = breakpoint->next;
		if (!watch || !breakpoint->is_further)
			continue;
		breakpoint->is_further = false;
		watch_print_hit(debugger, thread, watch_lane(watch), breakpoint);
		if (watch->has_ended)
			breakpoint_delete(debugger, breakpoint);
	}
}
