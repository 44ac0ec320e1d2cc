// SPDX-License-Identifier: MIT
#include "layer.h"

#include "node.h"

#include <CL/cl_layer.h>
#include <string.h>

static cl_icd_dispatch layer;

VGT_EXPORT cl_int clGetLayerInfo(cl_layer_info name, size_t size, void *value,
				 size_t *size_ret)
{
	const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
	static const char text[] = "vgt";
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
VGT_EXPORT cl_int clInitLayer(cl_uint count, const cl_icd_dispatch *target,
			      cl_uint *count_ret,
			      const cl_icd_dispatch **layer_ret)
{
	const size_t entry = sizeof(layer.clGetPlatformIDs);

	if (!target || !count_ret || !layer_ret ||
	    count * entry <= offsetof(cl_icd_dispatch, clSVMFree))
		return CL_INVALID_VALUE;
	if (count > sizeof(layer) / entry)
		count = sizeof(layer) / entry;
	memcpy(&layer, target, count * entry);
	vgt_layer_buffers(target, &layer, count * entry);
	vgt_layer_shared(target, &layer);
	vgt_layer_kernels(target, &layer);
	vgt_layer_arguments(target, &layer);
	vgt_layer_written(target, &layer, count * entry);
	*count_ret = count;
	*layer_ret = &layer;
	return CL_SUCCESS;
}
