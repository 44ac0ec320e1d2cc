/* SPDX-License-Identifier: MIT */
/*
 * This library as a layer of OpenCL's loader (OPENCL_LAYERS), where checkers want to
 * know of the program's buffers and kernels: vgt-run --check says so.
 */
#ifndef VGT_LAYER_H
#define VGT_LAYER_H

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#endif
#include <CL/cl_icd.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What stands behind @layer's calls, and where to put calls that look. */
void vgt_layer_buffers(const cl_icd_dispatch *target, cl_icd_dispatch *layer,
		       size_t bytes);
void vgt_layer_shared(const cl_icd_dispatch *target, cl_icd_dispatch *layer);
void vgt_layer_kernels(const cl_icd_dispatch *target, cl_icd_dispatch *layer);
void vgt_layer_arguments(const cl_icd_dispatch *target,
			 cl_icd_dispatch *layer);
void vgt_layer_written(const cl_icd_dispatch *target, cl_icd_dispatch *layer,
		       size_t bytes);

/* Tell vgtd of memory, by flags of its note (drm/wire.h), and of its end. */
void vgt_buffer_add(uint32_t number, uint32_t flags, const void *address,
		    size_t bytes);
void vgt_buffer_remove(uint32_t number, uint32_t flags);

/* The buffer's number, and that of what is shared by address; 0: it is not known. */
uint32_t vgt_buffer_number(cl_mem memory);
uint32_t vgt_shared_number(const void *address);

/* Is it a buffer of which not all has been written? The second one: it has. */
bool vgt_buffer_is_fresh(cl_mem memory);
void vgt_buffer_filled(cl_mem memory);

/* @kernel's argument @index is what is shared there: vgtd is told its name. */
void vgt_argument_tell(cl_kernel kernel, cl_uint index, const void *address);

#endif
