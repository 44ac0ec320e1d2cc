// SPDX-License-Identifier: MIT
/*
 * A small debugger: threads stop at a line of the kernels' source, their frames are
 * printed, and a variable in each of their lanes; after some stops it leaves.
 * usage: debug PID LINE VARIABLE STOPS
 */
#include <gtdbg.h>
#include <gtdbg_symbols.h>

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define KERNELS_MAX	64
#define PLACES_MAX	16
#define FRAMES_MAX	16
#define SLOTS_MAX	4096
#define LANES_MAX	32

struct kernel {
	uint32_t id;
	uint64_t address;	/* where it was launched last */
	struct gtdbg_symbols *symbols;
};

struct debugger {
	struct gtdbg_session *session;
	uint32_t line;
	const char *variable;
	int stops;		/* that are still to come */
	struct kernel kernels[KERNELS_MAX];
	size_t kernel_count;
};

static struct kernel *kernel_find(struct debugger *debugger, uint32_t id)
{
	size_t i;

	for (i = 0; i < debugger->kernel_count; i++) {
		if (debugger->kernels[i].id == id)
			return &debugger->kernels[i];
	}
	return NULL;
}

/* Breakpoints belong to a kernel, wherever it will lie in memory. */
static void kernel_add(struct debugger *debugger,
		       const struct gtdbg_event_kernel_add *info)
{
	struct kernel *kernel = &debugger->kernels[debugger->kernel_count];
	uint64_t pcs[PLACES_MAX], base;
	size_t len;
	void *elf;
	int count, i;

	if (debugger->kernel_count == KERNELS_MAX ||
	    gtdbg_blob_read(debugger->session, GTDBG_BLOB_KERNEL_ELF,
			    info->kernel, &elf, &len))
		return;
	i = gtdbg_symbols_create(elf, len, &kernel->symbols);
	free(elf);
	if (i)
		return;
	kernel->id = info->kernel;
	debugger->kernel_count++;
	gtdbg_symbols_text(kernel->symbols, &base, &len);
	count = gtdbg_line_addresses(kernel->symbols, NULL, debugger->line,
				     NULL, pcs, PLACES_MAX);
	for (i = 0; i < count; i++)
		gtdbg_breakpoint_set(debugger->session, kernel->id,
				     pcs[i] - base);
}

/* A value's bytes, of at most 8, wherever they are. */
static int value_read(const struct gtdbg_location *location,
		      const struct gtdbg_machine *machine, uint64_t *value,
		      size_t len)
{
	*value = 0;
	if (len > sizeof(*value))
		return -EMSGSIZE;
	switch (location->kind) {
	case GTDBG_LOCATION_MEMORY:
		return machine->memory_read(machine->context,
					    location->address, value, len);
	case GTDBG_LOCATION_REGISTER:
		return machine->register_read(machine->context,
					      location->register_offset_bytes,
					      value, len);
	default:
		memcpy(value, location->value, len);
		return 0;
	}
}

static void lanes_print(struct debugger *debugger, struct kernel *kernel,
			const struct gtdbg_frame *frame,
			const struct gtdbg_machine *machine)
{
	struct gtdbg_location location;
	struct gtdbg_variable variable;
	uint64_t value;
	uint32_t lane;
	int ret;

	if (gtdbg_variable_find(kernel->symbols, frame, debugger->variable,
				&variable))
		return;
	printf("  %s:", debugger->variable);
	for (lane = 0; lane < LANES_MAX; lane++) {
		if (!(frame->lanes >> lane & 1))
			continue;
		ret = gtdbg_variable_locate(kernel->symbols, frame, &variable,
					    machine, lane, &location);
		if (!ret)
			ret = value_read(&location, machine, &value,
					 variable.type->size_bytes);
		if (ret)
			printf(" [%u] (%s)", lane, strerror(-ret));
		else
			printf(" [%u] %" PRIu64, lane, value);
	}
	putchar('\n');
}

static void frames_print(struct debugger *debugger, struct kernel *kernel,
			 const struct gtdbg_thread_info *thread,
			 const struct gtdbg_machine *machine)
{
	struct gtdbg_frame frames[FRAMES_MAX];
	uint64_t base, pc;
	size_t len;
	int count, i;

	gtdbg_symbols_text(kernel->symbols, &base, &len);
	pc = thread->address - kernel->address + base;
	count = gtdbg_frame_unwind(kernel->symbols, machine, pc,
				   thread->exec_mask, thread->ip - pc, frames,
				   FRAMES_MAX);
	for (i = 0; i < count; i++)
		printf("  #%d %s, line %u\n", i, frames[i].function ?
		       frames[i].function : "??", frames[i].line);
	if (count > 0)
		lanes_print(debugger, kernel, &frames[0], machine);
}

static void thread_stopped(struct debugger *debugger,
			   const struct gtdbg_thread_info *thread)
{
	struct gtdbg_thread_resume resume = {
		.device = thread->device, .command = GTDBG_RESUME_RUN,
		.slots = SLOTS_MAX,
	};
	struct kernel *kernel = kernel_find(debugger, thread->kernel);
	uint8_t mask[SLOTS_MAX / 8] = { 0 };
	struct gtdbg_stop *stop;

	if (thread->reasons & GTDBG_STOP_BREAKPOINT && kernel &&
	    !gtdbg_stop_create(debugger->session, thread, &stop)) {
		printf("thread %u stopped\n", thread->slot + 1);
		frames_print(debugger, kernel, thread,
			     gtdbg_stop_machine(stop));
		gtdbg_stop_destroy(stop);
		debugger->stops--;
	}
	if (thread->slot >= SLOTS_MAX)
		return;
	mask[thread->slot / 8] |= 1 << thread->slot % 8;
	resume.mask = (uintptr_t)mask;
	gtdbg_thread_resume(debugger->session, &resume);
}

static void event_handle(struct debugger *debugger,
			 const struct gtdbg_event *event)
{
	const struct gtdbg_event_kernel_submit *submit;
	const struct gtdbg_event_thread_stop *stop;
	const struct gtdbg_event_kernel_add *add;
	struct kernel *kernel;

	switch (event->kind) {
	case GTDBG_EVENT_KERNEL_ADD:
		add = gtdbg_event_payload(event, sizeof(*add));
		if (add)
			kernel_add(debugger, add);
		break;
	case GTDBG_EVENT_KERNEL_SUBMIT:
		submit = gtdbg_event_payload(event, sizeof(*submit));
		kernel = submit ? kernel_find(debugger, submit->kernel) : NULL;
		if (kernel)
			kernel->address = submit->address;
		/* The launch has waited until its breakpoints were there. */
		if (event->flags & GTDBG_EVENT_F_ACK)
			gtdbg_event_ack(debugger->session, event->seqno);
		break;
	case GTDBG_EVENT_THREAD_STOP:
		stop = gtdbg_event_payload(event, sizeof(*stop));
		if (stop)
			thread_stopped(debugger, &stop->thread);
		break;
	}
}

static int debug(struct debugger *debugger)
{
	const struct gtdbg_event *event;
	int ret = 1;

	while (ret == 1 && debugger->stops > 0) {
		ret = gtdbg_event_next(debugger->session, -1, &event);
		if (ret == 1)
			event_handle(debugger, event);
	}
	while (debugger->kernel_count)
		gtdbg_symbols_destroy(debugger->kernels[
				--debugger->kernel_count].symbols);
	return ret < 0 ? ret : 0;
}

int main(int argc, char **argv)
{
	struct gtdbg_session_attach attach = {
		.event_mask = GTDBG_EVENTS_ALL,
		.ack_mask = 1ull << GTDBG_EVENT_KERNEL_SUBMIT,
	};
	static struct debugger debugger;
	struct gtdbg *gtdbg = NULL;
	int ret;

	if (argc != 5) {
		fputs("usage: debug PID LINE VARIABLE STOPS\n", stderr);
		return 2;
	}
	debugger.line = strtoul(argv[2], NULL, 10);
	debugger.variable = argv[3];
	debugger.stops = atoi(argv[4]);
	ret = gtdbg_open(NULL, &gtdbg);
	if (!ret)
		ret = gtdbg_client_find(atoi(argv[1]), &attach.client_fd);
	if (!ret) {
		ret = gtdbg_session_open(gtdbg, &attach, &debugger.session);
		close(attach.client_fd);
	}
	if (!ret)
		ret = debug(&debugger);
	if (ret)
		fprintf(stderr, "debug: %s\n", strerror(-ret));
	/* Lifts the breakpoints, and lets all threads run. */
	gtdbg_session_close(debugger.session);
	gtdbg_close(gtdbg);
	return ret ? 1 : 0;
}
