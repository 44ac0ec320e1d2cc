// SPDX-License-Identifier: MIT
/*
 * Letting threads run and waiting for the next stop. Hardware threads reach a
 * breakpoint one by one, so after the first stop the others get a moment, until
 * all of the launch have stopped; of those that arrive, the current thread stays
 * current, else the first is. A thread that was let go alone comes back alone:
 * nothing is waited for then.
 */
#include "wait.h"

#include "debugger.h"
#include "gpu.h"
#include "gpu_user.h"
#include "missed.h"
#include "record.h"
#include "reset.h"
#include "watch.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SETTLE_QUIET_MS	60
#define SETTLE_MAX_MS	1000
#define SETTLED		(-1)	/* what is left to wait then */
#define SLICE_MS	200	/* a wait without end looks for Ctrl-C */
#define PASSING_MAX	256
#define INTERRUPT_MS	1000
#define OTHERS_MAX	16
#define EXCEPTIONS	(GTDBG_STOP_ILLEGAL | GTDBG_STOP_SOFTWARE | \
			 GTDBG_STOP_MASK_STACK)

/* What the threads that were taken from the stream add up to. */
struct wait {
	struct debugger *debugger;
	const struct gtdbg_thread_info *alone; /* the one that runs, or NULL */
	struct gtdbg_thread_info best;
	struct breakpoint *hit;
	int lane;
	bool has_best;
	uint64_t started;	/* or something was seen to go on */
	/* Threads that no one wants to stop, resumed a batch at a time. */
	struct gtdbg_thread_info *passing; /* PASSING_MAX of them */
	size_t passing_count;
};

/* Each stop asks several times, and milliseconds do: the other clock may take a call. */
static uint64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
	return now.tv_sec * 1000ull + now.tv_nsec / 1000000;
}

bool thread_is_same(const struct gtdbg_thread_info *a,
		    const struct gtdbg_thread_info *b)
{
	return a->device == b->device && a->slot == b->slot;
}

bool stopped_is_known(const struct debugger *debugger,
		      const struct gtdbg_thread_info *thread)
{
	size_t i;

	for (i = 0; i < debugger->stopped_count; i++) {
		if (thread_is_same(&debugger->stopped[i], thread))
			return debugger->stopped[i].generation ==
			       thread->generation;
	}
	return false;
}

void stopped_keep(struct debugger *debugger,
		 const struct gtdbg_thread_info *thread)
{
	struct gtdbg_thread_info *list;
	size_t i;

	for (i = 0; i < debugger->stopped_count; i++) {
		if (thread_is_same(&debugger->stopped[i], thread)) {
			debugger->stopped[i] = *thread;
			return;
		}
	}
	list = realloc(debugger->stopped, (i + 1) * sizeof(*list));
	if (!list)
		return;
	list[i] = *thread;
	debugger->stopped = list;
	debugger->stopped_count++;
}

void stopped_forget(struct debugger *debugger,
		    const struct gtdbg_thread_info *thread)
{
	size_t i;

	for (i = 0; i < debugger->stopped_count; i++) {
		if (!thread_is_same(&debugger->stopped[i], thread))
			continue;
		debugger->stopped[i] =
			debugger->stopped[--debugger->stopped_count];
		return;
	}
}

static int resume_mask(struct debugger *debugger, uint32_t device,
		       uint32_t command, const uint8_t *mask, uint32_t slots)
{
	struct gtdbg_thread_resume resume = {
		.device = device, .command = command, .slots = slots,
		.mask = (uintptr_t)mask,
	};

	return gtdbg_thread_resume(debugger->session, &resume);
}

int resume_slot(struct debugger *debugger,
		const struct gtdbg_thread_info *thread, uint32_t command)
{
	struct device *device = device_find(debugger, thread->device);
	uint8_t mask[THREADS_MAX / 8] = { 0 };
	int ret;

	if (!device || thread->slot >= THREADS_MAX)
		return -ENODEV;
	mask[thread->slot / 8] |= 1 << thread->slot % 8;
	ret = resume_mask(debugger, thread->device, command, mask,
			  device->info.slots);
	return ret < 0 ? ret : 0;
}

/* One at a time: whatever was stepping before is not waited for any more. */
static void stepping_set(struct debugger *debugger,
			 const struct gtdbg_thread_info *thread, bool is_stepping)
{
	debugger->stepping = *thread;
	debugger->is_stepping = is_stepping;
}

int resume_thread(struct debugger *debugger,
		  const struct gtdbg_thread_info *thread, uint32_t command)
{
	const struct gtdbg_thread_info copy = *thread;
	int ret = 0;

	debugger->resumes++;
	stepping_set(debugger, &copy, command == GTDBG_RESUME_STEP);
	if (command == GTDBG_RESUME_STEP)
		watch_note(debugger, &copy);
	/* One that has to wait for its turn is kept again. */
	stopped_forget(debugger, &copy);
	if (command != GTDBG_RESUME_RUN || !watch_resume(debugger, &copy))
		ret = resume_slot(debugger, &copy, command);
	if (ret)
		stopped_keep(debugger, &copy);
	return ret;
}

int resume_slot_range(struct debugger *debugger,
		      const struct gtdbg_thread_info *thread,
		      const struct step_range *range)
{
	uint8_t mask[THREADS_MAX / 8] = { 0 };
	struct gtdbg_thread_resume resume = {
		.device = thread->device,
		.flags = GTDBG_RESUME_F_EU,
		.command = GTDBG_RESUME_STEP_RANGE,
		.slots = thread->slot + 1,
		.mask = (uintptr_t)mask,
		.generation = thread->generation,
		.ip_first = range->first,
		.ip_end = range->end,
		.steps = range->steps,
		.lanes = range->lanes,
		.watch = range->watch,
		.watch_first = range->watch_first,
		.watch_bytes = range->watch_bytes,
	};

	if (thread->slot >= THREADS_MAX)
		return -EINVAL;
	mask[thread->slot / 8] = 1U << thread->slot % 8;
	if (range->frame_register) {
		resume.flags |= GTDBG_RESUME_F_OVER;
		resume.function_first = range->function_first;
		resume.function_end = range->function_end;
		resume.frame_register = range->frame_register;
	}
	return gtdbg_thread_resume(debugger->session, &resume);
}

int resume_range(struct debugger *debugger,
		 const struct gtdbg_thread_info *thread,
		 const struct step_range *range)
{
	int ret;

	/* Where it is to be looked at, steps have to be of another length. */
	if (watch_concerns(debugger, thread))
		return -EOPNOTSUPP;
	watch_note(debugger, thread);
	ret = resume_slot_range(debugger, thread, range);
	if (ret < 0)
		return ret;
	debugger->resumes++;
	stepping_set(debugger, thread, true);
	stopped_forget(debugger, thread);
	return 0;
}

/* One call for each device, whatever the number of threads. */
static int resume_list(struct debugger *debugger,
		       const struct gtdbg_thread_info *list, size_t count)
{
	struct device *device;
	int ret = 0;
	size_t i;

	for (device = debugger->devices; device && ret >= 0;
	     device = device->next) {
		uint8_t mask[THREADS_MAX / 8] = { 0 };
		bool has_any = false;

		for (i = 0; i < count; i++) {
			if (list[i].device != device->info.device ||
			    list[i].slot >= THREADS_MAX ||
			    watch_resume(debugger, &list[i]))
				continue;
			mask[list[i].slot / 8] |= 1 << list[i].slot % 8;
			has_any = true;
		}
		if (has_any && !device->is_lost)
			ret = resume_mask(debugger, device->info.device,
					  GTDBG_RESUME_RUN, mask,
					  device->info.slots);
	}
	watch_take_turns(debugger);
	return ret < 0 ? ret : 0;
}

int resume_all(struct debugger *debugger)
{
	struct gtdbg_thread_info *list = debugger->stopped;
	size_t count = debugger->stopped_count;
	int ret;

	/* Entries are made to be passed while what stands keeps its context in reach. */
	breakpoint_events(debugger);
	/* Some may stay, to wait for others. */
	debugger->stopped = NULL;
	debugger->stopped_count = 0;
	ret = resume_list(debugger, list, count);
	if (ret == -ESRCH) {
		/* What ends with the program is asked for later where it stood. */
		free(debugger->stopped);
		debugger->stopped = list;
		debugger->stopped_count = count;
	} else {
		free(list);
	}
	debugger->resumes++;
	debugger->is_stepping = false;
	debugger->missed_count = 0;
	thread_deselect(debugger);
	return ret;
}

int threads_interrupt(struct debugger *debugger, uint32_t *refusal)
{
	int stopped = 0, ret = -EAGAIN;
	struct device *device;

	for (device = debugger->devices; device; device = device->next) {
		if (device->is_lost)
			continue;
		ret = gtdbg_thread_interrupt(debugger->session,
					     device->info.device,
					     INTERRUPT_MS, refusal);
		if (ret > 0)
			stopped += ret;
	}
	return stopped ? stopped : ret;
}

/*
 * A step that another thread's stop has interrupted is over for the user, and not for
 * the thread: that it ends one day is not news.
 */
static bool step_is_over(const struct debugger *debugger,
			 const struct gtdbg_thread_info *thread)
{
	return !debugger->is_stepping ||
	       !thread_is_same(&debugger->stepping, thread);
}

/* A stop for no reason of the user's goes on at once. */
static bool stop_is_wanted(struct debugger *debugger,
			   const struct gtdbg_thread_info *thread,
			   struct breakpoint **hit, int *lane)
{
	uint32_t passing = GTDBG_STOP_BREAKPOINT | GTDBG_STOP_ENTRY;
	struct breakpoint *watch;
	bool is_known;

	/* A breakpoint may be where the instruction has led: that is hit as well. */
	*lane = -1;
	*hit = breakpoint_hit(debugger, thread, &is_known, lane);
	watch = watch_hit(debugger, thread, lane);
	if (watch) {
		if (*hit)
			(*hit)->is_further = true;
		*hit = watch;
		watch_print_further(debugger, thread);
	}
	if (*hit)
		return true;
	if (debugger->passes_exceptions)
		passing |= EXCEPTIONS;
	if (watch_drives(debugger, thread) || step_is_over(debugger, thread))
		passing |= GTDBG_STOP_STEP;
	if (thread->reasons & ~passing)
		return true;
	/* A breakpoint that is not ours: one in the program's own code. */
	return !is_known && thread->reasons & GTDBG_STOP_BREAKPOINT &&
	       thread->breakpoint == 0;
}

/* A change stays: it happened once. Else the current thread; else the lowest number. */
static bool is_better(struct wait *wait, const struct gtdbg_thread_info *thread,
		      const struct gtdbg_thread_info *preferred,
		      const struct breakpoint *hit)
{
	bool has_watch = wait->hit && wait->hit->watch;

	if (!wait->has_best)
		return true;
	if (has_watch || (hit && hit->watch))
		return !has_watch;
	if (preferred && thread_is_same(&wait->best, preferred))
		return false;
	if (preferred && thread_is_same(thread, preferred))
		return true;
	if (thread->device != wait->best.device)
		return thread->device < wait->best.device;
	return thread->slot < wait->best.slot;
}

/* Once a thread has stopped for the user, nothing is to change what is watched. */
static void wait_hold(struct wait *wait)
{
	size_t i, count = 0;

	for (i = 0; i < wait->passing_count; i++) {
		if (watch_concerns(wait->debugger, &wait->passing[i]))
			stopped_keep(wait->debugger, &wait->passing[i]);
		else
			wait->passing[count++] = wait->passing[i];
	}
	wait->passing_count = count;
	watch_settle(wait->debugger);
}

static void wait_flush(struct wait *wait)
{
	if (!wait->passing_count)
		return;
	if (wait->has_best)
		wait_hold(wait);
	resume_list(wait->debugger, wait->passing, wait->passing_count);
	wait->passing_count = 0;
	thread_deselect(wait->debugger);
}

static void wait_pass(struct wait *wait, const struct gtdbg_thread_info *thread)
{
	thread_deselect(wait->debugger);
	if (watch_concerns(wait->debugger, thread))
		wait->started = now_ms();
	if (wait->passing_count == PASSING_MAX)
		wait_flush(wait);
	stopped_forget(wait->debugger, thread);
	wait->passing[wait->passing_count++] = *thread;
}

/* False: an assertion has failed, and the thread does not stop for it. */
static bool wait_assert(struct wait *wait,
			const struct gtdbg_thread_info *thread)
{
	if (!(thread->reasons & GTDBG_STOP_ASSERT))
		return true;
	switch (assert_failed(wait->debugger, thread)) {
	case ASSERT_FATE_RUN:
		wait_pass(wait, thread);
		return false;
	case ASSERT_FATE_STAY:
		stopped_keep(wait->debugger, thread);
		return false;
	default:
		return true;
	}
}

/* A change in a thread that does not become current is said as well. */
static void wait_tell(struct wait *wait, const struct gtdbg_thread_info *thread,
		      struct breakpoint *hit, int lane)
{
	if (!hit || !hit->watch)
		return;
	watch_print_hit(wait->debugger, thread, lane, hit);
	if (hit->watch->has_ended)
		breakpoint_delete(wait->debugger, hit);
}

static void wait_thread(struct wait *wait,
			const struct gtdbg_thread_info *reported,
			const struct gtdbg_thread_info *preferred)
{
	const struct gtdbg_thread_info *thread = reported;
	struct gtdbg_thread_info called = *reported;
	struct breakpoint *hit;
	int lane;

	if (stopped_is_known(wait->debugger, thread))
		return;
	if (assert_call_is_at(wait->debugger, thread)) {
		called.reasons |= GTDBG_STOP_ASSERT;
		thread = &called;
	}
	if (wait->debugger->is_halting) {
		called.reasons |= GTDBG_STOP_INTERRUPT;
		thread = &called;
	}
	if (!wait_assert(wait, thread))
		return;
	if (!stop_is_wanted(wait->debugger, thread, &hit, &lane)) {
		wait_pass(wait, thread);
		return;
	}
	thread_deselect(wait->debugger);
	stopped_keep(wait->debugger, thread);
	missed_keep_further(wait->debugger, thread, lane, wait->alone);
	if (thread->reasons & GTDBG_STOP_ILLEGAL)
		illegal_tell(wait->debugger, thread);
	if (!is_better(wait, thread, preferred, hit)) {
		wait_tell(wait, thread, hit, lane);
		missed_keep(wait->debugger, thread, hit, lane, wait->alone);
		return;
	}
	if (wait->has_best)
		missed_keep(wait->debugger, &wait->best, wait->hit, wait->lane,
			    wait->alone);
	wait->best = *thread;
	wait->hit = hit;
	wait->lane = lane;
	wait->has_best = true;
}

static void report_reset(struct debugger *debugger,
			 const struct gtdbg_thread_info *thread)
{
	const struct device *device = device_find(debugger, thread->device);
	char slot[GPU_SLOT_BYTES], why[256];

	if (!device)
		return;
	gpu_slot_format(slot, device->info.pci_address);
	reset_explain(device->log, slot, why, sizeof(why));
	printf("The GPU's driver has ended what was stopped: device %u, context %u; %s.\n",
	       thread->device, thread->context, why);
}

static void report_unavailable(struct debugger *debugger,
			       const struct gtdbg_thread_info *thread)
{
	static const char *const reasons[] = {
		"reason unknown", "its system routine saves no state",
		"its state is not saved yet",
		"its state belongs to another process",
	};

	if (thread->reasons == GTDBG_UNAVAILABLE_RESET) {
		report_reset(debugger, thread);
		return;
	}
	printf("Thread ");
	thread_print_name(debugger, thread, -1);
	printf(" waits, but cannot be examined: %s.\n",
	       reasons[thread->reasons < 4 ? thread->reasons : 0]);
}

static void wait_event(struct wait *wait, const struct gtdbg_event *event,
		       const struct gtdbg_thread_info *preferred)
{
	const void *payload;

	switch (event->kind) {
	case GTDBG_EVENT_THREAD_STOP:
		payload = gtdbg_event_payload(event,
				sizeof(struct gtdbg_event_thread_stop));
		if (payload)
			wait_thread(wait, payload, preferred);
		break;
	case GTDBG_EVENT_THREAD_UNAVAILABLE:
		payload = gtdbg_event_payload(event,
				sizeof(struct gtdbg_event_thread_unavailable));
		if (payload)
			report_unavailable(wait->debugger, payload);
		break;
	case GTDBG_EVENT_THREAD_RECORD:
		records_print(wait->debugger, event);
		break;
	case GTDBG_EVENT_PAGE_FAULT:
		if (fault_stop(wait->debugger, event))
			wait->debugger->has_fault = true;
		break;
	case GTDBG_EVENT_OVERFLOW:
		/* What is stopped counts as stopped just now. */
		wait_flush(wait);
		target_resync(wait->debugger);
		break;
	default:
		target_event(wait->debugger, event);
	}
}

/* What the first stop on a GPU of the machine does to others: the hardware cannot help it. */
static void report_others(struct debugger *debugger)
{
	struct device *device = device_find(debugger, debugger->thread.device);
	struct gpu_user users[OTHERS_MAX];
	const char *sep = " These have the GPU open: ";
	char slot[GPU_SLOT_BYTES];
	size_t count, i;

	if (!device || device->info.is_virtual || device->is_announced)
		return;
	device->is_announced = true;
	gpu_slot_format(slot, device->info.pci_address);
	count = gpu_users_find(slot, users, OTHERS_MAX);
	printf("\nWhile threads are stopped, other programs wait for this GPU's render engine.");
	for (i = 0; i < count; i++) {
		if (users[i].pid == debugger->pid)
			continue;
		printf("%s%s (%d)", sep, users[i].comm, users[i].pid);
		sep = ", ";
	}
	puts(sep[0] == ',' ? "." : "");
}

/* False: its state cannot be read, and nothing was said but that. */
static bool announce(struct wait *wait)
{
	struct debugger *debugger = wait->debugger;
	struct breakpoint *hit = wait->hit;

	debugger->last_hit = hit ? hit->number : 0;
	watch_settle(debugger);
	lines_fini(&debugger->actions);
	debugger->is_silent = false;
	if (!hit && wait->best.reasons & GTDBG_STOP_INTERRUPT &&
	    fault_explain(debugger, &wait->best, &wait->lane))
		debugger->has_fault = true;
	if (thread_select(debugger, &wait->best, wait->lane)) {
		debugger->last_hit = 0;
		debugger->has_fault = false;
		return false;
	}
	missed_forget(debugger, debugger->last_hit);
	/* Where it is inactive another lane is shown for as long, but one that has hit stays. */
	if (wait->lane >= 0 || (hit && hit->number > 0) ||
	    !thread_lane_is_kept(debugger, &wait->best))
		thread_lane_keep(debugger);
	if (hit && hit->commands.count) {
		lines_copy(&debugger->actions, &hit->commands);
		debugger->is_silent = strcmp(hit->commands.line[0],
					     "silent") == 0;
	}
	if (debugger->thread.reasons & GTDBG_STOP_ASSERT)
		debugger->frame = assert_call_frame(debugger);
	report_others(debugger);
	if (hit && hit->watch) {
		if (!debugger->is_silent || hit->watch->has_ended)
			watch_print_hit(debugger, &debugger->thread,
					debugger->lane, hit);
	} else if (debugger->is_served) {
		fflush(stdout);
	} else if (hit && hit->number > 0 && !debugger->is_silent) {
		printf("\nThread ");
		thread_print_name(debugger, &debugger->thread, debugger->lane);
		printf(" hit %s %d, ", breakpoint_kind(hit), hit->number);
	} else if (!hit) {
		thread_print_stop(debugger);
	}
	missed_announce(debugger, !hit || hit->watch || hit->number <= 0);
	if (hit && ((hit->is_temporary && hit->number > 0) ||
		    (hit->watch && hit->watch->has_ended)))
		breakpoint_delete(debugger, hit);
	return true;
}

bool wait_missed(struct debugger *debugger)
{
	struct wait wait = { .debugger = debugger };

	/* Each is forgotten as it is announced, whether that can be or not. */
	while ((wait.hit = missed_take(debugger, &wait.best, &wait.lane))) {
		if (!announce(&wait))
			continue;
		/* For whom commands are this is as good as a stop that was waited for. */
		debugger->resumes++;
		return true;
	}
	return false;
}

/* Have all threads of the launch stopped that the device has room for? */
static bool all_stopped(const struct debugger *debugger,
			const struct device *device)
{
	uint64_t count = 0;
	size_t i;

	if (!device || !device->launched ||
	    (debugger->stopped_count < device->launched &&
	     debugger->stopped_count < device->info.slots))
		return false;
	for (i = 0; i < debugger->stopped_count; i++)
		count += debugger->stopped[i].device == device->info.device;
	return count >= device->launched || count >= device->info.slots;
}

static bool is_settled(const struct wait *wait)
{
	if (wait->alone && thread_is_same(&wait->best, wait->alone))
		return true;
	return all_stopped(wait->debugger,
			   device_find(wait->debugger, wait->best.device));
}

/* How long the next event may take, 0 for one that is there; SETTLED: none. */
static int wait_left(const struct wait *wait, uint64_t first, int timeout_ms)
{
	uint64_t now = now_ms();

	if (wait->has_best && now - first > SETTLE_MAX_MS)
		return SETTLED;
	if (wait->has_best)
		return is_settled(wait) ? 0 : SETTLE_QUIET_MS;
	if (timeout_ms < 0)
		return SLICE_MS;
	return now - wait->started >= (uint64_t)timeout_ms ? SETTLED :
	       (int)(wait->started + timeout_ms - now);
}

/* Before it waits for more, those that only pass go on. */
static int wait_next(struct wait *wait, int left,
		     const struct gtdbg_event **event)
{
	struct gtdbg_session *session = wait->debugger->session;
	int ret = -EAGAIN;

	if (wait->passing_count)
		ret = gtdbg_event_next(session, 0, event);
	if (ret != -EAGAIN)
		return ret;
	wait_flush(wait);
	if (left == SETTLED)
		return -EAGAIN;
	/* Whoever is served may delete breakpoints, but not one that was hit. */
	if (!wait_serve || wait->has_best)
		return gtdbg_event_next(session, left, event);
	ret = gtdbg_event_next(session, 0, event);
	if (ret != -EAGAIN)
		return ret;
	if (wait_serve(gtdbg_session_fd(session), left))
		return -EINTR;
	return gtdbg_event_next(session, 0, event);
}

enum wait_result wait_stop(struct debugger *debugger,
			   const struct gtdbg_thread_info *alone,
			   int timeout_ms)
{
	struct gtdbg_thread_info was = debugger->thread, passing[PASSING_MAX];
	struct wait wait = { .debugger = debugger, .alone = alone,
			     .started = now_ms(), .passing = passing };
	uint64_t first = 0;
	const struct gtdbg_event *event;
	int ret;

	breakpoint_events(debugger);
	debugger->has_fault = false;
	for (;;) {
		bool had_best = wait.has_best;
		int left = wait_left(&wait, first, timeout_ms);

		saveareas_look(debugger);
		if (wait_is_interrupted && !wait.has_best) {
			wait_is_interrupted = 0;
			wait_flush(&wait);
			return WAIT_INTERRUPTED;
		}
		ret = wait_next(&wait, left, &event);
		if (ret == 1 && event->kind != GTDBG_EVENT_EXIT) {
			wait_event(&wait, event, &was);
			if (wait.has_best && !had_best)
				first = now_ms();
			continue;
		}
		if (wait.has_best && (ret == -EAGAIN || ret == -EINTR)) {
			return announce(&wait) ? WAIT_STOPPED :
						 WAIT_UNREADABLE;
		}
		if (ret == -EINTR || (ret == -EAGAIN && timeout_ms < 0))
			continue;
		if (ret == -EAGAIN)
			return WAIT_TIMED_OUT;
		return WAIT_EXITED;
	}
}
