// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fuzzes the module from both of its sides: commands with arguments by the
 * grammar of the uapi, and a virtual device that does and answers anything. For
 * each input there is a new client with a device and a controller; the module's
 * code that it reaches, also in the module's threads, guides libFuzzer. A report
 * in the kernel's log ends the run as a crash does, and keeps the input.
 * usage: kmod_fuzz [libFuzzer's options] [CORPUS...]
 * GTDBG_FUZZ_LAST names a file that gets each input before it runs, for reports
 * after which nothing runs any more.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../klog.h"
#include "act.h"
#include "call.h"
#include "coverage.h"
#include "world.h"

#define ACTS_MAX 64

int LLVMFuzzerRunDriver(int *argc, char ***argv,
			int (*run)(const uint8_t *data, size_t size));

static struct klog klog;
static int last = -1;
static int argument_count;
static char **arguments;

static void input_run(struct input *input)
{
	int ret = world_start();

	if (ret) {
		fprintf(stderr, "kmod_fuzz: no target: %d\n", ret);
		abort();
	}
	call_target(&world);
	for (int i = 0; i < ACTS_MAX && input->left; i++) {
		if (input_take(input, 1) % 2)
			act(input, &world);
		else
			call_command(input);
	}
	call_close_all();
	world_end();
}

static void keep(const uint8_t *data, size_t size)
{
	if (last < 0)
		return;
	if (ftruncate(last, 0) || pwrite(last, data, size, 0) != (ssize_t)size)
		perror("kmod_fuzz: cannot keep the input");
}

static int run(const uint8_t *data, size_t size)
{
	struct input input = { data, size };

	keep(data, size);
	coverage_begin();
	input_run(&input);
	coverage_end();
	if (*klog_report(&klog)) {
		fprintf(stderr, "kmod_fuzz: %s\n", klog.report);
		abort();
	}
	return 0;
}

static void *fuzz(void *data)
{
	(void)data;
	if (coverage_start()) {
		fprintf(stderr, "kmod_fuzz: no coverage of this thread\n");
		exit(1);
	}
	exit(LLVMFuzzerRunDriver(&argument_count, &arguments, run));
}

int main(int argc, char **argv)
{
	const char *path = getenv("GTDBG_FUZZ_LAST");
	pthread_t thread;

	argument_count = argc;
	arguments = argv;
	if (access("/sys/kernel/debug/kcov", F_OK) ||
	    access("/dev/gtdbg-vgt", F_OK)) {
		printf("no kcov, or no module: needs the sanitised kernel\n");
		return 4;
	}
	if (path)
		last = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	if (arena_create() || world_init() || klog_open(&klog) || coverage_start_remote() ||
	    pthread_create(&thread, NULL, fuzz, NULL)) {
		perror("kmod_fuzz");
		return 1;
	}
	pthread_join(thread, NULL);
	return 1;
}
