// SPDX-License-Identifier: MIT
#include "level_zero.h"

#include <errno.h>
#include <string.h>

/* Its address is the handle. */
static int the_driver;
static atomic_bool is_initialised;

ze_driver_handle_t gtdbg_ze_driver_handle(void)
{
	return (ze_driver_handle_t)&the_driver;
}

bool gtdbg_ze_driver_is(ze_driver_handle_t handle)
{
	return handle == gtdbg_ze_driver_handle();
}

/* Called several times. A driver that cannot debug is better not there. */
static ze_result_t init(ze_init_flags_t flags)
{
	struct gtdbg *gtdbg;
	int ret;

	if (flags &
	    ~(ze_init_flags_t)(ZE_INIT_FLAG_GPU_ONLY | ZE_INIT_FLAG_VPU_ONLY))
		return ZE_RESULT_ERROR_INVALID_ENUMERATION;
	/* Drivers of other kinds of devices are asked for alone. */
	if (flags && !(flags & ZE_INIT_FLAG_GPU_ONLY))
		return ZE_RESULT_ERROR_UNINITIALIZED;
	ret = gtdbg_open(NULL, &gtdbg);
	if (ret == -ENOENT)
		return ZE_RESULT_ERROR_DEPENDENCY_UNAVAILABLE;
	if (ret == -EPROTONOSUPPORT)
		return ZE_RESULT_ERROR_UNSUPPORTED_VERSION;
	if (ret)
		return gtdbg_ze_result(ret);
	gtdbg_close(gtdbg);
	atomic_store(&is_initialised, true);
	return ZE_RESULT_SUCCESS;
}

static ze_result_t driver_get(uint32_t *count, ze_driver_handle_t *out)
{
	if (!atomic_load(&is_initialised))
		return ZE_RESULT_ERROR_UNINITIALIZED;
	if (!count)
		return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
	if (*count && out)
		*out = gtdbg_ze_driver_handle();
	*count = 1;
	return ZE_RESULT_SUCCESS;
}

static ze_result_t driver_get_version(ze_driver_handle_t driver,
				      ze_api_version_t *out)
{
	if (!gtdbg_ze_driver_is(driver))
		return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
	if (!out)
		return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
	*out = ZE_API_VERSION_CURRENT;
	return ZE_RESULT_SUCCESS;
}

static ze_result_t driver_get_properties(ze_driver_handle_t driver,
					 ze_driver_properties_t *out)
{
	static const ze_driver_uuid_t uuid = { "gtdbg driver" };

	if (!gtdbg_ze_driver_is(driver))
		return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
	if (!out)
		return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
	out->uuid = uuid;
	out->driverVersion = 1;
	return ZE_RESULT_SUCCESS;
}

static ze_result_t driver_get_extensions(ze_driver_handle_t driver,
					 uint32_t *count,
					 ze_driver_extension_properties_t *out)
{
	(void)out;
	if (!gtdbg_ze_driver_is(driver))
		return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
	if (!count)
		return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
	*count = 0;
	return ZE_RESULT_SUCCESS;
}

static ze_result_t driver_get_function(ze_driver_handle_t driver,
				       const char *name, void **out)
{
	if (!gtdbg_ze_driver_is(driver))
		return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
	if (!name || !out)
		return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
	return ZE_RESULT_ERROR_INVALID_ARGUMENT;
}

void gtdbg_ze_driver_table(ze_driver_dditable_t *table)
{
	table->pfnGet = driver_get;
	table->pfnGetApiVersion = driver_get_version;
	table->pfnGetProperties = driver_get_properties;
	table->pfnGetExtensionProperties = driver_get_extensions;
	table->pfnGetExtensionFunctionAddress = driver_get_function;
}

void gtdbg_ze_global_table(ze_global_dditable_t *table)
{
	table->pfnInit = init;
}
