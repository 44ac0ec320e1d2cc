// SPDX-License-Identifier: MIT
/*
 * Failed assertions. The module stops the thread at the mark that gtdbg_assert.h
 * leaves where one has failed; each of its lanes has put down before who it is and
 * what was asserted, in a variable that the debug information knows.
 */
#include "core.h"
#include "debugger.h"

#include <ctype.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RECORD "__gtdbg_record"
#define TEXT_MAX 512
#define PART_BYTES 64
#define LINES_DEFAULT 16

/* The vector of that name. */
struct record {
	uint64_t text;
	uint64_t item[3];
	uint64_t place[3];
};

int assert_mode_parse(const char *name, enum assert_mode *out)
{
	static const char *const names[] = {
		[ASSERT_STOP] = "stop", [ASSERT_ABORT] = "abort",
		[ASSERT_CONTINUE] = "continue", [ASSERT_IGNORE] = "ignore",
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(name, names[i]) == 0) {
			*out = i;
			return 0;
		}
	}
	return -1;
}

/* Where the lane has put it down; 0 if that is not known. */
static uint64_t record_locate(struct gtdbg_symbols *symbols,
			      const struct gtdbg_frame *frame,
			      const struct gtdbg_machine *machine,
			      uint32_t lane)
{
	struct gtdbg_variable variable;
	struct gtdbg_location location;

	if (gtdbg_variable_find(symbols, frame, RECORD, &variable) ||
	    gtdbg_variable_locate(symbols, frame, &variable, machine, lane,
				  &location) ||
	    location.kind != GTDBG_LOCATION_MEMORY)
		return 0;
	return location.address;
}

static uint64_t record_find(struct debugger *debugger, uint32_t lane)
{
	struct gtdbg_symbols *symbols;

	symbols = kernel_symbols(debugger,
				 thread_kernel(debugger, &debugger->thread));
	return !symbols ? 0 :
	       record_locate(symbols, &debugger->frames[0],
			     gtdbg_stop_machine(debugger->stop), lane);
}

static int rehearsal_register_read(void *context, uint32_t offset_bytes,
				   void *buf, size_t len_bytes)
{
	(void)context;
	(void)offset_bytes;
	memset(buf, 0, len_bytes);
	return 0;
}

static int rehearsal_memory_read(void *context, uint64_t address, void *buf,
				 size_t len_bytes)
{
	(void)context;
	(void)address;
	memset(buf, 0, len_bytes);
	return 0;
}

/* The first mark in the code, -1: there is none. */
static ssize_t mark_find(const uint8_t *text, size_t len)
{
	const uint32_t mark = GTDBG_ASSERT_MARK;
	size_t at;

	for (at = 0; text && at + 16 <= len; at += 8)
		if (memcmp(text + at + 12, &mark, sizeof(mark)) == 0)
			return at;
	return -1;
}

/*
 * The first question about a place in a kernel takes much longer than those that
 * follow, as code and lines are decoded for it. So it is asked before the kernel
 * runs, of a thread that has nothing but zeroes.
 */
void assert_rehearse(struct debugger *debugger, struct kernel *kernel)
{
	const struct gtdbg_machine machine = {
		.register_read = rehearsal_register_read,
		.memory_read = rehearsal_memory_read,
	};
	struct gtdbg_frame frames[FRAMES_MAX];
	struct gtdbg_symbols *symbols;
	const void *text;
	uint64_t base;
	size_t len;
	ssize_t at;

	symbols = kernel_symbols(debugger, kernel);
	if (!symbols)
		return;
	text = gtdbg_symbols_text(symbols, &base, &len);
	at = mark_find(text, len);
	if (at >= 0 && gtdbg_frame_unwind(symbols, &machine, base + at, 1, 0,
					  frames, FRAMES_MAX) > 0)
		record_locate(symbols, &frames[0], &machine, 0);
}

/*
 * From now on launches wait, so that none of this program's is made before all that it
 * has built was rehearsed. The first one that was let go shows that.
 */
void assert_module_added(struct debugger *debugger)
{
	if (debugger->asserts.mode != ASSERT_ABORT || debugger->is_core)
		return;
	debugger->asserts.is_rehearsing = true;
	breakpoint_events(debugger);
}

void assert_launched(struct debugger *debugger)
{
	if (!debugger->asserts.is_rehearsing)
		return;
	debugger->asserts.is_rehearsing = false;
	breakpoint_events(debugger);
}

static void items_print(FILE *to, const uint64_t *item, const uint64_t *place)
{
	fprintf(to, "global id: [%" PRIu64 ",%" PRIu64 ",%" PRIu64
		"], local id: [%" PRIu64 ",%" PRIu64 ",%" PRIu64 "] ",
		item[0], item[1], item[2], place[0], place[1], place[2]);
}

/* Up to the NUL, or to what cannot be read; the program's word, so no controls. */
static void text_read(struct debugger *debugger, uint64_t address, char *text,
		      const char *instead)
{
	const struct gtdbg_machine *machine;
	size_t len = 0, part, i;

	machine = gtdbg_stop_machine(debugger->stop);
	memset(text, 0, TEXT_MAX);
	/* No part goes on in another page, which need not be there. */
	while (len == strlen(text) && len + PART_BYTES < TEXT_MAX) {
		part = PART_BYTES - (address + len) % PART_BYTES;
		if (machine->memory_read(machine->context, address + len,
					 &text[len], part))
			break;
		len += part;
	}
	for (i = 0; text[i]; i++)
		if (iscntrl((unsigned char)text[i]))
			text[i] = '?';
	if (!text[0])
		strcpy(text, instead);
}

/* That of another runtime's, by what it has told the function that it has called. */
static void call_print(struct debugger *debugger, FILE *to,
		       const struct assert_call *call, uint32_t lane)
{
	char file[TEXT_MAX], function[TEXT_MAX], text[TEXT_MAX];

	text_read(debugger, call->file, file, "??");
	text_read(debugger, call->function, function, "??");
	text_read(debugger, call->expression, text, "?");
	fprintf(to, "%s:%" PRIu64 ": %s: ", path_base(file), call->line,
		function);
	if (call->has_items)
		items_print(to, call->item, call->place);
	else
		fprintf(to, "slot %u, lane %u: ", debugger->thread.slot, lane);
	fprintf(to, "Assertion '%s' failed.\n", text);
}

/* Optimised code has no record, but mostly what the thread was started with. */
static void lane_print_registers(struct debugger *debugger, FILE *to,
				 uint32_t lane)
{
	struct item item;

	if (!thread_item(debugger, lane, &item)) {
		fprintf(to, "slot %u, lane %u: ", debugger->thread.slot, lane);
		return;
	}
	item_print_global(to, &item);
	fputs(", ", to);
	item_print_local(to, &item);
	fputc(' ', to);
}

static void lane_print(struct debugger *debugger, FILE *to, uint32_t lane)
{
	const struct gtdbg_frame *frame = &debugger->frames[0];
	const struct gtdbg_machine *machine;
	struct record record = { 0 };
	char text[TEXT_MAX];
	struct assert_call call;
	uint64_t address;
	bool is_known;

	if (assert_call_is(frame->function) &&
	    assert_call_read(debugger, lane, &call)) {
		call_print(debugger, to, &call, lane);
		return;
	}
	machine = gtdbg_stop_machine(debugger->stop);
	address = record_find(debugger, lane);
	is_known = address && !machine->memory_read(machine->context, address,
						    &record, sizeof(record));
	fprintf(to, "%s:%u: void %s(...): ",
		frame->file ? path_base(frame->file) : "??", frame->line,
		frame->function ? frame->function : "??");
	if (is_known)
		items_print(to, record.item, record.place);
	else
		lane_print_registers(debugger, to, lane);
	fputs("Assertion ", to);
	text_read(debugger, record.text, text, "");
	if (text[0])
		fputs(text, to);
	else if (!assert_text_print(debugger, frame, to))
		fputs("failed.", to);
	fputc('\n', to);
}

/* A program that was attached to would print it, too. */
static void lane_silence(struct debugger *debugger, uint32_t lane)
{
	uint64_t address = debugger->launch ? 0 : record_find(debugger, lane);
	const uint64_t none = 0;

	if (address)
		gtdbg_stop_memory_write(debugger->stop, address, &none,
					sizeof(none));
}

static uint64_t line_limit(const struct asserts *asserts)
{
	return asserts->lines_max ? asserts->lines_max : LINES_DEFAULT;
}

static void lanes_print(struct debugger *debugger, FILE *to)
{
	struct asserts *asserts = &debugger->asserts;
	uint32_t lane;

	for (lane = 0; lane < 32; lane++) {
		if (!(debugger->thread.exec_mask >> lane & 1))
			continue;
		if (asserts->failed++ < line_limit(asserts))
			lane_print(debugger, to, lane);
		else if (asserts->failed == line_limit(asserts) + 1)
			fputs("gtdbgctl: more assertions have failed\n", to);
		lane_silence(debugger, lane);
	}
}

/*
 * The lines of a thread, to be freed: stderr has no buffer, and whoever writes may have
 * to wait. NULL: there are none, or they had to be written.
 */
static char *thread_report(struct debugger *debugger,
			   const struct gtdbg_thread_info *thread)
{
	size_t len = 0;
	char *text = NULL;
	FILE *lines;

	thread_deselect(debugger);
	if (thread_select(debugger, thread, -1))
		return NULL;
	lines = open_memstream(&text, &len);
	if (lines) {
		lanes_print(debugger, lines);
		fclose(lines);
	} else if (!debugger->asserts.is_aborting) {
		lanes_print(debugger, stderr);
	}
	return text;
}

/* Of what has stopped so far: others may follow from it, or end the program. */
static void dump(struct debugger *debugger)
{
	const struct core_options options = { .path = debugger->asserts.core };

	debugger->asserts.core = NULL;
	if (options.path)
		core_write(debugger, &options);
	fflush(stdout);
}

/* Before lines are written, as who reads them may take his time. */
static void program_abort(struct debugger *debugger)
{
	struct asserts *asserts = &debugger->asserts;

	if (asserts->mode != ASSERT_ABORT || asserts->is_aborting)
		return;
	asserts->is_aborting = true;
	debugger_signal(debugger, SIGABRT);
}

static bool is_still_stopped(struct debugger *debugger,
			     const struct gtdbg_thread_info *thread)
{
	struct gtdbg_thread_info *threads;
	int count = thread_list(debugger, &threads), i;
	bool is_stopped = false;

	for (i = 0; i < count; i++)
		is_stopped |= threads[i].device == thread->device &&
			      threads[i].slot == thread->slot &&
			      threads[i].generation == thread->generation;
	if (count >= 0)
		free(threads);
	return is_stopped;
}

/* Of a program that is being ended: its threads, too, may end at any moment. */
static char *thread_report_ending(struct debugger *debugger,
				  const struct gtdbg_thread_info *thread)
{
	char *text;

	if (debugger->asserts.failed > line_limit(&debugger->asserts))
		return NULL;
	debugger->holds_errors = true;
	text = thread_report(debugger, thread);
	if (text && !is_still_stopped(debugger, thread)) {
		free(text);
		text = NULL;
	}
	debugger->holds_errors = false;
	return text;
}

enum assert_fate assert_failed(struct debugger *debugger,
			       const struct gtdbg_thread_info *thread)
{
	struct asserts *asserts = &debugger->asserts;
	char *text = asserts->is_aborting ?
		     thread_report_ending(debugger, thread) :
		     thread_report(debugger, thread);

	thread_deselect(debugger);
	if (!asserts->core)
		program_abort(debugger);
	fflush(stdout);
	if (text)
		fputs(text, stderr);
	free(text);
	dump(debugger);
	program_abort(debugger);
	switch (asserts->mode) {
	case ASSERT_STOP:
		return ASSERT_FATE_STOP;
	case ASSERT_ABORT:
		return ASSERT_FATE_STAY;
	default:
		return ASSERT_FATE_RUN;
	}
}

void asserts_init(struct asserts *asserts, enum assert_mode mode,
		  uint64_t lines_max, const char *core)
{
	asserts->lines_max = lines_max;
	asserts->mode = mode;
	asserts->core = core;
}

void asserts_summarize(const struct asserts *asserts)
{
	if (asserts->failed && asserts->mode == ASSERT_CONTINUE)
		fprintf(stderr, "gtdbgctl: assertions have failed for %" PRIu64
			" work-items\n", asserts->failed);
}
