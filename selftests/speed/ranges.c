// SPDX-License-Identifier: GPL-2.0-only
/*
 * Over 200 instructions in one call: by the threads themselves under gtdbg's SIP, and
 * by the module under Intel's, which resumes the thread for each. In a guest; lines of
 * CSV: "steps", figure, value, unit, limit.
 */
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>

#include "rig.h"

#define STEPS 200
#define TIMES 3 /* the fastest one counts: others wait for the machine */

static int range_make(struct rig *rig, const struct gtdbg_thread_info *thread)
{
	uint8_t mask[84] = { 0 };
	struct gtdbg_thread_resume resume = {
		.device = thread->device,
		.command = GTDBG_RESUME_STEP_RANGE,
		.slots = thread->slot + 1,
		.mask = (uintptr_t)mask,
		.ip_end = UINT64_MAX,
		.steps = STEPS,
	};
	struct rig_event event;

	mask[thread->slot / 8] = 1 << thread->slot % 8;
	if (ioctl(rig->session, GTDBG_IOC_THREAD_RESUME, &resume) != 1)
		return -1;
	return rig_next(rig, GTDBG_EVENT_THREAD_STOP, &event);
}

/* 0: it cannot be said. */
static uint64_t range_ns(enum rig_sip sip)
{
	struct gtdbg_breakpoint_clear clear = { 0 };
	struct rig rig = { .sip = sip };
	struct gtdbg_thread_info thread;
	uint64_t start, ns = 0;
	int id;

	if (rig_start(&rig, "sample", "8", "8", "1"))
		return 0;
	id = rig_stop_at_second(&rig, &thread);
	clear.breakpoint = id;
	if (id > 0 && !ioctl(rig.session, GTDBG_IOC_BREAKPOINT_CLEAR, &clear)) {
		start = rig_now_ns();
		if (!range_make(&rig, &thread))
			ns = rig_now_ns() - start;
	}
	rig_stop(&rig);
	return ns;
}

static uint64_t fastest_ns(enum rig_sip sip)
{
	uint64_t best = 0, ns;

	for (int i = 0; i < TIMES; i++) {
		ns = range_ns(sip);
		if (ns && (!best || ns < best))
			best = ns;
	}
	return best;
}

int main(void)
{
	uint64_t eu = fastest_ns(RIG_SIP_OWN);
	uint64_t host = fastest_ns(RIG_SIP_BINDLESS);

	if (!eu || !host) {
		fprintf(stderr, "ranges: the threads do not step\n");
		return 1;
	}
	printf("steps,range-eu,%.2f,ms,\n", eu / 1e6);
	printf("steps,range-host,%.2f,ms,\n", host / 1e6);
	printf("steps,range-ratio,%.0f,,20 or more\n", (double)host / eu);
	return 0;
}
