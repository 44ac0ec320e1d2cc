// SPDX-License-Identifier: MIT
/*
 * What kernels call the memory that they are given. Here and not at a launch: what was
 * an argument once is told, whether it is one when something is found or not.
 */
#include "layer.h"

#include "drm/wire.h"
#include "node.h"

#include <stdint.h>
#include <string.h>

#define NAME_BYTES 1024

static const cl_icd_dispatch *next;

static void tell(cl_kernel kernel, cl_uint index, uint32_t number,
		 uint32_t flags)
{
	struct vgt_drm_note note = {
		.what = VGT_DRM_NOTE_ARGUMENT, .number = number,
		.flags = flags,
	};
	struct vgt_node_call call = {
		.number = VGT_DRM_NOTE,
		.argument = &note,
		.argument_bytes = sizeof(note),
	};
	char names[2 * NAME_BYTES];
	size_t len;

	if (next->clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, NAME_BYTES,
				  names, NULL))
		return;
	len = strnlen(names, NAME_BYTES - 1) + 1;
	if (next->clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_NAME,
				     NAME_BYTES, names + len, NULL))
		return;
	call.extra = names;
	call.extra_bytes = len + strnlen(names + len, NAME_BYTES - 1) + 1;
	vgt_node_call(&call);
}

/* A part is an object of its own. */
static uint32_t number_of(cl_mem memory)
{
	uint32_t number = vgt_buffer_number(memory);
	cl_mem whole = NULL;

	if (!number && !next->clGetMemObjectInfo(memory,
						 CL_MEM_ASSOCIATED_MEMOBJECT,
						 sizeof(whole), &whole, NULL) &&
	    whole)
		number = vgt_buffer_number(whole);
	return number;
}

/* In which memory it is; CL_KERNEL_ARG_ADDRESS_PRIVATE: a number, or not known. */
static cl_kernel_arg_address_qualifier space_of(cl_kernel kernel, cl_uint index)
{
	cl_kernel_arg_address_qualifier space;

	if (next->clGetKernelArgInfo(kernel, index,
				     CL_KERNEL_ARG_ADDRESS_QUALIFIER,
				     sizeof(space), &space, NULL))
		return CL_KERNEL_ARG_ADDRESS_PRIVATE;
	return space;
}

static void buffer_tell(cl_kernel kernel, cl_uint index, const void *value)
{
	uint32_t number;
	cl_mem memory;

	memcpy(&memory, value, sizeof(memory));
	number = memory ? number_of(memory) : 0;
	if (number)
		tell(kernel, index, number, 0);
}

static cl_int CL_API_CALL set(cl_kernel kernel, cl_uint index, size_t bytes,
			      const void *value)
{
	cl_int ret = next->clSetKernelArg(kernel, index, bytes, value);

	if (ret || (value && bytes != sizeof(cl_mem)))
		return ret;
	switch (space_of(kernel, index)) {
	case CL_KERNEL_ARG_ADDRESS_LOCAL:
		tell(kernel, index, 0, 0);
		break;
	case CL_KERNEL_ARG_ADDRESS_GLOBAL:
	case CL_KERNEL_ARG_ADDRESS_CONSTANT:
		if (value)
			buffer_tell(kernel, index, value);
		break;
	}
	return ret;
}

void vgt_argument_tell(cl_kernel kernel, cl_uint index,
			      const void *address)
{
	uint32_t number = vgt_shared_number(address);

	if (number)
		tell(kernel, index, number, VGT_DRM_NOTE_F_SVM);
}

static cl_int CL_API_CALL set_svm(cl_kernel kernel, cl_uint index,
				  const void *address)
{
	cl_int ret = next->clSetKernelArgSVMPointer(kernel, index, address);

	if (!ret)
		vgt_argument_tell(kernel, index, address);
	return ret;
}

void vgt_layer_arguments(const cl_icd_dispatch *target, cl_icd_dispatch *layer)
{
	next = target;
	layer->clSetKernelArg = set;
	layer->clSetKernelArgSVMPointer = set_svm;
}
