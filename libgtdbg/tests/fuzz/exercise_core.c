// SPDX-License-Identifier: MIT
#include "exercise.h"

#include "../../gtdbg_core.h"
#include "../../gtdbg_symbols.h"
#include "../support/core_file.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define THREADS		64
#define PIECES_MAX	4096
#define ADDRESS_END	(1ull << 48)

static uint8_t bytes[65536];

static void promise(bool kept)
{
	if (!kept)
		abort();
}

static void ask_blobs(struct gtdbg_session *session, uint32_t id)
{
	uint32_t kind;
	size_t len;
	void *text;

	for (kind = 0; kind < 6; kind++) {
		if (gtdbg_blob_read(session, kind, id, &text, &len))
			continue;
		promise(!((char *)text)[len]);
		free(text);
	}
}

static void ask_memory(struct gtdbg_session *session, uint32_t device,
		       uint32_t context)
{
	struct gtdbg_memory_mapping mappings[16];
	uint64_t address = 0;
	int pieces, count = 0, i;

	for (pieces = 0; pieces < PIECES_MAX && address < ADDRESS_END &&
	     count >= 0; pieces++) {
		uint64_t before = address;

		count = gtdbg_memory_list(session, device, context, &address,
					  mappings, 16);
		promise(count < 0 || address > before);
		for (i = 0; i < count; i++) {
			promise(mappings[i].address >= before);
			gtdbg_memory_read(session, device, context,
					  mappings[i].address, bytes,
					  sizeof(bytes));
			before = mappings[i].address + mappings[i].len_bytes;
			promise(before <= ADDRESS_END);
		}
	}
}

static void ask_thread(struct gtdbg_session *session,
		       const struct gtdbg_thread_info *info)
{
	struct gtdbg_register_set sets[32];
	struct gtdbg_stop *stop;
	int count, i;

	count = gtdbg_register_list(session, info->device, info->context, sets,
				    32);
	for (i = 0; i < count; i++) {
		uint64_t len = (uint64_t)sets[i].count * sets[i].bytes;

		if (len <= sizeof(bytes))
			gtdbg_register_read(session, info, sets[i].set, 0,
					    sets[i].count, bytes, len);
	}
	gtdbg_slm_read(session, info, 0, bytes, sizeof(bytes));
	gtdbg_slm_read(session, info, UINT64_MAX, bytes, 8);
	if (!gtdbg_stop_create(session, info, &stop)) {
		gtdbg_stop_machine(stop)->memory_read(stop, info->address,
						      bytes, 64);
		gtdbg_stop_destroy(stop);
	}
	ask_blobs(session, info->kernel);
}

static void ask_device(struct gtdbg_session *session, uint32_t device)
{
	struct gtdbg_thread_info infos[THREADS];
	int count = gtdbg_thread_list(session, device, infos, THREADS), i;

	promise(count >= 0 && count <= THREADS);
	for (i = 0; i < count; i++) {
		promise(infos[i].device == device);
		ask_thread(session, &infos[i]);
	}
}

static void ask_event(struct gtdbg_session *session,
		      const struct gtdbg_event *event)
{
	const struct gtdbg_event_device_add *device;
	const struct gtdbg_event_context_add *context;
	const struct gtdbg_event_module_add *module;

	switch (event->kind) {
	case GTDBG_EVENT_DEVICE_ADD:
		device = gtdbg_event_payload(event, sizeof(*device));
		promise(device && device->slots);
		ask_device(session, device->device);
		break;
	case GTDBG_EVENT_CONTEXT_ADD:
		context = gtdbg_event_payload(event, sizeof(*context));
		promise(context);
		ask_memory(session, context->device, context->context);
		break;
	case GTDBG_EVENT_MODULE_ADD:
		module = gtdbg_event_payload(event, sizeof(*module));
		promise(module);
		promise(gtdbg_event_string(event, sizeof(*module),
					   module->name_len_bytes));
		ask_blobs(session, module->module);
		break;
	}
}

static void ask_buffers(struct gtdbg_session *session)
{
	struct gtdbg_core_buffer buffer;
	size_t i;
	int ret;

	for (i = 0; i < PIECES_MAX; i++) {
		ret = gtdbg_core_buffer_read(session, i, &buffer);
		if (ret == -ENOENT)
			break;
		promise(ret || buffer.address + buffer.len_bytes <=
			       ADDRESS_END);
	}
}

/* One that a part of mutated files has. */
static void ask_source(struct gtdbg_session *session)
{
	char *text;

	if (gtdbg_core_source_read(session, CORE_FILE_PATH, &text))
		return;
	promise(strlen(text) < 16u << 20);
	free(text);
}

void exercise_core(const void *file, size_t len_bytes)
{
	int fd = core_file_open(file, len_bytes);
	const struct gtdbg_event *event;
	struct gtdbg_session *session;
	bool is_synced = false;
	uint64_t mapped;
	size_t i;

	if (fd < 0)
		return;
	if (gtdbg_core_open(fd, &session)) {
		close(fd);
		return;
	}
	close(fd);
	for (i = 0; gtdbg_core_damage(session, i); i++)
		promise(*gtdbg_core_damage(session, i));
	gtdbg_core_absent(session, &mapped);
	ask_buffers(session);
	ask_source(session);
	while (gtdbg_event_next(session, 0, &event) == 1) {
		promise(!is_synced);
		is_synced = event->kind == GTDBG_EVENT_SYNCED;
		ask_event(session, event);
	}
	promise(is_synced);
	gtdbg_session_close(session);
}
