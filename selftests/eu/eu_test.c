// SPDX-License-Identifier: MIT
/* eu_test FOLDER [PART]: all tests, or those whose name contains PART. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct test *const suites[] = {
	stop_tests, step_tests, breakpoint_tests, halt_tests, write_tests,
	kernel_tests, register_tests, illegal_tests, hostile_tests,
	area_tests, slm_tests, program_tests, unsound_tests, global_tests, long_tests,
	pass_tests, range_tests, over_tests, load_tests,
};

static const char *const sip_names[] = {
	[SIP_OURS] = "our SIP",
	[SIP_BINDLESS] = "Intel's bindless SIP",
	[SIP_BINDFUL] = "Intel's default SIP",
};

static void run(const struct test *test, enum sip sip, const char *part)
{
	const char *why;
	char name[128];
	uint64_t begin;

	snprintf(name, sizeof(name), "%s, %s", test->name, sip_names[sip]);
	if (part && !strstr(name, part))
		return;
	begin = rig_now_ms();
	test->run(sip);
	if (getenv("EU_TEST_VERBOSE"))
		printf("# %llu ms\n",
		       (unsigned long long)(rig_now_ms() - begin));
	why = tap_reason();
	tap_point(!why, name, why);
}

int main(int argc, char **argv)
{
	const struct test *test;

	if (argc < 2)
		return 2;
	rig_init(argv[1]);
	printf("TAP version 13\n");
	for (size_t i = 0; i < sizeof(suites) / sizeof(suites[0]); i++)
		for (test = suites[i]; test->name; test++)
			for (enum sip sip = SIP_OURS; sip <= SIP_BINDFUL; sip++)
				if (test->sips >> sip & 1)
					run(test, sip,
					    argc > 2 ? argv[2] : NULL);
	return tap_end();
}
