// SPDX-License-Identifier: MIT
/*
 * Several processes: what is not debugged is not looked at. Prints TAP.
 */
#include "../level_zero.h"

#include "../../tests/support/tap.h"
#include "fake.h"

#include <stdlib.h>

#define SLOW 101	/* process id */

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

static bool detach(zet_debug_session_handle_t session)
{
	return gtdbg_ze_debug_detach(session) == ZE_RESULT_SUCCESS;
}

static void two_devices(void)
{
	struct gtdbg_event_device_add other = {
		.device = FAKE_DEVICE + 1, .slices = 1, .subslices = 1,
		.eus = 8, .threads = 7, .slots = 56,
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

int main(void)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	puts("TAP version 13");
	check_count();
	return tap_end();
}
