// SPDX-License-Identifier: MIT
/*
 * A handle is a number: of the place in a table, and of how often it was used.
 * A call that finds its session there counts as a user of it until it ends, and
 * detaching waits for the others; they see is_closing and return early.
 */
#include "level_zero.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#define SESSIONS_MAX 64
#define CLOSE_POLL_US 1000

static struct place {
	atomic_uintptr_t handle; /* 0: free, or being filled */
	atomic_bool is_taken;
	atomic_uint users;
	struct ze_session *session;
} places[SESSIONS_MAX];

static atomic_uintptr_t handles;

static struct place *place_of(zet_debug_session_handle_t handle)
{
	return &places[(uintptr_t)handle % SESSIONS_MAX];
}

struct ze_session *gtdbg_ze_session_get(zet_debug_session_handle_t handle)
{
	struct place *place = place_of(handle);

	if (!handle)
		return NULL;
	atomic_fetch_add(&place->users, 1);
	if (atomic_load(&place->handle) == (uintptr_t)handle)
		return place->session;
	atomic_fetch_sub(&place->users, 1);
	return NULL;
}

void gtdbg_ze_session_put(zet_debug_session_handle_t handle)
{
	atomic_fetch_sub(&place_of(handle)->users, 1);
}

struct ze_session *gtdbg_ze_session_lock(zet_debug_session_handle_t handle)
{
	struct ze_session *session = gtdbg_ze_session_get(handle);

	if (session)
		pthread_mutex_lock(&session->process->lock);
	return session;
}

void gtdbg_ze_session_unlock(zet_debug_session_handle_t handle,
			     struct ze_session *session)
{
	pthread_mutex_unlock(&session->process->lock);
	gtdbg_ze_session_put(handle);
}

/* Returns NULL if all places are taken. */
static struct place *place_take(void)
{
	size_t i;

	for (i = 0; i < SESSIONS_MAX; i++) {
		bool was_taken = false;

		if (atomic_compare_exchange_strong(&places[i].is_taken,
						   &was_taken, true))
			return &places[i];
	}
	return NULL;
}

static zet_debug_session_handle_t publish(struct place *place,
					  struct ze_session *session)
{
	uintptr_t turn = atomic_fetch_add(&handles, 1) + 1;
	uintptr_t handle = turn * SESSIONS_MAX + (place - places);

	place->session = session;
	atomic_store(&place->handle, handle);
	return (zet_debug_session_handle_t)handle;
}

/* Sessions on other devices of its process go on. */
static void session_destroy(struct ze_session *session)
{
	struct ze_process *process = session->process;

	pthread_mutex_lock(&process->lock);
	gtdbg_ze_process_leave(session);
	gtdbg_ze_event_fini(session);
	if (process->sessions)
		gtdbg_ze_threads_release(session);
	pthread_mutex_unlock(&process->lock);
	gtdbg_ze_process_put(process);
	free(session);
}

/* Its device may come later. */
static int session_begin(struct ze_session *session,
			 struct ze_process *process)
{
	int ret = gtdbg_ze_process_join(process, session);

	if (ret)
		return ret;
	gtdbg_ze_event_add(session, ZET_DEBUG_EVENT_TYPE_PROCESS_ENTRY, NULL,
			   NULL);
	if (process->is_synced)
		ret = gtdbg_ze_event_replay(process);
	if (!ret)
		ret = gtdbg_ze_event_drain(process, -1, true);
	if (!ret && !session->device && process->is_too_large)
		ret = -EOPNOTSUPP;
	return ret;
}

static int session_create(int pid, uint32_t index, struct ze_session **out)
{
	struct ze_session *session = calloc(1, sizeof(*session));
	struct ze_process *process;
	int ret;

	if (!session)
		return -ENOMEM;
	session->index = index;
	session->last = &session->first;
	session->withheld = ZE_WITHHELD_POLLS;
	ret = gtdbg_ze_process_get(pid, &process);
	if (ret) {
		free(session);
		return ret;
	}
	pthread_mutex_lock(&process->lock);
	ret = session_begin(session, process);
	pthread_mutex_unlock(&process->lock);
	if (!ret) {
		*out = session;
		return 0;
	}
	if (session->process) {
		session_destroy(session);
	} else {
		gtdbg_ze_process_put(process);
		free(session);
	}
	return ret;
}

static ze_result_t attach_result(int ret)
{
	switch (ret) {
	case -ENOENT: /* no client yet: its runtime is not that far */
		return ZE_RESULT_NOT_READY;
	case -ESRCH:
		return ZE_RESULT_ERROR_INVALID_ARGUMENT;
	}
	return gtdbg_ze_result(ret);
}

ze_result_t gtdbg_ze_debug_attach(zet_device_handle_t device,
				  const zet_debug_config_t *config,
				  zet_debug_session_handle_t *out)
{
	const int index = gtdbg_ze_device_index(device);
	struct ze_session *session;
	struct place *place;
	int ret;

	if (index < 0)
		return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
	if (!config || !out)
		return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
	place = place_take();
	if (!place)
		return ZE_RESULT_ERROR_NOT_AVAILABLE;
	ret = session_create(config->pid, index, &session);
	if (ret) {
		atomic_store(&place->is_taken, false);
		return attach_result(ret);
	}
	*out = publish(place, session);
	return ZE_RESULT_SUCCESS;
}

ze_result_t gtdbg_ze_debug_detach(zet_debug_session_handle_t handle)
{
	struct ze_session *session = gtdbg_ze_session_get(handle);
	struct place *place = place_of(handle);
	uintptr_t expected = (uintptr_t)handle;

	if (!session)
		return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
	if (!atomic_compare_exchange_strong(&place->handle, &expected, 0)) {
		gtdbg_ze_session_put(handle);
		return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
	}
	atomic_store(&session->is_closing, true);
	while (atomic_load(&place->users) > 1)
		usleep(CLOSE_POLL_US);
	session_destroy(session);
	gtdbg_ze_session_put(handle);
	atomic_store(&place->is_taken, false);
	return ZE_RESULT_SUCCESS;
}
