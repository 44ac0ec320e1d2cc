// SPDX-License-Identifier: GPL-2.0-only
/*
 * Over 200 instructions: in one call by the thread itself under gtdbg's SIP; with a call and a
 * stop for each; and, but on this machine's GPU, which has no Intel's, in one call by the module
 * under that one, which resumes the thread for each. In a guest; lines of CSV: "steps", figure,
 * value, unit, limit.
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

static int steps_make(struct rig *rig, const struct gtdbg_thread_info *thread)
{
	struct rig_event event;
	int ret = 0;

	for (int i = 0; i < STEPS && !ret; i++) {
		if (rig_resume(rig->session, thread->device, thread->slot, 1,
			       GTDBG_RESUME_STEP) != 1)
			return -1;
		ret = rig_next(rig, GTDBG_EVENT_THREAD_STOP, &event);
	}
	return ret;
}

typedef int make_fn(struct rig *rig, const struct gtdbg_thread_info *thread);

/* 0: it cannot be said. */
static uint64_t made_ns(enum rig_sip sip, make_fn *make)
{
	struct gtdbg_breakpoint_clear clear = { 0 };
	struct rig rig = { .sip = sip };
	struct gtdbg_thread_info thread;
	uint64_t start, ns = 0;
	int id, ret;

	if (rig_start(&rig, "grind", "8", "8", "1"))
		return 0;
	id = rig_stop_at_second(&rig, &thread);
	clear.breakpoint = id;
	if (id > 0 && !ioctl(rig.session, GTDBG_IOC_BREAKPOINT_CLEAR, &clear)) {
		/* The first time the virtual GPU reads what it carries out. */
		ret = make(&rig, &thread);
		start = rig_now_ns();
		if (!ret && !make(&rig, &thread))
			ns = rig_now_ns() - start;
	}
	rig_stop(&rig);
	return ns;
}

static uint64_t fastest_ns(enum rig_sip sip, make_fn *make)
{
	uint64_t best = 0, ns;

	for (int i = 0; i < TIMES; i++) {
		ns = made_ns(sip, make);
		if (ns && (!best || ns < best))
			best = ns;
	}
	return best;
}

int main(void)
{
	const char *gpu = rig_is_gpu() ? "_gpu" : "";
	uint64_t eu = fastest_ns(RIG_SIP_OWN, range_make);
	uint64_t each = fastest_ns(RIG_SIP_OWN, steps_make);
	uint64_t host = rig_is_gpu() ? 1 : fastest_ns(RIG_SIP_BINDLESS, range_make);

	if (!eu || !each || !host) {
		fprintf(stderr, "ranges: the threads do not step\n");
		return 1;
	}
	printf("steps,range-eu%s,%.2f,ms,\n", gpu, eu / 1e6);
	printf("steps,range-each%s,%.2f,ms,\n", gpu, each / 1e6);
	printf("steps,range-ratio%s,%.0f,,20 or more\n", gpu, (double)each / eu);
	if (!rig_is_gpu())
		printf("steps,range-host,%.2f,ms,\n", host / 1e6);
	return 0;
}
