// SPDX-License-Identifier: MIT
/* What nobody should do. Nothing may hang without saying so. */
#include "test.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <linux/gtdbg_sip.h>

#include "gt/device.h"

#define ROUNDS 20000

static struct stop stops[DRIVER_THREADS];

static void undefined(enum sip sip)
{
	struct rig_options options = {
		.sip = sip, .kernel = "sample", .items = 8, .local = 8,
	};
	uint32_t command = 77, refused, n;
	struct rig rig;

	if (rig_start(&rig, &options) && rig_stops(&rig, 1, stops, &n)) {
		driver_slot_write(&rig.driver, stops[0].slot,
				  GTDBG_SIP_SLOT_COMMAND, &command, 4);
		driver_release(&rig.driver, stops, 1);
		if (rig_stops(&rig, 1, stops, &n)) {
			driver_slot_read(&rig.driver, stops[0].slot,
					 GTDBG_SIP_SLOT_REFUSED, &refused, 4);
			driver_slot_read(&rig.driver, stops[0].slot,
					 GTDBG_SIP_SLOT_COMMAND, &command, 4);
			tap_expect(refused == 77 &&
				   command == GTDBG_SIP_COMMAND_READY,
				   "refused %u, command %u", refused, command);
			rig_end(&rig, 0);
		}
	}
	rig_stop(&rig);
}

/* Attention cleared without a command: the thread asks again. */
static void spurious(enum sip sip)
{
	struct rig_options options = {
		.sip = sip, .kernel = "sample", .items = 24, .local = 24,
	};
	struct rig rig;
	uint32_t n;

	if (rig_start(&rig, &options) && rig_stops(&rig, 3, stops, &n)) {
		for (int i = 0; i < 20; i++) {
			driver_release(&rig.driver, stops, n);
			if (!rig_stops(&rig, 3, stops, &n))
				break;
		}
		rig_end(&rig, 0);
	}
	rig_stop(&rig);
}

/* All threads of the first sub-slice's half wait: @bits are up. */
static bool bits_up(const struct rig *rig, uint32_t bits)
{
	uint64_t deadline = rig_now_ms() + 5000;

	while (driver_attention(&rig->driver, 0, 0) != bits)
		if (!tap_expect(rig_now_ms() < deadline,
				"TD_ATT 0x%x, not 0x%x",
				driver_attention(&rig->driver, 0, 0), bits))
			return false;
	return true;
}

/* No wake-up gets lost, and no wait, if they follow at once on one another. */
static void hammered(enum sip sip)
{
	struct rig_options options = {
		.sip = sip, .kernel = "sample", .items = 24, .local = 24,
	};
	struct rig rig;
	uint32_t n;

	if (rig_start(&rig, &options) && rig_stops(&rig, 3, stops, &n)) {
		for (int i = 0; i < ROUNDS && bits_up(&rig, 7); i++)
			driver_release(&rig.driver, stops, n);
		rig_end(&rig, 0);
	}
	rig_stop(&rig);
}

/* The save area's pages go: the thread stays, and says so. */
static void unmapped_area(enum sip sip)
{
	struct rig_options options = {
		.sip = sip, .kernel = "sample", .items = 8, .local = 8,
	};
	struct rig rig;
	uint64_t va;
	uint32_t n;

	if (rig_start(&rig, &options) && rig_stops(&rig, 1, stops, &n)) {
		va = rig.driver.area + rig.driver.slot_offset +
		     stops[0].slot * GTDBG_SIP_SLOT_BYTES;
		/* Written first: command and area may be on one page. */
		driver_command(&rig.driver, stops[0].slot, false);
		tap_expect(driver_unmap(&rig.driver, va) &&
			   driver_unmap(&rig.driver, va + 4096),
			   "cannot unmap");
		driver_release(&rig.driver, stops, 1);
		if (rig_attention(&rig))
			tap_expect(!rig_ended_now(&rig), "the program ended");
	}
	rig_stop(&rig);
}

/* The program ends by a signal or an error, and soon, as its device has. */
static void expect_failure(struct rig *rig)
{
	if (!rig_ended(rig, 20000) ||
	    !tap_expect(rig->status, "the program ended well"))
		return;
	tap_expect(rig->driver.device && atomic_load(&rig->driver.device->dead),
		   "the device did not end");
}

/* sync.allrd, sync.allwr */
static bool is_sip(const uint32_t words[8])
{
	static const uint32_t begin[8] = {
		0x80000001, 0x00010000, 0x20000000, 0,
		0x80000001, 0x00010000, 0x30000000, 0,
	};

	return !memcmp(words, begin, sizeof(begin));
}

/* Find the SIP by its bytes and take it away. */
static void unmapped_sip(enum sip sip)
{
	struct rig_options options = {
		.sip = sip, .kernel = "sample", .items = 8, .local = 8,
	};
	uint32_t words[8];
	struct rig rig;
	uint64_t va = 0;
	uint32_t n;

	if (rig_start(&rig, &options) && rig_stops(&rig, 1, stops, &n)) {
		for (; driver_next_page(&rig.driver, va, &va); va += 4096)
			if (driver_read(&rig.driver, va, words, 32) &&
			    is_sip(words))
				tap_expect(driver_unmap(&rig.driver, va),
					   "cannot unmap");
		driver_invalidate(&rig.driver);
		rig_go(&rig, stops, 1, true);
		expect_failure(&rig);
	}
	rig_stop(&rig);
}

/* jmpi to itself. */
static void endless_sip(enum sip sip)
{
	static const uint32_t code[4] = {
		0x80000020, 0x00004000, 0x00000000, 0x00000000,
	};
	char path[] = "/tmp/gtdbg-eu-sip-XXXXXX";
	struct rig_options options = {
		.sip = sip, .kernel = "sample", .items = 8, .local = 8,
		.sip_file = path, .watchdog_s = 1,
	};
	int fd = mkstemp(path);
	struct rig rig;

	if (tap_expect(fd >= 0 && write(fd, code, 16) == 16, "no file") &&
	    rig_start(&rig, &options)) {
		expect_failure(&rig);
		rig_stop(&rig);
	}
	close(fd);
	unlink(path);
}

/* A debuggee that is killed while it is stopped leaves the server whole. */
static void killed(enum sip sip)
{
	struct rig_options options = {
		.sip = sip, .kernel = "sample", .items = 8 * DRIVER_THREADS,
		.local = 8,
	};
	struct rig rig;
	uint32_t n;

	if (rig_start(&rig, &options))
		rig_stops(&rig, DRIVER_THREADS, stops, &n);
	rig_stop(&rig);
}

const struct test hostile_tests[] = {
	{ "an undefined command is refused", undefined, TEST_OURS },
	{ "a wake-up without a command changes nothing", spurious, TEST_ALL },
	{ "wake-ups in quick succession are not lost", hammered, TEST_ALL },
	{ "a thread whose slot is unmapped stays stopped", unmapped_area,
	  TEST_OURS },
	{ "a system routine that is not mapped ends the device", unmapped_sip,
	  TEST_OURS },
	{ "the watchdog ends a system routine without end", endless_sip,
	  TEST_OURS },
	{ "a program may be killed while it is stopped", killed, TEST_ALL },
	{ 0 },
};
