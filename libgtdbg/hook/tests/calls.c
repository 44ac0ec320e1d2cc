// SPDX-License-Identifier: MIT
/*
 * Calls the hook library as a runtime would, also as no good runtime would:
 * without buffers, with empty ones, twice, in a child. Where the module is
 * loaded the process is a client then, and the module reports what was registered.
 * Prints TAP. usage: calls LIBRARY
 */
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <linux/gtdbg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define DESCRIPTORS_MAX 256

/* The runtime's interface, version 4: sizes and offsets as in its header. */
struct source_code {
	uint64_t version;
	uint64_t device;
	const char *source;
	uint32_t source_len;
	uint32_t name_capacity;
	char *name;
};

struct option {
	uint32_t version;
	uint32_t name;
	uint32_t value_len;
	uint32_t padding;
	char *value;
};

struct kernel {
	uint64_t version;
	uint64_t device;
	uint64_t program;
	const char *name;
	const void *isa;
	uint64_t isa_len;
	const void *elf;
	uint64_t elf_len;
	const void *gen;
	uint64_t gen_len;
};

static struct {
	int (*is_active)(void);
	int (*init)(void *capabilities);
	int (*device_new)(void *device);
	int (*device_gone)(void *device);
	int (*source)(struct source_code *code);
	int (*option)(struct option *option);
	int (*kernel)(struct kernel *kernel);
} hook;

static int count, failed;

static void result(bool is_good, const char *name)
{
	printf("%s %d - %s\n", is_good ? "ok" : "not ok", ++count, name);
	failed |= !is_good;
}

static bool hook_load(const char *path)
{
	void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);

	if (!library) {
		fprintf(stderr, "%s\n", dlerror());
		return false;
	}
	*(void **)&hook.is_active = dlsym(library, "isDebuggerActive");
	*(void **)&hook.init = dlsym(library, "init");
	*(void **)&hook.device_new = dlsym(library, "notifyNewDevice");
	*(void **)&hook.device_gone = dlsym(library, "notifyDeviceDestruction");
	*(void **)&hook.source = dlsym(library, "notifySourceCode");
	*(void **)&hook.option = dlsym(library, "getDebuggerOption");
	*(void **)&hook.kernel = dlsym(library, "notifyKernelDebugData");
	return hook.is_active && hook.init && hook.device_new &&
	       hook.device_gone && hook.source && hook.option && hook.kernel;
}

static const char *name_of(const char *source, char *name, size_t capacity)
{
	struct source_code code = {
		.version = 4, .source = source,
		.source_len = strlen(source) + 1,
		.name_capacity = capacity, .name = name,
	};

	return hook.source(&code) ? NULL : name;
}

static void kernel_tell(const char *name, const void *isa, size_t isa_len,
			const void *elf, size_t elf_len)
{
	struct kernel kernel = {
		.version = 4, .name = name, .isa = isa, .isa_len = isa_len,
		.elf = elf, .elf_len = elf_len,
	};

	if (hook.kernel(&kernel))
		result(false, "a kernel is accepted");
}

static void devices(void)
{
	uint64_t device[3] = { 4, 1, 2 }, capabilities = 4;

	result(!hook.init(&capabilities) && !hook.init(NULL), "init");
	result(!hook.device_new(device) && !hook.device_new(NULL) &&
	       !hook.device_new(device) && !hook.device_gone(device) &&
	       !hook.device_gone(NULL), "several devices come and go");
}

static void options(void)
{
	char value[4] = "xyz";
	struct option option = {
		.version = 4, .name = 1, .value_len = sizeof(value),
		.value = value,
	};

	result(hook.option(&option) == 1 && strcmp(value, "1yz") == 0,
	       "optimisation is off, and one byte is written");
	option.value_len = 0;
	result(hook.option(&option) != 1, "an option without room is not set");
	option.value = NULL;
	option.value_len = sizeof(value);
	result(hook.option(&option) != 1 && hook.option(NULL) != 1,
	       "an option without a buffer is not set");
	option.name = 77;
	option.value = value;
	result(hook.option(&option) != 1, "an unknown option is not set");
}

static void sources(void)
{
	char first[4096], again[4096], other[4096], tiny[4] = "abc";
	struct source_code none = { .version = 4, .source_len = 5 };

	name_of("kernel void a() {}", first, sizeof(first));
	name_of("kernel void b() {}", other, sizeof(other));
	name_of("kernel void a() {}", again, sizeof(again));
	result(strcmp(basename(first), "calls_1.cl") == 0 &&
	       strcmp(basename(other), "calls_2.cl") == 0,
	       "sources are numbered");
	result(strcmp(first, again) == 0, "the same text has the same name");
	name_of("kernel void a() {}", tiny, 3);
	result(strcmp(tiny, "/g") == 0, "a name is cut to its room");
	result(hook.source(NULL) != 0 && !hook.source(&none),
	       "a source without text, and none at all");
}

/* A module's ELF whose sections reach beyond its end. */
static void elf_broken(void)
{
	struct {
		Elf64_Ehdr header;
		Elf64_Shdr sections[2];
	} elf = {
		.header = {
			.e_ident = ELFMAG, .e_shentsize = sizeof(Elf64_Shdr),
			.e_shnum = 2, .e_shoff = sizeof(Elf64_Ehdr),
		},
		.sections = { { .sh_offset = 1 << 30, .sh_size = 1 << 30 },
			      { .sh_offset = ~0ull, .sh_size = ~0ull } },
	};
	size_t len;

	for (len = 1; len <= sizeof(elf); len++)
		kernel_tell("broken", NULL, 0, &elf, len);
	elf.header.e_shstrndx = 9;
	kernel_tell("broken", NULL, 0, &elf, sizeof(elf));
	elf.header.e_shoff = ~0ull - 64;
	kernel_tell("broken", NULL, 0, &elf, sizeof(elf));
	result(true, "broken ELF files do no harm");
}

static void kernels(void)
{
	static const uint32_t isa[8] = { 0x40000061, 0, 0, 0xc00c1e };
	char name[64];

	result(hook.kernel(NULL) != 0, "no kernel at all is refused");
	kernel_tell(NULL, NULL, 0, NULL, 0);
	kernel_tell("", isa, 0, NULL, 7);
	kernel_tell("short", isa, 5, NULL, 0);
	kernel_tell("nothing", NULL, 100, NULL, 100);
	result(true, "kernels without name, code or ELF do no harm");
	elf_broken();
	name_of("kernel void same() {}", name, sizeof(name));
	kernel_tell("same", isa, sizeof(isa), NULL, 0);
	name_of("kernel void same() { }", name, sizeof(name));
	kernel_tell("same", isa, sizeof(isa), NULL, 0);
	kernel_tell("same", isa, sizeof(isa), NULL, 0);
	result(true, "kernels of one name, and one that comes again");
}

/* Reads what a new session of this process gets. */
static int events_count(int fd, uint32_t wanted, const char *name)
{
	static _Alignas(8) char bytes[1 << 20];
	ssize_t len = read(fd, bytes, sizeof(bytes)), at = 0;
	const struct gtdbg_event *event;
	int found = 0;

	while (at < len) {
		event = (const void *)(bytes + at);
		if (event->kind == wanted &&
		    (!name || memmem(event, event->len_bytes, name,
				     strlen(name))))
			found++;
		at += event->len_bytes;
	}
	return len < 0 ? -1 : found;
}

/* The descriptor that the hook holds, -1: none. */
static int client_find(void)
{
	struct stat device, info;
	int fd;

	if (stat("/dev/gtdbg", &device))
		return -1;
	for (fd = 3; fd < DESCRIPTORS_MAX; fd++) {
		if (!fstat(fd, &info) && S_ISCHR(info.st_mode) &&
		    info.st_rdev == device.st_rdev)
			return fd;
	}
	return -1;
}

/* A session of this process's own client. */
static int observer_open(void)
{
	struct gtdbg_session_attach attach = {
		.client_fd = client_find(),
		.flags = GTDBG_SESSION_F_OBSERVER, .event_mask = GTDBG_EVENTS_ALL,
	};
	int control, session;

	if (attach.client_fd < 0)
		return -1;
	control = open("/dev/gtdbg", O_RDWR | O_CLOEXEC);
	session = ioctl(control, GTDBG_IOC_SESSION_ATTACH, &attach);
	close(control);
	return session;
}

static void module_knows(void)
{
	int session = observer_open();

	result(session >= 0, "the process is a client");
	result(events_count(session, GTDBG_EVENT_KERNEL_ADD, "same") == 2,
	       "kernels of the same name are kept apart, equal ones are one");
	close(session);
}

/* The child is no client until a runtime asks there. */
static void forks(bool is_active)
{
	int status, session;
	pid_t child;

	child = fork();
	if (!child) {
		/* The lines are the parent's to print. */
		dup2(open("/dev/null", O_WRONLY), 1);
		session = observer_open();
		if (session >= 0 || hook.is_active() != is_active)
			_exit(1);
		kernels();
		session = is_active ? observer_open() : 0;
		_exit(session < 0);
	}
	waitpid(child, &status, 0);
	result(child > 0 && status == 0,
	       "a child becomes a client of its own only when it asks");
}

int main(int argc, char **argv)
{
	bool is_active;

	if (argc != 2 || !hook_load(argv[1]))
		return 1;
	setvbuf(stdout, NULL, _IONBF, 0);
	is_active = access("/dev/gtdbg", F_OK) == 0;
	puts("TAP version 13");
	result(hook.is_active() == is_active && hook.is_active() == is_active,
	       "active where the module is, both times it is asked");
	devices();
	options();
	sources();
	kernels();
	if (is_active)
		module_knows();
	forks(is_active);
	printf("1..%d\n", count);
	return failed;
}
