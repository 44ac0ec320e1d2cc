// SPDX-License-Identifier: MIT
/*
 * A debugger interrupts in a signal handler, so that only leaves a wish. When
 * events are read next, all threads are stopped; those that were not meant go on.
 * What was asked for is answered in any case: a debugger waits for it.
 */
#include "level_zero.h"

#include <errno.h>
#include <stdlib.h>

#define WORD_BITS 64
#define INTERRUPT_MS 50
#define INTERRUPT_TRIES 3

_Static_assert(ATOMIC_BOOL_LOCK_FREE == 2 && ATOMIC_LLONG_LOCK_FREE == 2 &&
	       ATOMIC_INT_LOCK_FREE == 2 && ATOMIC_POINTER_LOCK_FREE == 2,
	       "what a signal handler touches needs no lock");

/* From a signal handler: no lock. */
static ze_result_t interrupt(struct ze_session *session,
			     const ze_device_thread_t *thread)
{
	bool can_stop = false;
	size_t i;

	if (gtdbg_ze_thread_is_all(thread))
		return atomic_exchange(&session->wants_all, true) ?
		       ZE_RESULT_NOT_READY : ZE_RESULT_SUCCESS;
	if (!gtdbg_ze_thread_is_valid(thread))
		return ZE_RESULT_ERROR_INVALID_ARGUMENT;
	for (i = 0; i < ZE_PLACES; i++) {
		unsigned long long bit = 1ull << i % WORD_BITS;

		if (!gtdbg_ze_thread_is_named(thread, i) ||
		    (atomic_load(&session->reported[i / WORD_BITS]) & bit))
			continue;
		atomic_fetch_or(&session->wants[i / WORD_BITS], bit);
		can_stop = true;
	}
	return can_stop ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_NOT_AVAILABLE;
}

ze_result_t gtdbg_ze_debug_interrupt(zet_debug_session_handle_t handle,
				     ze_device_thread_t thread)
{
	struct ze_session *session = gtdbg_ze_session_get(handle);
	ze_result_t ret;

	if (!session)
		return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
	ret = interrupt(session, &thread);
	gtdbg_ze_session_put(handle);
	return ret;
}

static bool is_wanted(const unsigned long long *wants, size_t place)
{
	return place < ZE_PLACES &&
	       (wants[place / WORD_BITS] >> place % WORD_BITS & 1);
}

static bool is_stop(const struct ze_event *event)
{
	return event->event.type == ZET_DEBUG_EVENT_TYPE_THREAD_STOPPED;
}

/* Nor does it wait at its kernel's entry for the debugger to know that kernel. */
static bool is_only_interrupted(struct ze_session *session,
				const struct gtdbg_thread_info *info)
{
	const struct ze_module *module;

	if ((info->reasons & ~GTDBG_STOP_ENTRY) != GTDBG_STOP_INTERRUPT)
		return false;
	module = gtdbg_ze_module_find(session, info->context, info->address);
	return !(info->reasons & GTDBG_STOP_ENTRY) || !module ||
	       !module->ack_seqno;
}

/*
 * Some threads were asked for, but all were stopped: the others go on, unless
 * they have a reason of their own.
 */
static void others_release(struct ze_session *session, struct ze_event **from,
			   const unsigned long long *wants)
{
	while (*from) {
		struct ze_event *event = *from;
		int place = gtdbg_ze_thread_place(&event->info);

		if (!is_stop(event) || is_wanted(wants, place) ||
		    event->is_fault ||
		    !is_only_interrupted(session, &event->info)) {
			from = &event->next;
			continue;
		}
		gtdbg_ze_thread_release(session, &event->info);
		*from = event->next;
		free(event);
	}
	session->last = from;
}

/* A thread may also have stopped before it was interrupted. */
static void singles_answer(struct ze_session *session,
			   const unsigned long long *wants)
{
	const struct ze_event *event = session->first;
	bool has_stopped[ZE_PLACES] = { false };
	size_t i;

	for (; event; event = event->next) {
		if (is_stop(event))
			has_stopped[gtdbg_ze_thread_place(&event->info)] = true;
	}
	for (i = 0; i < ZE_PLACES; i++) {
		if (is_wanted(wants, i) && !has_stopped[i] &&
		    !session->threads[i].is_reported)
			gtdbg_ze_event_add_unavailable(session,
						       gtdbg_ze_thread_id(i));
	}
}

void gtdbg_ze_threads_interrupt(struct ze_session *session)
{
	uint32_t refusal;
	int ret = -EAGAIN, tries;

	for (tries = 0;
	     session->device && ret == -EAGAIN && tries < INTERRUPT_TRIES;
	     tries++) {
		ret = gtdbg_thread_interrupt(session->session, session->device,
					     INTERRUPT_MS, &refusal);
		if (ret == -EAGAIN && refusal == GTDBG_INTERRUPT_IDLE)
			return;
	}
}

/*
 * Have all threads of the launch stopped that the device has room for? To look for
 * more takes a while, and a debugger does so at each stop.
 */
static bool all_stopped(const struct ze_session *session)
{
	const struct ze_event *event = session->first;
	uint64_t count = 0;
	size_t i;

	for (; event; event = event->next)
		count += is_stop(event);
	for (i = 0; i < ZE_PLACES; i++)
		count += session->threads[i].is_reported;
	return session->launched && (count >= session->launched ||
				     count >= session->slots);
}

void gtdbg_ze_interrupt_serve(struct ze_session *session)
{
	unsigned long long wants[ZE_WORDS], any = 0;
	bool wants_all = atomic_exchange(&session->wants_all, false);
	struct ze_event **from;
	size_t i;

	for (i = 0; i < ZE_WORDS; i++) {
		wants[i] = atomic_exchange(&session->wants[i], 0);
		any |= wants[i];
	}
	if ((!wants_all && !any) || session->has_ended)
		return;
	gtdbg_ze_event_drain(session->process, 0, false);
	if (!all_stopped(session))
		gtdbg_ze_threads_interrupt(session);
	from = session->last;
	gtdbg_ze_event_drain(session->process, 0, false);
	if (!wants_all) {
		others_release(session, from, wants);
		return singles_answer(session, wants);
	}
	gtdbg_ze_event_add_unavailable(session, gtdbg_ze_thread_all);
	if (!session->was_interrupted)
		session->withheld = ZE_WITHHELD_POLLS;
	session->was_interrupted = true;
}
