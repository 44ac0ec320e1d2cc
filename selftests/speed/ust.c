// SPDX-License-Identifier: MIT
/*
 * Two tracepoints of LTTng-UST: what a call's begin and end would be in a library that
 * has them compiled in. speed/trace builds it, where LTTng is, with call.c.
 */
#define CL_TARGET_OPENCL_VERSION 120
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "ust_cost.h"

#include <CL/cl.h>

cl_int clFinish(cl_command_queue queue)
{
	(void)queue;
	lttng_ust_tracepoint(cost, call, 0);
	lttng_ust_tracepoint(cost, back, 0);
	return CL_SUCCESS;
}
