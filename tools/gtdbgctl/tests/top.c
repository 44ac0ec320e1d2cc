// SPDX-License-Identifier: MIT
/* Which stops "top" takes for hits of breakpoints, without a GPU. */
#include "../top.h"

#include <stdio.h>

#define DEVICE 7

static int failures, number;

static void stop(const char *name, uint32_t reasons, uint64_t hits)
{
	const struct trace_event record = {
		.head = { .kind = TRACE_STOP, .time_ns = 1 },
		.value = { DEVICE, 0, 0, reasons },
	};
	static struct top top;

	top = (struct top){ 0 };
	top_put(&top, &record.head);
	if (top.device_count != 1 || top.devices[0].hits != hits) {
		printf("not ");
		failures++;
	}
	printf("ok %d - %s\n", ++number, name);
}

int main(void)
{
	puts("TAP version 13");
	stop("a breakpoint is hit", GTDBG_STOP_BREAKPOINT, 1);
	stop("at the kernel's first instruction",
	     GTDBG_STOP_BREAKPOINT | GTDBG_STOP_ENTRY, 1);
	stop("where a step ends", GTDBG_STOP_BREAKPOINT | GTDBG_STOP_STEP, 1);
	stop("the end of a step alone is none", GTDBG_STOP_STEP, 0);
	stop("nor is an assertion that fails",
	     GTDBG_STOP_BREAKPOINT | GTDBG_STOP_ASSERT, 0);
	printf("1..%d\n", number);
	return failures ? 1 : 0;
}
