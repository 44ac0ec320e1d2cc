// SPDX-License-Identifier: MIT
/*
 * A table of sizes, so that whoever reads an event gets all of its payload or
 * NULL: an older module may send less than this tool knows.
 */
#include "event.h"

#include <gtdbg.h>

static const size_t sizes[] = {
	[GTDBG_EVENT_CLIENT_ADD] = sizeof(struct gtdbg_event_client_add),
	[GTDBG_EVENT_DEVICE_ADD] = sizeof(struct gtdbg_event_device_add),
	[GTDBG_EVENT_DEVICE_LOST] = sizeof(struct gtdbg_event_device_lost),
	[GTDBG_EVENT_CONTEXT_ADD] = sizeof(struct gtdbg_event_context_add),
	[GTDBG_EVENT_CONTEXT_UPDATE] = sizeof(struct gtdbg_event_context_add),
	[GTDBG_EVENT_MODULE_ADD] = sizeof(struct gtdbg_event_module_add),
	[GTDBG_EVENT_MODULE_REMOVE] = sizeof(struct gtdbg_event_module_remove),
	[GTDBG_EVENT_KERNEL_ADD] = sizeof(struct gtdbg_event_kernel_add),
	[GTDBG_EVENT_KERNEL_REMOVE] = sizeof(struct gtdbg_event_kernel_remove),
	[GTDBG_EVENT_KERNEL_SUBMIT] = sizeof(struct gtdbg_event_kernel_submit),
	[GTDBG_EVENT_THREAD_STOP] = sizeof(struct gtdbg_event_thread_stop),
	[GTDBG_EVENT_THREAD_UNAVAILABLE] =
		sizeof(struct gtdbg_event_thread_unavailable),
	[GTDBG_EVENT_PAGE_FAULT] = sizeof(struct gtdbg_event_page_fault),
	[GTDBG_EVENT_OVERFLOW] = sizeof(struct gtdbg_event_overflow),
	[GTDBG_EVENT_EXIT] = sizeof(struct gtdbg_event_exit),
	[GTDBG_EVENT_CONTEXT_REMOVE] =
		sizeof(struct gtdbg_event_context_remove),
	[GTDBG_EVENT_KERNEL_LOAD] = sizeof(struct gtdbg_event_kernel_load),
	[GTDBG_EVENT_KERNEL_UNLOAD] = sizeof(struct gtdbg_event_kernel_load),
};

const void *event_payload(const struct gtdbg_event *event)
{
	size_t count = sizeof(sizes) / sizeof(sizes[0]);

	if (event->kind >= count || !sizes[event->kind])
		return NULL;
	return gtdbg_event_payload(event, sizes[event->kind]);
}
