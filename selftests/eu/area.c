// SPDX-License-Identifier: MIT
/*
 * A save area that is absent, too small or unmapped. The SIP addresses it by a
 * surface state in memory: the tests rewrite all states that name the area.
 */
#include "test.h"

#include <string.h>

#include <linux/gtdbg_sip.h>

#include "eu/eu.h"
#include "gt/device.h"
#include "gt/pool.h"

#define STATES_MAX 64
#define STATE_DWORDS 16
#define STATE_BYTES (4 * STATE_DWORDS)
#define TYPE_SHIFT 29
#define TYPE_BUFFER 4U
#define TYPE_NULL 7U

/* TD_CTL */
#define CONTROL 0x90U /* as the runtime sets it */
#define FORCE_HALT 0x40U

#define FAULT_PAGE 0xceb8
#define FAULT 0xcec4

static struct stop stops[DRIVER_THREADS];

/* The surface states that name the save area, as the runtime wrote them. */
static struct {
	uint64_t va[STATES_MAX];
	uint32_t state[STATES_MAX][STATE_DWORDS];
	uint32_t count;
} found;

static void states_keep(uint64_t area, uint64_t va, const uint32_t *state)
{
	if (state[0] >> TYPE_SHIFT != TYPE_BUFFER ||
	    (state[8] | (uint64_t)state[9] << 32) != area ||
	    found.count == STATES_MAX)
		return;
	found.va[found.count] = va;
	memcpy(found.state[found.count++], state, STATE_BYTES);
}

static bool states_find(const struct driver *driver)
{
	uint32_t page[1024];
	uint64_t va = 0;

	found.count = 0;
	for (; driver_next_page(driver, va, &va); va += 4096) {
		if (!driver_read(driver, va, page, sizeof(page)))
			continue;
		for (uint32_t i = 0; i < 1024; i += STATE_DWORDS)
			states_keep(driver->area, va + 4 * i, page + i);
	}
	return tap_expect(found.count, "no surface state of the save area");
}

static void state_write(const struct driver *driver, uint32_t i,
			const uint32_t *state)
{
	tap_expect(driver_write(driver, found.va[i], state, STATE_BYTES),
		   "a surface state is not mapped");
}

static void states_restore(const struct driver *driver)
{
	for (uint32_t i = 0; i < found.count; i++)
		state_write(driver, i, found.state[i]);
	driver_invalidate(driver);
}

/* What a test does to a state, such that @slot is no longer in the surface. */
typedef void (*damage_fn)(uint32_t state[STATE_DWORDS], uint32_t slot);

static void make_null(uint32_t state[STATE_DWORDS], uint32_t slot)
{
	(void)slot;
	state[0] |= TYPE_NULL << TYPE_SHIFT;
}

static void make_zero(uint32_t state[STATE_DWORDS], uint32_t slot)
{
	(void)slot;
	memset(state, 0, STATE_BYTES);
}

static void make_small(uint32_t state[STATE_DWORDS], uint32_t slot)
{
	uint32_t last = GTDBG_SIP_SLOT_OFFSET + slot * GTDBG_SIP_SLOT_BYTES - 1;

	state[2] = (last & 0x7f) | (last >> 7 & 0x3fff) << 16;
	state[3] = (state[3] & 0x1fffff) | last >> 21 << 21;
}

static void states_damage(const struct driver *driver, damage_fn damage,
			  uint32_t slot)
{
	uint32_t state[STATE_DWORDS];

	for (uint32_t i = 0; i < found.count; i++) {
		memcpy(state, found.state[i], STATE_BYTES);
		damage(state, slot);
		state_write(driver, i, state);
	}
	driver_invalidate(driver);
}

/* The area goes while a thread is stopped: it stays until the area is back. */
static void lost(enum sip sip, damage_fn damage)
{
	struct rig_options options = {
		.sip = sip, .kernel = "sample", .items = 8, .local = 8,
	};
	struct rig rig;
	uint32_t n;

	if (rig_start(&rig, &options) && rig_stops(&rig, 1, stops, &n) &&
	    states_find(&rig.driver)) {
		states_damage(&rig.driver, damage, stops[0].slot);
		if (rig_go(&rig, stops, 1, false) && rig_attention(&rig) &&
		    tap_expect(!rig_ended_now(&rig), "the program ended")) {
			states_restore(&rig.driver);
			driver_release(&rig.driver, stops, 1);
			rig_end(&rig, 0);
		}
	}
	rig_stop(&rig);
}

static void lost_null(enum sip sip)
{
	lost(sip, make_null);
}

static void lost_small(enum sip sip)
{
	lost(sip, make_small);
}

/* Zeros are a 1D image, which block messages cannot read: vgt says so. */
static void lost_zero(enum sip sip)
{
	struct rig_options options = {
		.sip = sip, .kernel = "sample", .items = 8, .local = 8,
	};
	struct rig rig;
	uint32_t n;

	if (rig_start(&rig, &options) && rig_stops(&rig, 1, stops, &n) &&
	    states_find(&rig.driver)) {
		states_damage(&rig.driver, make_zero, stops[0].slot);
		if (rig_go(&rig, stops, 1, false) && rig_ended(&rig, 20000))
			tap_expect(rig.status, "the program ended well");
	}
	rig_stop(&rig);
}

/* One thread that goes round for ever, past its first stop. */
static bool endless_start(struct rig *rig, const struct rig_options *options)
{
	uint32_t n;

	return rig_start(rig, options) && rig_stops(rig, 1, stops, &n) &&
	       states_find(&rig->driver) && rig_lift(rig, &stops[0]) &&
	       rig_go(rig, stops, 1, false) && rig_left(rig, 1);
}

/* No flags, no session: the thread is forced into the SIP and comes back. */
static bool runs_on(struct rig *rig)
{
	bool ok;

	driver_control(&rig->driver, CONTROL | FORCE_HALT);
	ok = rig_left(rig, 2);
	driver_control(&rig->driver, CONTROL);
	return ok && tap_expect(!driver_waits(&rig->driver), "it stopped");
}

static void absent(enum sip sip)
{
	struct rig_options options = {
		.sip = sip, .kernel = "endless", .items = 8, .local = 8,
	};
	struct rig rig;
	uint32_t n;

	if (endless_start(&rig, &options)) {
		states_damage(&rig.driver, make_null, 0);
		runs_on(&rig);
		states_restore(&rig.driver);
		driver_control(&rig.driver, CONTROL | FORCE_HALT);
		rig_stops(&rig, 1, stops, &n);
		driver_control(&rig.driver, CONTROL);
		if (rig_loop_end(&rig))
			rig_end(&rig, 0);
	}
	rig_stop(&rig);
}

/* The page with the flags is gone from the page tables. */
static void unmapped(enum sip sip)
{
	struct rig_options options = {
		.sip = sip, .kernel = "endless", .items = 8, .local = 8,
	};
	struct vgt_device *device;
	struct rig rig;

	if (endless_start(&rig, &options)) {
		device = rig.driver.device;
		tap_expect(driver_unmap(&rig.driver, rig.driver.area),
			   "cannot unmap");
		runs_on(&rig);
		tap_expect(vgt_device_reg_read(device, FAULT) & 1 &&
			   vgt_device_reg_read(device, FAULT_PAGE) ==
			   (uint32_t)(rig.driver.area >> 12),
			   "no fault at the save area");
		if (rig_loop_end(&rig) && rig_ended(&rig, 5000))
			tap_expect(!rig.status, "status 0x%x", rig.status);
	}
	rig_stop(&rig);
}

/*
 * The flags are there and the slot is not: the thread stops, and nothing is
 * written. When the area is back its slot holds the first stop and the command
 * of that time, so that the thread begins again at its entry.
 */
static void small(enum sip sip)
{
	static uint8_t before[GTDBG_SIP_SLOT_BYTES];
	static uint8_t after[GTDBG_SIP_SLOT_BYTES];
	struct rig_options options = {
		.sip = sip, .kernel = "endless", .items = 8, .local = 8,
	};
	struct rig rig;

	if (endless_start(&rig, &options)) {
		driver_slot_read(&rig.driver, stops[0].slot, 0, before,
				 sizeof(before));
		states_damage(&rig.driver, make_small, stops[0].slot);
		driver_control(&rig.driver, CONTROL | FORCE_HALT);
		rig_attention(&rig);
		driver_control(&rig.driver, CONTROL);
		driver_release(&rig.driver, stops, 1);
		rig_attention(&rig);
		driver_slot_read(&rig.driver, stops[0].slot, 0, after,
				 sizeof(after));
		tap_expect(!memcmp(before, after, sizeof(after)),
			   "the slot was written");
		states_restore(&rig.driver);
		if (rig_loop_end(&rig)) {
			driver_release(&rig.driver, stops, 1);
			rig_end(&rig, 0);
		}
	}
	rig_stop(&rig);
}

/* Bind a condition that no number meets to the instruction at @ip. */
static void bind(const struct driver *driver, uint32_t ip)
{
	struct gtdbg_sip_bucket bucket = { .tag = ip, .value = 7 };
	struct gtdbg_sip_program program = {
		.check = GTDBG_SIP_PROGRAM_MAGIC ^ ip,
		.op = {
			{ GTDBG_SIP_OP_REGISTER, 32 * 34, 0, 0 },
			{ GTDBG_SIP_OP_LESS, 0, 0, 0 },
			{ GTDBG_SIP_OP_GREATER, 0, 0, 0 },
			{ GTDBG_SIP_OP_END, 0, 0, 0 },
		},
	};
	uint32_t dword[sizeof(program) / 4];

	memcpy(dword, &program, sizeof(dword));
	for (uint32_t i = 1; i < sizeof(dword) / sizeof(dword[0]); i++)
		program.check ^= dword[i];
	driver_write(driver, driver->area + GTDBG_SIP_PROGRAM_OFFSET +
		     bucket.value * GTDBG_SIP_PROGRAM_BYTES, &program,
		     sizeof(program));
	driver_write(driver, driver->area + GTDBG_SIP_TABLE_OFFSET +
		     (ip & GTDBG_SIP_TABLE_MASK), &bucket, sizeof(bucket));
	driver_breakpoint(driver, driver->base + ip, true);
	driver_invalidate(driver);
}

/* Wait until the thread in @slot goes round, and halt it there. */
static bool loop_halt(struct rig *rig, uint32_t slot, struct stop *loop)
{
	struct vgt_eu_thread *thread =
		vgt_pool_slot(rig->driver.device->pool, slot);
	uint64_t begun = thread->instructions, end = rig_now_ms() + 20000;
	uint32_t n;
	bool ok;

	while (*(volatile uint64_t *)&thread->instructions < begun + 100000)
		if (!tap_expect(rig_now_ms() < end, "it does not go round"))
			return false;
	driver_control(&rig->driver, CONTROL | FORCE_HALT);
	ok = rig_stops(rig, 1, loop, &n);
	driver_control(&rig->driver, CONTROL);
	return ok;
}

/* The thread goes round, and has run on from the program that many times. */
static bool is_decided(const struct rig *rig, uint32_t times)
{
	uint64_t end = rig_now_ms() + 20000;
	uint32_t count = 0;

	while (driver_read(&rig->driver, rig->driver.area +
			   GTDBG_SIP_COUNT_OFFSET, &count, sizeof(count)) &&
	       count < times)
		if (!tap_expect(rig_now_ms() < end, "%u decisions", count))
			return false;
	return tap_expect(count >= times, "no counter");
}

/*
 * The table and programs are there and the slot is not: the registers that a program
 * needs would come back as zeros, so the thread does not go on.
 */
static void undecided(enum sip sip)
{
	struct rig_options options = {
		.sip = sip, .kernel = "endless", .items = 8, .local = 8,
	};
	struct stop loop[DRIVER_THREADS];
	struct rig rig;

	if (endless_start(&rig, &options) &&
	    loop_halt(&rig, stops[0].slot, loop) &&
	    rig_go(&rig, loop, 1, false) && rig_left(&rig, 2)) {
		bind(&rig.driver, loop[0].ip);
		if (is_decided(&rig, 100)) {
			states_damage(&rig.driver, make_small, loop[0].slot);
			rig_attention(&rig);
		}
	}
	rig_stop(&rig);
}

const struct test area_tests[] = {
	{ "a thread stays whose save area becomes a null surface", lost_null,
	  TEST_OURS },
	{ "a thread stays whose save area becomes too small", lost_small,
	  TEST_OURS },
	{ "a save area whose surface state is zero ends the device",
	  lost_zero, TEST_OURS },
	{ "a null surface as save area holds no thread up", absent, TEST_OURS },
	{ "a save area that is not mapped holds no thread up", unmapped,
	  TEST_OURS },
	{ "a thread whose slot is beyond the save area writes nothing", small,
	  TEST_OURS },
	{ "a program decides nothing for a thread whose slot is beyond it",
	  undecided, TEST_OURS },
	{ 0 },
};
