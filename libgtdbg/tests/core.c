// SPDX-License-Identifier: MIT
/*
 * A session on a core file: what it answers, what it refuses, and what it says
 * of one that is cut off or was made to harm its reader.
 */
#include "../gtdbg.h"
#include "../gtdbg_core.h"
#include "../gtdbg_symbols.h"
#include "support/core_file.h"
#include "support/tap.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ADDRESS_END	(1ull << 48)
#define SLM_TAG		0x0a00000000000000ull

static int session_open(const void *bytes, size_t len,
			struct gtdbg_session **out)
{
	int fd = core_file_open(bytes, len);
	int ret = gtdbg_core_open(fd, out);

	close(fd);
	return ret;
}

static struct gtdbg_session *whole_open(void)
{
	struct gtdbg_session *session = NULL;
	struct core_file file;

	core_file_make(&file);
	session_open(file.bytes, file.len, &session);
	free(file.bytes);
	return session;
}

static void test_events(struct gtdbg_session *session)
{
	static const uint16_t expected[] = {
		GTDBG_EVENT_CLIENT_ADD, GTDBG_EVENT_DEVICE_ADD,
		GTDBG_EVENT_CONTEXT_ADD, GTDBG_EVENT_CONTEXT_ADD,
		GTDBG_EVENT_MODULE_ADD, GTDBG_EVENT_KERNEL_ADD,
		GTDBG_EVENT_KERNEL_LOAD, GTDBG_EVENT_PAGE_FAULT,
		GTDBG_EVENT_SYNCED,
	};
	const struct gtdbg_event_module_add *module;
	const struct gtdbg_event_page_fault *fault;
	const struct gtdbg_event *event;
	size_t count = 0, alike = 0;

	while (gtdbg_event_next(session, -1, &event) == 1) {
		alike += count < sizeof(expected) / sizeof(expected[0]) &&
			 event->kind == expected[count] &&
			 event->seqno == count + 1;
		if (event->kind == GTDBG_EVENT_MODULE_ADD) {
			module = gtdbg_event_payload(event, sizeof(*module));
			tap_check(module && !strcmp(gtdbg_event_string(event,
				  sizeof(*module), module->name_len_bytes),
				  "k.cl"), "an event has its name");
		} else if (event->kind == GTDBG_EVENT_PAGE_FAULT) {
			fault = gtdbg_event_payload(event, sizeof(*fault));
			tap_check(fault && fault->address == 0x123000,
				  "a fault has its page");
		}
		count++;
	}
	tap_check(alike == count && count == 9, "events come in order");
	tap_check(gtdbg_event_next(session, -1, &event) == 0,
		  "and no more behind the last");
}

static void test_threads(struct gtdbg_session *session)
{
	struct gtdbg_thread_info infos[8];
	struct gtdbg_register_set sets[4];
	uint8_t bytes[64];
	int count = gtdbg_thread_list(session, 1, infos, 8);

	tap_check(count == 3 && infos[0].slot == 0 && infos[1].slot == 2 &&
		  infos[2].slot == 4 && infos[1].generation == 6,
		  "threads are listed");
	tap_check(gtdbg_thread_list(session, 1, infos, 1) == 1,
		  "as many as there is room for");
	tap_check(gtdbg_thread_list(session, 2, infos, 8) == -ENOENT,
		  "none of another device");
	gtdbg_thread_list(session, 1, infos, 8);
	tap_check(gtdbg_register_list(session, 1, 1, sets, 4) == 2 &&
		  sets[1].count == CORE_FILE_GRF, "their registers too");
	tap_check(gtdbg_register_read(session, &infos[1], GTDBG_REGISTER_GRF,
				      3, 2, bytes, 64) == 0 &&
		  bytes[0] == core_file_register(2, 16 + 3 * 32) &&
		  bytes[63] == core_file_register(2, 16 + 5 * 32 - 1),
		  "registers have their bytes");
	tap_check(gtdbg_register_read(session, &infos[1], GTDBG_REGISTER_GRF,
				      127, 2, bytes, 64) == -EINVAL &&
		  gtdbg_register_read(session, &infos[1], GTDBG_REGISTER_GRF,
				      0, 2, bytes, 63) == -EINVAL,
		  "no others, and no parts");
	tap_check(gtdbg_register_read(session, &infos[1], GTDBG_REGISTER_SP, 0,
				      1, bytes, 16) == -EOPNOTSUPP,
		  "no set that was not read");
	tap_check(gtdbg_register_read(session, &infos[2], GTDBG_REGISTER_GRF,
				      0, 2, bytes, 64) == -ESRCH,
		  "none of an unavailable thread");
	infos[1].generation = 7;
	tap_check(gtdbg_register_read(session, &infos[1], GTDBG_REGISTER_GRF,
				      0, 2, bytes, 64) == -ESRCH,
		  "none of another stop");
}

static bool memory_is(const uint8_t *bytes, uint32_t context, uint64_t address,
		      size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		if (bytes[i] != core_file_memory(context, address + i))
			return false;
	return true;
}

static void test_memory(struct gtdbg_session *session)
{
	static const uint8_t zeroes[8192];
	struct gtdbg_memory_mapping mappings[4];
	uint8_t bytes[16384];
	uint64_t address = 0, mapped;

	tap_check(gtdbg_memory_read(session, 1, 1, 0x10ff0, bytes, 32) == 32 &&
		  memory_is(bytes, 1, 0x10ff0, 16) &&
		  !memcmp(bytes + 16, zeroes, 16),
		  "memory, and the zeroes behind it");
	tap_check(gtdbg_memory_read(session, 1, 1, 0x11000, bytes, 8192) ==
		  8192 && !memcmp(bytes, zeroes, 8192), "zeroes to their end");
	tap_check(gtdbg_memory_read(session, 1, 1, 0x21ff8, bytes, 64) == 8 &&
		  memory_is(bytes, 1, 0x21ff8, 8), "up to the end of it");
	tap_check(gtdbg_memory_read(session, 1, 2, 0x10004, bytes, 64) == 64 &&
		  memory_is(bytes, 2, 0x10004, 64), "another context's");
	tap_check(gtdbg_memory_read(session, 1, 1, 0x30000, bytes, 8) ==
		  -EFAULT, "not what was left out");
	tap_check(gtdbg_memory_read(session, 1, 3, 0x10000, bytes, 8) ==
		  -ENOENT, "nor of no context");
	tap_check(gtdbg_memory_list(session, 1, 1, &address, mappings, 4) == 3 &&
		  address == ADDRESS_END && mappings[2].address == 0x30000,
		  "what was mapped");
	address = 0x11000;
	tap_check(gtdbg_memory_list(session, 1, 1, &address, mappings, 1) == 1 &&
		  address == 0x13000 && mappings[0].address == 0x11000 &&
		  mappings[0].len_bytes == 0x2000, "piece by piece");
	tap_check(gtdbg_memory_list(session, 1, 1, &address, mappings, 1) == 1 &&
		  mappings[0].address == 0x20000, "and on from there");
	/* Not from where another context's list, or this one's, has ended. */
	address = 0x13000;
	tap_check(gtdbg_memory_list(session, 1, 2, &address, mappings, 4) == 0 &&
		  gtdbg_memory_list(session, 1, 1, &address, mappings, 4) == 0 &&
		  address == ADDRESS_END, "to the end");
	address = 0x13000;
	tap_check(gtdbg_memory_list(session, 1, 1, &address, mappings, 4) == 2 &&
		  mappings[0].address == 0x20000, "and again");
	tap_check(gtdbg_core_absent(session, &mapped) == 0x3000 &&
		  mapped == 0x9000, "how much is not there");
}

static void test_rest(struct gtdbg_session *session)
{
	struct gtdbg_thread_info infos[8];
	uint8_t bytes[CORE_FILE_SLM + 16];
	size_t len;
	void *text;

	gtdbg_thread_list(session, 1, infos, 8);
	tap_check(gtdbg_slm_read(session, &infos[0], 60, bytes, 16) == 4 &&
		  bytes[0] == core_file_slm(60) &&
		  bytes[3] == core_file_slm(63), "local memory, to its end");
	tap_check(gtdbg_slm_read(session, &infos[0], 64, bytes, 16) ==
		  -EFAULT &&
		  gtdbg_slm_read(session, &infos[1], 0, bytes, 16) ==
		  -EOPNOTSUPP, "not behind it, nor where it was not read");
	tap_check(!gtdbg_blob_read(session, GTDBG_BLOB_MODULE_SOURCE, 1, &text,
				   &len) && !strcmp(text, CORE_FILE_SOURCE),
		  "the source");
	free(text);
	tap_check(gtdbg_blob_read(session, GTDBG_BLOB_KERNEL_ELF, 1, &text,
				  &len) == -ENOENT, "nothing that is not there");
	tap_check(!gtdbg_core_source_read(session, CORE_FILE_PATH,
					  (char **)&text) &&
		  !strcmp(text, CORE_FILE_HEADER), "a file that it includes");
	free(text);
	tap_check(gtdbg_core_source_read(session, "/src/k", (char **)&text) ==
		  -ENOENT, "by its whole path");
}

static void test_buffers(struct gtdbg_session *session)
{
	struct gtdbg_core_buffer buffer = { 0 };

	tap_check(!gtdbg_core_buffer_read(session, 0, &buffer) &&
		  buffer.kind == GTDBG_CORE_BUFFER_CL && buffer.number == 1 &&
		  buffer.address == 0x10100 && buffer.len_bytes == 0x200 &&
		  !buffer.flags, "the program's buffers");
	tap_check(gtdbg_core_buffer_read(session, 1, &buffer) == -EINVAL &&
		  gtdbg_core_buffer_read(session, 2, &buffer) == -EINVAL &&
		  buffer.address == 0x10100, "not what can be none");
	tap_check(!gtdbg_core_buffer_read(session, 3, &buffer) &&
		  buffer.kind == GTDBG_CORE_BUFFER_SVM &&
		  buffer.flags == GTDBG_CORE_BUFFER_F_RELEASED,
		  "those behind it, though");
	tap_check(!gtdbg_core_buffer_read(session, 4, &buffer) &&
		  buffer.kind == GTDBG_CORE_BUFFER_USM &&
		  buffer.len_bytes == 8, "of all kinds");
	tap_check(gtdbg_core_buffer_read(session, 5, &buffer) == -ENOENT &&
		  gtdbg_core_buffer_read(session, SIZE_MAX, &buffer) == -ENOENT,
		  "and no more");
}

static void test_refusals(struct gtdbg_session *session)
{
	struct gtdbg_thread_resume resume = { .device = 1 };
	struct gtdbg_thread_info infos[8];
	uint8_t bytes[32] = { 0 };

	gtdbg_thread_list(session, 1, infos, 8);
	tap_check(gtdbg_register_write(session, &infos[0], GTDBG_REGISTER_GRF,
				       0, 1, bytes, 32) == -EPERM &&
		  gtdbg_memory_write(session, 1, 1, 0x10000, bytes, 8) ==
		  -EPERM &&
		  gtdbg_slm_write(session, &infos[0], 0, bytes, 8) == -EPERM,
		  "nothing can be written");
	tap_check(gtdbg_thread_resume(session, &resume) == -EPERM &&
		  gtdbg_thread_interrupt(session, 1, 10, NULL) == -EPERM &&
		  gtdbg_breakpoint_set(session, 1, 16) == -EPERM,
		  "nothing moves");
}

static void test_stop(struct gtdbg_session *session)
{
	struct gtdbg_thread_info infos[8];
	const struct gtdbg_machine *machine;
	struct gtdbg_stop *stop = NULL;
	uint8_t bytes[8];

	gtdbg_thread_list(session, 1, infos, 8);
	if (!tap_check(!gtdbg_stop_create(session, &infos[0], &stop),
		       "a thread can be looked at"))
		return;
	machine = gtdbg_stop_machine(stop);
	tap_check(!machine->register_read(machine->context, 32, bytes, 8) &&
		  bytes[0] == core_file_register(0, 16 + 32) &&
		  !machine->memory_read(machine->context, SLM_TAG | 8, bytes,
					8) && bytes[0] == core_file_slm(8),
		  "as one that is stopped now");
	gtdbg_stop_destroy(stop);
}

/* What is read of a part of the file is what the whole of it has. */
static bool part_is_sound(struct gtdbg_session *session)
{
	struct gtdbg_thread_info infos[8];
	uint8_t bytes[8192];
	int count, i, ret;

	count = gtdbg_thread_list(session, 1, infos, 8);
	for (i = 0; i < count; i++) {
		ret = gtdbg_register_read(session, &infos[i],
					  GTDBG_REGISTER_GRF, 5, 1, bytes, 32);
		if (infos[i].slot == 4 ? ret != -ESRCH : ret ||
		    bytes[0] != core_file_register(infos[i].slot, 16 + 5 * 32))
			return false;
	}
	ret = gtdbg_memory_read(session, 1, 1, 0x20000, bytes, sizeof(bytes));
	if (ret > 0 && !memory_is(bytes, 1, 0x20000, ret))
		return false;
	ret = gtdbg_memory_read(session, 1, 1, 0x10000, bytes, sizeof(bytes));
	return ret < 0 || memory_is(bytes, 1, 0x10000, ret < 4096 ? ret : 4096);
}

/* Notes of a type that end before the file does, and those of all of it. */
static unsigned int notes_within(const struct core_file *file, size_t len,
				 uint32_t type, unsigned int *all_out)
{
	unsigned int count = 0;
	size_t i;

	for (*all_out = 0, i = 0; i < file->note_count; i++) {
		if (file->note[i].type != type)
			continue;
		(*all_out)++;
		count += file->note[i].end <= len;
	}
	return count;
}

static bool says(struct gtdbg_session *session, const char *text)
{
	const char *damage;
	size_t i;

	for (i = 0; (damage = gtdbg_core_damage(session, i)); i++)
		if (strcmp(damage, text) == 0)
			return true;
	return false;
}

/* Of notes that are whole all is there; of the others it says how many those are. */
static bool part_is_complete(struct gtdbg_session *session,
			     const struct core_file *file, size_t len)
{
	unsigned int threads, all, code;
	struct gtdbg_thread_info infos[8];
	char text[64];
	int fd;

	threads = notes_within(file, len, GTDBG_CORE_THREAD, &all);
	snprintf(text, sizeof(text), "%u of %u threads are missing",
		 all - threads, all);
	if (notes_within(file, len, GTDBG_CORE_HEAD, &all) &&
	    says(session, text) != (threads < 3))
		return false;
	if (threads && gtdbg_thread_list(session, 1, infos, 8) != (int)threads)
		return false;
	/* The last of them is the kernel's code. */
	code = notes_within(file, len, GTDBG_CORE_BLOB, &all) == all;
	if (gtdbg_blob_open(session, GTDBG_BLOB_KERNEL_ISA, 1, &fd))
		return !code;
	close(fd);
	return code;
}

/* Cut off at every place, or, where there is only memory, at many. */
static void test_truncated(void)
{
	size_t len, opened = 0, silent = 0, wrong = 0, lost = 0, heads_end;
	struct gtdbg_session *session;
	struct core_file file;

	core_file_make(&file);
	heads_end = file.headers + file.header_count * sizeof(Elf64_Phdr);
	for (len = 0; len < file.len;
	     len += len < heads_end ? 1 : CORE_FILE_PAGE / 8) {
		if (session_open(file.bytes, len, &session))
			continue;
		opened += len < heads_end;
		silent += !gtdbg_core_damage(session, 0);
		wrong += !part_is_sound(session);
		lost += !part_is_complete(session, &file, len);
		gtdbg_session_close(session);
	}
	tap_check(opened == heads_end - sizeof(Elf64_Ehdr),
		  "files that are cut off open");
	tap_check(!silent, "each says what is missing");
	tap_check(!wrong, "and what is left is right");
	tap_check(!lost, "and all that is left is there");
	session_open(file.bytes, file.len - 1, &session);
	tap_check(gtdbg_core_damage(session, 0) &&
		  strstr(gtdbg_core_damage(session, 0), "1 bytes of memory") &&
		  !gtdbg_core_damage(session, 1), "in words");
	gtdbg_session_close(session);
	free(file.bytes);
}

/* With a 64-bit number changed. */
static int changed_open(size_t at, uint64_t value, size_t width,
			struct gtdbg_session **out)
{
	struct core_file file;
	int ret;

	core_file_make(&file);
	memcpy(file.bytes + at, &value, width);
	ret = session_open(file.bytes, file.len, out);
	free(file.bytes);
	return ret;
}

/* A device with so many threads, or a thread that cannot be: neither is there. */
static void test_impossible(void)
{
	struct gtdbg_thread_info infos[8];
	struct gtdbg_session *session;
	struct core_file file;

	core_file_make(&file);
	free(file.bytes);
	if (!changed_open(file.device + offsetof(struct gtdbg_event_device_add,
						 slices), 0x10001, 4,
			  &session)) {
		tap_check(gtdbg_thread_list(session, 1, infos, 8) == -ENOENT &&
			  gtdbg_core_damage(session, 0),
			  "a device whose numbers do not fit");
		gtdbg_session_close(session);
	}
	if (!changed_open(file.thread + offsetof(struct gtdbg_thread_info,
						 slot), 7, 4, &session)) {
		tap_check(gtdbg_thread_list(session, 1, infos, 8) == 2 &&
			  gtdbg_core_damage(session, 0),
			  "a thread that the device does not have");
		gtdbg_session_close(session);
	}
	if (!changed_open(file.thread + offsetof(struct gtdbg_thread_info,
						 slot), 2, 4, &session)) {
		tap_check(gtdbg_thread_list(session, 1, infos, 8) == 2 &&
			  gtdbg_core_damage(session, 0),
			  "a thread that is there twice");
		gtdbg_session_close(session);
	}
	if (!changed_open(file.headers + 2 * sizeof(Elf64_Phdr) +
			  offsetof(Elf64_Phdr, p_vaddr), 0x11000, 8,
			  &session)) {
		tap_check(gtdbg_core_damage(session, 0),
			  "memory that lies on other memory");
		gtdbg_session_close(session);
	}
}

/* A path that is longer than what has it, or than any, or of no length. */
static void test_paths(void)
{
	static const uint32_t lengths[] = { 0, 16, 4096, 0xffffffff };
	struct gtdbg_session *session;
	struct core_file file;
	unsigned int wrong = 0;
	char *text;
	size_t i;

	core_file_make(&file);
	free(file.bytes);
	for (i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		if (changed_open(file.source, lengths[i], 4, &session)) {
			wrong++;
			continue;
		}
		wrong += !gtdbg_core_damage(session, 0) ||
			 gtdbg_core_source_read(session, CORE_FILE_PATH,
						&text) != -ENOENT;
		gtdbg_session_close(session);
	}
	tap_check(!wrong, "paths that cannot be are none");
}

static void test_foreign(void)
{
	struct gtdbg_session *session;
	struct core_file file;
	int ends[2];

	core_file_make(&file);
	free(file.bytes);
	tap_check(changed_open(16, ET_EXEC, 2, &session) == -EINVAL &&
		  changed_open(18, EM_X86_64, 2, &session) == -EINVAL &&
		  changed_open(4, ELFCLASS32, 1, &session) == -EINVAL,
		  "other files are none");
	tap_check(changed_open(file.notes, 2, 4, &session) == -EPROTONOSUPPORT,
		  "nor are those of a later version");
	tap_check(!pipe(ends) && gtdbg_core_open(ends[0], &session) ==
		  -EINVAL && gtdbg_core_open(-1, &session) == -EBADF,
		  "nor is a pipe, or nothing");
	close(ends[0]);
	close(ends[1]);
}

/* Text of a file comes onto a terminal. */
static void test_text(void)
{
	const struct gtdbg_event_client_add *client;
	const struct gtdbg_event *event;
	struct gtdbg_session *session;
	struct core_file file;
	char *name;

	core_file_make(&file);
	name = memmem(file.bytes, file.len, "program", 7);
	name[1] = '\033';
	if (!session_open(file.bytes, file.len, &session)) {
		gtdbg_event_next(session, 0, &event);
		client = gtdbg_event_payload(event, sizeof(*client));
		tap_check(client && !strcmp(client->comm, "p?ogram"),
			  "names have no control characters");
		gtdbg_session_close(session);
	}
	free(file.bytes);
}

int main(void)
{
	struct gtdbg_session *session = whole_open();

	puts("TAP version 13");
	if (tap_check(session, "a core file opens")) {
		tap_check(!gtdbg_core_damage(session, 0), "without damage");
		test_threads(session);
		test_memory(session);
		test_rest(session);
		test_buffers(session);
		test_refusals(session);
		test_events(session);
		test_stop(session);
	}
	gtdbg_session_close(session);
	test_truncated();
	test_impossible();
	test_foreign();
	test_paths();
	test_text();
	return tap_end();
}
