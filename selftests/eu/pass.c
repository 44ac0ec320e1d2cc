// SPDX-License-Identifier: MIT
/* Threads that pass the entry of a launch, as those before them were enough. */
#include "test.h"

#include <stdio.h>

#include <linux/gtdbg_sip.h>

#include "code.h"
#include "gt/device.h"
#include "gt/pool.h"

#define LAUNCH_MS 300000 /* the compiler's time is in the first one's */
#define PASS_MAX 25 /* instructions */
#define FLAG_MAX 35 /* the same, where a flag lets all pass */
#define PASSING 1000 /* threads */
#define WHERE 3 /* instructions from the entry */
#define BEHIND 6 /* likewise, where it has set its modes */

static struct stop stops[DRIVER_THREADS];
static struct code code;

/* All threads of a launch but the first one are let through before they come. */
static void launch_bind(const struct rig *rig, uint32_t ip, uint32_t value)
{
	struct gtdbg_sip_bucket bucket = {
		.tag = ip | GTDBG_SIP_TABLE_LAUNCH, .value = value,
	};

	driver_write(&rig->driver, rig->driver.area + GTDBG_SIP_TABLE_OFFSET +
		     (ip & GTDBG_SIP_TABLE_MASK), &bucket, sizeof(bucket));
}

static void flags_set(const struct rig *rig, uint32_t flags)
{
	driver_write(&rig->driver, rig->driver.area + GTDBG_SIP_CONTROL_FLAGS,
		     &flags, sizeof(flags));
}

static bool gate_is_reached(struct rig *rig)
{
	return tap_expect(gate_reached(&rig->gate, LAUNCH_MS), "no launch");
}

/* Where the next launch begins. */
static bool launch(struct rig *rig)
{
	return gate_is_reached(rig) &&
	       tap_expect(gate_open(&rig->gate), "the gate is shut");
}

/*
 * The last of three equal launches, its threads passing at its entry in @max
 * instructions each at most: by the flag, or as so many of them may.
 */
static void passes(enum sip sip, bool by_flag, uint32_t max)
{
	struct rig_options options = {
		.sip = sip, .kernel = "sample", .items = 8 * PASSING,
		.local = 8, .gated = true, .times = 3,
	};
	struct vgt_pool_totals total[2] = { { 0 } };
	struct rig rig;
	uint32_t n, ip;
	bool ok;

	ok = rig_start(&rig, &options) && launch(&rig) &&
	     rig_stops(&rig, -1, stops, &n) && rig_lift(&rig, &stops[0]) &&
	     rig_go(&rig, stops, n, false);
	ip = stops[0].ip;
	while (ok && !gate_reached(&rig.gate, 1)) {
		n = rig_look(&rig, stops);
		ok = n ? rig_go(&rig, stops, n, false) :
			 tap_expect(!rig_ended_now(&rig), "it has ended");
	}
	for (uint32_t i = 0; ok && i < 2; i++) {
		vgt_pool_totals(rig.driver.device->pool, &total[i]);
		if (i) {
			if (by_flag)
				flags_set(&rig, GTDBG_SIP_CONTROL_F_ACTIVE |
					  GTDBG_SIP_CONTROL_F_PASS);
			else
				launch_bind(&rig, ip, PASSING);
			driver_breakpoint(&rig.driver, rig.driver.base + ip,
					  true);
			driver_invalidate(&rig.driver);
		}
		ok = gate_open(&rig.gate);
		if (!i)
			ok = ok && gate_is_reached(&rig);
		else
			ok = ok && rig_ended(&rig, 20000) && !rig.status;
	}
	tap_expect(ok, "a thread stopped, or the program failed");
	if (ok) {
		struct vgt_pool_totals end;

		vgt_pool_totals(rig.driver.device->pool, &end);
		end.instructions -= total[1].instructions +
				    (total[1].instructions -
				     total[0].instructions);
		printf("# %llu instructions for %u threads\n",
			 (unsigned long long)end.instructions, PASSING);
		tap_expect(end.instructions <= (uint64_t)PASSING * max,
			   "%llu instructions for %u threads",
			   (unsigned long long)end.instructions, PASSING);
	}
	rig_stop(&rig);
}

static void passes_launch(enum sip sip)
{
	passes(sip, false, PASS_MAX);
}

static void passes_flag(enum sip sip)
{
	passes(sip, true, FLAG_MAX);
}

/* The thread goes on to @ip: of the next launch, if it @is_next. */
static bool goes_to(struct rig *rig, uint32_t ip, bool is_next)
{
	uint32_t n;

	return rig_go(rig, stops, 1, false) &&
	       (!is_next || launch(rig)) &&
	       rig_stops(rig, 1, stops, &n) &&
	       tap_expect(stops[0].ip == ip, "it stopped at 0x%x, not 0x%x",
			  stops[0].ip, ip);
}

/* What is no entry stops with the flag as well, and an entry again without it. */
static void flag_is_for_entries(enum sip sip)
{
	struct rig_options options = {
		.sip = sip, .kernel = "sample", .items = 8, .local = 8,
		.gated = true, .times = 3,
	};
	uint32_t n, entry;
	struct rig rig;

	if (rig_start(&rig, &options) && launch(&rig) &&
	    rig_stops(&rig, 1, stops, &n) && rig_lift(&rig, &stops[0]) &&
	    tap_expect(code_read(&rig.driver, stops[0].ip, &code),
		       "the code has no end")) {
		entry = stops[0].ip;
		flags_set(&rig, GTDBG_SIP_CONTROL_F_ACTIVE |
			  GTDBG_SIP_CONTROL_F_PASS);
		driver_breakpoint(&rig.driver, rig.driver.base + entry, true);
		driver_breakpoint(&rig.driver, rig.driver.base + code.ip[BEHIND],
				  true);
		driver_invalidate(&rig.driver);
		if (goes_to(&rig, code.ip[BEHIND], false) &&
		    goes_to(&rig, code.ip[BEHIND], true)) {
			flags_set(&rig, GTDBG_SIP_CONTROL_F_ACTIVE);
			goes_to(&rig, entry, true);
		}
	}
	rig_stop(&rig);
}

/* Runtimes do not allow that exception. */
static void illegal(enum sip sip)
{
	struct rig_options options = {
		.sip = sip, .kernel = "sample", .items = 8, .local = 8,
		.gated = true, .times = 2,
	};
	static const uint8_t none[16];
	struct rig rig;
	uint32_t n, ip;

	if (rig_start(&rig, &options) && launch(&rig) &&
	    rig_stops(&rig, 1, stops, &n) && rig_lift(&rig, &stops[0]) &&
	    rig_go(&rig, stops, n, false) && gate_is_reached(&rig) &&
	    tap_expect(code_read(&rig.driver, stops[0].ip, &code),
		       "the code has no end")) {
		ip = code.ip[WHERE];
		launch_bind(&rig, stops[0].ip, 1);
		driver_breakpoint(&rig.driver, rig.driver.base + stops[0].ip,
				  true);
		driver_write(&rig.driver, rig.driver.base + ip, none,
			     code.ip[WHERE + 1] - ip);
		driver_invalidate(&rig.driver);
		if (gate_open(&rig.gate) && rig_stops(&rig, 1, stops, &n))
			tap_expect(stops[0].cause == CAUSE_ILLEGAL &&
				   stops[0].ip == ip, "cause 0x%x at 0x%x",
				   stops[0].cause, stops[0].ip);
	}
	rig_stop(&rig);
}

const struct test pass_tests[] = {
	{ "a thread passes a launch's entry in 25 instructions at most",
	  passes_launch, TEST_OURS },
	{ "in 35 at most where a flag lets all pass", passes_flag, TEST_OURS },
	{ "that flag is for entries alone, and can be taken back",
	  flag_is_for_entries, TEST_OURS },
	{ "and stops at an illegal instruction behind it", illegal, TEST_OURS },
	{ 0 },
};
