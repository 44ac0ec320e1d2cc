/* SPDX-License-Identifier: MIT */
/*
 * The tests: each returns after tap_expect() has failed, or when all is well.
 * @sip is the system routine to test; options start zeroed but for it.
 */
#ifndef EU_TEST_H
#define EU_TEST_H

#include "rig.h"
#include "tap.h"

typedef void (*test_fn)(enum sip sip);

/* Bits of struct test.sips. */
#define TEST_OURS (1U << SIP_OURS)
#define TEST_BINDLESS (1U << SIP_BINDLESS)
#define TEST_BINDFUL (1U << SIP_BINDFUL)
#define TEST_HEADED (TEST_OURS | TEST_BINDLESS)
#define TEST_ALL (TEST_HEADED | TEST_BINDFUL)

struct test {
	const char *name;
	test_fn run;
	uint32_t sips;
};

extern const struct test stop_tests[], step_tests[], breakpoint_tests[],
	halt_tests[], write_tests[], kernel_tests[], register_tests[],
	illegal_tests[], hostile_tests[], area_tests[], slm_tests[],
	program_tests[], unsound_tests[], global_tests[], long_tests[], pass_tests[], range_tests[],
	over_tests[], load_tests[];

#endif
