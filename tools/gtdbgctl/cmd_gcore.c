// SPDX-License-Identifier: MIT
/*
 * A core file of a program that nobody debugs: its threads are stopped, and go
 * on afterwards. Of one that somebody debugs, whatever is stopped is taken.
 *
 * On the machine's GPU what runs is seen by looks at its registers, for which kernels that take
 * less than a millisecond are too short. There threads of the next launch stop by themselves.
 */
#include "cmd.h"

#include "core.h"
#include "debugger.h"
#include "gpu.h"
#include "hang.h"
#include "prompt.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* How long a launch may take to come, and may be waited for. */
#define WAIT_S 10
#define WAIT_S_MAX (24 * 60 * 60)

/* As the one who controls it, or else beside the one who does. */
static int attach(struct debugger *debugger, int fd, int pid)
{
	int ret;

	debugger->holds_errors = true;
	ret = debugger_attach(debugger, fd, pid, 0);
	debugger->holds_errors = false;
	if (!ret)
		return 0;
	debugger_detach(debugger);
	return debugger_attach(debugger, fd, pid, GTDBG_SESSION_F_OBSERVER);
}

/* One for all kernels of that name; none, where memory is short. */
static void breakpoint_add(struct debugger *debugger, const char *name)
{
	struct breakpoint *breakpoint;

	for (breakpoint = debugger->breakpoints; breakpoint;
	     breakpoint = breakpoint->next) {
		if (breakpoint->function &&
		    strcmp(breakpoint->function, name) == 0)
			return;
	}
	breakpoint = breakpoint_create(debugger, false);
	if (!breakpoint)
		return;
	breakpoint->function = strdup(name);
	if (breakpoint->function)
		prompt_place(debugger, breakpoint);
	else
		breakpoint_delete(debugger, breakpoint);
}

/*
 * At the first line of any kernel. Ctrl-C ends the wait, also when a thread has stopped, and
 * what is there is written. -ESRCH: the process has ended.
 */
static int launch_catch(struct debugger *debugger, int wait_s)
{
	enum wait_result result;
	struct device *device;
	struct kernel *kernel;

	for (kernel = debugger->kernels; kernel; kernel = kernel->next)
		breakpoint_add(debugger, kernel->name);
	if (!debugger->breakpoints) {
		fputs("gtdbgctl: gcore: nothing runs, and no kernel is known whose launch could be waited for\n",
		      stderr);
		return 0;
	}
	/* Nobody is to be told of this stop. */
	debugger->is_served = true;
	for (device = debugger->devices; device; device = device->next)
		device->is_announced = true;
	result = wait_stop(debugger, NULL, wait_s * 1000);
	wait_is_interrupted = wait_is_ended != 0;
	if (result == WAIT_TIMED_OUT)
		fprintf(stderr, "gtdbgctl: gcore: nothing was launched for %d s\n",
			wait_s);
	return result == WAIT_EXITED ? -ESRCH : 0;
}

static bool is_on_gpu(const struct debugger *debugger)
{
	struct device *device = debugger->devices;

	while (device && device->info.is_virtual)
		device = device->next;
	return device;
}

static int threads_stop(struct debugger *debugger, int wait_s)
{
	int ret = threads_interrupt(debugger, NULL);

	if (ret <= 0 && ret != -ESRCH && wait_s && is_on_gpu(debugger))
		ret = launch_catch(debugger, wait_s);
	if (ret == -ESRCH)
		fprintf(stderr, "gtdbgctl: gcore: process %d has ended\n",
			debugger->pid);
	return ret == -ESRCH ? ret : 0;
}

static int dump(int pid, const struct core_options *options, int wait_s)
{
	struct debugger debugger = { 0 };
	struct hang *hang;
	int fd, ret;

	if (cmd_client_open(pid, &debugger.gtdbg, &fd))
		return CMD_FAILED;
	interrupt_catch();
	debugger.seeks_saveareas = gpu_is_debuggable();
	/* Before: the next launch may stop as soon as there is a session. */
	hang = hang_disable_for(pid);
	ret = attach(&debugger, fd, pid);
	close(fd);
	if (!ret && !debugger.is_observer)
		ret = threads_stop(&debugger, wait_s);
	if (!ret)
		ret = core_write(&debugger, options);
	debugger_fini(&debugger);
	hang_restore(hang);
	return ret ? CMD_FAILED : CMD_OK;
}

static bool wait_parse(const char *word, int *wait_s)
{
	char *end;
	unsigned long number;

	if (strncmp(word, "--wait=", 7) != 0)
		return false;
	number = strtoul(word + 7, &end, 10);
	if (!isdigit((unsigned char)word[7]) || *end || number > WAIT_S_MAX)
		return false;
	*wait_s = (int)number;
	return true;
}

int cmd_gcore(int argc, char **argv)
{
	struct core_options options = { 0 };
	int at = 1, pid = 0, wait_s = WAIT_S;

	while (at < argc) {
		if (core_options_parse(argc, argv, &at, &options))
			continue;
		if (wait_parse(argv[at], &wait_s)) {
			at++;
			continue;
		}
		if (pid || cmd_pid_parse(argv[at]) < 0)
			return cmd_usage("gcore", argv[at]);
		pid = cmd_pid_parse(argv[at++]);
	}
	if (!pid)
		return cmd_usage("gcore", NULL);
	return dump(pid, &options, wait_s);
}
