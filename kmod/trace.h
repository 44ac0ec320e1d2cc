/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tracepoints: stable, one for every transition. Fields are documented in
 * Documentation/events.rst and only ever grow at the end.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM gtdbg

#if !defined(GTDBG_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define GTDBG_TRACE_H

#include <linux/tracepoint.h>

TRACE_EVENT(gtdbg_device_lost,
	TP_PROTO(u32 device),
	TP_ARGS(device),
	TP_STRUCT__entry(__field(u32, device)),
	TP_fast_assign(__entry->device = device;),
	TP_printk("device=%u", __entry->device)
);

#endif

#undef TRACE_INCLUDE_PATH
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_PATH .
#define TRACE_INCLUDE_FILE trace
#include <trace/define_trace.h>
