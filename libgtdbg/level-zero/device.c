// SPDX-License-Identifier: MIT
/*
 * One device, the same for every process: which GPU a process has is known only
 * once it is attached to, and a debugger asks before. Attaching fails if the
 * process's device is larger.
 */
#include "level_zero.h"

#include <stdio.h>
#include <string.h>

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

/* Its address is the handle. */
static int the_device;

static ze_device_handle_t device_handle(void)
{
	return (ze_device_handle_t)&the_device;
}

bool gtdbg_ze_device_is(ze_device_handle_t handle)
{
	return handle == device_handle();
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

	if (!gtdbg_ze_device_is(device))
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
	if (!gtdbg_ze_driver_is(driver))
		return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
	if (!count)
		return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
	if (*count && out)
		*out = device_handle();
	*count = 1;
	return ZE_RESULT_SUCCESS;
}

static ze_result_t device_get_sub_devices(ze_device_handle_t device,
					  uint32_t *count,
					  ze_device_handle_t *out)
{
	(void)out;
	if (!gtdbg_ze_device_is(device))
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

	if (!gtdbg_ze_device_is(device))
		return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
	if (!out)
		return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
	properties.stype = out->stype;
	properties.pNext = out->pNext;
	*out = properties;
	return ZE_RESULT_SUCCESS;
}

static ze_result_t device_get_pci(ze_device_handle_t device,
				  ze_pci_ext_properties_t *out)
{
	ze_pci_ext_properties_t properties = { 0 };

	if (!gtdbg_ze_device_is(device))
		return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
	if (!out)
		return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
	properties.stype = out->stype;
	properties.pNext = out->pNext;
	properties.address.device = 2;
	*out = properties;
	return ZE_RESULT_SUCCESS;
}

static ze_result_t device_get_status(ze_device_handle_t device)
{
	return gtdbg_ze_device_is(device) ? ZE_RESULT_SUCCESS :
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
