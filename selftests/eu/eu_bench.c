// SPDX-License-Identifier: MIT
/*
 * eu_bench FOLDER: what debugging costs on the virtual GT, as CSV lines.
 *
 *	bench,eu-inactive,SIP,INSTRUCTIONS
 *		an entry into the SIP with no session
 *	bench,eu-cycle,SIP,INSTRUCTIONS
 *		stop, save, resume
 *	bench,eu-step-all,SIP,THREADS,MILLISECONDS
 *		all threads of the device, one step each, host included
 *	bench,eu-debug-on,grind,INSTRUCTIONS
 *	bench,eu-debug-off,grind,INSTRUCTIONS
 *		one launch of the same code, EU debugging on and no breakpoint
 *		hit; EU debugging off
 *	bench,eu-debug-ratio,grind,FASTEST,MEDIAN
 *		processor time of a launch with EU debugging off, relative to
 *		on, of ROUNDS launches each that take turns
 */
#include "code.h"
#include "rig.h"
#include "tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "gt/device.h"
#include "gt/pool.h"

#define INACTIVE_THREADS 2000
#define ROUNDS 25
#define LAUNCH_MS 20000

static struct stop stops[DRIVER_THREADS];

static const char *const sip_names[] = {
	[SIP_OURS] = "gtdbg",
	[SIP_BINDLESS] = "intel-bindless",
	[SIP_BINDFUL] = "intel-default",
};

static void totals(const struct rig *rig, struct vgt_pool_totals *out)
{
	vgt_pool_totals(rig->driver.device->pool, out);
}

/* Step "sample" on one thread to its end; returns the kernel's instructions. */
static uint64_t cycle(enum sip sip)
{
	struct rig_options options = {
		.sip = sip, .kernel = "sample", .items = 8, .local = 8,
	};
	struct vgt_pool_totals total;
	uint64_t steps = 0;
	struct rig rig;
	uint32_t n;

	if (!rig_start(&rig, &options) || !rig_stops(&rig, 1, stops, &n)) {
		rig_stop(&rig);
		return 0;
	}
	while (!rig_ended_now(&rig)) {
		n = rig_look(&rig, stops);
		steps += n;
		if (n && !rig_go(&rig, stops, n, true))
			break;
	}
	totals(&rig, &total);
	rig_stop(&rig);
	if (!tap_expect(steps, "nothing stopped"))
		return 0;
	/* Stops stand before all instructions but the last. */
	printf("bench,eu-cycle,%s,%llu\n", sip_names[sip],
	       (unsigned long long)((total.instructions - steps - 1) / steps));
	return steps + 1;
}

/* Every thread of a launch enters the SIP once and comes back at once. */
static void inactive(uint64_t kernel)
{
	struct rig_options options = {
		.sip = SIP_OURS, .kernel = "sample", .local = 8,
		.items = 8 * INACTIVE_THREADS, .inactive = true,
	};
	struct vgt_pool_totals total;
	struct rig rig;

	if (rig_start(&rig, &options) && rig_end(&rig, 0)) {
		totals(&rig, &total);
		printf("bench,eu-inactive,%s,%llu\n", sip_names[SIP_OURS],
		       (unsigned long long)(total.instructions /
					    INACTIVE_THREADS - kernel));
	}
	rig_stop(&rig);
}

static void step_all(enum sip sip)
{
	struct rig_options options = {
		.sip = sip, .kernel = "sample", .items = 8 * DRIVER_THREADS,
		.local = 8,
	};
	uint64_t begin;
	struct rig rig;
	uint32_t n;

	if (rig_start(&rig, &options) &&
	    rig_stops(&rig, DRIVER_THREADS, stops, &n)) {
		begin = rig_now_ms();
		for (int i = 0; i < 10; i++)
			if (!rig_go(&rig, stops, n, true) ||
			    !rig_stops(&rig, DRIVER_THREADS, stops, &n))
				break;
		printf("bench,eu-step-all,%s,%u,%.1f\n", sip_names[sip], n,
		       (double)(rig_now_ms() - begin) / 10);
	}
	rig_stop(&rig);
}

static uint64_t processor_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* What one launch takes the server: nearly all of it is for the EUs. */
struct cost {
	uint64_t ns[ROUNDS];
	uint64_t instructions;
};

/* Run launch number @round with EU debugging on or off. */
static bool grind(struct rig *rig, bool on, uint32_t round, struct cost *cost)
{
	struct vgt_pool_totals before, after;
	uint64_t begin;

	driver_debug(&rig->driver, on);
	totals(rig, &before);
	begin = processor_ns();
	if (!tap_expect(gate_open(&rig->gate) &&
			gate_reached(&rig->gate, LAUNCH_MS),
			"launch %u does not end", round))
		return false;
	cost->ns[round] = processor_ns() - begin;
	totals(rig, &after);
	cost->instructions = after.instructions - before.instructions;
	return true;
}

/* The first launch stops at its entry; no later one does. */
static bool grind_start(struct rig *rig)
{
	uint32_t n;

	if (!tap_expect(gate_reached(&rig->gate, LAUNCH_MS) &&
			gate_open(&rig->gate), "no launch") ||
	    !rig_stops(rig, -1, stops, &n) || !rig_lift(rig, &stops[0]))
		return false;
	for (uint32_t tries = 0; tries < LAUNCH_MS; tries++) {
		n = rig_look(rig, stops);
		if (n && !rig_go(rig, stops, n, false))
			return false;
		if (gate_reached(&rig->gate, 1))
			return true;
	}
	return tap_expect(false, "the first launch does not end");
}

static int compare(const void *a, const void *b)
{
	const uint64_t *one = a, *other = b;

	return (*one > *other) - (*one < *other);
}

static void debug_report(struct cost *on, struct cost *off)
{
	qsort(on->ns, ROUNDS, sizeof(on->ns[0]), compare);
	qsort(off->ns, ROUNDS, sizeof(off->ns[0]), compare);
	printf("bench,eu-debug-on,grind,%llu\n",
	       (unsigned long long)on->instructions);
	printf("bench,eu-debug-off,grind,%llu\n",
	       (unsigned long long)off->instructions);
	printf("bench,eu-debug-ratio,grind,%.3f,%.3f\n",
	       (double)off->ns[0] / (double)on->ns[0],
	       (double)off->ns[ROUNDS / 2] / (double)on->ns[ROUNDS / 2]);
}

static void debug_on(void)
{
	struct rig_options options = {
		.sip = SIP_OURS, .kernel = "grind", .items = 4096,
		.local = 256, .optimise = true, .gated = true,
		/* The last one is never let through. */
		.times = 2 + 2 * ROUNDS,
	};
	static struct cost on, off;
	struct rig rig;
	uint32_t i = 0;

	if (rig_start(&rig, &options) && grind_start(&rig)) {
		/* Whichever is second finds the caches warm: take turns. */
		for (; i < ROUNDS; i++)
			if (!grind(&rig, i & 1, i, i & 1 ? &on : &off) ||
			    !grind(&rig, ~i & 1, i, i & 1 ? &off : &on))
				break;
		if (i == ROUNDS)
			debug_report(&on, &off);
	}
	rig_stop(&rig);
}

int main(int argc, char **argv)
{
	uint64_t kernel = 0;
	const char *why;

	if (argc < 2)
		return 2;
	rig_init(argv[1]);
	for (enum sip sip = SIP_BINDFUL; sip >= SIP_OURS; sip--)
		kernel = cycle(sip);
	inactive(kernel);
	for (enum sip sip = SIP_OURS; sip <= SIP_BINDFUL; sip++)
		step_all(sip);
	debug_on();
	why = tap_reason();
	if (why)
		fprintf(stderr, "eu_bench: %s\n", why);
	return why ? 1 : 0;
}
