// SPDX-License-Identifier: MIT
/* A driver that stops what runs, and what it finds in memory then. */
#include "test.h"

#include <linux/gtdbg_sip.h>

#define CONTROL 0x90U /* as the runtime sets it */
#define FORCE_HALT 0x40U
#define FORCE_EXCEPTION 0x08U

static struct stop stops[DRIVER_THREADS];

/*
 * Stop all @count threads; they must all say @cause, and may say breakpoint as
 * well: a thread that had no worker until now is at its entry.
 */
static bool force(struct rig *rig, uint32_t bit, int count, uint32_t cause)
{
	uint64_t begin = rig_now_ms();
	uint32_t n;

	driver_control(&rig->driver, CONTROL | bit);
	if (!rig_stops(rig, count, stops, &n))
		return false;
	driver_control(&rig->driver, CONTROL);
	for (uint32_t i = 0; i < n; i++)
		if (!tap_expect(stops[i].cause & cause,
				"slot %u: cause 0x%x, not 0x%x", stops[i].slot,
				stops[i].cause, cause))
			return false;
	return tap_expect(rig_now_ms() - begin < 5000, "it took %llu ms",
			  (unsigned long long)(rig_now_ms() - begin));
}

static void endless(enum sip sip)
{
	struct rig_options options = {
		.sip = sip, .kernel = "endless", .items = 128, .local = 8,
	};
	struct rig rig;
	uint32_t n;

	if (rig_start(&rig, &options) && rig_stops(&rig, 16, stops, &n) &&
	    rig_lift(&rig, &stops[0]) && rig_go(&rig, stops, n, false)) {
		rig_wait_ms(20);
		if (tap_expect(!rig_look(&rig, stops), "it stopped by itself") &&
		    force(&rig, FORCE_HALT, 16, CAUSE_HALT) &&
		    rig_go(&rig, stops, 16, false)) {
			rig_wait_ms(20);
			if (force(&rig, FORCE_EXCEPTION, 16, CAUSE_FORCED) &&
			    rig_loop_end(&rig))
				rig_end(&rig, 0);
		}
	}
	rig_stop(&rig);
}

/* Both bits, as drivers set them one after the other. */
static void both(enum sip sip)
{
	struct rig_options options = {
		.sip = sip, .kernel = "endless", .items = 128, .local = 8,
	};
	struct rig rig;
	uint32_t n;

	if (rig_start(&rig, &options) && rig_stops(&rig, 16, stops, &n) &&
	    rig_lift(&rig, &stops[0]) && rig_go(&rig, stops, n, false)) {
		driver_control(&rig.driver, CONTROL | FORCE_HALT);
		driver_control(&rig.driver,
			       CONTROL | FORCE_HALT | FORCE_EXCEPTION);
		rig_stops(&rig, 16, stops, &n);
		driver_control(&rig.driver, CONTROL);
		/* What was forced in the SIP is over once they have left. */
		if (rig_go(&rig, stops, n, false)) {
			rig_wait_ms(20);
			tap_expect(!rig_look(&rig, stops), "stopped again");
			if (rig_loop_end(&rig) && rig_ended(&rig, 5000))
				tap_expect(!rig.status, "status 0x%x",
					   rig.status);
		}
	}
	rig_stop(&rig);
}

/* Threads that wait at a barrier stop as well, and meet there afterwards. */
static void barrier(enum sip sip)
{
	struct rig_options options = {
		.sip = sip, .kernel = "uneven", .items = 32, .local = 32,
	};
	struct rig rig;
	uint32_t n;

	if (rig_start(&rig, &options) && rig_stops(&rig, 4, stops, &n) &&
	    rig_lift(&rig, &stops[0]) && rig_go(&rig, stops, n, false)) {
		rig_wait_ms(20);
		for (int i = 0; i < 3; i++)
			if (!force(&rig, FORCE_HALT, 4, CAUSE_HALT) ||
			    !rig_go(&rig, stops, 4, false))
				break;
		if (rig_loop_end(&rig))
			rig_end(&rig, 0);
	}
	rig_stop(&rig);
}

/* A program under our SIP without a session runs; one may come later. */
static void late(enum sip sip)
{
	struct rig_options options = {
		.sip = sip, .kernel = "endless", .items = 128, .local = 8,
		.inactive = true,
	};
	uint32_t flags = GTDBG_SIP_CONTROL_F_ACTIVE, word;
	uint64_t va = 0;
	struct rig rig;

	if (rig_start(&rig, &options) && rig_left(&rig, 16)) {
		tap_expect(!rig_look(&rig, stops), "it stopped");
		for (; driver_next_page(&rig.driver, va, &va); va += 4096)
			if (driver_read(&rig.driver, va + 320, &word, 4) &&
			    word == (uint32_t)GTDBG_SIP_CONTROL_MAGIC)
				driver_write(&rig.driver, va +
					     GTDBG_SIP_CONTROL_FLAGS, &flags,
					     4);
		if (force(&rig, FORCE_HALT, 16, CAUSE_HALT) &&
		    rig_loop_end(&rig))
			rig_end(&rig, 0);
	}
	rig_stop(&rig);
}

const struct test halt_tests[] = {
	{ "an endless loop is halted, resumed and halted again", endless,
	  TEST_ALL },
	{ "what was forced twice stops once", both, TEST_ALL },
	{ "threads that wait at a barrier are halted too", barrier, TEST_ALL },
	{ "a session may begin while a kernel runs", late, TEST_OURS },
	{ 0 },
};
