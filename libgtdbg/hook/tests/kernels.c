// SPDX-License-Identifier: MIT
/*
 * What the hook registers of a program's sources and kernels: this program's own open()
 * and ioctl() come before those of libc, and are the kernel module. Prints TAP.
 */
#include "standin.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/gtdbg.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define OBJECTS_MAX 64

static struct {
	char name[256];
	uint32_t module;	/* of a kernel */
	uint64_t len_bytes;
	bool is_gone;
} modules[OBJECTS_MAX], kernels[OBJECTS_MAX];

static int client_fd;
static uint32_t module_count, kernel_count, kernels_max = OBJECTS_MAX;
/* That may be registered by now: others have the rest of what their user may. */
static uint64_t bytes_max = UINT64_MAX;

int open(const char *path, int flags, ...)
{
	(void)path;
	client_fd = openat(AT_FDCWD, "/dev/null", flags);
	return client_fd;
}

static int module_add(const struct gtdbg_module_add *request)
{
	memcpy(modules[module_count].name, (void *)(uintptr_t)request->name,
	       request->name_len_bytes);
	return ++module_count;
}

static int kernel_add(const struct gtdbg_kernel_add *request)
{
	uint64_t len_bytes = request->name_len_bytes + request->elf_len_bytes +
			     request->isa_len_bytes, bytes = len_bytes;
	uint32_t i, there = 0;

	for (i = 0; i < kernel_count; i++) {
		there += !kernels[i].is_gone;
		bytes += kernels[i].is_gone ? 0 : kernels[i].len_bytes;
	}
	if (there >= kernels_max || bytes > bytes_max) {
		errno = EDQUOT;
		return -1;
	}
	kernels[kernel_count].len_bytes = len_bytes;
	memcpy(kernels[kernel_count].name, (void *)(uintptr_t)request->name,
	       request->name_len_bytes);
	kernels[kernel_count].module = request->module;
	return ++kernel_count;
}

int ioctl(int fd, unsigned long request, ...)
{
	va_list rest;
	void *argument;

	if (fd != client_fd) {
		errno = EBADF;
		return -1;
	}
	va_start(rest, request);
	argument = va_arg(rest, void *);
	va_end(rest);
	if (request == GTDBG_IOC_CLIENT_REGISTER)
		return 0;
	if (request == GTDBG_IOC_INFO) {
		((struct gtdbg_info *)argument)->kernels_max = kernels_max;
		return 0;
	}
	if (request == GTDBG_IOC_MODULE_ADD)
		return module_add(argument);
	if (request == GTDBG_IOC_KERNEL_ADD)
		return kernel_add(argument);
	if (request == GTDBG_IOC_KERNEL_REMOVE) {
		kernels[*(uint32_t *)argument - 1].is_gone = true;
		return 0;
	}
	errno = ENOTTY;
	return -1;
}

int gtdbg_hook_gpus_bind(int client_fd, int *refusal_out)
{
	(void)client_fd;
	*refusal_out = 0;
	return 0;
}

bool gtdbg_hook_gpus_any(void)
{
	return false;
}

void gtdbg_hook_gpus_forget(void)
{
}

/* In a child, so that each case begins with a new client. */
static void check(void (*test)(void), const char *name)
{
	int status;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (!child) {
		is_marked = true;
		failed = gtdbg_hook_client_open(&config);
		test();
		fflush(stdout);
		_exit(failed || said);
	}
	result(waitpid(child, &status, 0) == child && !status, name);
}

/* Returns the folder of its name. */
static const char *source_give(const char *text)
{
	static char names[4][256];
	static int at;
	char *name = names[at++ % 4];

	gtdbg_hook_client_source(text, strlen(text) + 1, name,
				 sizeof(names[0]));
	*strrchr(name, '/') = 0;
	return name;
}

/* With debug information of one text or two. */
static void kernel_give(const char *name, const char *first,
			const char *second, int isa)
{
	char elf[1024] = "";
	struct gtdbg_hook_kernel kernel = {
		.name = name, .isa = &isa, .isa_len_bytes = sizeof(isa),
		.elf = elf, .elf_len_bytes = sizeof(elf),
	};

	snprintf(elf, sizeof(elf), "%s-%s-%s", first, name, second);
	gtdbg_hook_client_kernel(&kernel);
}

static void names(void)
{
	const char *a = source_give("kernel void a() {}");
	const char *b = source_give("kernel void b() {}");

	expect(module_count == 2);
	expect(strcmp(strrchr(modules[0].name, '/'), "/kernels_1.cl") == 0 &&
	       strcmp(strrchr(modules[1].name, '/'), "/kernels_2.cl") == 0);
	expect(strncmp(modules[0].name, a, strlen(a)) == 0 && strcmp(a, b) != 0);
	expect(strcmp(a, source_give("kernel void a() {}")) == 0 &&
	       module_count == 2);
}

static void other_run(void)
{
	const char *a = source_give("kernel void a() {}");

	kernel_give("b", "/gtdbg/0123456789abcdef", "", 1);
	kernel_give("a", a, "", 1);
	expect(kernel_count == 2 && module_count == 2);
	expect(kernels[0].module == 2 && !modules[1].name[0]);
	expect(kernels[1].module == 1);
}

static void linked(void)
{
	const char *a = source_give("kernel void a() { ab(); }");
	const char *b = source_give("kernel void ab_() {} kernel void b() {}");
	const char *c = source_give("KERNEL(c)");

	kernel_give("a", a, b, 1);
	kernel_give("b", a, b, 1);
	kernel_give("ab_", a, b, 1);
	kernel_give("kernel_c", a, c, 1);
	kernel_give("kernel_d", a, "/gtdbg/0123456789abcdef", 1);
	expect(kernels[0].module == 1 && kernels[1].module == 2);
	expect(kernels[2].module == 2 && kernels[3].module == 3);
	expect(kernels[4].module == 4 && !modules[3].name[0]);
}

static void variants(void)
{
	const char *a = source_give("kernel void a() { K; }");
	int i;

	for (i = 0; i < 40; i++)
		kernel_give("a", a, "", i);
	expect(kernel_count == 40 && !kernels[0].is_gone);
	for (i = 0; i < 40; i++)
		kernel_give("a", a, "", 7);
	expect(kernel_count == 40);
	kernels_max = 40;
	kernel_give("a", a, "", 40);
	expect(kernel_count == 41 && kernels[0].is_gone && !kernels[1].is_gone);
	kernel_give("a", a, "", 0);
	expect(kernel_count == 42 && kernels[1].is_gone);
}

/* Of the kernels that have come first so many are left, and the last one is there. */
static bool is_left(uint32_t count)
{
	uint32_t i, gone = 0;

	for (i = 0; i + 1 < kernel_count; i++) {
		if (kernels[i].is_gone && i != gone)
			return false;
		gone += kernels[i].is_gone;
	}
	return kernel_count - 1 - gone == count &&
	       !kernels[kernel_count - 1].is_gone;
}

static void full_of_own(void)
{
	const char *a = source_give("kernel void a() { K; }");
	int i;

	for (i = 0; i < 10; i++)
		kernel_give("a", a, "", i);
	bytes_max = 10 * kernels[0].len_bytes;
	kernel_give("a", a, "", 10);
	expect(kernel_count == 11 && !said && is_left(9));
	kernel_give("a", a, "", 11);
	expect(kernel_count == 12 && !said && is_left(9));
}

static void full_of_others(void)
{
	const char *a = source_give("kernel void a() { K; }");
	static char elf[64 << 10];
	struct gtdbg_hook_kernel large = {
		.name = "large", .elf = elf, .elf_len_bytes = sizeof(elf),
		.isa = elf, .isa_len_bytes = 64,
	};
	int i;

	for (i = 0; i < 10; i++)
		kernel_give("a", a, "", i);
	bytes_max = 12 * kernels[0].len_bytes;
	gtdbg_hook_client_kernel(&large);
	expect(kernel_count == 10 && said == -EDQUOT && is_left(9));
	said = 0;
	/* Others take what is let go. */
	bytes_max = 0;
	kernel_give("a", a, "", 10);
	expect(kernel_count == 10 && said == -EDQUOT && is_left(6));
	said = 0;
}

static void without_symbols(void)
{
	int isa[2] = { 0 };
	struct gtdbg_hook_kernel kernel = {
		.name = "a", .isa = isa, .isa_len_bytes = sizeof(isa),
	};

	gtdbg_hook_client_kernel(&kernel);
	source_give("kernel void a() {}");
	gtdbg_hook_client_kernel(&kernel);
	expect(kernels[0].module == 1 && !modules[0].name[0]);
	expect(kernels[1].module == 2 && modules[1].name[0]);
}

/* What has the client's number by then is the program's own. */
static void closed(void)
{
	int ends[2];

	source_give("kernel void a() {}");
	expect(module_count == 1 && !pipe(ends) &&
	       dup2(ends[0], client_fd) == client_fd);
	kernel_give("a", "/gtdbg/0123456789abcdef", "", 1);
	source_give("kernel void b() {}");
	expect(!kernel_count && module_count == 1 && said == -EBADF);
	said = 0;
}

int main(void)
{
	puts("TAP version 13");
	check(names, "sources are known when they are given, by names of their own");
	check(other_run, "a kernel of another run has no source of this one");
	check(linked, "linked kernels have their own sources");
	check(variants, "kernels are kept until there are too many, equal ones once");
	check(full_of_own, "the oldest ones make room");
	check(full_of_others, "unless there is none for all of them");
	check(without_symbols, "without debug information the order counts");
	check(closed, "a program that closes the client's descriptor ends it");
	printf("1..%d\n", count);
	return failed;
}
