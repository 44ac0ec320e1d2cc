// SPDX-License-Identifier: MIT
#include "cmd.h"

#include "core.h"
#include "debugger.h"
#include "prompt.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void thread_show(struct debugger *debugger)
{
	const struct gtdbg_thread_info *thread = &debugger->thread;

	/* At a breakpoint of the debugger's it stood as it should. */
	if (!thread->breakpoint || thread->reasons & GTDBG_STOP_ASSERT)
		thread_print_stop(debugger);
	printf("Thread ");
	thread_print_name(debugger, thread, debugger->lane);
	printf(", ");
	/* What it lacks has been said. */
	debugger->holds_errors = true;
	thread_print_frame(debugger, 0, true);
	debugger->holds_errors = false;
	thread_print_source(debugger);
}

/* The one that a fault is of, else the first that stood somewhere, becomes current. */
static void thread_choose(struct debugger *debugger,
			  const struct gtdbg_thread_info *faulty, int lane)
{
	struct gtdbg_thread_info *threads;
	int count = thread_list(debugger, &threads), i;

	if (lane >= 0)
		thread_select(debugger, faulty, lane);
	for (i = 0; i < count && !debugger->has_thread; i++)
		if (threads[i].state == GTDBG_THREAD_STOPPED)
			thread_select(debugger, &threads[i], -1);
	if (debugger->has_thread)
		thread_show(debugger);
	else
		puts("No GPU thread was stopped.");
	if (count >= 0)
		free(threads);
}

static int session(const char *path, uint64_t limit_bytes,
		   const struct prompt_options *options)
{
	struct debugger debugger = { 0 };
	struct gtdbg_thread_info faulty;
	int ret = CMD_FAILED, lane;

	if (!core_open(&debugger, path, limit_bytes)) {
		interrupt_catch();
		printf("Core of process %d (%s).\n", debugger.pid,
		       debugger.comm);
		fault_tell(&debugger, &faulty, &lane);
		thread_choose(&debugger, &faulty, lane);
		ret = prompt_run(&debugger, options);
	}
	debugger_fini(&debugger);
	return ret;
}

static int option_parse(int argc, char **argv, int *at, uint64_t *limit_bytes,
			struct prompt_options *options)
{
	if (strncmp(argv[*at], "--limit=", 8) != 0 ||
	    !core_size_parse(argv[*at] + 8, limit_bytes))
		return prompt_parse(argc, argv, at, options);
	(*at)++;
	return 1;
}

/* What becomes of faults and assertions, which no core file has more of. */
static bool needs_program(const struct prompt_options *options)
{
	return options->core_on_fault || options->core_on_assert ||
	       options->assert_lines_max ||
	       options->assert_mode != ASSERT_STOP;
}

int cmd_core(int argc, char **argv)
{
	struct prompt_options options = { 0 };
	uint64_t limit_bytes = CORE_PLAIN_MAX;
	int at = 1, ret;

	options.first = calloc(argc, sizeof(*options.first));
	if (!options.first)
		return cmd_fail(-ENOMEM, "core");
	while (at < argc &&
	       option_parse(argc, argv, &at, &limit_bytes, &options))
		;
	if (at + 1 != argc || argv[at][0] == '-' || needs_program(&options)) {
		free(options.first);
		at += at < argc && argv[at][0] != '-';
		return cmd_usage("core", argv[at]);
	}
	ret = session(argv[at], limit_bytes, &options);
	free(options.first);
	return ret;
}
