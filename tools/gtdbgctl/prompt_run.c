// SPDX-License-Identifier: MIT
#include "prompt.h"

#include "core.h"
#include "debugger.h"
#include "expression.h"
#include "script.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SETTLE_MS	500

/* Of the first fault or illegal instruction, which others may follow from. */
static void fault_dump(struct debugger *debugger)
{
	const struct core_options options = { .path = debugger->core_on_fault };

	if (!options.path || (!debugger->has_fault &&
			      !(debugger->thread.reasons & GTDBG_STOP_ILLEGAL)))
		return;
	debugger->core_on_fault = NULL;
	core_write(debugger, &options);
}

/* Ctrl-C in a wait. What a breakpoint that is hit before all stand wants done would undo it. */
static int interrupted(struct debugger *debugger)
{
	int ret = prompt_interrupt(debugger, "");

	return debugger->actions.count ? script_quit(debugger) : ret;
}

int prompt_report(struct debugger *debugger, int result)
{
	switch (result) {
	case WAIT_STOPPED:
		fault_dump(debugger);
		if (debugger->is_silent || debugger->is_served)
			return 0;
		thread_print_frame(debugger, 0, true);
		thread_print_source(debugger);
		displays_show(debugger);
		return 0;
	case WAIT_EXITED:
		debugger_report_exit(debugger);
		return 0;
	case WAIT_INTERRUPTED:
		return prompt_must_end(debugger) ? -1 : interrupted(debugger);
	case WAIT_UNREADABLE:
		return -1;
	default:
		return fail(debugger, "No thread has stopped.");
	}
}

static int start_failed(struct debugger *debugger, int ret)
{
	if (ret == -ESRCH) {
		debugger->pid = launch_pid(debugger->launch);
		puts("The program has ended without using the GPU under gtdbg.");
		debugger_report_exit(debugger);
		return -1;
	}
	if (ret == -EINTR) {
		launch_kill(debugger->launch);
		return fail(debugger, "The program was killed before it used the GPU.");
	}
	if (ret == -ENODEV)
		return fail(debugger, "Cannot start the virtual GPU, vgtd.");
	return fail(debugger, "Cannot start the program: %s.", strerror(-ret));
}

int prompt_run_program(struct debugger *debugger, const char *args)
{
	int fd, ret;
	pid_t pid;

	(void)args;
	if (!debugger->launch)
		return fail(debugger, "The program was not started by gtdbgctl; use \"continue\".");
	if (debugger->session)
		return fail(debugger, "The program is being run already.");
	if (launch_is_started(debugger->launch))
		return fail(debugger, "The program that was detached has not ended yet.");
	debugger->is_detached = false;
	ret = launch_start(debugger->launch, &fd, &pid);
	if (ret)
		return start_failed(debugger, ret);
	ret = debugger_attach(debugger, fd, pid, 0);
	close(fd);
	if (ret) {
		debugger_detach(debugger);
		launch_kill(debugger->launch);
		return -1;
	}
	return prompt_report(debugger, wait_stop(debugger, NULL, -1));
}

int prompt_count(struct debugger *debugger, const char *args, int *out)
{
	int64_t number = 1;

	if (*args && expression_integer(debugger, args, &number))
		return -1;
	if (number < 1)
		return fail(debugger, "A count is at least 1, and not %lld.",
			    (long long)number);
	*out = number < INT_MAX ? (int)number : INT_MAX;
	return 0;
}

int prompt_continue(struct debugger *debugger, const char *args)
{
	struct breakpoint *breakpoint;
	int count, ret;

	if (debugger_need_session(debugger) ||
	    prompt_count(debugger, args, &count))
		return -1;
	breakpoint = breakpoint_find(debugger, debugger->last_hit);
	if (count > 1 && breakpoint && debugger->last_hit > 0) {
		breakpoint_ignore(debugger, breakpoint, (uint64_t)count - 1);
		printf("Will ignore next %u crossings of breakpoint %d.  ",
		       breakpoint->ignore, breakpoint->number);
	}
	if (!debugger->is_quiet)
		puts("Continuing.");
	fflush(stdout);
	if (wait_missed(debugger))
		return prompt_report(debugger, WAIT_STOPPED);
	ret = resume_all(debugger);
	/* What was stopped is gone: there are events of that. */
	if (ret == -ESRCH)
		return prompt_report(debugger,
				     wait_stop(debugger, NULL, GONE_MS));
	if (ret)
		return fail(debugger, "Cannot resume: %s.", strerror(-ret));
	return prompt_report(debugger, wait_stop(debugger, NULL, -1));
}

int prompt_interrupt(struct debugger *debugger, const char *args)
{
	enum wait_result result;
	uint32_t refusal = GTDBG_INTERRUPT_IDLE;
	int ret;

	(void)args;
	if (debugger_need_session(debugger))
		return -1;
	ret = threads_interrupt(debugger, &refusal);
	if (ret < 0 && ret != -EAGAIN)
		return fail(debugger, "Cannot interrupt: %s.", strerror(-ret));
	/* One whose step has just ended is not running, and is not to go on either. */
	debugger->is_halting = true;
	result = wait_stop(debugger, NULL, SETTLE_MS);
	debugger->is_halting = false;
	if (ret > 0 || result != WAIT_TIMED_OUT)
		return prompt_report(debugger, result);
	if (ret < 0 && refusal == GTDBG_INTERRUPT_NO_SAVE_AREA)
		printf("Not interrupted: %s; the program goes on.\n",
		       gtdbg_interrupt_text(refusal));
	else
		puts("No GPU thread was running; the program goes on.");
	return 0;
}

int prompt_kill(struct debugger *debugger, const char *args)
{
	(void)args;
	if (debugger_need_session(debugger))
		return -1;
	if (!script_confirm(debugger, "Kill the program being debugged? "))
		return -1;
	debugger_signal(debugger, SIGKILL);
	debugger_detach(debugger);
	if (debugger->launch)
		launch_kill(debugger->launch);
	printf("[Inferior 1 (process %d) killed]\n", debugger->pid);
	return 0;
}

int prompt_detach(struct debugger *debugger, const char *args)
{
	(void)args;
	if (debugger_need_session(debugger))
		return -1;
	printf("Detaching from process %d\n", debugger->pid);
	fflush(stdout);
	debugger_detach(debugger);
	debugger->is_detached = debugger->launch;
	printf("[Inferior 1 (process %d) detached]\n", debugger->pid);
	return 0;
}
