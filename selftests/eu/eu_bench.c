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
 *	bench,eu-debug-on,grind,RATIO
 *		time of the same code with EU debugging off, relative to on
 */
#include "code.h"
#include "rig.h"
#include "tap.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "device.h"
#include "pool.h"

#define INACTIVE_THREADS 2000
#define ROUNDS 4

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

/*
 * Processor time of the server, which is nearly all for the EUs. @off: EU
 * debugging is turned off as soon as it is on.
 */
static uint64_t grind(bool off)
{
	struct rig_options options = {
		.sip = SIP_OURS, .kernel = "grind", .items = 32768,
		.local = 256, .inactive = true, .optimise = true,
	};
	uint64_t begin = processor_ns();
	struct rig rig;

	if (rig_start(&rig, &options)) {
		while (!rig_ended_now(&rig)) {
			rig_look(&rig, stops);
			if (off && rig.driver.device)
				driver_debug_off(&rig.driver);
			usleep(500);
		}
		tap_expect(!rig.status, "status 0x%x", rig.status);
	}
	rig_stop(&rig);
	return processor_ns() - begin;
}

static void debug_on(void)
{
	uint64_t on = UINT64_MAX, off = UINT64_MAX, ns;

	for (int i = 0; i < ROUNDS; i++) {
		ns = grind(false);
		on = ns < on ? ns : on;
		ns = grind(true);
		off = ns < off ? ns : off;
	}
	if (on)
		printf("bench,eu-debug-on,grind,%.3f\n",
		       (double)off / (double)on);
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
