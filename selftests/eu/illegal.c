// SPDX-License-Identifier: MIT
/* Illegal instructions. */
#include "test.h"

#include <linux/gtdbg_sip.h>

#include "code.h"

#define ILLEGAL_ENABLE 0x1000U /* of cr0.1 */
#define WHERE 3 /* instructions from the entry */

static struct stop stops[DRIVER_THREADS];
static struct code code;

static void put_code(const struct rig *rig, const void *bytes, uint32_t len)
{
	driver_write(&rig->driver, rig->driver.base + code.ip[WHERE], bytes,
		     len);
	driver_invalidate(&rig->driver);
}

/* Allow the exception in a stopped thread. Under our SIP it is. */
static void enable(const struct rig *rig)
{
	uint32_t control;

	driver_slot_read(&rig->driver, stops[0].slot, GTDBG_SIP_SLOT_CR + 4,
			 &control, 4);
	control |= ILLEGAL_ENABLE;
	driver_slot_write(&rig->driver, stops[0].slot, GTDBG_SIP_SLOT_CR + 4,
			  &control, 4);
}

/* The instruction itself is reported, and runs when it is whole again. */
static void stops_at(enum sip sip)
{
	struct rig_options options = {
		.sip = sip, .kernel = "sample", .items = 8, .local = 8,
	};
	static const uint8_t none[16];
	uint8_t whole[16];
	struct rig rig;
	uint32_t n;

	if (rig_start(&rig, &options) && rig_stops(&rig, 1, stops, &n) &&
	    rig_lift(&rig, &stops[0]) &&
	    tap_expect(code_read(&rig.driver, stops[0].ip, &code),
		       "the code has no end")) {
		n = code.ip[WHERE + 1] - code.ip[WHERE];
		driver_read(&rig.driver, rig.driver.base + code.ip[WHERE],
			    whole, n);
		put_code(&rig, none, n);
		if (sip != SIP_OURS)
			enable(&rig);
		if (rig_go(&rig, stops, 1, false) &&
		    rig_stops(&rig, 1, stops, &n)) {
			tap_expect(stops[0].cause == CAUSE_ILLEGAL &&
				   stops[0].ip == code.ip[WHERE],
				   "cause 0x%x at 0x%x", stops[0].cause,
				   stops[0].ip);
			put_code(&rig, whole,
				 code.ip[WHERE + 1] - code.ip[WHERE]);
			rig_end(&rig, 0);
		}
	}
	rig_stop(&rig);
}

const struct test illegal_tests[] = {
	{ "an illegal instruction stops before it", stops_at, TEST_ALL },
	{ 0 },
};
