// SPDX-License-Identifier: MIT
/* Breakpoints in code: when they take effect, and what they stop. */
#include "test.h"

#include <string.h>

#include "code.h"

static struct stop stops[DRIVER_THREADS];
static struct code code;

#define EARLY 5 /* instructions, counted from the entry */
#define LATE 12

/* Let one thread go and expect it at instruction @index next. */
static bool goes_to(struct rig *rig, struct stop stop, uint32_t index)
{
	uint32_t n;

	if (!rig_go(rig, &stop, 1, false) || !rig_stops(rig, 3, stops, &n))
		return false;
	for (uint32_t i = 0; i < n; i++)
		if (stops[i].slot == stop.slot)
			stop = stops[i];
	return tap_expect(stop.ip == code.ip[index] &&
			  stop.cause == CAUSE_BREAKPOINT,
			  "slot %u stopped at 0x%x, not 0x%x", stop.slot,
			  stop.ip, code.ip[index]);
}

static bool break_at(struct rig *rig, uint32_t index)
{
	return tap_expect(driver_breakpoint(&rig->driver, rig->driver.base +
					    code.ip[index], true),
			  "the code is not mapped");
}

static bool stale(struct rig *rig)
{
	struct stop thread[3];

	memcpy(thread, stops, sizeof(thread));
	if (!break_at(rig, LATE))
		return false;
	driver_invalidate(&rig->driver);
	/* The first thread fills the cache, the second runs what is there. */
	if (!goes_to(rig, thread[0], LATE) || !break_at(rig, EARLY) ||
	    !goes_to(rig, thread[1], LATE))
		return false;
	driver_invalidate(&rig->driver);
	return goes_to(rig, thread[2], EARLY);
}

static void invalidation(enum sip sip)
{
	struct rig_options options = {
		.sip = sip, .kernel = "sample", .items = 24, .local = 24,
	};
	struct rig rig;
	uint32_t n;

	if (rig_start(&rig, &options) && rig_stops(&rig, 3, stops, &n) &&
	    rig_lift(&rig, &stops[0]) &&
	    tap_expect(code_read(&rig.driver, stops[0].ip, &code) &&
		       code.end > LATE, "the code has no end") &&
	    stale(&rig))
		rig_end(&rig, 0);
	rig_stop(&rig);
}

/* A compact instruction's breakpoint is another bit. */
static void compact(enum sip sip)
{
	struct rig_options options = {
		.sip = sip, .kernel = "wide32", .items = 96, .local = 96,
		.optimise = true,
	};
	uint32_t n, index = 1;
	struct rig rig;

	if (rig_start(&rig, &options) && rig_stops(&rig, 3, stops, &n) &&
	    rig_lift(&rig, &stops[0]) &&
	    tap_expect(code_read(&rig.driver, stops[0].ip, &code),
		       "the code has no end")) {
		while (index < code.end && !(code.dword[index] >> 29 & 1))
			index++;
		if (tap_expect(index < code.end, "nothing is compact") &&
		    break_at(&rig, index)) {
			driver_invalidate(&rig.driver);
			if (goes_to(&rig, stops[0], index))
				rig_end(&rig, 0);
		}
	}
	rig_stop(&rig);
}

const struct test breakpoint_tests[] = {
	{ "a breakpoint takes effect when the cache is invalidated",
	  invalidation, TEST_ALL },
	{ "a breakpoint in a compact instruction stops", compact, TEST_ALL },
	{ 0 },
};
