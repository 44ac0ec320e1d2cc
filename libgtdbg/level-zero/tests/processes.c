// SPDX-License-Identifier: MIT
/*
 * Several processes: one that is slow to attach to, or to leave, is waited for by those
 * alone who want it, and what is not debugged is not looked at. Prints TAP.
 */
#include "../level_zero.h"

#include "../../tests/support/tap.h"
#include "fake.h"

#include <errno.h>
#include <sched.h>
#include <semaphore.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* Processes that are there. */
#define SLOW ((uint32_t)getpid())
#define OTHER 1
#define HANG_S 600
#define UNWANTED_NS 200000000	/* for what is not to happen */

struct attacher {
	pthread_t thread;
	uint32_t pid, index;
	zet_debug_session_handle_t session;
	ze_result_t result;
};

static sem_t is_at_work, may_go_on, has_opened, has_armed, has_closed;
/* The next one is slow. */
static atomic_bool is_slow;
/* Sessions that were closed when the last one was opened. */
static unsigned int closed;

static ze_result_t devices_get(uint32_t *count, ze_device_handle_t *out)
{
	ze_device_dditable_t table = { 0 };

	gtdbg_ze_device_table(&table);
	return table.pfnGet(gtdbg_ze_driver_handle(), count, out);
}

static ze_result_t attach(uint32_t pid, uint32_t index,
			  zet_debug_session_handle_t *out)
{
	const zet_debug_config_t config = { .pid = pid };
	ze_device_handle_t devices[ZE_DEVICES_MAX] = { NULL };
	uint32_t count = ZE_DEVICES_MAX;

	devices_get(&count, devices);
	return gtdbg_ze_debug_attach(devices[index], &config, out);
}

static void *attacher_run(void *argument)
{
	struct attacher *attacher = argument;

	attacher->result = attach(attacher->pid, attacher->index,
				  &attacher->session);
	return NULL;
}

static void attacher_start(struct attacher *attacher, uint32_t pid,
			   uint32_t index)
{
	attacher->pid = pid;
	attacher->index = index;
	pthread_create(&attacher->thread, NULL, attacher_run, attacher);
}

static bool attacher_end(struct attacher *attacher)
{
	pthread_join(attacher->thread, NULL);
	return attacher->result == ZE_RESULT_SUCCESS;
}

static bool detach(zet_debug_session_handle_t session)
{
	return gtdbg_ze_debug_detach(session) == ZE_RESULT_SUCCESS;
}

static void *detacher(void *session)
{
	detach(session);
	return NULL;
}

static void two_devices(void)
{
	struct gtdbg_event_device_add other = {
		.device = FAKE_DEVICE + 1, .slices = 1, .subslices = 1,
		.eus = 8, .threads = 7, .slots = 56, .is_virtual = 1,
	};

	fake_device(ZE_SUBSLICES);
	fake_event(GTDBG_EVENT_DEVICE_ADD, 0, &other, sizeof(other));
	other.device++;
	other.subslices = ZE_SUBSLICES + 1;
	fake_event(GTDBG_EVENT_DEVICE_ADD, 0, &other, sizeof(other));
	fake_synced();
}

static void check_count(void)
{
	zet_debug_session_handle_t session;
	uint32_t count = 0;

	unsetenv("GTDBG_ZE_PROCESS");
	fake_init();
	two_devices();
	tap_check(!devices_get(&count, NULL) && count == 1 && !fake.opened,
		  "processes that nobody has named are not looked at");
	tap_check(!attach(SLOW, 0, &session), "one is attached to");
	count = 0;
	tap_check(!devices_get(&count, NULL) && count == 2 && fake.opened == 1,
		  "whose devices are announced from then on");
	detach(session);
}

static void wait_if_slow(void)
{
	if (!atomic_exchange(&is_slow, false))
		return;
	sem_post(&is_at_work);
	sem_wait(&may_go_on);
}

static void opening(void)
{
	closed = fake.closed;
	wait_if_slow();
	sem_post(&has_opened);
}

/* All that is there to attach to two processes, of which one does not answer. */
static void check_open(void)
{
	struct attacher slow = { 0 }, same = { 0 };
	zet_debug_session_handle_t old, other;

	fake_init();
	attach(OTHER, 0, &old);
	fake.opening = opening;
	atomic_store(&is_slow, true);
	attacher_start(&slow, SLOW, 0);
	sem_wait(&is_at_work);
	attacher_start(&same, SLOW, 1);
	alarm(HANG_S);
	tap_check(detach(old) && fake.closed == 1,
		  "a process is left while another one is slow to attach to");
	tap_check(!attach(OTHER, 0, &other) && detach(other),
		  "and attached to again");
	alarm(0);
	sem_post(&may_go_on);
	tap_check(attacher_end(&slow) && attacher_end(&same) &&
		  fake.opened == 3,
		  "who wants the slow one, too, waits and shares its session");
	tap_check(detach(slow.session) && fake.closed == 2,
		  "which one may leave");
	tap_check(detach(same.session) && fake.closed == 3,
		  "and the last one ends");
}

/* A debugger of someone else's is quicker. */
static void check_refusal(void)
{
	struct attacher slow = { 0 }, same = { 0 };
	zet_debug_session_handle_t session;

	fake_init();
	fake.opening = opening;
	fake.session_ret = -EBUSY;
	atomic_store(&is_slow, true);
	attacher_start(&slow, SLOW, 0);
	sem_wait(&is_at_work);
	attacher_start(&same, SLOW, 1);
	sem_post(&may_go_on);
	tap_check(!attacher_end(&slow) &&
		  slow.result == ZE_RESULT_ERROR_NOT_AVAILABLE,
		  "a slow one may be refused at last");
	tap_check(!attacher_end(&same) &&
		  same.result == ZE_RESULT_ERROR_NOT_AVAILABLE,
		  "and so is who waited for it");
	fake.session_ret = 0;
	tap_check(!attach(SLOW, 0, &session) && detach(session),
		  "which may be asked again");
}

static bool opens_soon(void)
{
	struct timespec end;

	clock_gettime(CLOCK_REALTIME, &end);
	end.tv_nsec += UNWANTED_NS;
	end.tv_sec += end.tv_nsec / 1000000000;
	end.tv_nsec %= 1000000000;
	return !sem_timedwait(&has_opened, &end);
}

/* The module has one debugger of a process at a time: until the old one has gone. */
static void check_close(void)
{
	zet_debug_session_handle_t old, other;
	struct attacher again = { 0 };
	pthread_t thread;

	fake_init();
	sem_init(&has_opened, 0, 0);
	attach(SLOW, 0, &old);
	fake.opening = opening;
	fake.closing = wait_if_slow;
	atomic_store(&is_slow, true);
	pthread_create(&thread, NULL, detacher, old);
	sem_wait(&is_at_work);
	alarm(HANG_S);
	tap_check(!attach(OTHER, 0, &other) && !sem_wait(&has_opened),
		  "a process is attached to while another one is slow to leave");
	alarm(0);
	attacher_start(&again, SLOW, 0);
	tap_check(!opens_soon(), "which nobody opens before it is closed");
	sem_post(&may_go_on);
	pthread_join(thread, NULL);
	tap_check(attacher_end(&again) && closed == 1,
		  "but who asked meanwhile has it then");
	detach(again.session);
	detach(other);
	tap_check(fake.opened == 3 && fake.closed == 3, "all end");
}

static void arming(void)
{
	wait_if_slow();
	sem_post(&has_armed);
}

static void closing(void)
{
	sem_post(&has_closed);
}

/* Of the machine's GPU: the program is told in its memory, which it may make wait. */
static void check_shared(void)
{
	zet_debug_session_handle_t session;
	pthread_t thread;

	fake_init();
	fake.is_shared = true;
	fake.arming = arming;
	fake.closing = closing;
	fake_device(ZE_SUBSLICES);
	fake_synced();
	alarm(HANG_S);
	tap_check(!attach(getpid(), 0, &session) && !sem_wait(&has_armed) &&
		  !sem_wait(&has_armed) && atomic_load(&fake.is_wanted),
		  "on the machine's GPU a program is told again and again");
	atomic_store(&is_slow, true);
	sem_wait(&is_at_work);
	pthread_create(&thread, NULL, detacher, session);
	tap_check(!sem_wait(&has_closed),
		  "it is let go while it keeps us from its memory");
	sem_post(&may_go_on);
	pthread_join(thread, NULL);
	alarm(0);
	tap_check(!atomic_load(&fake.is_wanted), "where nothing is written then");
	fake_init();
	fake.arming = arming;
	two_devices();
	tap_check(!attach(getpid(), 0, &session) && detach(session) &&
		  !atomic_load(&fake.arms),
		  "on virtual ones the module tells the program by itself");
}

/* What the process runs by then, or who has its number, is no matter of the session's. */
static void check_ended(void)
{
	zet_debug_session_handle_t session;
	zet_debug_event_t event;

	fake_init();
	fake.is_shared = true;
	fake.arming = arming;
	fake_device(ZE_SUBSLICES);
	fake_synced();
	atomic_store(&is_slow, true);
	tap_check(!attach(getpid(), 0, &session) && !sem_wait(&is_at_work),
		  "a program is told");
	fake_event(GTDBG_EVENT_EXIT, 0, NULL, 0);
	fake.has_ended = true;
	do {
		event.type = ZET_DEBUG_EVENT_TYPE_INVALID;
		gtdbg_ze_debug_event_read(session, 0, &event);
	} while (event.type != ZET_DEBUG_EVENT_TYPE_PROCESS_EXIT);
	sem_post(&may_go_on);
	while (!atomic_load(&fake.arms))
		sched_yield();
	tap_check(!atomic_load(&fake.is_wanted),
		  "one that ends meanwhile is not");
	detach(session);
	tap_check(atomic_load(&fake.armed_pidfd) == fake.pidfd,
		  "it is the one that has the client");
}

int main(void)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	puts("TAP version 13");
	sem_init(&is_at_work, 0, 0);
	sem_init(&may_go_on, 0, 0);
	sem_init(&has_opened, 0, 0);
	sem_init(&has_armed, 0, 0);
	sem_init(&has_closed, 0, 0);
	check_count();
	check_open();
	check_refusal();
	check_close();
	check_shared();
	check_ended();
	return tap_end();
}
