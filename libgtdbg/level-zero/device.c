// SPDX-License-Identifier: MIT
/*
 * Which GPUs a process has is known only once it is attached to, and a debugger asks
 * before. So all are announced as the largest that is known, and one of them; or as many
 * as the process has that is named by a variable, or one that was attached to, or as another
 * variable says that it will have. To look at all processes would be to disturb those of
 * others. If the process has fewer, more may come. Attaching fails if it has larger ones only.
 */
#include "level_zero.h"

#include <stdlib.h>
#include <unistd.h>

#define REPLAY_MS 2000

#define VENDOR_INTEL 0x8086
#define DEVICE_TIGER_LAKE 0x9a49

/* By Intel's numbers; as many as the debugger may know, in its order. */
static const struct ze_register_set register_sets[] = {
	{ 1, GTDBG_REGISTER_GRF, true, 128, 256 },
	{ 2, GTDBG_REGISTER_ADDR, true, 1, 256 },
	{ 3, GTDBG_REGISTER_FLAG, true, 2, 32 },
	{ 4, GTDBG_REGISTER_EMASK, false, 1, 32 },
	{ 5, GTDBG_REGISTER_SR, true, 2, 128 },
	{ 6, GTDBG_REGISTER_CR, true, 1, 128 },
	{ 7, GTDBG_REGISTER_TDR, false, 1, 128 },
	{ 8, GTDBG_REGISTER_ACC, true, 10, 256 },
	{ 10, GTDBG_REGISTER_SP, true, 1, 128 },
	{ ZE_REGISTER_SBA, 0, false, 9, 64 },
	{ 12, GTDBG_REGISTER_DBG, false, 1, 32 },
};

#define REGISTER_SETS (sizeof(register_sets) / sizeof(register_sets[0]))

/* Their addresses are the handles. */
static int the_devices[ZE_DEVICES_MAX];
/* Only grows. */
static atomic_uint device_count = 1;

static ze_device_handle_t device_handle(uint32_t index)
{
	return (ze_device_handle_t)&the_devices[index];
}

int gtdbg_ze_device_index(ze_device_handle_t handle)
{
	uint32_t i;

	for (i = 0; i < atomic_load(&device_count); i++) {
		if (handle == device_handle(i))
			return i;
	}
	return -1;
}

static bool device_is(ze_device_handle_t handle)
{
	return gtdbg_ze_device_index(handle) >= 0;
}

bool gtdbg_ze_device_fits(const struct gtdbg_event_device_add *info)
{
	return info->slices <= ZE_SLICES && info->subslices <= ZE_SUBSLICES &&
	       info->eus <= ZE_EUS && info->threads <= ZE_THREADS &&
	       info->slots <= ZE_PLACES;
}

void gtdbg_ze_devices_announce(unsigned int count)
{
	unsigned int known = atomic_load(&device_count);

	if (count > ZE_DEVICES_MAX)
		count = ZE_DEVICES_MAX;
	while (known < count &&
	       !atomic_compare_exchange_weak(&device_count, &known, count))
		;
}

/* Those that there are by now. */
static unsigned int devices_count(struct gtdbg_session *session)
{
	const struct gtdbg_event_device_add *info;
	const struct gtdbg_event *event;
	unsigned int count = 0;

	while (gtdbg_event_next(session, REPLAY_MS, &event) > 0 &&
	       event->kind != GTDBG_EVENT_SYNCED) {
		if (event->kind != GTDBG_EVENT_DEVICE_ADD)
			continue;
		info = gtdbg_event_payload(event, sizeof(*info));
		count += info && gtdbg_ze_device_fits(info);
	}
	return count;
}

static void process_look(struct gtdbg *gtdbg, int pid)
{
	struct gtdbg_session_attach attach = {
		.flags = GTDBG_SESSION_F_OBSERVER,
		.event_mask = 1ull << GTDBG_EVENT_DEVICE_ADD,
	};
	struct gtdbg_session *session;

	if (gtdbg_client_find(pid, &attach.client_fd))
		return;
	if (!gtdbg_session_open(gtdbg, &attach, &session)) {
		gtdbg_ze_devices_announce(devices_count(session));
		gtdbg_session_close(session);
	}
	close(attach.client_fd);
}

/* The process that the debugger is for, if it says so, and how many it is to have. */
static void devices_look(void)
{
	const char *process = getenv("GTDBG_ZE_PROCESS");
	const char *count = getenv("GTDBG_ZE_DEVICES");
	struct gtdbg *gtdbg;

	if (count && atoi(count) > 0)
		gtdbg_ze_devices_announce(atoi(count));
	if (!process || gtdbg_open(NULL, &gtdbg))
		return;
	process_look(gtdbg, atoi(process));
	gtdbg_close(gtdbg);
}

const struct ze_register_set *gtdbg_ze_register_set_find(uint32_t type)
{
	size_t i;

	for (i = 0; i < REGISTER_SETS; i++) {
		if (register_sets[i].type == type)
			return &register_sets[i];
	}
	return NULL;
}

ze_result_t gtdbg_ze_debug_register_sets(zet_device_handle_t device,
					 uint32_t *count,
					 zet_debug_regset_properties_t *out)
{
	size_t i, room;

	if (!device_is(device))
		return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
	if (!count)
		return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
	room = *count;
	if (!room || room > REGISTER_SETS)
		*count = REGISTER_SETS;
	for (i = 0; out && i < room && i < REGISTER_SETS; i++) {
		const struct ze_register_set *set = &register_sets[i];

		out[i].type = set->type;
		out[i].version = 0;
		out[i].generalFlags = ZET_DEBUG_REGSET_FLAG_READABLE;
		if (set->is_writable)
			out[i].generalFlags |= ZET_DEBUG_REGSET_FLAG_WRITEABLE;
		out[i].deviceFlags = 0;
		out[i].count = set->count;
		out[i].bitSize = set->bits;
		out[i].byteSize = set->bits / 8;
	}
	return ZE_RESULT_SUCCESS;
}

static ze_result_t device_get(ze_driver_handle_t driver, uint32_t *count,
			      ze_device_handle_t *out)
{
	uint32_t known, room, i;

	if (!gtdbg_ze_driver_is(driver))
		return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
	if (!count)
		return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
	room = *count;
	if (!room)
		devices_look();
	known = atomic_load(&device_count);
	if (!room || room > known)
		*count = known;
	for (i = 0; out && i < room && i < known; i++)
		out[i] = device_handle(i);
	return ZE_RESULT_SUCCESS;
}

static ze_result_t device_get_sub_devices(ze_device_handle_t device,
					  uint32_t *count,
					  ze_device_handle_t *out)
{
	(void)out;
	if (!device_is(device))
		return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
	if (!count)
		return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
	*count = 0;
	return ZE_RESULT_SUCCESS;
}

/* What the caller has set, stype and pNext, stays: debuggers leave it at 0. */
static ze_result_t device_get_properties(ze_device_handle_t device,
					 ze_device_properties_t *out)
{
	ze_device_properties_t properties = {
		.type = ZE_DEVICE_TYPE_GPU,
		.vendorId = VENDOR_INTEL,
		.deviceId = DEVICE_TIGER_LAKE,
		.flags = ZE_DEVICE_PROPERTY_FLAG_INTEGRATED,
		.numThreadsPerEU = ZE_THREADS,
		.physicalEUSimdWidth = 8,
		.numEUsPerSubslice = ZE_EUS,
		.numSubslicesPerSlice = ZE_SUBSLICES,
		.numSlices = ZE_SLICES,
		.uuid = { "gtdbg device" },
		.name = "Intel Tiger Lake under gtdbg",
	};

	if (!device_is(device))
		return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
	if (!out)
		return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
	properties.stype = out->stype;
	properties.pNext = out->pNext;
	properties.uuid.id[ZE_MAX_DEVICE_UUID_SIZE - 1] =
		gtdbg_ze_device_index(device);
	*out = properties;
	return ZE_RESULT_SUCCESS;
}

static ze_result_t device_get_pci(ze_device_handle_t device,
				  ze_pci_ext_properties_t *out)
{
	ze_pci_ext_properties_t properties = { 0 };

	if (!device_is(device))
		return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
	if (!out)
		return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
	properties.stype = out->stype;
	properties.pNext = out->pNext;
	properties.address.bus = gtdbg_ze_device_index(device);
	properties.address.device = 2;
	*out = properties;
	return ZE_RESULT_SUCCESS;
}

static ze_result_t device_get_status(ze_device_handle_t device)
{
	return device_is(device) ? ZE_RESULT_SUCCESS :
	       ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
}

void gtdbg_ze_device_table(ze_device_dditable_t *table)
{
	table->pfnGet = device_get;
	table->pfnGetSubDevices = device_get_sub_devices;
	table->pfnGetProperties = device_get_properties;
	table->pfnGetStatus = device_get_status;
	table->pfnPciGetPropertiesExt = device_get_pci;
}
