// SPDX-License-Identifier: MIT
/*
 * A stop is the debugger's once it has read the event. Whether a thread is to
 * make one step or to run, the debugger says as Intel's system routine wants it:
 * by the breakpoint bit in the cr0.1 that it writes before it resumes.
 */
#include "level_zero.h"

#include <string.h>

#define WORD_BITS 64

const ze_device_thread_t gtdbg_ze_thread_all = { UINT32_MAX, UINT32_MAX,
						 UINT32_MAX, UINT32_MAX };

ze_device_thread_t gtdbg_ze_thread_id(size_t place)
{
	ze_device_thread_t thread;

	thread.thread = place % ZE_THREADS;
	place /= ZE_THREADS;
	thread.eu = place % ZE_EUS;
	place /= ZE_EUS;
	thread.subslice = place % ZE_SUBSLICES;
	thread.slice = place / ZE_SUBSLICES;
	return thread;
}

int gtdbg_ze_thread_place(const struct gtdbg_thread_info *info)
{
	if (info->slice >= ZE_SLICES || info->subslice >= ZE_SUBSLICES ||
	    info->eu >= ZE_EUS || info->thread >= ZE_THREADS)
		return -1;
	return ((info->slice * ZE_SUBSLICES + info->subslice) * ZE_EUS +
		info->eu) *
		       ZE_THREADS +
	       info->thread;
}

bool gtdbg_ze_thread_is_all(const ze_device_thread_t *thread)
{
	return thread->slice == UINT32_MAX && thread->subslice == UINT32_MAX &&
	       thread->eu == UINT32_MAX && thread->thread == UINT32_MAX;
}

static bool is_one(const ze_device_thread_t *thread)
{
	return thread->slice != UINT32_MAX && thread->subslice != UINT32_MAX &&
	       thread->eu != UINT32_MAX && thread->thread != UINT32_MAX;
}

/* Each number may be "all". */
bool gtdbg_ze_thread_is_named(const ze_device_thread_t *name, size_t place)
{
	const ze_device_thread_t thread = gtdbg_ze_thread_id(place);

	return (name->slice == UINT32_MAX || name->slice == thread.slice) &&
	       (name->subslice == UINT32_MAX ||
		name->subslice == thread.subslice) &&
	       (name->eu == UINT32_MAX || name->eu == thread.eu) &&
	       (name->thread == UINT32_MAX || name->thread == thread.thread);
}

bool gtdbg_ze_thread_is_valid(const ze_device_thread_t *name)
{
	return (name->slice == UINT32_MAX || name->slice < ZE_SLICES) &&
	       (name->subslice == UINT32_MAX ||
		name->subslice < ZE_SUBSLICES) &&
	       (name->eu == UINT32_MAX || name->eu < ZE_EUS) &&
	       (name->thread == UINT32_MAX || name->thread < ZE_THREADS);
}

struct ze_thread *gtdbg_ze_thread_find(struct ze_session *session,
				       const ze_device_thread_t *thread)
{
	size_t i;

	if (!is_one(thread) || !gtdbg_ze_thread_is_valid(thread))
		return NULL;
	for (i = 0; !gtdbg_ze_thread_is_named(thread, i); i++)
		;
	return session->threads[i].is_reported ? &session->threads[i] : NULL;
}

static void reported_set(struct ze_session *session, size_t place, bool value)
{
	unsigned long long bit = 1ull << place % WORD_BITS;

	session->threads[place].is_reported = value;
	if (value)
		atomic_fetch_or(&session->reported[place / WORD_BITS], bit);
	else
		atomic_fetch_and(&session->reported[place / WORD_BITS], ~bit);
}

/*
 * A debugger lets a thread go on that it sees no cause for. Under Intel's system
 * routine an interrupt looks like a breakpoint.
 */
static uint32_t causes_of(const struct gtdbg_thread_info *info, bool is_fault)
{
	if (is_fault)
		return ZE_CAUSE_FAULT;
	if (info->reasons == GTDBG_STOP_INTERRUPT &&
	    (info->exceptions & ZE_CAUSE_BREAK))
		return ZE_CAUSE_FORCED;
	return info->exceptions & ZE_CAUSE_MASK;
}

void gtdbg_ze_thread_report(struct ze_session *session,
			    const struct gtdbg_thread_info *info,
			    bool is_fault)
{
	int place = gtdbg_ze_thread_place(info);
	struct ze_thread *thread = &session->threads[place];

	thread->info = *info;
	thread->causes = causes_of(info, is_fault);
	thread->has_causes = false;
	reported_set(session, place, true);
	/* That answers those who have asked for it. */
	atomic_fetch_and(&session->wants[place / WORD_BITS],
			 ~(1ull << place % WORD_BITS));
}

static int threads_resume(struct ze_session *session, uint32_t command,
			  const uint8_t *mask)
{
	struct gtdbg_thread_resume resume = {
		.device = session->device,
		.command = command,
		.mask = (uintptr_t)mask,
		.slots = session->slots,
	};

	return gtdbg_thread_resume(session->session, &resume);
}

void gtdbg_ze_thread_release(struct ze_session *session,
			     const struct gtdbg_thread_info *info)
{
	uint8_t mask[ZE_PLACES / 8 + 1] = { 0 };

	mask[info->slot / 8] |= 1u << info->slot % 8;
	threads_resume(session, GTDBG_RESUME_RUN, mask);
}

void gtdbg_ze_threads_release(struct ze_session *session)
{
	uint8_t mask[ZE_PLACES / 8 + 1];

	memset(mask, 0xff, sizeof(mask));
	if (session->device)
		threads_resume(session, GTDBG_RESUME_RUN, mask);
}

static bool is_step(const struct ze_thread *thread)
{
	return thread->has_causes && (thread->causes & ZE_CAUSE_BREAK);
}

static bool is_meant(const struct ze_session *session,
		     const ze_device_thread_t *name, uint32_t command,
		     size_t place)
{
	const struct ze_thread *thread = &session->threads[place];

	return thread->is_reported && gtdbg_ze_thread_is_named(name, place) &&
	       is_step(thread) == (command == GTDBG_RESUME_STEP);
}

/* How many were resumed; where that fails, they are still stopped. */
static int resume_by(struct ze_session *session, const ze_device_thread_t *name,
		     uint32_t command)
{
	uint8_t mask[ZE_PLACES / 8 + 1] = { 0 };
	size_t i;
	int count = 0, ret;

	for (i = 0; i < ZE_PLACES; i++) {
		uint32_t slot = session->threads[i].info.slot;

		if (!is_meant(session, name, command, i))
			continue;
		mask[slot / 8] |= 1u << slot % 8;
		count++;
	}
	ret = count ? threads_resume(session, command, mask) : 0;
	if (ret < 0)
		return ret;
	for (i = 0; i < ZE_PLACES; i++) {
		if (is_meant(session, name, command, i))
			reported_set(session, i, false);
	}
	return count;
}

static ze_result_t resume(struct ze_session *session,
			  const ze_device_thread_t *name)
{
	int stepping, running;

	stepping = resume_by(session, name, GTDBG_RESUME_STEP);
	if (stepping < 0)
		return gtdbg_ze_result(stepping);
	running = resume_by(session, name, GTDBG_RESUME_RUN);
	if (running < 0)
		return gtdbg_ze_result(running);
	return stepping || running || gtdbg_ze_thread_is_all(name)
		       ? ZE_RESULT_SUCCESS
		       : ZE_RESULT_ERROR_NOT_AVAILABLE;
}

ze_result_t gtdbg_ze_debug_resume(zet_debug_session_handle_t handle,
				  ze_device_thread_t thread)
{
	struct ze_session *session;
	ze_result_t ret;

	session = gtdbg_ze_session_lock(handle);
	if (!session)
		return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
	ret = gtdbg_ze_thread_is_valid(&thread)
		      ? resume(session, &thread)
		      : ZE_RESULT_ERROR_INVALID_ARGUMENT;
	gtdbg_ze_session_unlock(handle, session);
	return ret;
}
