// SPDX-License-Identifier: MIT
/* Single steps. */
#include "test.h"

#include <string.h>

#include "code.h"

#define STEPS_MAX 20000

static struct stop stops[DRIVER_THREADS];
static struct code code;
static bool visited[CODE_MAX];

/* Start the one thread of @options' kernel and read its code. */
static bool begin(struct rig *rig, const struct rig_options *options)
{
	uint32_t n;

	memset(visited, 0, sizeof(visited));
	return rig_start(rig, options) && rig_stops(rig, 1, stops, &n) &&
	       rig_lift(rig, &stops[0]) &&
	       tap_expect(code_read(&rig->driver, stops[0].ip, &code),
			  "the code has no end");
}

/* Step until the thread has stopped again or is gone. 0: gone. */
static int step(struct rig *rig)
{
	uint64_t deadline = rig_now_ms() + 5000;
	int index;

	index = code_find(&code, stops[0].ip);
	if (!tap_expect(index >= 0, "stopped at 0x%x, where nothing starts",
			stops[0].ip))
		return -1;
	visited[index] = true;
	if (!rig_go(rig, stops, 1, true))
		return -1;
	while (!rig_look(rig, stops)) {
		if (rig_now_ms() >= deadline) {
			tap_expect(false, "the step from 0x%x does not end",
				   code.ip[index]);
			return -1;
		}
		/* Nothing stops at or behind the end of the thread. */
		if (index + 1 == (int)code.end && rig_ended(rig, 5000))
			return 0;
	}
	return tap_expect(stops[0].cause == CAUSE_BREAKPOINT,
			  "step to 0x%x: cause 0x%x", stops[0].ip,
			  stops[0].cause) ? 1 : -1;
}

static void whole(enum sip sip)
{
	struct rig_options options = {
		.sip = sip, .kernel = "sample", .items = 8, .local = 8,
	};
	uint32_t steps = 0, seen = 0;
	struct rig rig;
	int ret = -1;

	if (begin(&rig, &options)) {
		while (steps++ < STEPS_MAX && (ret = step(&rig)) > 0)
			;
		for (uint32_t i = 0; i < code.end; i++)
			seen += visited[i];
		if (tap_expect(!ret, "no end after %u steps", steps) &&
		    tap_expect(seen == code.end,
			       "%u of %u instructions were seen", seen,
			       code.end))
			tap_expect(!rig.status, "status 0x%x", rig.status);
	}
	rig_stop(&rig);
}

/* Both sides of a branch run, each with its half of the channels. */
static void sides(enum sip sip)
{
	struct rig_options options = {
		.sip = sip, .kernel = "sample", .items = 8, .local = 8,
	};
	bool even = false, odd = false;
	uint32_t steps = 0;
	struct rig rig;

	if (begin(&rig, &options)) {
		while (steps++ < STEPS_MAX && step(&rig) > 0) {
			even |= stops[0].enabled == 0x55;
			odd |= stops[0].enabled == 0xaa;
		}
		tap_expect(even && odd, "even channels %d, odd channels %d",
			   even, odd);
	}
	rig_stop(&rig);
}

const struct test step_tests[] = {
	{ "steps go through every instruction", whole, TEST_ALL },
	{ "a step shows the channels of its side of a branch", sides,
	  TEST_OURS },
	{ 0 },
};
