// SPDX-License-Identifier: MIT
/* What a driver writes into a slot is what the thread goes on with. */
#include "test.h"

#include <string.h>

#include <linux/gtdbg_sip.h>

#include "code.h"

static struct stop stops[DRIVER_THREADS];
static struct code code;

/* "sample" on one thread of eight channels, stopped at its entry. */
static bool begin(struct rig *rig, const struct rig_options *options)
{
	uint32_t n;

	return rig_start(rig, options) && rig_stops(rig, 1, stops, &n) &&
	       rig_lift(rig, &stops[0]) &&
	       tap_expect(code_read(&rig->driver, stops[0].ip, &code),
			  "the code has no end");
}

/* Resume; the program ends with @status. Expect its eight results. */
static bool results(struct rig *rig, int status, const int32_t want[8])
{
	int32_t got[8];

	if (!rig_go(rig, stops, 1, false) || !rig_end(rig, status) ||
	    !rig_result(rig, got, 8))
		return false;
	for (int i = 0; i < 8; i++)
		if (!tap_expect(got[i] == want[i], "item %d is %d, not %d", i,
				got[i], want[i]))
			return false;
	return true;
}

/* Local ids 0 and 1 become 2: their items are never written. */
static void grf(enum sip sip)
{
	struct rig_options options = {
		.sip = sip, .kernel = "sample", .items = 8, .local = 8,
	};
	static const int32_t want[8] = { 0, 0, 10, 73, 24, 115, 38, 157 };
	static const uint16_t ids[2] = { 2, 2 };
	struct rig rig;

	if (begin(&rig, &options)) {
		driver_slot_write(&rig.driver, stops[0].slot,
				  GTDBG_SIP_SLOT_GRF + 32, ids, sizeof(ids));
		results(&rig, 1, want);
	}
	rig_stop(&rig);
}

/* Go to the branch's comparison and over it. */
static bool to_flag(struct rig *rig)
{
	uint32_t index = 0, last = 0, n;

	/* The last comparison of the kernel is the one that the if tests. */
	for (; index < code.end; index++)
		if ((code.dword[index] & 0x7f) == CODE_CMP)
			last = index;
	if (!tap_expect(last, "the kernel compares nothing") ||
	    !tap_expect(driver_breakpoint(&rig->driver, rig->driver.base +
					  code.ip[last + 1], true),
			"the code is not mapped"))
		return false;
	driver_invalidate(&rig->driver);
	return rig_go(rig, stops, 1, false) && rig_stops(rig, 1, stops, &n) &&
	       tap_expect(stops[0].ip == code.ip[last + 1],
			  "stopped at 0x%x, not 0x%x", stops[0].ip,
			  code.ip[last + 1]);
}

/* Each channel takes the other side of the branch. */
static void flag(enum sip sip)
{
	struct rig_options options = {
		.sip = sip, .kernel = "sample", .items = 8, .local = 8,
	};
	uint32_t flags[2];
	int32_t want[8];
	struct rig rig;

	for (int i = 0; i < 8; i++)
		want[i] = i & 1 ? i * 7 + 3 - 7 : (i * 7 + 3) * 3 + 1;
	if (begin(&rig, &options) && to_flag(&rig)) {
		driver_slot_read(&rig.driver, stops[0].slot,
				 GTDBG_SIP_SLOT_FLAG, flags, 8);
		flags[0] ^= 0x00ff00ff;
		flags[1] ^= 0x00ff00ff;
		driver_slot_write(&rig.driver, stops[0].slot,
				  GTDBG_SIP_SLOT_FLAG, flags, 8);
		results(&rig, 1, want);
	}
	rig_stop(&rig);
}

/* Straight to the end: nothing is written. */
static void ip(enum sip sip)
{
	struct rig_options options = {
		.sip = sip, .kernel = "sample", .items = 8, .local = 8,
	};
	static const int32_t want[8];
	struct rig rig;

	if (begin(&rig, &options)) {
		driver_slot_write(&rig.driver, stops[0].slot,
				  GTDBG_SIP_SLOT_CR + 8, &code.ip[code.end],
				  4);
		results(&rig, 1, want);
	}
	rig_stop(&rig);
}

/* Bits 63:32 of the accumulators survive our SIP, which saves them apart. */
static void accumulator(enum sip sip)
{
	struct rig_options options = {
		.sip = sip, .kernel = "sample", .items = 8, .local = 8,
	};
	static const uint32_t low[16] = { 0xffffffff, 1, 0x80000000, 5 };
	static const uint32_t high[16] = { 0x7fff, 0x8000, 0xffff, 3 };
	uint32_t got[16];
	struct rig rig;
	uint32_t n;

	if (begin(&rig, &options)) {
		driver_slot_write(&rig.driver, stops[0].slot,
				  GTDBG_SIP_SLOT_ACC, low, 64);
		driver_slot_write(&rig.driver, stops[0].slot,
				  GTDBG_SIP_SLOT_ACC_HIGH, high, 64);
		rig_go(&rig, stops, 1, true);
		if (rig_stops(&rig, 1, stops, &n)) {
			driver_slot_read(&rig.driver, stops[0].slot,
					 GTDBG_SIP_SLOT_ACC, got, 64);
			tap_expect(!memcmp(got, low, 64), "acc0 low");
			driver_slot_read(&rig.driver, stops[0].slot,
					 GTDBG_SIP_SLOT_ACC_HIGH, got, 64);
			tap_expect(!memcmp(got, high, 64),
				   "acc0 high: 0x%x 0x%x", got[0], got[1]);
			rig_end(&rig, 0);
		}
	}
	rig_stop(&rig);
}

/* Every register of the slot but those that are the hardware's. */
static void whole(enum sip sip)
{
	struct rig_options options = {
		.sip = sip, .kernel = "sample", .items = 8, .local = 8,
	};
	static uint32_t before[1152], after[1152]; /* up to n0 */
	struct rig rig;
	uint32_t n;

	if (begin(&rig, &options)) {
		driver_slot_read(&rig.driver, stops[0].slot, 0, before, 4096);
		for (int i = 32; i < 1024; i++)
			before[i] = 0x01010101U * (i & 255) + (uint32_t)i;
		driver_slot_write(&rig.driver, stops[0].slot, 0, before, 4096);
		/* The entry is a mov to null: it changes no register. */
		rig_go(&rig, stops, 1, true);
		if (rig_stops(&rig, 1, stops, &n)) {
			driver_slot_read(&rig.driver, stops[0].slot, 0, after,
					 4096);
			for (int i = 0; i < 1024; i++)
				if (i != 4 && !tap_expect(before[i] == after[i],
							  "r%d.%d", i / 8,
							  i % 8))
					break;
		}
	}
	rig_stop(&rig);
}

const struct test write_tests[] = {
	{ "a general register is written back", grf, TEST_ALL },
	{ "a flag register is written back", flag, TEST_ALL },
	{ "the instruction pointer is written back", ip, TEST_ALL },
	{ "all general registers survive a stop", whole, TEST_ALL },
	{ "an accumulator keeps its upper bits", accumulator, TEST_OURS },
	{ 0 },
};
