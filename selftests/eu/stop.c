// SPDX-License-Identifier: MIT
/* Stops at the first instruction: what the slots say. */
#include "test.h"

#include <string.h>

#include <linux/gtdbg_sip.h>

static struct stop stops[DRIVER_THREADS];

/* Group and local ids of a one-dimensional SIMD8 thread, from its slot. */
static bool payload_check(const struct rig *rig, const struct stop *stop,
			  uint32_t *first_out)
{
	uint32_t r0[8];
	uint16_t r1[16];

	if (!tap_expect(driver_slot_read(&rig->driver, stop->slot, 0, r0, 32) &&
			driver_slot_read(&rig->driver, stop->slot, 32, r1, 32),
			"slot %u is not mapped", stop->slot))
		return false;
	*first_out = r0[1] * rig->options->local + r1[0];
	for (uint32_t i = 1; i < 8; i++)
		if (!tap_expect(r1[i] == r1[0] + i,
				"slot %u: local id %u of lane %u", stop->slot,
				r1[i], i))
			return false;
	return true;
}

static bool identity_check(const struct rig *rig, const struct stop *stop)
{
	struct gtdbg_sip_identity identity;
	uint32_t r0[8];
	uint8_t local[192];

	driver_slot_read(&rig->driver, stop->slot, GTDBG_SIP_SLOT_IDENTITY,
			 &identity, sizeof(identity));
	driver_slot_read(&rig->driver, stop->slot, 0, r0, sizeof(r0));
	driver_slot_read(&rig->driver, stop->slot, 32, local, sizeof(local));
	return tap_expect(identity.flags == GTDBG_SIP_IDENTITY_F_VALID &&
			  identity.ip == stop->ip && identity.lanes == 0xff &&
			  identity.group[0] == r0[1] &&
			  identity.group[1] == r0[6] &&
			  identity.group[2] == r0[7] &&
			  identity.scratch == r0[5] &&
			  !memcmp(identity.local, local, sizeof(local)),
			  "slot %u: identity of group %u %u %u at 0x%x",
			  stop->slot, identity.group[0], identity.group[1],
			  identity.group[2], identity.ip);
}

static bool entry_check(const struct rig *rig, const struct stop *stop,
			uint32_t ip)
{
	uint32_t first, ce;

	driver_slot_read(&rig->driver, stop->slot, GTDBG_SIP_SLOT_CE, &ce, 4);
	return tap_expect(stop->cause == CAUSE_BREAKPOINT,
			  "slot %u: cause 0x%x", stop->slot, stop->cause) &&
	       tap_expect(stop->ip == ip, "slot %u: ip 0x%x, not 0x%x",
			  stop->slot, stop->ip, ip) &&
	       tap_expect(stop->enabled == 0xff && ce == 0xff,
			  "slot %u: channels 0x%x, ce 0x%x", stop->slot,
			  stop->enabled, ce) &&
	       payload_check(rig, stop, &first) &&
	       (rig->options->sip != SIP_OURS || identity_check(rig, stop));
}

static void entry(enum sip sip)
{
	struct rig_options options = {
		.sip = sip, .kernel = "sample", .items = 24, .local = 24,
	};
	struct rig rig;
	uint32_t n;

	if (rig_start(&rig, &options) && rig_stops(&rig, 3, stops, &n)) {
		for (uint32_t i = 0; i < n; i++)
			if (!entry_check(&rig, &stops[i], stops[0].ip))
				break;
		if (rig_lift(&rig, &stops[0]) &&
		    rig_go(&rig, stops, n, false))
			rig_end(&rig, 0);
	}
	rig_stop(&rig);
}

/* Each of the device's threads in its own slot, each with its own work-items. */
static bool all_check(const struct rig *rig)
{
	static bool slot_seen[DRIVER_THREADS], item_seen[DRIVER_THREADS];
	uint32_t first;

	memset(slot_seen, 0, sizeof(slot_seen));
	memset(item_seen, 0, sizeof(item_seen));
	for (uint32_t i = 0; i < DRIVER_THREADS; i++) {
		if (!entry_check(rig, &stops[i], stops[0].ip) ||
		    !payload_check(rig, &stops[i], &first))
			return false;
		if (!tap_expect(first % 8 == 0 && first / 8 < DRIVER_THREADS &&
				!item_seen[first / 8] &&
				!slot_seen[stops[i].slot],
				"slot %u: item %u twice", stops[i].slot, first))
			return false;
		item_seen[first / 8] = true;
		slot_seen[stops[i].slot] = true;
	}
	return true;
}

/* Resume by mask: every fifth thread, then the rest from the end. */
static bool all_resume(struct rig *rig)
{
	static struct stop left[DRIVER_THREADS];
	uint32_t n = 0;

	for (uint32_t i = DRIVER_THREADS; i-- > 0;) {
		if (i % 5)
			left[n++] = stops[i];
		else if (!rig_go(rig, &stops[i], 1, false))
			return false;
	}
	if (!rig_stops(rig, (int)n, stops, &n))
		return false;
	for (uint32_t i = 0; i < n; i += 7)
		if (!rig_go(rig, left + i, n - i < 7 ? n - i : 7, false))
			return false;
	return true;
}

static void all(enum sip sip)
{
	struct rig_options options = {
		.sip = sip, .kernel = "sample", .items = 8 * DRIVER_THREADS,
		.local = 8,
	};
	struct rig rig;
	uint32_t n;

	if (rig_start(&rig, &options) &&
	    rig_stops(&rig, DRIVER_THREADS, stops, &n) && all_check(&rig) &&
	    rig_lift(&rig, &stops[0]) && all_resume(&rig))
		rig_end(&rig, 0);
	rig_stop(&rig);
}

/* More threads than slots: those that wait for a slot must not stop. */
static void lifted(enum sip sip)
{
	struct rig_options options = {
		.sip = sip, .kernel = "sample", .items = 80 * DRIVER_THREADS,
		.local = 8,
	};
	struct rig rig;
	uint32_t n;

	if (rig_start(&rig, &options) &&
	    rig_stops(&rig, DRIVER_THREADS, stops, &n) &&
	    rig_lift(&rig, &stops[0]) && rig_go(&rig, stops, n, false) &&
	    rig_ended(&rig, 10000))
		tap_expect(!rig.status, "status 0x%x", rig.status);
	rig_stop(&rig);
}

const struct test stop_tests[] = {
	{ "the cookie stops each thread at its first instruction", entry,
	  TEST_ALL },
	{ "all threads stop at once, each in its own slot", all, TEST_ALL },
	{ "no thread stops once the entry is lifted", lifted, TEST_ALL },
	{ 0 },
};
