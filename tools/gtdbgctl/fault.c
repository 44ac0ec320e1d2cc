// SPDX-License-Identifier: MIT
/*
 * GPU page faults. The hardware names the page, and neither the thread nor what it
 * did: so the threads that run are stopped, the one that is meant mostly among
 * them, and what lies next to the page says which buffer it has missed.
 */
#include "debugger.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define ADDRESS_END (1ull << 48)
#define LIST_MAX 64
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

static int surroundings_find(struct debugger *debugger,
			     const struct gtdbg_event_page_fault *fault,
			     struct surroundings *out)
{
	struct gtdbg_memory_mapping list[LIST_MAX];
	uint64_t address = 0;
	int count, i;

	*out = (struct surroundings){ 0 };
	while (address < ADDRESS_END) {
		count = gtdbg_memory_list(debugger->session, fault->device,
					  fault->context, &address, list,
					  LIST_MAX);
		if (count < 0)
			return count;
		for (i = 0; i < count; i++)
			if (surroundings_add(out, fault->address, &list[i]))
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

/* Where the page lies, or begins, with respect to a buffer of the program. */
static void buffer_print(const struct buffer *buffer, uint64_t page)
{
	uint64_t end = buffer->address + buffer->len_bytes;

	printf("The page ");
	if (page >= end)
		printf("begins %" PRIu64 " bytes past the end of", page - end);
	else if (page >= buffer->address)
		printf("begins %" PRIu64 " bytes into",
		       page - buffer->address);
	else
		printf("begins %" PRIu64 " bytes before",
		       buffer->address - page);
	printf(" %s %u of %" PRIu64 " bytes%s.\n", buffer->kind,
	       buffer->number, buffer->len_bytes,
	       buffer->is_gone ? ", which the program has released" : "");
}

static void buffers_print(struct debugger *debugger,
			  const struct surroundings *around, uint64_t page)
{
	const struct gtdbg_memory_mapping *sides[] = {
		&around->at, &around->below, &around->above,
	};
	struct buffer buffer, best = { .distance = NEAR_BYTES };
	size_t i;

	for (i = 0; i < sizeof(sides) / sizeof(sides[0]); i++)
		if (buffer_near(debugger, page, sides[i], &buffer) &&
		    buffer.distance < best.distance)
			best = buffer;
	if (best.kind)
		buffer_print(&best, page);
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
	if (!surroundings_find(debugger, fault, &around)) {
		surroundings_print(&around, fault->address);
		buffers_print(debugger, &around, fault->address);
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
 * before they were asked to: their events are still to come.
 */
static bool has_stopped(struct debugger *debugger, uint32_t device)
{
	struct gtdbg_thread_info *threads;
	int count = thread_list(debugger, &threads), i;
	bool has_any = false;

	for (i = 0; i < count; i++)
		has_any |= threads[i].device == device &&
			   threads[i].state == GTDBG_THREAD_STOPPED &&
			   threads[i].reasons & GTDBG_STOP_INTERRUPT &&
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
