// SPDX-License-Identifier: MIT
/* The debug registers themselves, while threads are stopped. */
#include "test.h"

#include <string.h>

#include <linux/gtdbg_sip.h>

#include "gt/device.h"

#define MCR_SELECTOR 0x0fdc
#define FORCEWAKE_RENDER 0xa278
#define FORCEWAKE_ACK 0x0d84
#define CURRENT_LRCA 0x2240
#define RCU_DEBUG_1 0x14a00
#define DEBUG_MODE2 0x20d8
#define TD_CTL 0xe400
#define TD_ATT 0xe470
#define TD_CLR 0xe490

static struct stop stops[DRIVER_THREADS];

static uint32_t get(const struct rig *rig, uint32_t offset)
{
	return vgt_device_reg_read(rig->driver.device, offset);
}

static void put(const struct rig *rig, uint32_t offset, uint32_t value)
{
	vgt_device_reg_write(rig->driver.device, offset, value);
}

static bool all_stopped(struct rig *rig, const struct rig_options *options)
{
	uint32_t n;

	return rig_start(rig, options) &&
	       rig_stops(rig, DRIVER_THREADS, stops, &n);
}

/* Reads are steered to one sub-slice; one that is not there reads as 0. */
static void steering(enum sip sip)
{
	struct rig_options options = {
		.sip = sip, .kernel = "sample", .items = 8 * DRIVER_THREADS,
		.local = 8,
	};
	struct rig rig;

	if (all_stopped(&rig, &options)) {
		put(&rig, MCR_SELECTOR, 0x80000000);
		put(&rig, TD_CTL, 0x90);
		put(&rig, MCR_SELECTOR, 3 << 24);
		put(&rig, TD_CTL, 0x80);
		for (uint32_t i = 0; i < 8; i++) {
			uint32_t control = i >= 6 ? 0 : i == 3 ? 0x80 : 0x90;

			put(&rig, MCR_SELECTOR, i << 24);
			tap_expect(get(&rig, TD_CTL) == control,
				   "sub-slice %u: TD_CTL 0x%x", i,
				   get(&rig, TD_CTL));
			tap_expect(get(&rig, TD_ATT + 4) ==
				   (i < 6 ? 0x7f7f7f7f : 0),
				   "sub-slice %u: TD_ATT 0x%x", i,
				   get(&rig, TD_ATT + 4));
		}
		put(&rig, MCR_SELECTOR, 1 << 27);
		tap_expect(!get(&rig, TD_ATT), "slice 1 is there");
		tap_expect(!rig_ended_now(&rig), "the program ended");
	}
	rig_stop(&rig);
}

/* Is the thread in @slot, or the one that shares its bit, in the SIP? */
static bool pair_in_sip(const struct rig *rig, uint32_t slot)
{
	uint8_t count[2];

	driver_slot_read(&rig->driver, slot, GTDBG_SIP_SLOT_COUNT, &count[0],
			 1);
	driver_slot_read(&rig->driver, slot + 28, GTDBG_SIP_SLOT_COUNT,
			 &count[1], 1);
	return (count[0] | count[1]) & 1;
}

static void clearing_check(struct rig *rig)
{
	uint64_t deadline = rig_now_ms() + 10000;
	uint32_t left = 2 * 112 + 2 * 7 + 2;

	while (pair_in_sip(rig, left))
		if (!tap_expect(rig_now_ms() < deadline, "they have not left"))
			return;
	for (uint32_t half = 0; half < 2 * DRIVER_SUBSLICES; half++) {
		uint32_t want = half == 4 ? 0x7f7b7f7f : 0x7f7f7f7f;
		uint32_t got = driver_attention(&rig->driver, half / 2,
						half % 2);

		tap_expect(got == want, "half %u: TD_ATT 0x%x", half, got);
	}
}

/* Clearing wakes the two threads of a bit, and no other: all have commands. */
static void clearing(enum sip sip)
{
	struct rig_options options = {
		.sip = sip, .kernel = "sample", .items = 8 * DRIVER_THREADS,
		.local = 8,
	};
	struct rig rig;

	if (all_stopped(&rig, &options) && rig_lift(&rig, &stops[0])) {
		for (uint32_t i = 0; i < DRIVER_THREADS; i++)
			driver_command(&rig.driver, stops[i].slot, false);
		put(&rig, MCR_SELECTOR, 2 << 24);
		put(&rig, TD_CLR, 0x00040000);
		put(&rig, TD_CLR, 0x80808080);
		clearing_check(&rig);
		driver_release(&rig.driver, stops, DRIVER_THREADS);
		rig_end(&rig, 0);
	}
	rig_stop(&rig);
}

static void others(enum sip sip)
{
	struct rig_options options = {
		.sip = sip, .kernel = "sample", .items = 8, .local = 8,
	};
	struct rig rig;
	uint32_t n;

	if (rig_start(&rig, &options) && rig_stops(&rig, 1, stops, &n)) {
		tap_expect(get(&rig, CURRENT_LRCA) == 0x6001, "LRCA 0x%x",
			   get(&rig, CURRENT_LRCA));
		tap_expect(get(&rig, RCU_DEBUG_1) == 0x200, "RCU_DEBUG_1 0x%x",
			   get(&rig, RCU_DEBUG_1));
		tap_expect(get(&rig, DEBUG_MODE2) == 0x20,
			   "CS_DEBUG_MODE2 0x%x", get(&rig, DEBUG_MODE2));
		put(&rig, FORCEWAKE_RENDER, 0x80008000);
		tap_expect(get(&rig, FORCEWAKE_ACK) == 0x8001,
			   "forcewake 0x%x", get(&rig, FORCEWAKE_ACK));
		put(&rig, FORCEWAKE_RENDER, 0x80010000);
		tap_expect(!get(&rig, FORCEWAKE_ACK), "forcewake 0x%x",
			   get(&rig, FORCEWAKE_ACK));
		rig_end(&rig, 0);
	}
	rig_stop(&rig);
}

/* The runtime uploads its copy of the area with each launch: it must not count. */
static void area(enum sip sip)
{
	struct rig_options options = {
		.sip = sip, .kernel = "sample", .items = 24, .local = 24,
		.times = 4,
	};
	uint32_t seen = 0, counted = 0, n, count;
	struct rig rig;

	if (rig_start(&rig, &options)) {
		while (!rig_ended_now(&rig)) {
			n = rig_look(&rig, stops);
			seen += n;
			if (n && !rig_go(&rig, stops, n, false))
				break;
		}
		for (uint32_t i = 0; i < DRIVER_THREADS; i++)
			if (driver_slot_read(&rig.driver, i,
					     GTDBG_SIP_SLOT_STOPS, &count, 4))
				counted += count;
		tap_expect(seen == 12 && counted == 12,
			   "%u stops seen, %u counted", seen, counted);
	}
	rig_stop(&rig);
}

const struct test register_tests[] = {
	{ "steered registers are those of one sub-slice", steering,
	  TEST_BINDLESS },
	{ "clearing attention wakes a pair of threads", clearing, TEST_HEADED },
	{ "registers say what runs and what is awake", others, TEST_OURS },
	{ "uploads leave the save area alone", area, TEST_OURS },
	{ 0 },
};
