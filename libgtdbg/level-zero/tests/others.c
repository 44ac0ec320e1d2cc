// SPDX-License-Identifier: MIT
/*
 * Not alone: another driver beside ours, two processes debugged at once, one of
 * which is never answered, and one of which dies. Prints TAP.
 * usage: others DRIVER,DRIVER... PID PID
 */
#include "../../tests/support/tap.h"

#include <level_zero/ze_api.h>
#include <level_zero/zet_api.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define HANDLES_MAX 8
#define EVENT_S 600
#define SET_GRF 1

struct debuggee {
	pid_t pid;
	zet_debug_session_handle_t session;
	zet_debug_event_t load;
	bool has_loaded;
};

static ze_device_handle_t device;

static bool is_ours(ze_device_handle_t handle)
{
	ze_device_properties_t properties = {
		.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES,
	};

	return !zeDeviceGetProperties(handle, &properties) &&
	       strstr(properties.name, "gtdbg");
}

static void device_find(void)
{
	ze_driver_handle_t drivers[HANDLES_MAX];
	ze_device_handle_t devices[HANDLES_MAX];
	uint32_t driver_count = HANDLES_MAX, count, i, j;

	if (zeDriverGet(&driver_count, drivers))
		return;
	for (i = 0; i < driver_count; i++) {
		count = HANDLES_MAX;
		if (zeDeviceGet(drivers[i], &count, devices))
			continue;
		for (j = 0; j < count; j++) {
			if (is_ours(devices[j]))
				device = devices[j];
		}
	}
}

/* Waits for an event of that type; others pass. */
static bool event_wait(zet_debug_session_handle_t session,
		       zet_debug_event_type_t type, zet_debug_event_t *out)
{
	time_t end = time(NULL) + EVENT_S;

	while (time(NULL) < end) {
		if (!zetDebugReadEvent(session, 100, out) && out->type == type)
			return true;
	}
	return false;
}

static void *load_wait(void *argument)
{
	struct debuggee *debuggee = argument;

	debuggee->has_loaded = event_wait(debuggee->session,
					  ZET_DEBUG_EVENT_TYPE_MODULE_LOAD,
					  &debuggee->load);
	return NULL;
}

static void check_death(struct debuggee *debuggee)
{
	const ze_device_thread_t first = { 0 };
	zet_debug_event_t event = { 0 };
	char bytes[32];

	kill(debuggee->pid, SIGKILL);
	tap_check(event_wait(debuggee->session,
			     ZET_DEBUG_EVENT_TYPE_PROCESS_EXIT, &event),
		  "a process dies");
	tap_check(event_wait(debuggee->session, ZET_DEBUG_EVENT_TYPE_DETACHED,
			     &event), "which detaches the debugger");
	tap_check(event.info.detached.reason ==
		  ZET_DEBUG_DETACH_REASON_HOST_EXIT, "for that reason");
	tap_check(zetDebugReadEvent(debuggee->session, UINT64_MAX, &event) ==
		  ZE_RESULT_NOT_READY, "nothing comes after that");
	tap_check(!zetDebugAcknowledgeEvent(debuggee->session,
					    &debuggee->load),
		  "what it waited for is answered too late");
	tap_check(zetDebugReadRegisters(debuggee->session, first, SET_GRF, 0, 1,
					bytes) == ZE_RESULT_ERROR_NOT_AVAILABLE,
		  "it has no registers");
	tap_check(!zetDebugDetach(debuggee->session), "and is left");
}

int main(int argc, char **argv)
{
	struct debuggee debuggees[2] = { 0 };
	pthread_t threads[2];
	int i;

	if (argc < 4)
		return 2;
	setvbuf(stdout, NULL, _IOLBF, 0);
	setenv("ZE_ENABLE_ALT_DRIVERS", argv[1], 1);
	tap_check(!zeInit(0), "several drivers");
	device_find();
	tap_check(device, "ours is among them");
	for (i = 0; i < 2; i++) {
		zet_debug_config_t config = { .pid = atoi(argv[2 + i]) };

		debuggees[i].pid = config.pid;
		tap_check(!zetDebugAttach(device, &config,
					  &debuggees[i].session),
			  "a process is attached to");
		if (!debuggees[i].session)
			return tap_end();
	}
	for (i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, load_wait, &debuggees[i]);
	for (i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	tap_check(debuggees[0].has_loaded && debuggees[1].has_loaded,
		  "each has its own events");
	tap_check(!zetDebugDetach(debuggees[0].session),
		  "one is left without an answer");
	check_death(&debuggees[1]);
	return tap_end();
}
