// SPDX-License-Identifier: MIT
/* Stops at the first instruction: what the slots say. */
#include "test.h"

#include <string.h>

#include <linux/gtdbg_sip.h>

#include "stage.h"

#define LAUNCH_MS 20000

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

/* As a thread leaves its slot that is reset while it waits there. */
static bool slots_leave(struct rig *rig, uint8_t count)
{
	uint32_t ready = GTDBG_SIP_COMMAND_READY;

	for (uint32_t slot = 0; slot < DRIVER_THREADS; slot++)
		if (!tap_expect(driver_slot_write(&rig->driver, slot,
						  GTDBG_SIP_SLOT_COMMAND,
						  &ready, sizeof(ready)) &&
				driver_slot_write(&rig->driver, slot,
						  GTDBG_SIP_SLOT_COUNT, &count,
						  sizeof(count)),
				"slot %u is not mapped", slot))
			return false;
	return true;
}

/* The one thread of the next launch. */
static bool next_stop(struct rig *rig, uint32_t *n_out)
{
	return tap_expect(gate_reached(&rig->gate, LAUNCH_MS) &&
			  gate_open(&rig->gate), "no launch") &&
	       rig_stops(rig, 1, stops, n_out);
}

/* The count that a stop leaves where @count was, or 0. */
static uint8_t count_behind(struct rig *rig, uint8_t count)
{
	uint8_t next = 0;
	uint32_t n;

	if (!rig_go(rig, stops, 1, false) ||
	    !tap_expect(gate_reached(&rig->gate, LAUNCH_MS), "no launch") ||
	    !slots_leave(rig, count) || !gate_open(&rig->gate))
		return 0;
	if (rig_stops(rig, 1, stops, &n))
		driver_slot_read(&rig->driver, stops[0].slot,
				 GTDBG_SIP_SLOT_COUNT, &next, sizeof(next));
	return next;
}

static void counts(enum sip sip)
{
	struct rig_options options = {
		.sip = sip, .kernel = "sample", .items = 8, .local = 8,
		.times = 5, .gated = true,
	};
	static const uint8_t left[] = { 1, 0x7f, 0xfe, 0xff };
	uint8_t count = 1;
	struct rig rig;
	uint32_t n;

	if (rig_start(&rig, &options) && next_stop(&rig, &n)) {
		for (uint32_t i = 0; i < sizeof(left) && count; i++) {
			count = count_behind(&rig, left[i]);
			tap_expect(count & 1 && count != left[i],
				   "count 0x%x behind 0x%x", count, left[i]);
		}
	}
	rig_stop(&rig);
}

/* It has found no launch's count, whatever it loaded. */
static void ticket(enum sip sip)
{
	struct rig_options options = {
		.sip = sip, .kernel = "reverse", .items = 8, .local = 8,
	};
	static const struct program always = { .op = {
		{ GTDBG_SIP_OP_END, 0, 0, 0 },
	} };
	int32_t found = 0;
	uint64_t spent;

	if (stage_start(&options)) {
		stage_bind(&always);
		tap_expect(stage_run(&spent) == code.ip[stage.first + 1],
			   "it runs on");
		driver_slot_read(&stage.rig.driver, stage.stop.slot,
				 GTDBG_SIP_SLOT_TICKET, &found, sizeof(found));
		tap_expect(found == GTDBG_SIP_TICKET_NONE, "ticket %d", found);
	}
	rig_stop(&stage.rig);
}

const struct test stop_tests[] = {
	{ "the cookie stops each thread at its first instruction", entry,
	  TEST_ALL },
	{ "all threads stop at once, each in its own slot", all, TEST_ALL },
	{ "no thread stops once the entry is lifted", lifted, TEST_ALL },
	{ "a stop counts where the last one's thread was reset", counts,
	  TEST_OURS },
	{ "who is stopped by a program has no ticket", ticket, TEST_OURS },
	{ 0 },
};
