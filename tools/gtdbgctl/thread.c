// SPDX-License-Identifier: MIT
/* The current thread, lane and frame, and how they are shown. */
#include "debugger.h"

#include "settings.h"
#include "style.h"
#include "value.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BREAKPOINT_NAME_MAX 64

void thread_deselect(struct debugger *debugger)
{
	gtdbg_stop_destroy(debugger->stop);
	debugger->stop = NULL;
	debugger->has_thread = false;
	debugger->frame_count = 0;
	debugger->frame = 0;
}

struct kernel *thread_kernel(struct debugger *debugger,
			     const struct gtdbg_thread_info *thread)
{
	struct kernel *kernel = NULL;

	if (thread->kernel)
		kernel = kernel_find(debugger, thread->kernel);
	if (kernel)
		return kernel;
	return kernel_find_address(debugger, thread->address);
}

uint64_t thread_pc(struct debugger *debugger, struct kernel *kernel,
		   const struct gtdbg_thread_info *thread)
{
	struct gtdbg_symbols *symbols = kernel_symbols(debugger, kernel);
	uint64_t base = 0;
	size_t len;

	if (symbols)
		gtdbg_symbols_text(symbols, &base, &len);
	return thread->address - kernel->address + base;
}

bool thread_item(struct debugger *debugger, uint32_t lane, struct item *out)
{
	const struct gtdbg_machine *machine =
		gtdbg_stop_machine(debugger->stop);
	struct gtdbg_symbols *symbols;
	uint64_t pc = debugger->frames[0].pc;
	uint32_t i;

	*out = (struct item){ 0 };
	symbols = kernel_symbols(debugger,
				 thread_kernel(debugger, &debugger->thread));
	for (i = 0; symbols && i < 3; i++) {
		out->has_global[i] = !gtdbg_item_read(symbols, pc, machine,
						      lane, i, &out->global[i]);
		out->has_local[i] = !gtdbg_item_local_read(symbols, pc, machine,
							   lane, i,
							   &out->local[i]);
		out->is_known |= out->has_global[i];
	}
	return out->is_known;
}

static void numbers_print(FILE *to, const uint32_t *numbers,
			  const bool *is_known)
{
	for (uint32_t i = 0; i < 3; i++) {
		fputs(i ? "," : "[", to);
		if (is_known[i])
			fprintf(to, "%u", numbers[i]);
		else
			fputc('?', to);
	}
	fputc(']', to);
}

void item_print_global(FILE *to, const struct item *item)
{
	fputs("global id: ", to);
	numbers_print(to, item->global, item->has_global);
}

void item_print_local(FILE *to, const struct item *item)
{
	fputs("local id: ", to);
	numbers_print(to, item->local, item->has_local);
}

/* A module's ELF may have its code at the address where it runs. */
static void frames_read(struct debugger *debugger)
{
	struct gtdbg_thread_info *thread = &debugger->thread;
	struct kernel *kernel = thread_kernel(debugger, thread);
	struct gtdbg_symbols *symbols = kernel_symbols(debugger, kernel);
	struct gtdbg_frame *frame = &debugger->frames[0];
	uint64_t pc;

	debugger->frame = 0;
	debugger->frame_count = 1;
	memset(frame, 0, sizeof(*frame));
	frame->lanes = thread->exec_mask;
	if (symbols && kernel->address) {
		pc = thread_pc(debugger, kernel, thread);
		debugger->frame_count = gtdbg_frame_unwind(symbols,
				gtdbg_stop_machine(debugger->stop), pc,
				thread->exec_mask, thread->ip - pc,
				debugger->frames, FRAMES_MAX);
	}
	if (!frame->function && kernel)
		frame->function = kernel->name;
}

void thread_lane_keep(struct debugger *debugger)
{
	debugger->kept.device = debugger->thread.device;
	debugger->kept.slot = debugger->thread.slot;
	debugger->kept.lane = debugger->lane;
}

bool thread_lane_is_kept(const struct debugger *debugger,
		      const struct gtdbg_thread_info *thread)
{
	return debugger->kept.device == thread->device &&
	       debugger->kept.slot == thread->slot;
}

static uint32_t lane_choose(const struct debugger *debugger,
			    const struct gtdbg_thread_info *thread, int lane)
{
	uint32_t kept = debugger->kept.lane;

	if (lane >= 0)
		return lane;
	if (thread_lane_is_kept(debugger, thread) && kept < 32 &&
	    thread->exec_mask >> kept & 1)
		return kept;
	return thread->exec_mask ? __builtin_ctz(thread->exec_mask) : 0;
}

int thread_select(struct debugger *debugger,
		  const struct gtdbg_thread_info *thread, int lane)
{
	struct gtdbg_thread_info copy = *thread;
	struct gtdbg_stop *stop;
	int ret;

	if (debugger->has_thread && debugger->thread.slot == copy.slot &&
	    debugger->thread.device == copy.device &&
	    debugger->thread.generation == copy.generation) {
		debugger->lane = lane_choose(debugger, &copy, lane);
		return 0;
	}
	ret = gtdbg_stop_create(debugger->session, &copy, &stop);
	if (ret) {
		fail(debugger, "Cannot read thread's state: %s.",
		     ret == -ESRCH ? "it is not stopped any more" :
		     strerror(-ret));
		return ret;
	}
	thread_deselect(debugger);
	debugger->lane = lane_choose(debugger, &copy, lane);
	debugger->thread = copy;
	debugger->stop = stop;
	debugger->has_thread = true;
	frames_read(debugger);
	return 0;
}

int thread_list(struct debugger *debugger, struct gtdbg_thread_info **out)
{
	struct gtdbg_thread_info *infos = NULL, *more;
	struct device *device;
	int count = 0, ret;

	for (device = debugger->devices; device; device = device->next) {
		more = reallocarray(infos, count + THREADS_MAX, sizeof(*infos));
		if (!more) {
			free(infos);
			return -ENOMEM;
		}
		infos = more;
		ret = gtdbg_thread_list(debugger->session,
					device->info.device, infos + count,
					THREADS_MAX);
		if (ret > 0)
			count += ret;
	}
	*out = infos;
	return count;
}

/* Reads a number and the mark behind it; false if they are not there. */
static bool number_read(const char **text, char mark, unsigned int *out)
{
	char *end;
	unsigned long number = strtoul(*text, &end, 10);

	if (end == *text || *end != mark || number > UINT16_MAX)
		return false;
	*text = end + (mark != 0);
	*out = number;
	return true;
}

/* [D.]T[:L] or :L; what is missing is the current thread's. */
static int name_parse(struct debugger *debugger, const char *text,
		      struct device **device, uint32_t *slot, int *lane)
{
	unsigned int number;

	*lane = -1;
	*device = device_find(debugger, debugger->thread.device);
	if (!*device)
		*device = debugger->devices;
	*slot = debugger->thread.slot;
	if (number_read(&text, '.', &number))
		*device = device_find_number(debugger, number);
	if (number_read(&text, ':', &number) || number_read(&text, 0, &number))
		*slot = number - 1;
	else if (*text == ':')
		text++;
	if (*text && !number_read(&text, 0, (unsigned int *)lane))
		return -EINVAL;
	return *device ? 0 : -ENOENT;
}

int thread_parse(struct debugger *debugger, const char *text,
		 struct gtdbg_thread_info *out, int *lane_out)
{
	struct gtdbg_thread_info *threads;
	int count, i, ret = -ENOENT;
	struct device *device;
	uint32_t slot;

	if (name_parse(debugger, text, &device, &slot, lane_out))
		return fail(debugger, "Invalid thread ID: %s", text);
	if (*lane_out > 31)
		return fail(debugger, "Invalid lane: %d.", *lane_out);
	count = thread_list(debugger, &threads);
	for (i = 0; i < count; i++) {
		if (threads[i].device == device->info.device &&
		    threads[i].slot == slot &&
		    threads[i].state == GTDBG_THREAD_STOPPED) {
			*out = threads[i];
			ret = 0;
		}
	}
	if (count >= 0)
		free(threads);
	if (ret)
		return fail(debugger, "Thread %u.%u is not stopped.",
			    device->number, slot + 1);
	return 0;
}

void thread_print_name(struct debugger *debugger,
		       const struct gtdbg_thread_info *thread, int lane)
{
	struct device *device = device_find(debugger, thread->device);

	printf("%u.%u", device ? device->number : 0, thread->slot + 1);
	if (lane >= 0)
		printf(":%d", lane);
}

bool thread_is_only_interrupted(const struct debugger *debugger)
{
	/* Also one that was about to begin. */
	return (debugger->thread.reasons & ~GTDBG_STOP_ENTRY) ==
	       GTDBG_STOP_INTERRUPT;
}

const char *thread_reason(const struct debugger *debugger)
{
	uint32_t reasons = debugger->thread.reasons;

	if (debugger->has_fault && thread_is_only_interrupted(debugger))
		return "Page fault, of this thread or another one";
	if (reasons & GTDBG_STOP_ILLEGAL)
		return fault_is_at(debugger, debugger->thread.address) ?
		       "Branch to where no code is mapped" : "Illegal instruction";
	if (reasons & GTDBG_STOP_SOFTWARE)
		return launch_has_checkers(debugger->launch) ?
		       "A checker has found something" : "Software exception";
	if (reasons & GTDBG_STOP_MASK_STACK)
		return "Mask stack overflow";
	if (reasons & GTDBG_STOP_INTERRUPT)
		return "Interrupt";
	if (reasons & GTDBG_STOP_ASSERT)
		return "An assertion failed";
	if (reasons & GTDBG_STOP_BREAKPOINT && !debugger->thread.breakpoint)
		return "Breakpoint in the program";
	return NULL;
}

void thread_print_stop(struct debugger *debugger)
{
	const char *reason = thread_reason(debugger);

	if (!reason)
		return;
	printf("\nThread ");
	thread_print_name(debugger, &debugger->thread, debugger->lane);
	printf(" stopped: %s.\n", reason);
}

uint32_t thread_lanes(struct debugger *debugger)
{
	struct kernel *kernel = thread_kernel(debugger, &debugger->thread);
	struct gtdbg_symbols *symbols = kernel_symbols(debugger, kernel);
	uint32_t mask = debugger->thread.dispatch_mask |
			debugger->thread.exec_mask;
	uint32_t width = 0;

	if (symbols)
		width = gtdbg_symbols_simd_width(symbols,
						 debugger->frames[0].pc);
	if (!width && mask)
		width = 32 - __builtin_clz(mask);
	return width ? width : 1;
}

const struct gtdbg_frame *frame_current(struct debugger *debugger)
{
	if (debugger->checked)
		return &debugger->checked->frame;
	return &debugger->frames[debugger->frame];
}

uint64_t frame_address(struct debugger *debugger)
{
	return debugger->thread.address - debugger->frames[0].pc +
	       frame_current(debugger)->pc;
}

static void print_arguments(struct debugger *debugger, int number)
{
	struct gtdbg_variable variables[64];
	struct kernel *kernel = thread_kernel(debugger, &debugger->thread);
	struct gtdbg_symbols *symbols = kernel_symbols(debugger, kernel);
	int saved = debugger->frame, count, i;
	const char *separator = "";

	if (!symbols)
		return;
	debugger->frame = number;
	count = gtdbg_variable_list(symbols, &debugger->frames[number],
				    variables, 64);
	for (i = 0; i < count; i++) {
		if (!variables[i].is_parameter)
			continue;
		fputs(separator, stdout);
		style_print(STYLE_VARIABLE, variables[i].name);
		putchar('=');
		value_print_variable(debugger, &variables[i]);
		separator = ", ";
	}
	debugger->frame = saved;
}

void thread_print_frame(struct debugger *debugger, int number, bool is_short)
{
	const struct gtdbg_frame *frame = &debugger->frames[number];

	if (!is_short)
		printf("#%-2d ", number);
	style_print(STYLE_FUNCTION, frame->function ? frame->function : "??");
	fputs(" (", stdout);
	print_arguments(debugger, number);
	putchar(')');
	if (frame->line) {
		fputs(" at ", stdout);
		style_print(STYLE_FILE,
			    path_base(frame->file ? frame->file : "??"));
		printf(":%u", frame->line);
	}
	putchar('\n');
}

void thread_print_source(struct debugger *debugger)
{
	const struct gtdbg_frame *frame = frame_current(debugger);

	if (!frame->line || !frame->file)
		return;
	if (source_print(debugger, frame->file, frame->line, frame->line) < 0)
		printf("%u\tin %s\n", frame->line, path_base(frame->file));
	free(debugger->list_file);
	debugger->list_file = strdup(frame->file);
	debugger->list_first = frame->line;
	debugger->list_line = frame->line > settings.list_size / 2 ?
			      frame->line - settings.list_size / 2 : 1;
}
