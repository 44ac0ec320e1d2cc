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

/* A queue of the library's own; NULL: the context has several devices. */
cl_command_queue gtdbg_hook_buffer_queue(cl_context context);

#endif
