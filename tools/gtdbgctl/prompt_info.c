// SPDX-License-Identifier: MIT
#include "prompt.h"

#include "debugger.h"
#include "gpu.h"
#include "style.h"
#include "value.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SET_BYTES_MAX 8192

/* By which the gpu_time of events can be understood. */
static void device_clock(struct debugger *debugger, const struct device *device)
{
	struct gtdbg_device_clock clock;

	if (device->is_lost || !debugger->session ||
	    gtdbg_device_clock(debugger->session, device->info.device,
			       &clock) < 0 || !clock.timestamp_hz)
		return;
	printf("   time stamp %#llx of %.6f MHz at CLOCK_MONOTONIC %llu.%09llu, within %llu us\n",
	       (unsigned long long)clock.gpu_time, clock.timestamp_hz / 1e6,
	       (unsigned long long)clock.time_ns / 1000000000,
	       (unsigned long long)clock.time_ns % 1000000000,
	       (unsigned long long)clock.span_ns / 1000 + 1);
}

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
		device_clock(debugger, device);
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
		       module->name && *module->name ? path_base(module->name) :
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

/* Of a program of several, the one that has the kernel. */
static const char *source_of(struct gtdbg_symbols *symbols)
{
	struct gtdbg_function function;
	size_t len_bytes;
	uint64_t base;

	gtdbg_symbols_text(symbols, &base, &len_bytes);
	if (gtdbg_function_find(symbols, base, &function) || !function.file)
		return gtdbg_symbols_source(symbols);
	return function.file;
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
		const char *source = symbols ? source_of(symbols) : NULL;
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

static void print_pc(struct debugger *debugger, const char *name)
{
	uint64_t address = frame_address(debugger);

	printf("%-8s 0x%llx", name, (unsigned long long)address);
	prompt_print_symbol(debugger, address);
	putchar('\n');
}

static int print_named(struct debugger *debugger,
		       const struct gtdbg_register_set *sets, int count,
		       const char *name)
{
	struct gtdbg_register_name wanted;
	int i;

	name += *name == '$';
	if (strcmp(name, "pc") == 0 || strcmp(name, "ip") == 0) {
		print_pc(debugger, name);
		return 0;
	}
	if (gtdbg_register_find_name(name, &wanted))
		return fail(debugger, "Invalid register `%s'", name);
	for (i = 0; i < count; i++) {
		if (sets[i].set == wanted.set && wanted.index < sets[i].count)
			return print_set(debugger, &sets[i],
					 (int)wanted.index);
	}
	return fail(debugger, "Register %s is not available.", name);
}

static int info_registers(struct debugger *debugger, const char *args)
{
	char *words = strdup(args), *rest = NULL, *word;
	struct gtdbg_register_set sets[32];
	int count, i, ret = -1;

	if (!words || debugger_need_thread(debugger))
		goto out;
	count = gtdbg_register_list(debugger->session, debugger->thread.device,
				    debugger->thread.context, sets, 32);
	if (count < 0) {
		fail(debugger, "Cannot list registers: %s.", strerror(-count));
		goto out;
	}
	ret = 0;
	for (word = strtok_r(words, " \t", &rest); word && !ret;
	     word = strtok_r(NULL, " \t", &rest))
		ret = print_named(debugger, sets, count, word);
	if (!*args)
		print_pc(debugger, "pc");
	for (i = 0; i < count && !*args && !ret; i++)
		ret = print_set(debugger, &sets[i], -1);
out:
	free(words);
	return ret;
}

int prompt_variables(struct debugger *debugger, bool parameters,
		     const char *indent)
{
	const struct format format = { 0 };
	struct gtdbg_variable variables[128];
	struct gtdbg_symbols *symbols;
	struct value *value;
	int count, i, shown = 0;

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
		fputs(indent, stdout);
		style_print(STYLE_VARIABLE, variables[i].name);
		fputs(" = ", stdout);
		value_print(value, &format);
		putchar('\n');
		free(value);
		shown++;
	}
	return shown;
}

static int info_variables(struct debugger *debugger, bool parameters)
{
	int shown;

	if (debugger_need_thread(debugger))
		return -1;
	shown = prompt_variables(debugger, parameters, "");
	if (!shown)
		puts(parameters ? "No arguments." : "No locals.");
	return shown < 0 ? -1 : 0;
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
	prompt_lanes_text(frame->lanes, lanes);
	printf("Stack level %u: %s, pc offset 0x%llx, lanes %s", frame->level,
	       frame->function ? frame->function : "??",
	       (unsigned long long)frame->pc, lanes);
	if (frame->frame_base)
		printf(", frame at 0x%llx",
		       (unsigned long long)frame->frame_base);
	putchar('\n');
	return 0;
}

/* In which half of the stops was seen; the last bucket has no end. */
static uint64_t latency_median_us(const struct gtdbg_session_stats *stats)
{
	uint64_t all = 0, seen = 0;
	uint32_t i;

	for (i = 0; i < GTDBG_STATS_BUCKETS; i++)
		all += stats->latency[i];
	for (i = 0; i < GTDBG_STATS_BUCKETS - 1; i++) {
		seen += stats->latency[i];
		if (2 * seen >= all)
			break;
	}
	return all ? 2ull << i : 0;
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
	printf("half of the stops were seen within %llu us\n",
	       (unsigned long long)latency_median_us(&stats));
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
	{ "display", prompt_info_display },
	{ "frame", info_frame },
	{ "functions", prompt_info_functions },
	{ "kernels", info_kernels },
	{ "line", prompt_info_line },
	{ "lines", prompt_info_lines },
	{ "locals", info_locals },
	{ "modules", info_modules },
	{ "registers", info_registers },
	/* Before the others, so that "info s" means it, as in gdb. */
	{ "stack", prompt_backtrace },
	{ "source", info_source },
	{ "sources", prompt_info_sources },
	{ "stats", info_stats },
	{ "symbol", prompt_info_symbol },
	{ "threads", prompt_info_threads },
	{ "watchpoints", prompt_info_watchpoints },
};

const char *prompt_info_topic(size_t at)
{
	return at < sizeof(topics) / sizeof(topics[0]) ? topics[at].name : NULL;
}

int prompt_info(struct debugger *debugger, const char *args)
{
	size_t len = strcspn(args, " \t"), i;
	const char *rest = args + len + strspn(args + len, " \t");

	for (i = 0; len && i < sizeof(topics) / sizeof(topics[0]); i++) {
		if (strncmp(topics[i].name, args, len) == 0)
			return topics[i].run(debugger, rest);
	}
	if (!len) {
		puts("\"info\" must be followed by one of these:");
		for (i = 0; i < sizeof(topics) / sizeof(topics[0]); i++)
			printf("info %s\n", topics[i].name);
		return 0;
	}
	return fail(debugger, "Undefined info command: \"%s\".  Try \"help info\".",
		    args);
}
