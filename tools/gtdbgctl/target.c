// SPDX-License-Identifier: MIT
/* What the event stream says of the debuggee's devices and code. */
#include "debugger.h"

#include "event.h"
#include "reset.h"

#include <stdlib.h>
#include <string.h>

struct device *device_find(struct debugger *debugger, uint32_t id)
{
	struct device *device;

	for (device = debugger->devices; device; device = device->next) {
		if (device->info.device == id)
			return device;
	}
	return NULL;
}

struct device *device_find_number(struct debugger *debugger,
				  unsigned int number)
{
	struct device *device;

	for (device = debugger->devices; device; device = device->next) {
		if (device->number == number)
			return device;
	}
	return NULL;
}

struct context *context_find(struct debugger *debugger, uint32_t device,
			     uint32_t id)
{
	struct context *context;

	for (context = debugger->contexts; context; context = context->next) {
		if (context->info.device == device &&
		    context->info.context == id)
			return context;
	}
	return NULL;
}

struct module *module_find(struct debugger *debugger, uint32_t id)
{
	struct module *module;

	for (module = debugger->modules; module; module = module->next) {
		if (module->id == id)
			return module;
	}
	return NULL;
}

const char *module_source(struct debugger *debugger, struct module *module)
{
	void *bytes;

	if (!module->source && module->source_size && debugger->session &&
	    !gtdbg_blob_read(debugger->session, GTDBG_BLOB_MODULE_SOURCE,
			     module->id, &bytes, &module->source_len))
		module->source = bytes;
	return module->source;
}

struct kernel *kernel_find(struct debugger *debugger, uint32_t id)
{
	struct kernel *kernel;

	for (kernel = debugger->kernels; kernel; kernel = kernel->next) {
		if (kernel->id == id)
			return kernel;
	}
	return NULL;
}

struct kernel *kernel_find_address(struct debugger *debugger, uint64_t address)
{
	struct kernel *kernel;

	for (kernel = debugger->kernels; kernel; kernel = kernel->next) {
		if (kernel->address && address >= kernel->address &&
		    address < kernel->address + kernel->isa_size)
			return kernel;
	}
	return NULL;
}

static void symbols_read(struct debugger *debugger, struct kernel *kernel)
{
	size_t len;
	void *bytes;

	if (kernel->elf_size &&
	    !gtdbg_blob_read(debugger->session, GTDBG_BLOB_KERNEL_ELF,
			     kernel->id, &bytes, &len)) {
		gtdbg_symbols_create(bytes, len, &kernel->symbols);
		free(bytes);
	}
}

static void code_read(struct debugger *debugger, struct kernel *kernel)
{
	size_t len;
	void *bytes;

	if (kernel->isa_size &&
	    !gtdbg_blob_read(debugger->session, GTDBG_BLOB_KERNEL_ISA,
			     kernel->id, &bytes, &len)) {
		gtdbg_code_create(bytes, len, &kernel->code);
		free(bytes);
	}
}

struct gtdbg_symbols *kernel_symbols(struct debugger *debugger,
				     struct kernel *kernel)
{
	if (!kernel)
		return NULL;
	if (!kernel->has_tried_symbols) {
		kernel->has_tried_symbols = true;
		symbols_read(debugger, kernel);
	}
	return kernel->symbols;
}

bool kernel_line(struct debugger *debugger, struct kernel *kernel,
		 uint64_t offset, struct gtdbg_line *line_out)
{
	struct gtdbg_symbols *symbols = kernel_symbols(debugger, kernel);
	uint64_t base = 0;
	size_t len;

	if (!symbols)
		return false;
	gtdbg_symbols_text(symbols, &base, &len);
	return !gtdbg_line_find(symbols, base + offset, line_out);
}

/* Later than symbols: few sessions need it, and decoding takes its time. */
struct gtdbg_code *kernel_code(struct debugger *debugger,
			       struct kernel *kernel)
{
	if (!kernel)
		return NULL;
	if (!kernel->has_tried_code) {
		kernel->has_tried_code = true;
		code_read(debugger, kernel);
	}
	return kernel->code;
}

static void client_add(struct debugger *debugger,
		       const struct gtdbg_event_client_add *info)
{
	memcpy(debugger->comm, info->comm, sizeof(info->comm));
	if (!debugger->pid)
		debugger->pid = info->pid;
}

static void device_add(struct debugger *debugger,
		       const struct gtdbg_event_device_add *info)
{
	struct device *device = device_find(debugger, info->device);

	/* Or it was lost, and answers again. */
	if (device) {
		device->info = *info;
		device->is_lost = false;
		device->is_stale = false;
		return;
	}
	device = calloc(1, sizeof(*device));
	if (!device)
		return;
	device->info = *info;
	device->log = info->is_virtual ? -1 : reset_log_open();
	device->number = debugger->devices ? debugger->devices->number + 1 : 2;
	device->next = debugger->devices;
	debugger->devices = device;
}

static void context_update(struct debugger *debugger,
			   const struct gtdbg_event_context_add *info)
{
	struct context *context;

	context = context_find(debugger, info->device, info->context);
	if (!context) {
		context = calloc(1, sizeof(*context));
		if (!context)
			return;
		context->next = debugger->contexts;
		debugger->contexts = context;
	}
	context->info = *info;
	context->is_stale = false;
}

static void contexts_remove(struct debugger *debugger,
			    const struct gtdbg_event_context_remove *info)
{
	struct context **at = &debugger->contexts;

	while (*at) {
		struct context *context = *at;

		/* Without one that is named: all that were not reported again. */
		if (info ? context->info.device != info->device ||
			   context->info.context != info->context :
			   !context->is_stale) {
			at = &context->next;
			continue;
		}
		*at = context->next;
		free(context);
	}
}

static void module_add(struct debugger *debugger,
		       const struct gtdbg_event *event,
		       const struct gtdbg_event_module_add *info)
{
	struct module *module = module_find(debugger, info->module);
	char *name;

	if (module) {
		module->is_stale = false;
		return;
	}
	module = calloc(1, sizeof(*module));
	name = strdup(gtdbg_event_string(event, sizeof(*info),
					 info->name_len_bytes));
	if (!module || !name) {
		free(module);
		free(name);
		return;
	}
	module->id = info->module;
	module->name = name;
	module->source_size = info->source_len_bytes;
	module->next = debugger->modules;
	debugger->modules = module;
	assert_calls_module_added(debugger, module);
	assert_module_added(debugger);
}

static void module_free(struct module *module)
{
	free(module->name);
	free(module->source);
	free(module);
}

static void module_remove(struct debugger *debugger, uint32_t id)
{
	struct module **at = &debugger->modules;

	while (*at && (*at)->id != id)
		at = &(*at)->next;
	if (*at) {
		struct module *gone = *at;

		*at = gone->next;
		module_free(gone);
	}
}

static void kernel_add(struct debugger *debugger,
		       const struct gtdbg_event *event,
		       const struct gtdbg_event_kernel_add *info)
{
	struct kernel *kernel = kernel_find(debugger, info->kernel);
	char *name;

	if (kernel) {
		kernel->is_stale = false;
		return;
	}
	kernel = calloc(1, sizeof(*kernel));
	name = strdup(gtdbg_event_string(event, sizeof(*info),
					 info->name_len_bytes));
	if (!kernel || !name) {
		free(kernel);
		free(name);
		return;
	}
	kernel->id = info->kernel;
	kernel->module = info->module;
	kernel->cookie = info->cookie;
	kernel->name = name;
	kernel->elf_size = info->elf_len_bytes;
	kernel->isa_size = info->isa_len_bytes;
	kernel->next = debugger->kernels;
	debugger->kernels = kernel;
	breakpoints_kernel_added(debugger, kernel);
	assert_calls_kernel_added(debugger, kernel);
	/* Not when it has failed: the program is to end soon then. */
	if (debugger->asserts.mode == ASSERT_ABORT && !debugger->is_core)
		assert_rehearse(debugger, kernel);
}

static void kernel_free(struct kernel *kernel)
{
	gtdbg_symbols_destroy(kernel->symbols);
	gtdbg_code_destroy(kernel->code);
	free(kernel->name);
	free(kernel);
}

/*
 * Values in the history refer to the types among a kernel's symbols, steps to its lines,
 * and frames to its functions: a kernel may go while a thread that stands in it is selected.
 */
static void kernel_retire(struct debugger *debugger, struct kernel *kernel)
{
	bool has_frames = debugger->has_thread &&
			  debugger->thread.kernel == kernel->id;

	if (!kernel->has_values && !kernel->is_stepped && !has_frames) {
		kernel_free(kernel);
		return;
	}
	kernel->next = debugger->retired;
	debugger->retired = kernel;
}

void kernels_fini(struct debugger *debugger)
{
	while (debugger->retired) {
		struct kernel *kernel = debugger->retired;

		debugger->retired = kernel->next;
		kernel_free(kernel);
	}
}

static void kernel_remove(struct debugger *debugger, uint32_t id)
{
	struct kernel **at = &debugger->kernels;

	breakpoints_kernel_gone(debugger, id);
	while (*at && (*at)->id != id)
		at = &(*at)->next;
	if (*at) {
		struct kernel *gone = *at;

		*at = gone->next;
		kernel_retire(debugger, gone);
	}
}

static void kernel_seen(struct kernel *kernel, uint32_t device,
			uint32_t context, uint64_t address)
{
	kernel->device = device;
	kernel->context = context;
	kernel->address = address;
}

/* 0 if not known, or if the sizes are no sizes. */
static uint64_t launch_threads(const struct gtdbg_event_kernel_submit *info)
{
	uint64_t threads = info->threads;
	int i;

	for (i = 0; i < 3; i++)
		if (__builtin_mul_overflow(threads, info->groups[i], &threads))
			return 0;
	return threads;
}

static void kernel_submit(struct debugger *debugger,
			  const struct gtdbg_event *event,
			  const struct gtdbg_event_kernel_submit *info)
{
	struct kernel *kernel = kernel_find(debugger, info->kernel);
	struct device *device = device_find(debugger, info->device);

	if (kernel)
		kernel_seen(kernel, info->device, info->context,
			    info->address);
	if (device) {
		device->launched = launch_threads(info);
		device->launched_kernel = info->kernel;
	}
	/* Breakpoints are in place: the launch may go on. */
	if (!(event->flags & GTDBG_EVENT_F_ACK))
		return;
	gtdbg_event_ack(debugger->session, event->seqno);
	assert_launched(debugger);
}

/* Several places may hold a kernel: it is shown at the latest. */
static void kernel_load(struct debugger *debugger,
			const struct gtdbg_event_kernel_load *info)
{
	struct kernel *kernel = kernel_find(debugger, info->kernel);

	if (kernel)
		kernel_seen(kernel, info->device, info->context,
			    info->address);
}

static void kernel_unload(struct debugger *debugger,
			  const struct gtdbg_event_kernel_load *info)
{
	struct kernel *kernel = kernel_find(debugger, info->kernel);

	if (kernel && kernel->address == info->address)
		kernel->address = 0;
}

static void device_lost(struct debugger *debugger, uint32_t id)
{
	struct device *device = device_find(debugger, id);

	if (device)
		device->is_lost = true;
}

int target_resync(struct debugger *debugger)
{
	struct gtdbg_event_snapshot snapshot;
	struct context *context;
	struct device *device;
	struct module *module;
	struct kernel *kernel;
	int ret;

	ret = gtdbg_event_snapshot(debugger->session, &snapshot);
	if (ret < 0)
		return ret;
	debugger->resync_seqno = snapshot.last_seqno;
	/* Those that still are will be reported, too. */
	debugger->stopped_count = 0;
	for (device = debugger->devices; device; device = device->next)
		device->is_stale = true;
	for (context = debugger->contexts; context; context = context->next)
		context->is_stale = true;
	for (module = debugger->modules; module; module = module->next)
		module->is_stale = true;
	for (kernel = debugger->kernels; kernel; kernel = kernel->next)
		kernel->is_stale = true;
	return 0;
}

/* All that there is has been reported again: the rest is gone. */
static void target_synced(struct debugger *debugger)
{
	struct module *module, *next_module;
	struct kernel *kernel, *next_kernel;
	struct device *device;

	debugger->resync_seqno = 0;
	for (device = debugger->devices; device; device = device->next)
		device->is_lost |= device->is_stale;
	contexts_remove(debugger, NULL);
	for (kernel = debugger->kernels; kernel; kernel = next_kernel) {
		next_kernel = kernel->next;
		if (kernel->is_stale)
			kernel_remove(debugger, kernel->id);
	}
	for (module = debugger->modules; module; module = next_module) {
		next_module = module->next;
		if (module->is_stale)
			module_remove(debugger, module->id);
	}
}

bool target_event(struct debugger *debugger, const struct gtdbg_event *event)
{
	const void *payload = event_payload(event);

	if (event->kind == GTDBG_EVENT_SYNCED &&
	    event->seqno == debugger->resync_seqno)
		target_synced(debugger);
	if (!payload)
		return false;
	switch (event->kind) {
	case GTDBG_EVENT_CLIENT_ADD:
		client_add(debugger, payload);
		break;
	case GTDBG_EVENT_DEVICE_ADD:
		device_add(debugger, payload);
		break;
	case GTDBG_EVENT_DEVICE_LOST:
		device_lost(debugger, *(const uint32_t *)payload);
		break;
	case GTDBG_EVENT_CONTEXT_ADD:
	case GTDBG_EVENT_CONTEXT_UPDATE:
		context_update(debugger, payload);
		break;
	case GTDBG_EVENT_CONTEXT_REMOVE:
		contexts_remove(debugger, payload);
		break;
	case GTDBG_EVENT_MODULE_ADD:
		module_add(debugger, event, payload);
		break;
	case GTDBG_EVENT_MODULE_REMOVE:
		module_remove(debugger, *(const uint32_t *)payload);
		break;
	case GTDBG_EVENT_KERNEL_ADD:
		saveareas_look(debugger);
		kernel_add(debugger, event, payload);
		break;
	case GTDBG_EVENT_KERNEL_REMOVE:
		kernel_remove(debugger, *(const uint32_t *)payload);
		break;
	case GTDBG_EVENT_KERNEL_LOAD:
		kernel_load(debugger, payload);
		break;
	case GTDBG_EVENT_KERNEL_UNLOAD:
		kernel_unload(debugger, payload);
		break;
	case GTDBG_EVENT_KERNEL_SUBMIT:
		kernel_submit(debugger, event, payload);
		break;
	case GTDBG_EVENT_PAGE_FAULT:
		/* No one waits for a stop. */
		if (event->flags & GTDBG_EVENT_F_ACK)
			gtdbg_event_ack(debugger->session, event->seqno);
		break;
	default:
		return false;
	}
	return true;
}

void target_fini(struct debugger *debugger)
{
	while (debugger->kernels) {
		struct kernel *kernel = debugger->kernels;

		debugger->kernels = kernel->next;
		kernel_retire(debugger, kernel);
	}
	while (debugger->modules) {
		struct module *module = debugger->modules;

		debugger->modules = module->next;
		module_free(module);
	}
	while (debugger->contexts) {
		struct context *context = debugger->contexts;

		debugger->contexts = context->next;
		free(context);
	}
	while (debugger->devices) {
		struct device *device = debugger->devices;

		debugger->devices = device->next;
		reset_log_close(device->log);
		free(device);
	}
}
