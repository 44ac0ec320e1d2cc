// SPDX-License-Identifier: MIT
/*
 * This library as a layer of OpenCL's loader (OPENCL_LAYERS): where source that
 * wants gtdbg_assert.h is built, the options in GTDBG_BUILD_OPTIONS are added, by which
 * the compiler finds it. Calls that make buffers are watched (buffer.c), and under
 * GTDBG_MEMCHECK buffers are guarded (guard.c). Nothing else is changed.
 */
#define CL_TARGET_OPENCL_VERSION 300

#include "buffer.h"
#include "guard.h"
#include "hook.h"

#include <CL/cl_icd.h>
#include <CL/cl_layer.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEADER "gtdbg_assert.h"
#define LAYER_API __attribute__((visibility("default")))

static const cl_icd_dispatch *next;
static cl_icd_dispatch layer;

static bool source_wants(cl_program program)
{
	bool wants = false;
	char *source;
	size_t len;

	if (next->clGetProgramInfo(program, CL_PROGRAM_SOURCE, 0, NULL, &len) ||
	    len <= 1)
		return false;
	source = calloc(1, len + 1);
	if (source && !next->clGetProgramInfo(program, CL_PROGRAM_SOURCE, len,
					      source, NULL))
		wants = strstr(source, HEADER);
	free(source);
	return wants;
}

/*
 * Optimised code uses surfaces otherwise, whose bounds are the buffer's: what is
 * beyond them reads as zero, and nobody hears of it.
 */
static const char *options_for_guards(void)
{
	return gtdbg_hook_guards_wanted() && gtdbg_hook_config_get()->optimize ?
	       "-cl-intel-greater-than-4GB-buffer-required" : "";
}

/* NULL: those that the program gives; else to be freed. */
static char *options_make(const char *options, bool wants_header)
{
	const char *added = wants_header ?
			    secure_getenv("GTDBG_BUILD_OPTIONS") : NULL;
	const char *guards = options_for_guards();
	char *all;

	if (!added)
		added = "";
	if ((!*added && !*guards) ||
	    asprintf(&all, "%s %s %s", options ? options : "", added,
		     guards) < 0)
		return NULL;
	return all;
}

/* What a build calls when it is done. */
typedef void (notify_fn)(cl_program program, void *data);

static cl_int build(cl_program program, cl_uint device_count,
		    const cl_device_id *devices, const char *options,
		    notify_fn *notify, void *data)
{
	char *all = options_make(options, source_wants(program));
	cl_int ret;

	gtdbg_hook_client_build(true);
	ret = next->clBuildProgram(program, device_count, devices,
				   all ? all : options, notify, data);
	gtdbg_hook_client_build(false);
	free(all);
	return ret;
}

/* One of the headers may be what wants it. */
static cl_int compile(cl_program program, cl_uint device_count,
		      const cl_device_id *devices, const char *options,
		      cl_uint header_count, const cl_program *headers,
		      const char **names, notify_fn *notify, void *data)
{
	bool wants = source_wants(program);
	cl_uint i;
	char *all;
	cl_int ret;

	for (i = 0; i < header_count && headers && !wants; i++)
		wants = source_wants(headers[i]);
	all = options_make(options, wants);
	ret = next->clCompileProgram(program, device_count, devices,
				     all ? all : options, header_count, headers,
				     names, notify, data);
	free(all);
	return ret;
}

LAYER_API cl_int clGetLayerInfo(cl_layer_info name, size_t size,
					    void *value, size_t *size_ret)
{
	const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
	static const char text[] = "gtdbg";
	size_t len = name == CL_LAYER_NAME ? sizeof(text) : sizeof(version);

	if (name != CL_LAYER_NAME && name != CL_LAYER_API_VERSION)
		return CL_INVALID_VALUE;
	if (value && size < len)
		return CL_INVALID_VALUE;
	if (value)
		memcpy(value, name == CL_LAYER_NAME ? (const void *)text :
		       &version, len);
	if (size_ret)
		*size_ret = len;
	return CL_SUCCESS;
}

/* All functions are there in a table of this length: what the loader has. */
LAYER_API cl_int clInitLayer(cl_uint count,
					 const cl_icd_dispatch *target,
					 cl_uint *count_ret,
					 const cl_icd_dispatch **layer_ret)
{
	const cl_uint own = sizeof(layer) / sizeof(layer.clGetPlatformIDs);

	if (!target || !count_ret || !layer_ret ||
	    count * sizeof(layer.clGetPlatformIDs) <=
		    offsetof(cl_icd_dispatch, clCompileProgram))
		return CL_INVALID_VALUE;
	next = target;
	if (count > own)
		count = own;
	memcpy(&layer, target, count * sizeof(layer.clGetPlatformIDs));
	layer.clBuildProgram = build;
	layer.clCompileProgram = compile;
	/* All of OpenCL 3.0, or none of it. */
	if (count * sizeof(layer.clGetPlatformIDs) >
	    offsetof(cl_icd_dispatch, clCreateBufferWithProperties))
		gtdbg_hook_buffers_init(target, &layer);
	*count_ret = count;
	*layer_ret = &layer;
	return CL_SUCCESS;
}
