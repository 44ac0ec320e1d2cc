// SPDX-License-Identifier: MIT
/*
 * What the debugger knows of devices, contexts, modules and kernels goes into a
 * core file as the events by which it came, the oldest first: whoever opens the
 * file learns of them in the same way and gives them the same numbers.
 */
#include "core.h"

#include "debugger.h"

#include <errno.h>
#include <gtdbg_core.h>
#include <stdlib.h>
#include <string.h>

/* Lists of the target grow at their front. */
struct link {
	struct link *next;
};

static void event_begin(struct core_notes *notes, uint16_t kind,
			size_t payload_len)
{
	struct gtdbg_event event = {
		.len_bytes = sizeof(event) + (payload_len + 7) / 8 * 8,
		.kind = kind, .flags = GTDBG_EVENT_F_REPLAY,
	};

	core_note_begin(notes, GTDBG_CORE_EVENT);
	core_note_add(notes, &event, sizeof(event));
}

static void event_note(struct core_notes *parts, uint16_t kind,
		       const void *payload, size_t len, const char *name)
{
	static const char zeroes[8];
	struct core_notes *notes = &parts[CORE_PART_TARGET];
	size_t name_len = name ? strlen(name) + 1 : 0;

	event_begin(notes, kind, len + name_len);
	core_note_add(notes, payload, len);
	core_note_add(notes, name ? name : "", name_len);
	core_note_add(notes, zeroes, -(len + name_len) % 8);
	core_note_end(notes);
}

/* Returns how long it is; 0 if there is none. */
static size_t blob_note(struct debugger *debugger, struct core_notes *parts,
			uint32_t kind, uint32_t id)
{
	static const enum core_part part[] = {
		[GTDBG_BLOB_MODULE_SOURCE] = CORE_PART_SOURCE,
		[GTDBG_BLOB_MODULE_ELF] = CORE_PART_MODULES,
		[GTDBG_BLOB_KERNEL_ELF] = CORE_PART_KERNELS,
		[GTDBG_BLOB_KERNEL_ISA] = CORE_PART_KERNELS,
	};
	struct core_notes *notes = &parts[part[kind]];
	const struct gtdbg_core_blob head = { .kind = kind, .id = id };
	size_t len = 0;
	void *bytes;
	int ret = gtdbg_blob_read(debugger->session, kind, id, &bytes, &len);

	if (ret) {
		if (ret != -ENOENT && !notes->error)
			notes->error = ret;
		return 0;
	}
	core_note_begin(notes, GTDBG_CORE_BLOB);
	core_note_add(notes, &head, sizeof(head));
	core_note_add(notes, bytes, len);
	core_note_end(notes);
	free(bytes);
	return len;
}

static void client_note(struct debugger *debugger, struct core_notes *parts)
{
	struct gtdbg_event_client_add info = { .pid = debugger->pid };

	memcpy(info.comm, debugger->comm, sizeof(info.comm));
	event_note(parts, GTDBG_EVENT_CLIENT_ADD, &info, sizeof(info), NULL);
}

static void device_note(struct debugger *debugger, struct core_notes *parts,
			const void *link)
{
	const struct device *device = link;

	(void)debugger;
	event_note(parts, GTDBG_EVENT_DEVICE_ADD, &device->info,
		   sizeof(device->info), NULL);
}

static void context_note(struct debugger *debugger, struct core_notes *parts,
			 const void *link)
{
	const struct context *context = link;

	(void)debugger;
	event_note(parts, GTDBG_EVENT_CONTEXT_ADD, &context->info,
		   sizeof(context->info), NULL);
}

static void module_note(struct debugger *debugger, struct core_notes *parts,
			const void *link)
{
	const struct module *module = link;
	struct gtdbg_event_module_add info = { .module = module->id };

	info.name_len_bytes = module->name ? strlen(module->name) + 1 : 0;
	info.source_len_bytes = blob_note(debugger, parts,
					  GTDBG_BLOB_MODULE_SOURCE,
					  module->id);
	info.elf_len_bytes = blob_note(debugger, parts, GTDBG_BLOB_MODULE_ELF,
				       module->id);
	event_note(parts, GTDBG_EVENT_MODULE_ADD, &info, sizeof(info),
		   module->name);
}

static void kernel_note(struct debugger *debugger, struct core_notes *parts,
			const void *link)
{
	const struct kernel *kernel = link;
	struct gtdbg_event_kernel_add info = {
		.kernel = kernel->id, .module = kernel->module,
		.cookie = kernel->cookie,
	};
	struct gtdbg_event_kernel_load load = {
		.device = kernel->device, .context = kernel->context,
		.kernel = kernel->id, .cookie = kernel->cookie,
		.address = kernel->address,
	};

	info.name_len_bytes = kernel->name ? strlen(kernel->name) + 1 : 0;
	info.elf_len_bytes = blob_note(debugger, parts, GTDBG_BLOB_KERNEL_ELF,
				       kernel->id);
	info.isa_len_bytes = kernel->isa_size;
	blob_note(debugger, parts, GTDBG_BLOB_KERNEL_ISA, kernel->id);
	event_note(parts, GTDBG_EVENT_KERNEL_ADD, &info, sizeof(info),
		   kernel->name);
	if (kernel->address)
		event_note(parts, GTDBG_EVENT_KERNEL_LOAD, &load, sizeof(load),
			   NULL);
}

/* For which the threads were stopped. */
static void fault_note(struct debugger *debugger, struct core_notes *parts)
{
	if (debugger->has_fault && debugger->fault.device)
		event_note(parts, GTDBG_EVENT_PAGE_FAULT, &debugger->fault,
			   sizeof(debugger->fault), NULL);
}

static void buffers_note(struct debugger *debugger, struct core_notes *notes)
{
	struct gtdbg_core_buffer note = { 0 };
	struct buffer *list;
	size_t count = buffer_list(debugger, &list), i;

	if (count)
		core_note_begin(notes, GTDBG_CORE_BUFFERS);
	for (i = 0; i < count; i++) {
		note.kind = list[i].kind;
		note.number = list[i].number;
		note.address = list[i].address;
		note.len_bytes = list[i].len_bytes;
		note.flags = list[i].is_gone ? GTDBG_CORE_BUFFER_F_RELEASED : 0;
		core_note_add(notes, &note, sizeof(note));
	}
	if (count)
		core_note_end(notes);
	free(list);
}

static void oldest_first(struct debugger *debugger, struct core_notes *parts,
			 const void *newest,
			 void (*note)(struct debugger *debugger,
				      struct core_notes *parts,
				      const void *link))
{
	const struct link *link, **links;
	size_t count = 0;

	for (link = newest; link; link = link->next)
		count++;
	links = calloc(count + 1, sizeof(*links));
	if (!links) {
		parts[CORE_PART_TARGET].error = -ENOMEM;
		return;
	}
	count = 0;
	for (link = newest; link; link = link->next)
		links[count++] = link;
	while (count--)
		note(debugger, parts, links[count]);
	free(links);
}

void core_notes_target(struct debugger *debugger, int threads,
		       struct core_notes *parts)
{
	const struct gtdbg_core_head head = {
		.version = GTDBG_CORE_VERSION,
		.threads = threads > 0 ? threads : 0,
	};
	struct core_notes *notes = &parts[CORE_PART_TARGET];

	core_note_begin(notes, GTDBG_CORE_HEAD);
	core_note_add(notes, &head, sizeof(head));
	core_note_end(notes);
	client_note(debugger, parts);
	oldest_first(debugger, parts, debugger->devices, device_note);
	oldest_first(debugger, parts, debugger->contexts, context_note);
	oldest_first(debugger, parts, debugger->modules, module_note);
	oldest_first(debugger, parts, debugger->kernels, kernel_note);
	fault_note(debugger, parts);
	buffers_note(debugger, &parts[CORE_PART_MEMORY]);
}
