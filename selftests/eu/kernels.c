// SPDX-License-Identifier: MIT
/* Kernels of all kinds, stopped at every instruction that they execute. */
#include "test.h"

static struct stop stops[DRIVER_THREADS];

/* Step all threads from their entry to their end, whatever they do. */
static void walk(const struct rig_options *options)
{
	uint64_t deadline = rig_now_ms() + 60000, steps = 0;
	struct rig rig;
	uint32_t n;

	if (rig_start(&rig, options) && rig_stops(&rig, -1, stops, &n)) {
		while (!rig_ended_now(&rig)) {
			n = rig_look(&rig, stops);
			steps += n;
			if ((n && !rig_go(&rig, stops, n, true)) ||
			    !tap_expect(rig_now_ms() < deadline,
					"%s: no end after %llu steps",
					options->kernel,
					(unsigned long long)steps))
				break;
		}
		tap_expect(!rig.status, "%s: status 0x%x after %llu steps",
			   options->kernel, rig.status,
			   (unsigned long long)steps);
		tap_expect(steps > 50, "%s: %llu steps", options->kernel,
			   (unsigned long long)steps);
	}
	rig_stop(&rig);
}

static void diverge(enum sip sip)
{
	struct rig_options options = {
		.sip = sip, .kernel = "diverge", .items = 16, .local = 8,
	};

	walk(&options);
}

static void barrier(enum sip sip)
{
	struct rig_options options = {
		.sip = sip, .kernel = "reverse", .items = 64, .local = 32,
	};

	walk(&options);
}

static void reduction(enum sip sip)
{
	struct rig_options options = {
		.sip = sip, .kernel = "total", .items = 32, .local = 32,
	};

	walk(&options);
}

static void spill(enum sip sip)
{
	struct rig_options options = {
		.sip = sip, .kernel = "spill", .items = 16, .local = 16,
		.optimise = true,
	};

	walk(&options);
}

static void simd16(enum sip sip)
{
	struct rig_options options = {
		.sip = sip, .kernel = "wide16", .items = 48, .local = 48,
		.optimise = true,
	};

	walk(&options);
}

/* The last thread has part of its channels only. */
static void simd32(enum sip sip)
{
	struct rig_options options = {
		.sip = sip, .kernel = "wide32", .items = 80, .local = 80,
		.optimise = true,
	};

	walk(&options);
}

/* Intel's SIPs lose what an accumulator has above 32 bits. */
static void product(enum sip sip)
{
	struct rig_options options = {
		.sip = sip, .kernel = "product", .items = 32, .local = 32,
		.optimise = true,
	};

	walk(&options);
}

const struct test kernel_tests[] = {
	{ "divergent control flow and calls, step by step", diverge, TEST_ALL },
	{ "local memory and a barrier, step by step", barrier, TEST_ALL },
	{ "a reduction with barriers, step by step", reduction, TEST_ALL },
	{ "private arrays, optimised, step by step", spill, TEST_ALL },
	{ "SIMD16, step by step", simd16, TEST_ALL },
	{ "SIMD32, step by step", simd32, TEST_ALL },
	{ "64-bit products, step by step", product, TEST_OURS },
	{ 0 },
};
