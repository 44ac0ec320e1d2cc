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

#endif
