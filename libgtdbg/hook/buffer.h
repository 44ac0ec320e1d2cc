/* SPDX-License-Identifier: MIT */
/* The program's buffers, as the layer of OpenCL's loader sees them made. */
#ifndef GTDBG_HOOK_BUFFER_H
#define GTDBG_HOOK_BUFFER_H

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#endif
#include <CL/cl_icd.h>

/* Puts calls into @layer that keep the table, if somebody wants it. */
void gtdbg_hook_buffers_init(const cl_icd_dispatch *target,
			     cl_icd_dispatch *layer);

/* usm.c: those that an extension makes; and what it keeps of them here. */
void gtdbg_hook_usm_init(const cl_icd_dispatch *target, cl_icd_dispatch *layer);
void gtdbg_hook_buffer_add_usm(const void *address, size_t len_bytes);
void gtdbg_hook_buffer_remove_usm(const void *address);

/* A queue of the library's own; NULL: the context has several devices. */
cl_command_queue gtdbg_hook_buffer_queue(cl_context context);

#endif
