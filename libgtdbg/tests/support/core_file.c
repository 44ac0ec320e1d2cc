// SPDX-License-Identifier: MIT
#include "core_file.h"

#include "../../gtdbg_core.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define FILE_BYTES	65536
#define HEADERS		4

uint8_t core_file_register(uint32_t slot, size_t at)
{
	return slot * 3 + at * 7 + (at >> 8);
}

uint8_t core_file_slm(size_t at)
{
	return 0xc0 ^ at;
}

uint8_t core_file_memory(uint32_t context, uint64_t address)
{
	return address * 11 + (address >> 12) + context;
}

int core_file_open(const void *bytes, size_t len)
{
	int fd = memfd_create("core", MFD_CLOEXEC);

	if (fd >= 0 && len && write(fd, bytes, len) != (ssize_t)len) {
		close(fd);
		return -1;
	}
	return fd;
}

static size_t add(struct core_file *file, const void *bytes, size_t len)
{
	size_t at = file->len;

	memcpy(file->bytes + at, bytes, len);
	file->len += len;
	return at;
}

/* Its descriptor has two parts; returns where it begins. */
static size_t note(struct core_file *file, uint32_t type, const void *head,
		   size_t head_len, const void *rest, size_t rest_len)
{
	const Elf64_Nhdr begin = { 6, head_len + rest_len, type };
	size_t at;

	add(file, &begin, sizeof(begin));
	add(file, "gtdbg\0\0", 8);
	at = add(file, head, head_len);
	add(file, rest, rest_len);
	file->note[file->note_count].type = type;
	file->note[file->note_count++].end = file->len;
	file->len = (file->len + 3) / 4 * 4;
	return at;
}

static size_t event(struct core_file *file, uint16_t kind, const void *payload,
		    size_t len, const char *name)
{
	size_t name_len = name ? (strlen(name) + 8) / 8 * 8 : 0;
	char record[512] = { 0 };
	struct gtdbg_event head = {
		.len_bytes = sizeof(head) + len + name_len, .kind = kind,
	};

	memcpy(record, payload, len);
	if (name)
		strcpy(record + len, name);
	return note(file, GTDBG_CORE_EVENT, &head, sizeof(head), record,
		    len + name_len) + sizeof(head);
}

static void target_add(struct core_file *file)
{
	const struct gtdbg_core_head head = { GTDBG_CORE_VERSION, 3 };
	const struct gtdbg_event_client_add client = { 42, 0, 0, "program" };
	const struct gtdbg_event_device_add device = {
		.device = 1, .platform = GTDBG_PLATFORM_GEN12LP, .slices = 1,
		.subslices = 1, .eus = 1, .threads = 7, .slots = 7,
	};
	struct gtdbg_event_context_add context = { .device = 1, .context = 1,
						   .general_base = 0x20000 };
	const struct gtdbg_event_module_add module = {
		.module = 1, .name_len_bytes = 5,
		.source_len_bytes = sizeof(CORE_FILE_SOURCE) - 1,
	};
	const struct gtdbg_event_kernel_add kernel = {
		.kernel = 1, .module = 1, .cookie = 7, .name_len_bytes = 2,
		.isa_len_bytes = 16,
	};
	const struct gtdbg_event_kernel_load load = { 1, 1, 1, 7, 0x20000 };
	const struct gtdbg_event_page_fault fault = { 1, 1, 0x123000, 0, 0 };

	file->notes = note(file, GTDBG_CORE_HEAD, &head, sizeof(head), "", 0);
	event(file, GTDBG_EVENT_CLIENT_ADD, &client, sizeof(client), NULL);
	file->device = event(file, GTDBG_EVENT_DEVICE_ADD, &device,
			     sizeof(device), NULL);
	event(file, GTDBG_EVENT_CONTEXT_ADD, &context, sizeof(context), NULL);
	context.context = 2;
	event(file, GTDBG_EVENT_CONTEXT_ADD, &context, sizeof(context), NULL);
	event(file, GTDBG_EVENT_MODULE_ADD, &module, sizeof(module), "k.cl");
	event(file, GTDBG_EVENT_KERNEL_ADD, &kernel, sizeof(kernel), "k");
	event(file, GTDBG_EVENT_KERNEL_LOAD, &load, sizeof(load), NULL);
	event(file, GTDBG_EVENT_PAGE_FAULT, &fault, sizeof(fault), NULL);
}

static size_t thread_add(struct core_file *file, uint32_t slot, uint32_t slm)
{
	struct {
		struct gtdbg_core_thread head;
		struct gtdbg_register_set sets[2];
	} begin = {
		.head.info = {
			.device = 1, .slot = slot, .context = 1, .kernel = 1,
			.state = GTDBG_THREAD_STOPPED,
			.reasons = GTDBG_STOP_BREAKPOINT,
			.generation = 5 + slot / 2, .address = 0x20000,
			.exec_mask = 0xff, .dispatch_mask = 0xff,
		},
		.head.slm = slm, .head.set_count = 2,
		.sets = {
			{ GTDBG_REGISTER_CR, 0, 1, 128, 16 },
			{ GTDBG_REGISTER_GRF, 1, CORE_FILE_GRF, 256, 32 },
		},
	};
	uint8_t registers[16 + 32 * CORE_FILE_GRF];
	size_t i;

	for (i = 0; i < sizeof(registers); i++)
		registers[i] = core_file_register(slot, i);
	return note(file, GTDBG_CORE_THREAD, &begin, sizeof(begin), registers,
		    sizeof(registers));
}

static void threads_add(struct core_file *file)
{
	const struct gtdbg_core_thread unavailable = {
		.info = {
			.device = 1, .slot = 4,
			.state = GTDBG_THREAD_UNAVAILABLE,
			.reasons = GTDBG_UNAVAILABLE_NOT_SAVED,
		},
	};

	file->thread = thread_add(file, 0, 1);
	thread_add(file, 2, 0);
	note(file, GTDBG_CORE_THREAD, &unavailable, sizeof(unavailable), "", 0);
}

static void mappings_add(struct core_file *file)
{
	const struct gtdbg_core_mappings first = { 1, 1 }, second = { 1, 2 };
	const struct gtdbg_memory_mapping mappings[] = {
		{ 0x10000, 0x3000, GTDBG_MAPPING_F_WRITABLE, 4096 },
		{ 0x20000, 0x2000, 0, 4096 },
		{ 0x30000, 0x1000, 0, 4096 },
	};

	note(file, GTDBG_CORE_MAPPINGS, &first, sizeof(first), mappings,
	     sizeof(mappings));
	note(file, GTDBG_CORE_MAPPINGS, &second, sizeof(second), mappings,
	     sizeof(mappings[0]));
}

/* One of each kind, and two that can be none. */
static void buffers_add(struct core_file *file)
{
	const struct gtdbg_core_buffer buffers[] = {
		{ GTDBG_CORE_BUFFER_CL, 1, 0x10100, 0x200, 0, 0 },
		{ GTDBG_CORE_BUFFER_CL, 2, (1ull << 48) - 1, 2, 0, 0 },
		{ 4, 1, 0x10000, 16, 0, 0 },
		{ GTDBG_CORE_BUFFER_SVM, 1, 0x20000, 1,
		  GTDBG_CORE_BUFFER_F_RELEASED, 0 },
		{ GTDBG_CORE_BUFFER_USM, 1, 0x30000, 8, 0, 0 },
	};

	note(file, GTDBG_CORE_BUFFERS, buffers, sizeof(buffers), "", 0);
}

static void blobs_add(struct core_file *file)
{
	const struct gtdbg_core_slm slm = { .slm = 1 };
	const struct gtdbg_core_blob source = { GTDBG_BLOB_MODULE_SOURCE, 1 };
	const struct gtdbg_core_blob code = { GTDBG_BLOB_KERNEL_ISA, 1 };
	const struct gtdbg_core_source header = { sizeof(CORE_FILE_PATH) - 1, 0 };
	static const char zeroes[16];
	uint8_t local[CORE_FILE_SLM];
	size_t i;

	for (i = 0; i < sizeof(local); i++)
		local[i] = core_file_slm(i);
	note(file, GTDBG_CORE_SLM, &slm, sizeof(slm), local, sizeof(local));
	file->source = note(file, GTDBG_CORE_SOURCE, &header, sizeof(header),
			    CORE_FILE_PATH CORE_FILE_HEADER,
			    sizeof(CORE_FILE_PATH CORE_FILE_HEADER) - 1);
	note(file, GTDBG_CORE_BLOB, &source, sizeof(source), CORE_FILE_SOURCE,
	     sizeof(CORE_FILE_SOURCE) - 1);
	note(file, GTDBG_CORE_BLOB, &code, sizeof(code), zeroes,
	     sizeof(zeroes));
}

static void memory_add(struct core_file *file, Elf64_Phdr *header,
		       uint32_t context, uint64_t address, size_t pages,
		       size_t zeroes)
{
	size_t i;

	*header = (Elf64_Phdr){
		.p_type = PT_LOAD, .p_flags = PF_R, .p_offset = file->len,
		.p_vaddr = address, .p_paddr = 1ull << 32 | context,
		.p_filesz = pages * CORE_FILE_PAGE,
		.p_memsz = (pages + zeroes) * CORE_FILE_PAGE,
		.p_align = CORE_FILE_PAGE,
	};
	for (i = 0; i < header->p_filesz; i++)
		file->bytes[file->len++] = core_file_memory(context,
							    address + i);
}

void core_file_make(struct core_file *out)
{
	Elf64_Ehdr head = {
		.e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, 1 },
		.e_type = ET_CORE, .e_machine = EM_INTELGT, .e_version = 1,
		.e_ehsize = sizeof(head),
		.e_phentsize = sizeof(Elf64_Phdr), .e_phnum = HEADERS,
	};
	Elf64_Phdr headers[HEADERS] = {
		{ .p_type = PT_NOTE, .p_offset = sizeof(head), .p_align = 4 },
	};

	memset(out, 0, sizeof(*out));
	out->bytes = calloc(1, FILE_BYTES);
	if (!out->bytes)
		abort();
	out->len = sizeof(head);
	target_add(out);
	threads_add(out);
	mappings_add(out);
	buffers_add(out);
	blobs_add(out);
	out->notes_end = out->len;
	headers[0].p_filesz = out->len - headers[0].p_offset;
	out->len = (out->len + 7) / 8 * 8;
	out->header_count = HEADERS;
	out->headers = add(out, headers, sizeof(headers));
	head.e_phoff = out->headers;
	memcpy(out->bytes, &head, sizeof(head));
	out->len = (out->len + CORE_FILE_PAGE - 1) / CORE_FILE_PAGE *
		   CORE_FILE_PAGE;
	out->memory = out->len;
	memory_add(out, &headers[1], 1, 0x10000, 1, 2);
	memory_add(out, &headers[2], 1, 0x20000, 2, 0);
	memory_add(out, &headers[3], 2, 0x10000, 1, 0);
	memcpy(out->bytes + out->headers, headers, sizeof(headers));
}
