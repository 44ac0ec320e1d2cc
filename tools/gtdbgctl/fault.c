// SPDX-License-Identifier: MIT
/*
 * GPU page faults. The hardware names the page, and neither the thread nor what it
 * did: so the threads that run are stopped, the one that is meant mostly among
 * them, and what lies next to the page says which buffer it has missed.
 */
#include "access.h"
#include "debugger.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define ADDRESS_END (1ull << 48)
#define PAGE_BYTES 4096ull
#define LINES_MAX 16
#define LIST_MAX 64
#define LOOKS_MAX 1024 /* at lists of mappings, which a file may have made long */
#define INTERRUPT_MS 5000 /* of a thread that runs; without one it takes no time */
/* What is farther away has nothing to do with it. */
#define NEAR_BYTES (1ull << 32)

/* The mappings on either side of a page, and that of the page itself. */
struct surroundings {
	struct gtdbg_memory_mapping below, at, above;
};

/* Pieces that only differ in how they may be used lie in one buffer as well. */
static void mapping_extend(struct gtdbg_memory_mapping *whole,
			   const struct gtdbg_memory_mapping *part)
{
	if (whole->len_bytes &&
	    whole->address + whole->len_bytes == part->address)
		whole->len_bytes += part->len_bytes;
	else
		*whole = *part;
}

/* Returns true once nothing that follows matters. */
static bool surroundings_add(struct surroundings *around, uint64_t page,
			     const struct gtdbg_memory_mapping *mapping)
{
	if (mapping->address > page) {
		around->above = *mapping;
		return true;
	}
	if (page - mapping->address < mapping->len_bytes)
		around->at = *mapping;
	else
		mapping_extend(&around->below, mapping);
	return false;
}

static int surroundings_find(struct debugger *debugger, uint32_t device,
			     uint32_t context, uint64_t page,
			     struct surroundings *out)
{
	struct gtdbg_memory_mapping list[LIST_MAX];
	uint64_t address = 0;
	int count, i;

	*out = (struct surroundings){ 0 };
	/* A core file's list may be as long as its maker liked. */
	while (address < ADDRESS_END && !wait_is_interrupted) {
		count = gtdbg_memory_list(debugger->session, device, context,
					  &address, list, LIST_MAX);
		if (count < 0)
			return count;
		for (i = 0; i < count; i++)
			if (surroundings_add(out, page, &list[i]))
				return 0;
	}
	return 0;
}

static void surroundings_print(const struct surroundings *around, uint64_t page)
{
	const struct gtdbg_memory_mapping *below = &around->below;
	const struct gtdbg_memory_mapping *above = &around->above;
	uint64_t behind = page - (below->address + below->len_bytes);
	uint64_t before = above->address - page;

	if (around->at.len_bytes) {
		printf("It is mapped%s.\n",
		       around->at.flags & GTDBG_MAPPING_F_WRITABLE ?
		       " now" : ", and cannot be written");
		return;
	}
	printf("Nothing is mapped there");
	if (below->len_bytes && behind <= NEAR_BYTES &&
	    (!above->len_bytes || behind <= before))
		printf("; it is %" PRIu64 " bytes behind the end of the %" PRIu64
		       " bytes at 0x%" PRIx64, behind,
		       (uint64_t)below->len_bytes, (uint64_t)below->address);
	else if (above->len_bytes && before <= NEAR_BYTES)
		printf("; it is %" PRIu64 " bytes before the %" PRIu64
		       " bytes at 0x%" PRIx64, before,
		       (uint64_t)above->len_bytes, (uint64_t)above->address);
	puts(".");
}

/* Where an address lies with respect to a buffer of the program. */
static void buffer_print(const struct buffer *buffer, uint64_t address)
{
	static const char *const kinds[] = {
		[BUFFER_CL] = "buffer", [BUFFER_SVM] = "SVM allocation",
		[BUFFER_USM] = "USM allocation",
	};
	uint64_t end = buffer->address + buffer->len_bytes;

	if (address >= end)
		printf("%" PRIu64 " bytes past the end of", address - end);
	else if (address >= buffer->address)
		printf("%" PRIu64 " bytes into", address - buffer->address);
	else
		printf("%" PRIu64 " bytes before", buffer->address - address);
	printf(" %s %u of %" PRIu64 " bytes%s.\n", kinds[buffer->kind],
	       buffer->number, buffer->len_bytes,
	       buffer->is_gone ? ", which the program has released" : "");
}

/*
 * The nearest one, of those next to the page. If there is none there, or if the page was
 * in one that the program has released, the nearest of all. False, and nothing printed:
 * there is none.
 */
static bool buffers_print(struct debugger *debugger,
			  const struct surroundings *around, uint64_t address,
			  const char *begin)
{
	const struct gtdbg_memory_mapping *sides[] = {
		&around->at, &around->below, &around->above,
	};
	struct buffer buffer, best = { .distance = NEAR_BYTES };
	bool is_found = false;
	size_t i;

	for (i = 0; i < sizeof(sides) / sizeof(sides[0]); i++)
		if (buffer_near(debugger, address, sides[i], &buffer) &&
		    buffer.distance < best.distance) {
			best = buffer;
			is_found = true;
		}
	if ((!is_found || (best.distance && !around->at.len_bytes)) &&
	    buffer_near(debugger, address, NULL, &buffer) &&
	    buffer.distance < NEAR_BYTES &&
	    (!is_found || buffer_has(&buffer, address))) {
		best = buffer;
		is_found = true;
	}
	if (!is_found)
		return false;
	fputs(begin, stdout);
	buffer_print(&best, address);
	return true;
}

static void launch_print(struct debugger *debugger, const struct device *device)
{
	const struct kernel *kernel = device ?
		kernel_find(debugger, device->launched_kernel) : NULL;

	if (kernel)
		printf("Launched last: kernel %s.\n", kernel->name);
}

static void fault_print(struct debugger *debugger,
			const struct gtdbg_event_page_fault *fault)
{
	struct device *device = device_find(debugger, fault->device);
	struct surroundings around;

	printf("\nGPU page fault, device %u: page 0x%llx.\n",
	       device ? device->number : 0, (unsigned long long)fault->address);
	if (!surroundings_find(debugger, fault->device, fault->context,
			       fault->address, &around)) {
		surroundings_print(&around, fault->address);
		buffers_print(debugger, &around, fault->address,
			      "The page begins ");
	}
	launch_print(debugger, device);
}

static bool is_known(const struct debugger *debugger,
		     const struct gtdbg_thread_info *thread)
{
	size_t i;

	for (i = 0; i < debugger->stopped_count; i++)
		if (debugger->stopped[i].device == thread->device &&
		    debugger->stopped[i].slot == thread->slot &&
		    debugger->stopped[i].generation == thread->generation)
			return true;
	return false;
}

/*
 * The module makes threads stop as long as the fault waits, so they may have stopped
 * before they were asked to: their events are still to come. What has gone to where no
 * code is mapped stops by itself, and who steps may have come to the step's end.
 */
static bool has_stopped(struct debugger *debugger, uint32_t device)
{
	struct gtdbg_thread_info *threads;
	int count = thread_list(debugger, &threads), i;
	bool has_any = false;

	for (i = 0; i < count; i++)
		has_any |= threads[i].device == device &&
			   threads[i].state == GTDBG_THREAD_STOPPED &&
			   threads[i].reasons & (GTDBG_STOP_INTERRUPT | GTDBG_STOP_ILLEGAL |
						 GTDBG_STOP_STEP) &&
			   !is_known(debugger, &threads[i]);
	if (count >= 0)
		free(threads);
	return has_any;
}

bool fault_stop(struct debugger *debugger, const struct gtdbg_event *event)
{
	const struct gtdbg_event_page_fault *fault;
	bool stops;

	fault = gtdbg_event_payload(event, sizeof(*fault));
	if (!fault)
		return false;
	fault_print(debugger, fault);
	debugger->fault = *fault;
	if (!(event->flags & GTDBG_EVENT_F_ACK))
		return false;
	if (debugger->passes_faults) {
		gtdbg_event_ack(debugger->session, event->seqno);
		return false;
	}
	stops = gtdbg_thread_interrupt(debugger->session, fault->device,
				       INTERRUPT_MS, NULL) > 0 ||
		has_stopped(debugger, fault->device);
	gtdbg_event_ack(debugger->session, event->seqno);
	if (!stops)
		puts("No thread that ran then could be stopped; the program goes on.");
	fflush(stdout);
	return stops;
}

void fault_recall(struct debugger *debugger, const struct gtdbg_event *event)
{
	const struct gtdbg_event_page_fault *fault;

	fault = gtdbg_event_payload(event, sizeof(*fault));
	if (!fault || !(event->flags & GTDBG_EVENT_F_REPLAY))
		return;
	debugger->fault = *fault;
	debugger->has_fault = true;
}

bool fault_is_at(const struct debugger *debugger, uint64_t address)
{
	return debugger->has_fault &&
	       address / PAGE_BYTES == debugger->fault.address / PAGE_BYTES;
}

/* A core file may lack memory that was there. */
static bool is_mapped(struct debugger *debugger, uint64_t address)
{
	const struct gtdbg_thread_info *thread = &debugger->thread;
	struct surroundings around;

	if (debugger->fault_looks++ >= LOOKS_MAX)
		return true;
	return !surroundings_find(debugger, thread->device, thread->context,
				  address & ~(PAGE_BYTES - 1), &around) &&
	       around.at.len_bytes;
}

static bool is_missed(struct debugger *debugger, uint64_t address)
{
	const struct gtdbg_machine *machine =
		gtdbg_stop_machine(debugger->stop);
	uint8_t byte;

	return fault_is_at(debugger, address) ||
	       (machine->memory_read(machine->context, address, &byte, 1) &&
		!(debugger->is_core && is_mapped(debugger, address)));
}

/* The page that is missed of an access; false: it is all there. */
static bool access_misses(struct debugger *debugger, const struct access *access,
			  uint64_t *missed_out)
{
	uint64_t last = access->address + access->len_bytes - 1;
	uint64_t next_page = last / PAGE_BYTES * PAGE_BYTES;

	*missed_out = access->address;
	if (is_missed(debugger, access->address))
		return true;
	*missed_out = next_page;
	return next_page > access->address && is_missed(debugger, next_page);
}

static void item_print(struct debugger *debugger, uint32_t lane)
{
	struct item item;

	if (thread_item(debugger, lane, &item))
		item_print_global(stdout, &item);
	else	/* the registers that have told it may be others' now */
		printf("slot %u, lane %u", debugger->thread.slot, lane);
	putchar(' ');
}

static void line_print(struct debugger *debugger)
{
	const struct gtdbg_frame *frame = &debugger->frames[0];
	struct gtdbg_line line = { .file = frame->file, .line = frame->line };
	struct gtdbg_symbols *symbols;

	symbols = kernel_symbols(debugger,
				 thread_kernel(debugger, &debugger->thread));
	if (symbols)
		gtdbg_line_find(symbols, frame->pc - 1, &line);
	printf("%s:%u: void %s(...): ", line.file ? path_base(line.file) : "??",
	       line.line, frame->function ? frame->function : "??");
}

static void miss_print(struct debugger *debugger, const struct access *access,
		       uint64_t missed)
{
	const struct gtdbg_thread_info *thread = &debugger->thread;
	struct surroundings around;

	line_print(debugger);
	item_print(debugger, access->lane);
	printf("%s %u bytes at 0x%" PRIx64, access->verb, access->len_bytes,
	       access->address);
	if (surroundings_find(debugger, thread->device, thread->context,
			      missed & ~(PAGE_BYTES - 1), &around) ||
	    !buffers_print(debugger, &around, access->address, ", "))
		puts(".");
}

/* Of the current thread; the first lane, or -1. */
static int misses_print(struct debugger *debugger, unsigned int *lines)
{
	struct access list[ACCESSES_MAX];
	int count = access_list(debugger, list), lane = -1, i;
	uint64_t missed;

	for (i = 0; i < count; i++) {
		if (!access_misses(debugger, &list[i], &missed))
			continue;
		if (lane < 0)
			lane = list[i].lane;
		if ((*lines)++ < LINES_MAX)
			miss_print(debugger, &list[i], missed);
		else if (*lines == LINES_MAX + 1)
			puts("More work-items have missed memory.");
	}
	return lane;
}

bool fault_explain(struct debugger *debugger, struct gtdbg_thread_info *thread,
		   int *lane)
{
	const struct gtdbg_thread_info *stopped;
	unsigned int lines = 0;
	bool has_any = false;
	int found;
	size_t i;

	if (!debugger->has_fault && (!debugger->launch ||
	    !launch_checks_memory(debugger->launch)))
		return false;
	for (i = 0; i < debugger->stopped_count && lines <= LINES_MAX &&
	     !wait_is_interrupted; i++) {
		stopped = &debugger->stopped[i];
		thread_deselect(debugger);
		if (!(stopped->reasons & GTDBG_STOP_INTERRUPT) ||
		    thread_select(debugger, stopped, -1))
			continue;
		found = misses_print(debugger, &lines);
		if (found < 0 || has_any)
			continue;
		*thread = *stopped;
		*lane = found;
		has_any = true;
	}
	thread_deselect(debugger);
	return has_any;
}

void fault_tell(struct debugger *debugger, struct gtdbg_thread_info *thread,
		int *lane)
{
	struct gtdbg_thread_info *threads;
	int count, i;

	*lane = -1;
	if (!debugger->has_fault)
		return;
	fault_print(debugger, &debugger->fault);
	count = thread_list(debugger, &threads);
	for (i = 0; i < count; i++)
		if (threads[i].state == GTDBG_THREAD_STOPPED)
			stopped_keep(debugger, &threads[i]);
	if (count >= 0)
		free(threads);
	debugger->fault_looks = 0;
	/* What the file lacks has been said. */
	debugger->holds_errors = true;
	fault_explain(debugger, thread, lane);
	debugger->holds_errors = false;
}
