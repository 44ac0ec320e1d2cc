// SPDX-License-Identifier: MIT
/* Each record as what it is, and the end of all that is still open. */
#include "trace.h"

#include <stdlib.h>

void trace_put(struct trace *trace, const struct trace_head *head)
{
	const void *record = head;

	switch (head->kind) {
	case TRACE_CALL:
		trace_call_begin(trace, record);
		break;
	case TRACE_RETURN:
		trace_call_end(trace, record);
		break;
	case TRACE_LAUNCH_BEGIN:
		trace_launch_begin(trace, record);
		break;
	case TRACE_LAUNCH_END:
		trace_launch_end(trace, record);
		break;
	case TRACE_SWITCH:
		trace_switch(trace, record);
		break;
	case TRACE_SCHED_RUN:
	case TRACE_SCHED_LEAVE:
	case TRACE_SCHED_WAKE:
		trace_sched(trace, record);
		break;
	case TRACE_REQUEST_ADD:
	case TRACE_REQUEST_DONE:
	case TRACE_REQUEST_RETIRE:
	case TRACE_REQUEST_WAIT:
	case TRACE_REQUEST_WAITED:
		trace_request(trace, record);
		break;
	case TRACE_STOP:
	case TRACE_RESUME:
	case TRACE_FAULT:
	case TRACE_DECISION:
	case TRACE_RESET:
	case TRACE_DEVICE_LOST:
	case TRACE_EVENT_LOST:
		trace_event(trace, record);
		break;
	case TRACE_PRINT:
		trace_print(trace, record);
		break;
	}
}

void trace_finish(struct trace *trace)
{
	trace->last_ns = trace_now_ns();
	trace_calls_finish(trace);
	trace_sched_finish(trace);
	trace_launches_finish(trace);
	trace_requests_finish(trace);
}

void trace_fini(struct trace *trace)
{
	trace_calls_fini(trace);
	trace_sched_fini(trace);
	trace_launches_fini(trace);
	trace_requests_fini(trace);
	trace_power_close(trace);
	free(trace->lost);
	trace_kernels_fini(trace);
	trace_spans_fini(&trace->busy);
	trace_spans_fini(&trace->transfers);
}
