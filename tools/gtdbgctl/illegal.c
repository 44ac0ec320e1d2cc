// SPDX-License-Identifier: MIT
/*
 * Illegal instructions. A thread stops before one, by itself: so its stop says who it is
 * and where, and what follows is only how that is told. Where no code is mapped zeros
 * are read, which are one; that such a page was missed is a fault of its own.
 */
#include "debugger.h"

#include <inttypes.h>
#include <stdio.h>

#define LINES_MAX 16
#define DWORDS 4

static void item_print(struct debugger *debugger)
{
	uint32_t lanes = debugger->thread.exec_mask;
	uint32_t lane = lanes ? __builtin_ctz(lanes) : 0;
	struct item item;

	if (thread_item(debugger, lane, &item))
		item_print_global(stdout, &item);
	else
		printf("slot %u, lane %u", debugger->thread.slot, lane);
	if (lanes & (lanes - 1))
		printf(" and %d lanes more", __builtin_popcount(lanes) - 1);
	fputs(": ", stdout);
}

static void code_print(struct debugger *debugger, const struct kernel *kernel)
{
	const struct gtdbg_machine *machine = gtdbg_stop_machine(debugger->stop);
	uint64_t address = debugger->thread.address;
	uint32_t code[DWORDS];

	if (machine->memory_read(machine->context, address, code, sizeof(code))) {
		printf("no code is mapped at 0x%" PRIx64 ".\n", address);
		return;
	}
	printf("illegal instruction %08x %08x %08x %08x at 0x%" PRIx64, code[0], code[1],
	       code[2], code[3], address);
	if (kernel)
		printf(" <%s+%" PRIu64 ">", kernel->name, address - kernel->address);
	puts(".");
}

static void line_print(struct debugger *debugger)
{
	const struct gtdbg_frame *frame = &debugger->frames[0];
	struct kernel *kernel = thread_kernel(debugger, &debugger->thread);

	if (kernel && debugger->frame_count)
		printf("%s:%u: void %s(...): ", frame->file ? path_base(frame->file) : "??",
		       frame->line, frame->function ? frame->function : "??");
	item_print(debugger);
	if (debugger->thread.address)
		code_print(debugger, kernel);
	else
		puts("illegal instruction at a place that is not known.");
}

void illegal_tell(struct debugger *debugger, const struct gtdbg_thread_info *thread)
{
	if (debugger->illegal_resumes != debugger->resumes)
		debugger->illegal_lines = 0;
	debugger->illegal_resumes = debugger->resumes;
	if (debugger->illegal_lines++ > LINES_MAX)
		return;
	if (debugger->illegal_lines > LINES_MAX) {
		puts("More threads have come to illegal instructions.");
		return;
	}
	thread_deselect(debugger);
	if (!thread_select(debugger, thread, -1))
		line_print(debugger);
	thread_deselect(debugger);
	fflush(stdout);
}
