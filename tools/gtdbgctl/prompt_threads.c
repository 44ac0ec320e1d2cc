// SPDX-License-Identifier: MIT
/*
 * "info threads". Hundreds of threads often stand at one place, so those that
 * do, with the same active lanes, share a row; the current lane has its own.
 */
#include "prompt.h"

#include "debugger.h"
#include "style.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct row {
	const struct gtdbg_thread_info *thread;	/* the first of them */
	bool is_current;	/* the current lane, and only that */
	uint32_t lanes;
	unsigned int count;
	uint8_t slots[THREADS_MAX / 8];
	char id[512];
};

struct table {
	struct debugger *debugger;
	bool is_long;		/* a row for each thread */
	struct row *rows;
	size_t count;
};

void prompt_lanes_text(uint32_t lanes, char *text)
{
	const char *separator = "";
	int lane, last;

	*text++ = '[';
	for (lane = 0; lane < 32; lane = last + 1) {
		last = lane;
		if (!(lanes >> lane & 1))
			continue;
		while (last < 31 && lanes >> (last + 1) & 1)
			last++;
		text += sprintf(text, "%s%d", separator, lane);
		/* Two are no range. */
		if (last > lane)
			text += sprintf(text, "%c%d", last > lane + 1 ? '-' :
					' ', last);
		separator = " ";
	}
	strcpy(text, "]");
}

static bool is_current(const struct debugger *debugger,
		       const struct gtdbg_thread_info *thread)
{
	return debugger->has_thread &&
	       thread->device == debugger->thread.device &&
	       thread->slot == debugger->thread.slot;
}

static bool is_set(const struct row *row, uint32_t slot)
{
	return slot < THREADS_MAX && row->slots[slot / 8] >> slot % 8 & 1;
}

static struct row *row_add(struct table *table,
			   const struct gtdbg_thread_info *thread,
			   uint32_t lanes)
{
	struct row *row = &table->rows[table->count++];

	row->thread = thread;
	row->lanes = lanes;
	row->count = 1;
	if (thread->slot < THREADS_MAX)
		row->slots[thread->slot / 8] |= 1 << thread->slot % 8;
	return row;
}

/* Standing at the same instruction is standing at the same place. */
static bool row_takes(const struct row *row,
		      const struct gtdbg_thread_info *thread)
{
	return !row->is_current && row->thread->device == thread->device &&
	       row->thread->state == thread->state &&
	       row->thread->address == thread->address &&
	       row->thread->context == thread->context &&
	       row->lanes == thread->exec_mask;
}

static void table_add(struct table *table,
		      const struct gtdbg_thread_info *thread)
{
	size_t i;

	for (i = 0; i < table->count && !table->is_long; i++) {
		struct row *row = &table->rows[i];

		if (!row_takes(row, thread))
			continue;
		if (thread->slot < THREADS_MAX)
			row->slots[thread->slot / 8] |= 1 << thread->slot % 8;
		row->count++;
		return;
	}
	row_add(table, thread, thread->exec_mask);
}

/* Alone in its row, the current thread leaves its current lane out there. */
static void current_part(struct table *table)
{
	struct debugger *debugger = table->debugger;
	uint32_t current = 1u << debugger->lane;
	size_t i;

	for (i = 0; i < table->count; i++) {
		struct row *row = &table->rows[i];

		if (row->is_current || row->count > 1 ||
		    !is_current(debugger, row->thread))
			continue;
		row->lanes &= ~current;
		if (!row->lanes && i)
			memmove(row, row + 1,
				(--table->count - i) * sizeof(*row));
		return;
	}
}

static size_t slots_text(const struct row *row, char *text, size_t capacity)
{
	const char *separator = "";
	uint32_t slot, last;
	size_t len = 0;

	for (slot = 0; slot < THREADS_MAX; slot = last + 1) {
		last = slot;
		if (!is_set(row, slot))
			continue;
		while (is_set(row, last + 1))
			last++;
		if (len + 32 > capacity)
			return len + sprintf(text + len, " ...");
		len += sprintf(text + len, "%s%u", separator, slot + 1);
		if (last > slot)
			len += sprintf(text + len, "%c%u",
				       last > slot + 1 ? '-' : ' ', last + 1);
		separator = " ";
	}
	return len;
}

static void row_name(struct table *table, struct row *row)
{
	struct device *device = device_find(table->debugger,
					    row->thread->device);
	char slots[256], lanes[LANES_TEXT_MAX];

	slots_text(row, slots, sizeof(slots));
	if (row->is_current)
		sprintf(lanes, "%u", table->debugger->lane);
	else
		prompt_lanes_text(row->lanes, lanes);
	snprintf(row->id, sizeof(row->id), row->count > 1 ? "%u.[%s]:%s" :
		 "%u.%s:%s", device ? device->number : 0, slots, lanes);
}

/* Function and line of a thread that need not be the current one. */
static void print_where(struct debugger *debugger,
			const struct gtdbg_thread_info *thread)
{
	struct kernel *kernel = thread_kernel(debugger, thread);
	struct gtdbg_symbols *symbols = kernel_symbols(debugger, kernel);
	struct gtdbg_function function;
	struct gtdbg_line line;
	uint64_t pc;

	if (!symbols || !kernel->address) {
		style_print(STYLE_FUNCTION, kernel ? kernel->name : "??");
		puts(" ()");
		return;
	}
	pc = thread_pc(debugger, kernel, thread);
	style_print(STYLE_FUNCTION,
		    gtdbg_function_find(symbols, pc, &function) ?
		    kernel->name : function.name);
	fputs(" ()", stdout);
	if (!gtdbg_line_find(symbols, pc, &line)) {
		fputs(" at ", stdout);
		style_print(STYLE_FILE, path_base(line.file));
		printf(":%u", line.line);
	}
	putchar('\n');
}

static void row_print(struct debugger *debugger, const struct row *row,
		      int width)
{
	const struct gtdbg_thread_info *thread = row->thread;
	char place[48];

	if (row->count > 1)
		snprintf(place, sizeof(place), "%u threads", row->count);
	else
		snprintf(place, sizeof(place), "(%u.%u.%u.%u)", thread->slice,
			 thread->subslice, thread->eu, thread->thread);
	printf("%c %-*s  %-11s  ", row->is_current ? '*' : ' ', width, row->id,
	       place);
	if (thread->state == GTDBG_THREAD_STOPPED)
		print_where(debugger, thread);
	else
		puts("(unavailable)");
}

static void table_print(struct table *table)
{
	int width = 0;
	size_t i;

	for (i = 0; i < table->count; i++) {
		row_name(table, &table->rows[i]);
		if ((int)strlen(table->rows[i].id) > width)
			width = strlen(table->rows[i].id);
	}
	printf("  %-*s  %-11s  %s\n", width, "Id", "Location", "Frame");
	for (i = 0; i < table->count; i++)
		row_print(table->debugger, &table->rows[i], width);
}

static void table_fill(struct table *table,
		       const struct gtdbg_thread_info *threads, int count)
{
	struct debugger *debugger = table->debugger;
	int i;

	for (i = 0; i < count; i++) {
		if (is_current(debugger, &threads[i]))
			row_add(table, &threads[i], 0)->is_current = true;
	}
	for (i = 0; i < count; i++)
		table_add(table, &threads[i]);
	if (debugger->has_thread)
		current_part(table);
}

static void threads_print(struct debugger *debugger,
			  const struct gtdbg_thread_info *threads, int count,
			  bool is_long)
{
	struct table table = { .debugger = debugger, .is_long = is_long };

	table.rows = calloc(count + 1, sizeof(*table.rows));
	if (!table.rows)
		return;
	table_fill(&table, threads, count);
	table_print(&table);
	free(table.rows);
}

void prompt_threads_print(struct debugger *debugger,
			  const struct gtdbg_thread_info *threads, int count)
{
	threads_print(debugger, threads, count, false);
}

int prompt_info_threads(struct debugger *debugger, const char *args)
{
	bool is_long = strcmp(args, "-all") == 0;
	struct gtdbg_thread_info *threads;
	int count;

	if (*args && !is_long)
		return fail(debugger, "Argument must be nothing or \"-all\".");
	if (debugger_need_session(debugger))
		return -1;
	count = thread_list(debugger, &threads);
	if (count < 0)
		return fail(debugger, "Cannot list threads: %s.",
			    strerror(-count));
	if (count)
		threads_print(debugger, threads, count, is_long);
	else
		puts("No GPU threads are stopped.");
	free(threads);
	return 0;
}
