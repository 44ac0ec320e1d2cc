// SPDX-License-Identifier: MIT
/*
 * The calls of libgtdbg that the tool does not make: this program is debuggee
 * and debugger in one, and reads back what it has registered.
 */
#include <errno.h>
#include <gtdbg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define DEADLINE_MS 10000

static const char source[] = "__kernel void nothing(void) {}\n";
static const char code[64] = "code";
static struct gtdbg *client, *debugger;
static struct gtdbg_session *session;
static int count, failures;

static void check(bool passed, const char *name)
{
	printf("%sok %d - %s\n", passed ? "" : "not ", ++count, name);
	failures += !passed;
}

/* Waits for an event of a kind; its payload is valid until the next one. */
static const struct gtdbg_event *event_find(uint32_t kind)
{
	const struct gtdbg_event *event;

	while (gtdbg_event_next(session, DEADLINE_MS, &event) == 1) {
		if (event->kind == kind)
			return event;
	}
	return NULL;
}

static int module_make(void)
{
	const struct gtdbg_module_add module = {
		.name = (uintptr_t)"nothing.cl", .name_len_bytes = 10,
		.source = (uintptr_t)source,
		.source_len_bytes = sizeof(source) - 1,
	};

	return gtdbg_module_add(client, &module);
}

static int kernel_make(int module)
{
	const struct gtdbg_kernel_add kernel = {
		.module = module,
		.name = (uintptr_t)"nothing", .name_len_bytes = 7,
		.isa = (uintptr_t)code, .isa_len_bytes = sizeof(code),
	};

	return gtdbg_kernel_add(client, &kernel);
}

static void test_register(void)
{
	uint64_t token = 0;

	check(module_make() == -EINVAL, "a module needs a client");
	check(gtdbg_client_register(client, ~0u, &token) < 0 && !token,
	      "unknown flags are refused");
	check(!gtdbg_client_register(client, 0, &token) && token,
	      "a client gets its number");
	check(gtdbg_client_register(client, 0, &token) == -EBUSY,
	      "it is a client once");
	check(gtdbg_client_wait(client, 1) == -ETIMEDOUT,
	      "no debugger is there yet");
}

static void test_replay(int module, int kernel)
{
	struct gtdbg_session_attach attach = {
		.client_fd = gtdbg_fd(client), .event_mask = GTDBG_EVENTS_ALL,
	};
	const struct gtdbg_event_module_add *added;
	const struct gtdbg_event_kernel_add *with;
	const struct gtdbg_event *event;

	check(!gtdbg_session_open(debugger, &attach, &session),
	      "a debugger attaches");
	event = event_find(GTDBG_EVENT_MODULE_ADD);
	added = event ? gtdbg_event_payload(event, sizeof(*added)) : NULL;
	check(added && added->module == (uint32_t)module &&
	      !strcmp(gtdbg_event_string(event, sizeof(*added),
					 added->name_len_bytes), "nothing.cl"),
	      "it gets the module");
	event = event_find(GTDBG_EVENT_KERNEL_ADD);
	with = event ? gtdbg_event_payload(event, sizeof(*with)) : NULL;
	check(with && with->kernel == (uint32_t)kernel &&
	      with->module == (uint32_t)module, "and of the kernel");
	check(!gtdbg_client_wait(client, 1), "the client knows of the debugger");
}

static void test_blobs(int module, int kernel)
{
	char bytes[sizeof(code) + 1];
	void *text = NULL;
	size_t len = 0;
	int fd = -1;

	check(!gtdbg_blob_read(session, GTDBG_BLOB_MODULE_SOURCE, module,
			       &text, &len) && len == sizeof(source) - 1 &&
	      !strcmp(text, source), "the source can be read");
	check(!gtdbg_blob_open(session, GTDBG_BLOB_KERNEL_ISA, kernel, &fd) &&
	      read(fd, bytes, sizeof(bytes)) == sizeof(code) &&
	      !memcmp(bytes, code, sizeof(code)), "code is a file");
	close(fd);
	fd = -1;
	check(gtdbg_blob_open(session, GTDBG_BLOB_KERNEL_ELF, kernel, &fd) ==
	      -ENOENT && fd == -1, "what was not given is not there");
	check(gtdbg_blob_open(session, 99, kernel, &fd) == -EOPNOTSUPP,
	      "an unknown kind is refused");
}

static void test_memory(void)
{
	struct gtdbg_memory_range ranges[2] = {
		{ .buf = (uintptr_t)ranges, .len_bytes = 1 },
		{ .buf = (uintptr_t)ranges, .len_bytes = 1 },
	};

	check(gtdbg_memory_read_ranges(session, 1000, 1, ranges, 2) ==
	      -ENOENT, "memory of an unknown device");
	check(gtdbg_memory_write_ranges(session, 1000, 1, ranges, 0) ==
	      -EINVAL, "no range at all");
}

static void test_removal(int module, int kernel)
{
	const struct gtdbg_event *event;
	const uint32_t *id;

	check(!gtdbg_kernel_remove(client, kernel) &&
	      gtdbg_kernel_remove(client, kernel) == -ENOENT,
	      "a kernel is removed once");
	check(!gtdbg_module_remove(client, module) &&
	      gtdbg_module_remove(client, module) == -ENOENT,
	      "so is a module");
	event = event_find(GTDBG_EVENT_KERNEL_REMOVE);
	id = event ? gtdbg_event_payload(event, sizeof(*id)) : NULL;
	check(id && *id == (uint32_t)kernel, "the debugger gets it");
}

int main(void)
{
	int module, kernel, ret;

	ret = gtdbg_open(NULL, &client);
	if (ret == -ENOENT) {
		puts("1..0 # SKIP the module is not loaded");
		return 4;
	}
	puts("TAP version 13");
	check(!ret && !gtdbg_open(NULL, &debugger), "the device opens twice");
	test_register();
	module = module_make();
	kernel = kernel_make(module);
	check(module > 0 && kernel > 0, "a module and a kernel have ids");
	test_replay(module, kernel);
	test_blobs(module, kernel);
	test_memory();
	test_removal(module, kernel);
	gtdbg_session_close(session);
	gtdbg_close(debugger);
	gtdbg_close(client);
	printf("1..%d\n", count);
	return failures ? 1 : 0;
}
