// SPDX-License-Identifier: MIT
/*
 * The loader asks for a table of each kind of object, and gives the driver up if
 * one is refused. Only a few calls are of use to a debugger; all the others say
 * that they are not supported. One function stands for them: the calling
 * convention leaves arguments to the caller, who expects a result code of each.
 */
#include "level_zero.h"

#include <level_zero/zes_ddi.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

static ze_result_t unsupported(void)
{
	return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
}

/* A loader that is older than our headers has smaller tables. */
static ze_result_t table_fill(ze_api_version_t version, void *table,
			      size_t len_bytes)
{
	ze_result_t (*const entry)(void) = unsupported;
	size_t at;

	if (!table)
		return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
	if (ZE_MAJOR_VERSION(version) !=
	    ZE_MAJOR_VERSION(ZE_API_VERSION_CURRENT) ||
	    version < ZE_API_VERSION_CURRENT)
		return ZE_RESULT_ERROR_UNSUPPORTED_VERSION;
	for (at = 0; at < len_bytes; at += sizeof(entry))
		memcpy((char *)table + at, &entry, sizeof(entry));
	return ZE_RESULT_SUCCESS;
}

#define TABLE(name, kind_t)                                                    \
	EXPORT ze_result_t name(ze_api_version_t version, kind_t *table)       \
	{                                                                      \
		return table_fill(version, table, sizeof(*table));             \
	}

#define TABLE_WITH(name, kind_t, add)                                          \
	EXPORT ze_result_t name(ze_api_version_t version, kind_t *table)       \
	{                                                                      \
		ze_result_t ret = table_fill(version, table, sizeof(*table));  \
									       \
		if (!ret)                                                      \
			add(table);                                            \
		return ret;                                                    \
	}

static ze_result_t device_get_debug(zet_device_handle_t device,
				    zet_device_debug_properties_t *out)
{
	if (gtdbg_ze_device_index(device) < 0)
		return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
	if (!out)
		return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
	out->flags = ZET_DEVICE_DEBUG_PROPERTY_FLAG_ATTACH;
	return ZE_RESULT_SUCCESS;
}

static void tools_device_table(zet_device_dditable_t *table)
{
	table->pfnGetDebugProperties = device_get_debug;
}

static void debug_table(zet_debug_dditable_t *table)
{
	table->pfnAttach = gtdbg_ze_debug_attach;
	table->pfnDetach = gtdbg_ze_debug_detach;
	table->pfnReadEvent = gtdbg_ze_debug_event_read;
	table->pfnAcknowledgeEvent = gtdbg_ze_debug_event_ack;
	table->pfnInterrupt = gtdbg_ze_debug_interrupt;
	table->pfnResume = gtdbg_ze_debug_resume;
	table->pfnReadMemory = gtdbg_ze_debug_memory_read;
	table->pfnWriteMemory = gtdbg_ze_debug_memory_write;
	table->pfnGetRegisterSetProperties = gtdbg_ze_debug_register_sets;
	table->pfnReadRegisters = gtdbg_ze_debug_registers_read;
	table->pfnWriteRegisters = gtdbg_ze_debug_registers_write;
}

TABLE_WITH(zeGetGlobalProcAddrTable, ze_global_dditable_t, gtdbg_ze_global_table)
TABLE_WITH(zeGetDriverProcAddrTable, ze_driver_dditable_t, gtdbg_ze_driver_table)
TABLE_WITH(zeGetDeviceProcAddrTable, ze_device_dditable_t, gtdbg_ze_device_table)
TABLE_WITH(zetGetDeviceProcAddrTable, zet_device_dditable_t,
	   tools_device_table)
TABLE_WITH(zetGetDebugProcAddrTable, zet_debug_dditable_t, debug_table)
TABLE(zeGetCommandListProcAddrTable, ze_command_list_dditable_t)
TABLE(zeGetCommandQueueProcAddrTable, ze_command_queue_dditable_t)
TABLE(zeGetContextProcAddrTable, ze_context_dditable_t)
TABLE(zeGetDeviceExpProcAddrTable, ze_device_exp_dditable_t)
TABLE(zeGetEventExpProcAddrTable, ze_event_exp_dditable_t)
TABLE(zeGetEventPoolProcAddrTable, ze_event_pool_dditable_t)
TABLE(zeGetEventProcAddrTable, ze_event_dditable_t)
TABLE(zeGetFabricEdgeExpProcAddrTable, ze_fabric_edge_exp_dditable_t)
TABLE(zeGetFabricVertexExpProcAddrTable, ze_fabric_vertex_exp_dditable_t)
TABLE(zeGetFenceProcAddrTable, ze_fence_dditable_t)
TABLE(zeGetImageExpProcAddrTable, ze_image_exp_dditable_t)
TABLE(zeGetImageProcAddrTable, ze_image_dditable_t)
TABLE(zeGetKernelExpProcAddrTable, ze_kernel_exp_dditable_t)
TABLE(zeGetKernelProcAddrTable, ze_kernel_dditable_t)
TABLE(zeGetMemProcAddrTable, ze_mem_dditable_t)
TABLE(zeGetModuleBuildLogProcAddrTable, ze_module_build_log_dditable_t)
TABLE(zeGetModuleProcAddrTable, ze_module_dditable_t)
TABLE(zeGetPhysicalMemProcAddrTable, ze_physical_mem_dditable_t)
TABLE(zeGetSamplerProcAddrTable, ze_sampler_dditable_t)
TABLE(zeGetVirtualMemProcAddrTable, ze_virtual_mem_dditable_t)
TABLE(zesGetDeviceProcAddrTable, zes_device_dditable_t)
TABLE(zesGetDiagnosticsProcAddrTable, zes_diagnostics_dditable_t)
TABLE(zesGetDriverProcAddrTable, zes_driver_dditable_t)
TABLE(zesGetEngineProcAddrTable, zes_engine_dditable_t)
TABLE(zesGetFabricPortProcAddrTable, zes_fabric_port_dditable_t)
TABLE(zesGetFanProcAddrTable, zes_fan_dditable_t)
TABLE(zesGetFirmwareProcAddrTable, zes_firmware_dditable_t)
TABLE(zesGetFrequencyProcAddrTable, zes_frequency_dditable_t)
TABLE(zesGetLedProcAddrTable, zes_led_dditable_t)
TABLE(zesGetMemoryProcAddrTable, zes_memory_dditable_t)
TABLE(zesGetPerformanceFactorProcAddrTable, zes_performance_factor_dditable_t)
TABLE(zesGetPowerProcAddrTable, zes_power_dditable_t)
TABLE(zesGetPsuProcAddrTable, zes_psu_dditable_t)
TABLE(zesGetRasProcAddrTable, zes_ras_dditable_t)
TABLE(zesGetSchedulerProcAddrTable, zes_scheduler_dditable_t)
TABLE(zesGetStandbyProcAddrTable, zes_standby_dditable_t)
TABLE(zesGetTemperatureProcAddrTable, zes_temperature_dditable_t)
TABLE(zetGetCommandListProcAddrTable, zet_command_list_dditable_t)
TABLE(zetGetContextProcAddrTable, zet_context_dditable_t)
TABLE(zetGetKernelProcAddrTable, zet_kernel_dditable_t)
TABLE(zetGetMetricGroupExpProcAddrTable, zet_metric_group_exp_dditable_t)
TABLE(zetGetMetricGroupProcAddrTable, zet_metric_group_dditable_t)
TABLE(zetGetMetricProcAddrTable, zet_metric_dditable_t)
TABLE(zetGetMetricQueryPoolProcAddrTable, zet_metric_query_pool_dditable_t)
TABLE(zetGetMetricQueryProcAddrTable, zet_metric_query_dditable_t)
TABLE(zetGetMetricStreamerProcAddrTable, zet_metric_streamer_dditable_t)
TABLE(zetGetModuleProcAddrTable, zet_module_dditable_t)
TABLE(zetGetTracerExpProcAddrTable, zet_tracer_exp_dditable_t)
