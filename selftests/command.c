// SPDX-License-Identifier: GPL-2.0-only
#include "command.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <linux/gtdbg_vgt.h>

struct target command_target;
static uint32_t context, slot;
static uint64_t generation;
static uint8_t scratch[65536];
static uint8_t mask[84];
static struct gtdbg_memory_range range;
static struct gtdbg_breakpoint_place place;

static void fill_module_add(void *arg)
{
	struct gtdbg_module_add *add = arg;

	add->name = (uintptr_t)"n";
	add->name_len_bytes = 1;
}

static void fill_kernel_add(void *arg)
{
	struct gtdbg_kernel_add *add = arg;

	add->name = (uintptr_t)"n";
	add->name_len_bytes = 1;
}

static void fill_attach(void *arg)
{
	struct gtdbg_session_attach *attach = arg;

	attach->client_fd = command_target.client;
	attach->flags = GTDBG_SESSION_F_OBSERVER;
}

static void fill_blob(void *arg)
{
	struct gtdbg_blob_open *open = arg;

	open->kind = GTDBG_BLOB_KERNEL_ELF;
	open->id = command_target.kernel;
}

static void fill_list(void *arg)
{
	struct gtdbg_thread_list *list = arg;

	list->device = command_target.peer.device;
	list->infos = (uintptr_t)scratch;
	list->count = 8;
}

static void fill_clock(void *arg)
{
	struct gtdbg_device_clock *clock = arg;

	clock->device = command_target.peer.device;
}

static void fill_interrupt(void *arg)
{
	struct gtdbg_thread_interrupt *interrupt = arg;

	interrupt->device = command_target.peer.device;
	interrupt->timeout_ns = 1000000;
}

static void fill_resume(void *arg)
{
	struct gtdbg_thread_resume *resume = arg;

	resume->device = command_target.peer.device;
	resume->command = GTDBG_RESUME_RUN;
	resume->slots = 1;
	resume->mask = (uintptr_t)mask;
}

static void fill_register_list(void *arg)
{
	struct gtdbg_register_list *list = arg;

	list->device = command_target.peer.device;
	list->context = context;
	list->sets = (uintptr_t)scratch;
	list->count = 4;
}

static void fill_register(void *arg)
{
	struct gtdbg_register_access *access = arg;

	access->device = command_target.peer.device;
	access->slot = slot;
	access->generation = generation;
	access->set = GTDBG_REGISTER_GRF;
	access->count = 1;
	access->buf = (uintptr_t)scratch;
	access->len_bytes = 32;
}

static void fill_open(void *arg)
{
	struct gtdbg_memory_open *open = arg;

	open->device = command_target.peer.device;
	open->context = context;
}

static void fill_memory(void *arg)
{
	struct gtdbg_memory_access *access = arg;

	range = (struct gtdbg_memory_range){
		.address = PEER_CODE + 2048,
		.buf = (uintptr_t)scratch,
		.len_bytes = 16,
	};
	access->device = command_target.peer.device;
	access->context = context;
	access->ranges = (uintptr_t)&range;
	access->count = 1;
}

static void fill_memory_list(void *arg)
{
	struct gtdbg_memory_list *list = arg;

	list->device = command_target.peer.device;
	list->context = context;
	list->mappings = (uintptr_t)scratch;
	list->count = 8;
}

static void fill_slm(void *arg)
{
	struct gtdbg_slm_access *access = arg;

	access->device = command_target.peer.device;
	access->slot = slot;
	access->generation = generation;
	access->buf = (uintptr_t)scratch;
	access->len_bytes = 200;
}

static void fill_breakpoint(void *arg)
{
	struct gtdbg_breakpoint_set *set = arg;

	set->kernel = command_target.kernel;
	set->offset = 512;
}

static void fill_places(void *arg)
{
	struct gtdbg_breakpoint_set_many *set = arg;

	place = (struct gtdbg_breakpoint_place){
		.kernel = command_target.kernel,
		.offset = 528,
	};
	set->places = (uintptr_t)&place;
	set->count = 1;
}

static void fill_ids(void *arg)
{
	static uint32_t none = 0x7fffffff;
	struct gtdbg_breakpoint_clear_many *clear = arg;

	clear->breakpoints = (uintptr_t)&none;
	clear->count = 1;
}

static void fill_program(void *arg)
{
	struct gtdbg_breakpoint_program *program = arg;

	program->breakpoint = 0x7fffffff;
}

static void fill_mask(void *arg)
{
	struct gtdbg_event_mask *masks = arg;

	masks->event_mask = RIG_ALL_EVENTS;
}

static void fill_offer(void *arg)
{
	struct gtdbg_vgt_offer *offer = arg;

	offer->platform = GTDBG_PLATFORM_GEN12LP;
	offer->client_fd = command_target.client;
	offer->memory_fd = command_target.peer.memory_fd;
	offer->memory_bytes = PEER_MEMORY_BYTES;
	offer->slices = 1;
	offer->subslices = 6;
	offer->eus = 16;
	offer->threads = 7;
}

#define COMMAND(name, on, type, field, expect, fill) \
	{ #name, name, on, offsetof(struct type, field), expect, fill }

const struct command commands[] = {
	COMMAND(GTDBG_IOC_INFO, COMMAND_CONTROL | COMMAND_SESSION, gtdbg_info, flags, 0, NULL),
	COMMAND(GTDBG_IOC_CLIENT_REGISTER, COMMAND_CONTROL, gtdbg_client_register,
		flags, -EBUSY, NULL),
	COMMAND(GTDBG_IOC_MODULE_ADD, COMMAND_CONTROL, gtdbg_module_add, flags, 0,
		fill_module_add),
	COMMAND(GTDBG_IOC_MODULE_REMOVE, COMMAND_CONTROL, gtdbg_module_remove, flags,
		-ENOENT, NULL),
	COMMAND(GTDBG_IOC_KERNEL_ADD, COMMAND_CONTROL, gtdbg_kernel_add, flags, 0,
		fill_kernel_add),
	COMMAND(GTDBG_IOC_KERNEL_REMOVE, COMMAND_CONTROL, gtdbg_kernel_remove, flags,
		-ENOENT, NULL),
	COMMAND(GTDBG_IOC_CLIENT_WAIT, COMMAND_CONTROL, gtdbg_client_wait, flags, 0,
		NULL),
	COMMAND(GTDBG_IOC_SESSION_ATTACH, COMMAND_CONTROL, gtdbg_session_attach, flags,
		0, fill_attach),
	COMMAND(GTDBG_IOC_SESSION_STATS, COMMAND_SESSION, gtdbg_session_stats, flags,
		0, NULL),
	COMMAND(GTDBG_IOC_EVENT_MASK, COMMAND_SESSION, gtdbg_event_mask, ack_mask, 0,
		fill_mask),
	COMMAND(GTDBG_IOC_EVENT_ACK, COMMAND_SESSION, gtdbg_event_ack, flags, -ENOENT,
		NULL),
	COMMAND(GTDBG_IOC_EVENT_SNAPSHOT, COMMAND_SESSION, gtdbg_event_snapshot,
		flags, 0, NULL),
	COMMAND(GTDBG_IOC_DEVICE_CLOCK, COMMAND_SESSION, gtdbg_device_clock, flags,
		0, fill_clock),
	COMMAND(GTDBG_IOC_BLOB_OPEN, COMMAND_SESSION, gtdbg_blob_open, flags, 0,
		fill_blob),
	COMMAND(GTDBG_IOC_THREAD_LIST, COMMAND_SESSION, gtdbg_thread_list, flags, 0,
		fill_list),
	COMMAND(GTDBG_IOC_THREAD_INTERRUPT, COMMAND_SESSION, gtdbg_thread_interrupt,
		flags, 0, fill_interrupt),
	COMMAND(GTDBG_IOC_THREAD_RESUME, COMMAND_SESSION, gtdbg_thread_resume, flags,
		0, fill_resume),
	COMMAND(GTDBG_IOC_REGISTER_LIST, COMMAND_SESSION, gtdbg_register_list, flags,
		0, fill_register_list),
	COMMAND(GTDBG_IOC_REGISTER_READ, COMMAND_SESSION, gtdbg_register_access, flags,
		0, fill_register),
	COMMAND(GTDBG_IOC_REGISTER_WRITE, COMMAND_SESSION, gtdbg_register_access,
		flags, 0, fill_register),
	COMMAND(GTDBG_IOC_MEMORY_OPEN, COMMAND_SESSION, gtdbg_memory_open, flags, 0,
		fill_open),
	COMMAND(GTDBG_IOC_MEMORY_READ, COMMAND_SESSION, gtdbg_memory_access, flags, 0,
		fill_memory),
	COMMAND(GTDBG_IOC_MEMORY_WRITE, COMMAND_SESSION, gtdbg_memory_access, flags,
		0, fill_memory),
	COMMAND(GTDBG_IOC_MEMORY_LIST, COMMAND_SESSION, gtdbg_memory_list, flags, 0,
		fill_memory_list),
	COMMAND(GTDBG_IOC_SLM_READ, COMMAND_SESSION, gtdbg_slm_access, flags, 0,
		fill_slm),
	COMMAND(GTDBG_IOC_SLM_WRITE, COMMAND_SESSION, gtdbg_slm_access, flags, 0,
		fill_slm),
	COMMAND(GTDBG_IOC_BREAKPOINT_SET, COMMAND_SESSION, gtdbg_breakpoint_set, flags,
		0, fill_breakpoint),
	COMMAND(GTDBG_IOC_BREAKPOINT_SET_MANY, COMMAND_SESSION,
		gtdbg_breakpoint_set_many, flags, 0, fill_places),
	COMMAND(GTDBG_IOC_BREAKPOINT_CLEAR, COMMAND_SESSION, gtdbg_breakpoint_clear,
		flags, -ENOENT, NULL),
	COMMAND(GTDBG_IOC_BREAKPOINT_CLEAR_MANY, COMMAND_SESSION,
		gtdbg_breakpoint_clear_many, flags, -ENOENT, fill_ids),
	COMMAND(GTDBG_IOC_BREAKPOINT_PROGRAM, COMMAND_SESSION,
		gtdbg_breakpoint_program, flags, -ENOENT, fill_program),
	COMMAND(GTDBG_VGT_IOC_OFFER, COMMAND_VGT, gtdbg_vgt_offer, flags, -EBUSY,
		fill_offer),
};

const size_t command_count = sizeof(commands) / sizeof(commands[0]);

int command_call(const struct command *command, int fd, unsigned int cmd,
		void *arg)
{
	int ret = ioctl(fd, cmd, arg);

	if (ret > 2 && (command->cmd == GTDBG_IOC_SESSION_ATTACH ||
			command->cmd == GTDBG_IOC_BLOB_OPEN ||
			command->cmd == GTDBG_IOC_MEMORY_OPEN))
		close(ret);
	return ret < 0 ? -errno : 0;
}

uint8_t *command_fresh(const struct command *command)
{
	static uint8_t arg[1024];

	memset(arg, 0, sizeof(arg));
	if (command->fill)
		command->fill(arg);
	return arg;
}

int command_prepare(void)
{
	const struct gtdbg_event_thread_stop *stop;
	struct rig_event event;
	int ret;

	ret = target_start(&command_target, RIG_ALL_EVENTS, 0) ?:
	      target_context(&command_target, &context);
	if (ret)
		return ret;
	peer_stop(&command_target.peer, 300, 0x20000, PEER_HALT);
	ret = rig_next(&command_target.rig, GTDBG_EVENT_THREAD_STOP, &event);
	if (ret)
		return ret;
	stop = event.payload;
	slot = stop->thread.slot;
	generation = stop->thread.generation;
	return 0;
}

