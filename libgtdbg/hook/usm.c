// SPDX-License-Identifier: MIT
/*
 * Unified shared memory of Intel's extension, for the table of buffers. Programs ask
 * for its functions by name: they get ours where the runtime has one, which call those
 * of the context's platform.
 */
#include "buffer.h"

#include <CL/cl_ext.h>
#include <string.h>

static const cl_icd_dispatch *next;

/* The runtime's own; NULL: it has none. */
static void *function_find(cl_context context, const char *name)
{
	cl_device_id devices[64];
	cl_platform_id platform;
	size_t len = 0;

	if (next->clGetContextInfo(context, CL_CONTEXT_DEVICES,
				   sizeof(devices), devices, &len) || !len ||
	    next->clGetDeviceInfo(devices[0], CL_DEVICE_PLATFORM,
				  sizeof(platform), &platform, NULL))
		return NULL;
	return next->clGetExtensionFunctionAddressForPlatform(platform, name);
}

static void *refuse(cl_int *status)
{
	if (status)
		*status = CL_INVALID_CONTEXT;
	return NULL;
}

static void *added(void *address, size_t len_bytes)
{
	if (address)
		gtdbg_hook_buffer_add_usm(address, len_bytes);
	return address;
}

static void *CL_API_CALL host_alloc(cl_context context,
				    const cl_mem_properties_intel *properties,
				    size_t len_bytes, cl_uint alignment,
				    cl_int *status)
{
	clHostMemAllocINTEL_fn call = function_find(context,
						    "clHostMemAllocINTEL");

	return call ? added(call(context, properties, len_bytes, alignment,
				 status), len_bytes) : refuse(status);
}

static void *CL_API_CALL device_alloc(cl_context context, cl_device_id device,
				      const cl_mem_properties_intel *properties,
				      size_t len_bytes, cl_uint alignment,
				      cl_int *status)
{
	clDeviceMemAllocINTEL_fn call = function_find(context,
						      "clDeviceMemAllocINTEL");

	return call ? added(call(context, device, properties, len_bytes,
				 alignment, status), len_bytes) :
		      refuse(status);
}

static void *CL_API_CALL shared_alloc(cl_context context, cl_device_id device,
				      const cl_mem_properties_intel *properties,
				      size_t len_bytes, cl_uint alignment,
				      cl_int *status)
{
	clSharedMemAllocINTEL_fn call = function_find(context,
						      "clSharedMemAllocINTEL");

	return call ? added(call(context, device, properties, len_bytes,
				 alignment, status), len_bytes) :
		      refuse(status);
}

/* Before it is free: a thread may get the same address at once. */
static cl_int CL_API_CALL memory_free(cl_context context, void *address)
{
	clMemFreeINTEL_fn call = function_find(context, "clMemFreeINTEL");

	if (!call)
		return CL_INVALID_CONTEXT;
	gtdbg_hook_buffer_remove_usm(address);
	return call(context, address);
}

static cl_int CL_API_CALL memory_free_blocking(cl_context context,
					       void *address)
{
	clMemBlockingFreeINTEL_fn call =
		function_find(context, "clMemBlockingFreeINTEL");

	if (!call)
		return CL_INVALID_CONTEXT;
	gtdbg_hook_buffer_remove_usm(address);
	return call(context, address);
}

static void *own_find(const char *name)
{
	static const struct {
		const char *name;
		void *function;
	} own[] = {
		{ "clHostMemAllocINTEL", host_alloc },
		{ "clDeviceMemAllocINTEL", device_alloc },
		{ "clSharedMemAllocINTEL", shared_alloc },
		{ "clMemFreeINTEL", memory_free },
		{ "clMemBlockingFreeINTEL", memory_free_blocking },
	};

	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
		if (strcmp(name, own[i].name) == 0)
			return own[i].function;
	return NULL;
}

static void *CL_API_CALL extension_find(cl_platform_id platform,
					const char *name)
{
	void *function =
		next->clGetExtensionFunctionAddressForPlatform(platform, name);
	void *own = function ? own_find(name) : NULL;

	return own ? own : function;
}

static void *CL_API_CALL extension_find_any(const char *name)
{
	void *function = next->clGetExtensionFunctionAddress(name);
	void *own = function ? own_find(name) : NULL;

	return own ? own : function;
}

void gtdbg_hook_usm_init(const cl_icd_dispatch *target, cl_icd_dispatch *layer)
{
	next = target;
	layer->clGetExtensionFunctionAddressForPlatform = extension_find;
	layer->clGetExtensionFunctionAddress = extension_find_any;
}
