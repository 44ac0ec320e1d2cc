// SPDX-License-Identifier: MIT
#include "debugger.h"

#include "convenience.h"
#include "hang.h"
#include "missed.h"
#include "prompt.h"
#include "record.h"
#include "value.h"
#include "watch.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* The file and line where the command stands. */
static void print_script(const struct debugger *debugger)
{
	const struct script *script = debugger->script;

	while (script && !script->name)
		script = script->outer;
	if (script)
		fprintf(stderr, "%s:%u: Error in sourced command file:\n",
			script->name, script->number);
}

int fail(struct debugger *debugger, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	if (debugger->holds_errors) {
		vsnprintf(debugger->held, sizeof(debugger->held), format,
			  args);
		va_end(args);
		return -1;
	}
	debugger->has_failed = true;
	fflush(stdout);
	print_script(debugger);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	return -1;
}

int debugger_replay(struct debugger *debugger)
{
	const struct gtdbg_event *event;
	int ret;

	for (;;) {
		ret = gtdbg_event_next(debugger->session, 10000, &event);
		if (ret == -EINTR)
			continue;
		if (ret <= 0)
			return ret ? ret : -ESRCH;
		if (event->kind == GTDBG_EVENT_SYNCED)
			return 0;
		if (event->kind == GTDBG_EVENT_PAGE_FAULT)
			fault_recall(debugger, event);
		else
			target_event(debugger, event);
	}
}

/* What a module that is older than the tool does not know is left out. */
static uint32_t attach_flags(const struct debugger *debugger, uint32_t flags)
{
	struct gtdbg_info info = { 0 };

	if (flags & GTDBG_SESSION_F_OBSERVER ||
	    debugger->asserts.mode == ASSERT_IGNORE)
		return flags;
	gtdbg_info(debugger->gtdbg, &info);
	return info.features & GTDBG_FEATURE_ASSERT ?
	       flags | GTDBG_SESSION_F_ASSERTS : flags;
}

static void process_forget(struct debugger *debugger)
{
	if (debugger->pidfd > 0)
		close(debugger->pidfd);
	debugger->pidfd = 0;
}

int debugger_attach(struct debugger *debugger, int client_fd, pid_t pid,
		    uint32_t flags)
{
	struct gtdbg_session_attach attach = {
		.client_fd = client_fd,
		.flags = attach_flags(debugger, flags),
		.event_mask = GTDBG_EVENTS_ALL,
		.ack_mask = 1ull << GTDBG_EVENT_KERNEL_SUBMIT |
			    1ull << GTDBG_EVENT_PAGE_FAULT,
	};
	int ret;

	if (flags & GTDBG_SESSION_F_OBSERVER)
		attach.ack_mask = 0;
	/* Who ended before is not attached to: so this is the client's process. */
	debugger->pidfd = syscall(SYS_pidfd_open, pid, 0);
	ret = gtdbg_session_open(debugger->gtdbg, &attach, &debugger->session);
	if (ret < 0)
		process_forget(debugger);
	if (ret < 0 && attach.refusal == GTDBG_REFUSAL_CONTROLLED)
		return fail(debugger, "gtdbgctl: cannot attach to process %d: process %d debugs it already",
			    pid, attach.holder_pid);
	if (ret < 0)
		return fail(debugger, "gtdbgctl: cannot attach to process %d: %s",
			    pid, attach.refusal ?
			    gtdbg_refusal_text(attach.refusal) :
			    strerror(-ret));
	debugger->pid = pid;
	debugger->is_observer = flags & GTDBG_SESSION_F_OBSERVER;
	debugger->holds_launches = true;
	ret = debugger_replay(debugger);
	if (ret < 0)
		return fail(debugger, "gtdbgctl: cannot attach to process %d: %s",
			    pid, strerror(-ret));
	return 0;
}

/* What threads write down comes to an end before the session does. */
static void records_take(struct debugger *debugger)
{
	struct breakpoint *breakpoint = debugger->breakpoints;
	bool has_some = false;

	for (; breakpoint && debugger->session; breakpoint = breakpoint->next) {
		if (!breakpoint->layouts)
			continue;
		breakpoint_lift(debugger, breakpoint);
		has_some = true;
	}
	if (has_some)
		records_finish(debugger);
}

/* What is known of the target stays. */
static void session_end(struct debugger *debugger)
{
	struct breakpoint *breakpoint;

	thread_deselect(debugger);
	free(debugger->stopped);
	debugger->stopped = NULL;
	debugger->stopped_count = 0;
	missed_fini(debugger);
	watches_fini(debugger);
	records_take(debugger);
	records_end(debugger);
	/* The module lifts what is planted; the user's list stays. */
	for (breakpoint = debugger->breakpoints; breakpoint;
	     breakpoint = breakpoint->next) {
		breakpoint_count(debugger, breakpoint);
		breakpoint_forget(breakpoint);
		breakpoint->has_context = false;
	}
	if (debugger->asserts.calls)
		breakpoint_forget(debugger->asserts.calls);
	free(debugger->asserts.calls);
	debugger->asserts.calls = NULL;
	saveareas_leave();
	gtdbg_session_close(debugger->session);
	debugger->session = NULL;
	process_forget(debugger);
}

void debugger_signal(struct debugger *debugger, int signal)
{
	if (debugger->pidfd <= 0)
		return;
	syscall(SYS_pidfd_send_signal, debugger->pidfd, signal, NULL, 0);
	if (signal == SIGKILL)
		hang_note_kill(debugger->hang);
}

void debugger_detach(struct debugger *debugger)
{
	session_end(debugger);
	target_fini(debugger);
}

void debugger_fini(struct debugger *debugger)
{
	debugger_detach(debugger);
	while (debugger->breakpoints)
		breakpoint_delete(debugger, debugger->breakpoints);
	macros_fini(debugger);
	displays_fini(debugger);
	lines_fini(&debugger->actions);
	values_fini(debugger);
	conveniences_fini(debugger);
	kernels_fini(debugger);
	launch_destroy(debugger->launch);
	free(debugger->absent_file);
	free(debugger->list_file);
	gtdbg_close(debugger->gtdbg);
}

static void report_status(struct debugger *debugger, int status)
{
	debugger->exit_status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) :
				WEXITSTATUS(status);
	if (debugger->is_quiet)
		return;
	if (WIFSIGNALED(status)) {
		printf("\nProgram terminated with signal SIG%s, %s.\nThe program no longer exists.\n",
		       sigabbrev_np(WTERMSIG(status)),
		       strsignal(WTERMSIG(status)));
	} else if (WEXITSTATUS(status)) {
		printf("[Inferior 1 (process %d) exited with code %02o]\n",
		       debugger->pid, WEXITSTATUS(status));
	} else {
		printf("[Inferior 1 (process %d) exited normally]\n",
		       debugger->pid);
	}
}

void debugger_wait_exit(struct debugger *debugger)
{
	int status = launch_wait(debugger->launch);

	debugger->exit_status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) :
				WEXITSTATUS(status);
}

/*
 * Takes the threads that nobody has let go, with the symbols of their kernels: who
 * reads them has no session any more. Returns how many.
 */
static size_t stopped_take(struct debugger *debugger,
			   struct gtdbg_thread_info **out)
{
	size_t count = debugger->stopped_count, i;

	*out = NULL;
	if (debugger->is_quiet || debugger->is_served || !debugger->session)
		return 0;
	for (i = 0; i < count; i++)
		kernel_symbols(debugger, thread_kernel(debugger,
						&debugger->stopped[i]));
	*out = debugger->stopped;
	debugger->stopped = NULL;
	debugger->stopped_count = 0;
	return count;
}

/* The session ends first, as the program may wait for what it holds. */
void debugger_report_exit(struct debugger *debugger)
{
	struct gtdbg_thread_info *stopped;
	size_t count = stopped_take(debugger, &stopped);

	if (!debugger->is_quiet && !debugger->is_served)
		prompt_break_report(debugger);
	session_end(debugger);
	if (!count)
		target_fini(debugger);
	if (debugger->launch)
		report_status(debugger, launch_wait(debugger->launch));
	else if (!debugger->is_quiet)
		printf("[Inferior 1 (process %d) exited]\n", debugger->pid);
	if (count) {
		puts("GPU threads that were stopped then:");
		prompt_threads_print(debugger, stopped, count);
		target_fini(debugger);
	}
	free(stopped);
}

int debugger_need_session(struct debugger *debugger)
{
	if (debugger->session)
		return 0;
	return fail(debugger, "The program is not being run.");
}

int debugger_need_thread(struct debugger *debugger)
{
	if (debugger->checked)
		return 0;
	if (debugger_need_session(debugger))
		return -1;
	if (debugger->has_thread)
		return 0;
	return fail(debugger, debugger->stopped_count ?
		    "No GPU thread is selected; \"info threads\" shows those that are stopped." :
		    "No GPU thread is stopped.");
}
