// SPDX-License-Identifier: MIT
#include "prompt.h"

#include "debugger.h"
#include "gpu.h"
#include "value.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SET_BYTES_MAX 8192
#define LANES_TEXT_MAX 128	/* 32 numbers, brackets and spaces */

static int info_devices(struct debugger *debugger, const char *args)
{
	const struct device *device = debugger->devices;

	(void)args;
	if (!device)
		puts("No devices.");
	for (; device; device = device->next) {
		const struct gtdbg_event_device_add *info = &device->info;

		printf("%u  %s%s, %u slice%s, %u sub-slices, %u EUs, %u threads, %u in all%s\n",
		       device->number, gpu_platform_name(info->platform),
		       info->is_virtual ? " (virtual)" : "", info->slices,
		       info->slices == 1 ? "" : "s", info->subslices,
		       info->eus, info->threads, info->slots,
		       device->is_lost ? ", lost" : "");
	}
	return 0;
}

static int info_modules(struct debugger *debugger, const char *args)
{
	const struct module *module = debugger->modules;

	(void)args;
	if (!module)
		puts("No modules.");
	for (; module; module = module->next)
		printf("%-3u %s, %zu bytes of source\n", module->id,
		       module->name && *module->name ? module->name :
		       "(built from a binary)", module->source_size);
	return 0;
}

/* Lanes of a thread at the kernel's first instruction. */
static uint32_t first_width(struct gtdbg_symbols *symbols)
{
	size_t len_bytes;
	uint64_t base;

	gtdbg_symbols_text(symbols, &base, &len_bytes);
	return gtdbg_symbols_simd_width(symbols, base);
}

static int info_kernels(struct debugger *debugger, const char *args)
{
	struct kernel *kernel = debugger->kernels;

	(void)args;
	if (!kernel)
		puts("No kernels.");
	for (; kernel; kernel = kernel->next) {
		struct gtdbg_symbols *symbols = kernel_symbols(debugger,
							       kernel);
		const char *source = symbols ? gtdbg_symbols_source(symbols) :
				     NULL;
		uint32_t width = symbols ? first_width(symbols) : 0;

		printf("%-3u %s, module %u, ", kernel->id, kernel->name,
		       kernel->module);
		if (width)
			printf("SIMD%u, ", width);
		printf("%zu bytes", kernel->isa_size);
		if (kernel->address)
			printf(" at 0x%llx",
			       (unsigned long long)kernel->address);
		printf(", %s\n", source ? path_base(source) :
		       "no debug information");
	}
	return 0;
}

/* "[0 2 4]": which lanes are in the mask. */
static void lanes_text(uint32_t lanes, char *text)
{
	const char *separator = "";
	int lane;

	*text++ = '[';
	for (lane = 0; lane < 32; lane++) {
		if (lanes >> lane & 1) {
			text += sprintf(text, "%s%d", separator, lane);
			separator = " ";
		}
	}
	strcpy(text, "]");
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
		printf("%s ()\n", kernel ? kernel->name : "??");
		return;
	}
	pc = thread_pc(debugger, kernel, thread);
	printf("%s ()", gtdbg_function_find(symbols, pc, &function) ?
	       kernel->name : function.name);
	if (!gtdbg_line_find(symbols, pc, &line))
		printf(" at %s:%u", path_base(line.file), line.line);
	putchar('\n');
}

/* A thread's row in the table: one lane of it, or those that are active. */
struct row {
	const struct gtdbg_thread_info *thread;
	bool is_current;
	char id[LANES_TEXT_MAX + 32];
};

static void row_fill(struct debugger *debugger, struct row *row,
		     const struct gtdbg_thread_info *thread, int lane,
		     uint32_t lanes)
{
	struct device *device = device_find(debugger, thread->device);
	char text[LANES_TEXT_MAX];

	row->thread = thread;
	row->is_current = lane >= 0;
	if (lane >= 0)
		sprintf(text, "%d", lane);
	else
		lanes_text(lanes, text);
	snprintf(row->id, sizeof(row->id), "%u.%u:%s",
		 device ? device->number : 0, thread->slot + 1, text);
}

static bool is_current(const struct debugger *debugger,
		       const struct gtdbg_thread_info *thread)
{
	return debugger->has_thread &&
	       thread->device == debugger->thread.device &&
	       thread->slot == debugger->thread.slot;
}

/* The current lane has a row of its own; the other active ones share one. */
static int rows_fill(struct debugger *debugger, struct row *rows,
		     const struct gtdbg_thread_info *threads, int count)
{
	int filled = 0, i;

	for (i = 0; i < count; i++) {
		uint32_t lanes = threads[i].exec_mask;

		if (is_current(debugger, &threads[i])) {
			row_fill(debugger, &rows[filled++], &threads[i],
				 debugger->lane, 0);
			lanes &= ~(1u << debugger->lane);
		}
		if (lanes || !is_current(debugger, &threads[i]))
			row_fill(debugger, &rows[filled++], &threads[i], -1,
				 lanes);
	}
	return filled;
}

static void row_print(struct debugger *debugger, const struct row *row,
		      int width)
{
	const struct gtdbg_thread_info *thread = row->thread;
	char place[48];

	snprintf(place, sizeof(place), "(%u.%u.%u.%u)", thread->slice,
		 thread->subslice, thread->eu, thread->thread);
	printf("%c %-*s  %-10s  ", row->is_current ? '*' : ' ', width, row->id,
	       place);
	if (thread->state == GTDBG_THREAD_STOPPED)
		print_where(debugger, thread);
	else
		puts("(unavailable)");
}

static void rows_print(struct debugger *debugger, const struct row *rows,
		       int count)
{
	int width = 0, i;

	for (i = 0; i < count; i++) {
		if ((int)strlen(rows[i].id) > width)
			width = strlen(rows[i].id);
	}
	printf("  %-*s  %-10s  %s\n", width, "Id", "Location", "Frame");
	for (i = 0; i < count; i++)
		row_print(debugger, &rows[i], width);
}

static int info_threads(struct debugger *debugger, const char *args)
{
	struct gtdbg_thread_info *threads;
	struct row *rows;
	int count;

	(void)args;
	if (debugger_need_session(debugger))
		return -1;
	count = thread_list(debugger, &threads);
	if (count < 0)
		return fail(debugger, "Cannot list threads: %s.",
			    strerror(-count));
	rows = calloc(count + 1, sizeof(*rows));
	if (!count)
		puts("No GPU threads are stopped.");
	else if (rows)
		rows_print(debugger, rows,
			   rows_fill(debugger, rows, threads, count));
	free(rows);
	free(threads);
	return 0;
}

static void print_register(const char *name, int number, int count,
			   const uint8_t *bytes, size_t size)
{
	uint32_t dword;
	char label[32];
	size_t i;

	if (count > 1 || strlen(name) <= 2)
		snprintf(label, sizeof(label), "%s%d", name, number);
	else
		snprintf(label, sizeof(label), "%s", name);
	printf("%-8s", label);
	for (i = 0; i + 4 <= size; i += 4) {
		memcpy(&dword, bytes + i, 4);
		printf(" %08x", dword);
	}
	putchar('\n');
}

static int print_set(struct debugger *debugger,
		     const struct gtdbg_register_set *set, int only)
{
	const char *name = gtdbg_register_set_name(set->set);
	size_t size = (size_t)set->count * set->bytes;
	uint8_t bytes[SET_BYTES_MAX];
	int i, ret;

	if (!name || size > sizeof(bytes))
		return 0;
	ret = gtdbg_register_read(debugger->session, &debugger->thread,
				  set->set, 0, set->count, bytes, size);
	if (ret < 0)
		return fail(debugger, "Cannot read registers: %s.",
			    strerror(-ret));
	for (i = 0; i < set->count; i++) {
		if (only < 0 || only == i)
			print_register(name, i, set->count,
				       bytes + i * set->bytes, set->bytes);
	}
	return 0;
}

static int info_registers(struct debugger *debugger, const char *args)
{
	struct gtdbg_register_name wanted = { 0 };
	struct gtdbg_register_set sets[32];
	bool found = false;
	int count, i;

	if (debugger_need_thread(debugger))
		return -1;
	if (*args == '$')
		args++;
	if (*args && gtdbg_register_find_name(args, &wanted))
		return fail(debugger, "Invalid register `%s'", args);
	count = gtdbg_register_list(debugger->session, debugger->thread.device,
				    debugger->thread.context, sets, 32);
	if (count < 0)
		return fail(debugger, "Cannot list registers: %s.",
			    strerror(-count));
	if (!*args)
		printf("%-8s 0x%llx\n", "pc",
		       (unsigned long long)debugger->thread.address);
	for (i = 0; i < count; i++) {
		if (*args && (sets[i].set != wanted.set ||
			      wanted.index >= sets[i].count))
			continue;
		found = true;
		if (print_set(debugger, &sets[i],
			      *args ? (int)wanted.index : -1))
			return -1;
	}
	return found ? 0 : fail(debugger, "Register %s is not available.",
				args);
}

static int info_variables(struct debugger *debugger, bool parameters)
{
	const struct format format = { 0 };
	struct gtdbg_variable variables[128];
	struct gtdbg_symbols *symbols;
	struct value *value;
	int count, i, shown = 0;

	if (debugger_need_thread(debugger))
		return -1;
	symbols = kernel_symbols(debugger,
				 thread_kernel(debugger, &debugger->thread));
	if (!symbols)
		return fail(debugger, "No symbol table info available.");
	count = gtdbg_variable_list(symbols, frame_current(debugger),
				    variables, 128);
	for (i = 0; i < count; i++) {
		if (variables[i].is_parameter != parameters)
			continue;
		value = value_of_variable(debugger, &variables[i]);
		if (!value)
			continue;
		printf("%s = ", variables[i].name);
		value_print(value, &format);
		putchar('\n');
		free(value);
		shown++;
	}
	if (!shown)
		puts(parameters ? "No arguments." : "No locals.");
	return 0;
}

static int info_locals(struct debugger *debugger, const char *args)
{
	(void)args;
	return info_variables(debugger, false);
}

static int info_args(struct debugger *debugger, const char *args)
{
	(void)args;
	return info_variables(debugger, true);
}

static int info_frame(struct debugger *debugger, const char *args)
{
	const struct gtdbg_frame *frame;
	char lanes[LANES_TEXT_MAX];

	(void)args;
	if (debugger_need_thread(debugger))
		return -1;
	frame = frame_current(debugger);
	lanes_text(frame->lanes, lanes);
	printf("Stack level %u: %s, pc offset 0x%llx, lanes %s", frame->level,
	       frame->function ? frame->function : "??",
	       (unsigned long long)frame->pc, lanes);
	if (frame->frame_base)
		printf(", frame at 0x%llx",
		       (unsigned long long)frame->frame_base);
	putchar('\n');
	return 0;
}

static int info_stats(struct debugger *debugger, const char *args)
{
	struct gtdbg_session_stats stats;
	int ret;

	(void)args;
	if (debugger_need_session(debugger))
		return -1;
	ret = gtdbg_session_stats(debugger->session, &stats);
	if (ret < 0)
		return fail(debugger, "Cannot read statistics: %s.",
			    strerror(-ret));
	printf("events %llu, lost %llu; stops %llu, resumes %llu, stale %llu\n",
	       (unsigned long long)stats.events,
	       (unsigned long long)stats.events_lost,
	       (unsigned long long)stats.stops,
	       (unsigned long long)stats.resumes,
	       (unsigned long long)stats.stale);
	printf("scans %llu, bytes of memory %llu, cache invalidations %llu\n",
	       (unsigned long long)stats.scans,
	       (unsigned long long)stats.memory_bytes,
	       (unsigned long long)stats.cache_invalidates);
	return 0;
}

static int info_source(struct debugger *debugger, const char *args)
{
	(void)args;
	if (!debugger->list_file)
		return fail(debugger, "No current source file.");
	printf("Current source file is %s\n", debugger->list_file);
	return 0;
}

static const struct {
	const char *name;
	int (*run)(struct debugger *debugger, const char *args);
} topics[] = {
	{ "args", info_args },
	{ "breakpoints", prompt_info_breakpoints },
	{ "devices", info_devices },
	{ "frame", info_frame },
	{ "kernels", info_kernels },
	{ "locals", info_locals },
	{ "modules", info_modules },
	{ "registers", info_registers },
	{ "source", info_source },
	{ "stats", info_stats },
	{ "threads", info_threads },
};

int prompt_info(struct debugger *debugger, const char *args)
{
	size_t len = strcspn(args, " \t"), i;
	const char *rest = args + len + strspn(args + len, " \t");

	for (i = 0; len && i < sizeof(topics) / sizeof(topics[0]); i++) {
		if (strncmp(topics[i].name, args, len) == 0)
			return topics[i].run(debugger, rest);
	}
	if (!len)
		return fail(debugger, "\"info\" must be followed by what to show; see \"help info\".");
	return fail(debugger, "Undefined info command: \"%s\".  Try \"help info\".",
		    args);
}
