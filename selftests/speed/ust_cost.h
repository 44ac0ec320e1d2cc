/* SPDX-License-Identifier: MIT */
/* Events of LTTng-UST, with as much in them as ftrace's probes of a call record. */
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER cost

#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "./ust_cost.h"

#if !defined(UST_COST_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define UST_COST_H

#include <lttng/tracepoint.h>

LTTNG_UST_TRACEPOINT_EVENT(cost, call,
	LTTNG_UST_TP_ARGS(unsigned long, queue),
	LTTNG_UST_TP_FIELDS(lttng_ust_field_integer_hex(unsigned long, queue,
							queue))
)

LTTNG_UST_TRACEPOINT_EVENT(cost, back,
	LTTNG_UST_TP_ARGS(int, result),
	LTTNG_UST_TP_FIELDS(lttng_ust_field_integer(int, result, result))
)

#endif

#include <lttng/tracepoint-event.h>
