// SPDX-License-Identifier: MIT
/*
 * Two tracepoints of LTTng-UST each time: what a call's begin and end would be in a
 * library that has them compiled in. speed/trace builds it, where LTTng is.
 * usage: ust TIMES
 */
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "ust_cost.h"

#include <stdlib.h>

int main(int argc, char **argv)
{
	long times = argc > 1 ? atol(argv[1]) : 0;

	while (times-- > 0) {
		lttng_ust_tracepoint(cost, call, 0);
		lttng_ust_tracepoint(cost, back, 0);
	}
	return 0;
}
