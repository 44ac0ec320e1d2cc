// SPDX-License-Identifier: MIT
/*
 * Simulated devices whose clocks are known: the printed bound must hold, whatever
 * the readings were like.
 */
#include "gtdbg.h"
#include "support/tap.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#define TRIALS 1000
#define PAIRS 40
#define HZ 19200000ull
#define COUNTER_MASK ((1ull << 36) - 1)
#define NS 1000000000ull

/* A device: it shows floor(count) at a moment, count = rate * (moment - start). */
struct device {
	long double rate; /* counts a ns */
	long double start_ns;
};

static uint64_t random_state = 1;

/* xorshift64*, so that each run has the same trials. */
static uint64_t random_below(uint64_t end)
{
	random_state ^= random_state >> 12;
	random_state ^= random_state << 25;
	random_state ^= random_state >> 27;
	return random_state * 0x2545f4914f6cdd1dull % end;
}

static struct device device_random(void)
{
	long double ppm = (long double)random_below(200001) / 1000 - 100;

	return (struct device){
		.rate = (long double)HZ / NS * (1 + ppm / 1000000),
		/* Anywhere in the counter's period, which is an hour. */
		.start_ns = -(long double)random_below(3600 * NS),
	};
}

static uint64_t shown(const struct device *device, uint64_t ns)
{
	long double count = device->rate * ((long double)ns - device->start_ns);

	return (uint64_t)floorl(count) & COUNTER_MASK;
}

/* Read at a moment, with a delay on each side. */
static struct gtdbg_device_clock reading(const struct device *device,
					 uint64_t ns, uint64_t before,
					 uint64_t after)
{
	return (struct gtdbg_device_clock){
		.gpu_time = shown(device, ns),
		.time_ns = ns - before,
		.span_ns = before + after,
		.timestamp_hz = HZ,
	};
}

/* Delays as a busy machine has them, always longer on the same side. */
static struct gtdbg_device_clock reading_random(const struct device *device,
						uint64_t ns)
{
	uint64_t delay = 500 + random_below(20000);

	if (!random_below(20))
		delay += random_below(5000000);
	return reading(device, ns, delay * 4 / 5, delay / 5);
}

/* Without any delay what remains is that a count lasts for 52 ns. */
static struct gtdbg_device_clock reading_exact(const struct device *device,
					       uint64_t ns)
{
	return reading(device, ns, 0, 0);
}

static bool holds(const struct gtdbg_clock *clock, const struct device *device,
		  uint64_t ns, uint64_t *error)
{
	uint64_t found;

	if (gtdbg_clock_time(clock, shown(device, ns), ns, &found, error))
		return false;
	return llabs((int64_t)(found - ns)) <= (int64_t)*error;
}

/* Moments among the pairs, and some seconds before and behind them. */
static void trials(struct gtdbg_device_clock (*read)(const struct device *,
						     uint64_t),
		   uint64_t bound, const char *name)
{
	uint64_t worst = 0, error;
	int inside = 0, fits = 0, i, j;

	for (i = 0; i < TRIALS; i++) {
		struct device device = device_random();
		uint64_t ns = 1000 * NS, end;
		struct gtdbg_clock *clock;
		bool good = true;

		gtdbg_clock_create(HZ, &clock);
		for (j = 0; j < PAIRS; j++) {
			struct gtdbg_device_clock pair = read(&device, ns);

			fits += gtdbg_clock_add(clock, &pair) == 0;
			ns += 1 + random_below(2 * NS);
		}
		end = ns;
		for (j = 0; j < 50; j++) {
			ns = 995 * NS + random_below(end - 990 * NS);
			good &= holds(clock, &device, ns, &error);
			if (error > worst)
				worst = error;
		}
		inside += good;
		gtdbg_clock_destroy(clock);
	}
	printf("# %s: largest bound %llu ns\n", name,
	       (unsigned long long)worst);
	tap_check(inside == TRIALS, "the true time is within the bound");
	tap_check(fits == TRIALS * PAIRS, "no pair is taken for a jump");
	tap_check(worst < bound, "the bound is of use");
}

static void wraps(void)
{
	/* It wraps five seconds after the first pair, and an hour later. */
	struct device device = {
		.rate = (long double)HZ / NS,
		.start_ns = 1005.0L * NS - (long double)(1ull << 36) /
					   ((long double)HZ / NS),
	};
	struct gtdbg_clock *clock;
	struct gtdbg_device_clock pair;
	uint64_t ns, error;
	bool good = true, fits = true;

	gtdbg_clock_create(HZ, &clock);
	for (ns = 1000 * NS; ns < 9000 * NS; ns += 500 * NS) {
		pair = reading(&device, ns, 1000, 1000);
		fits &= gtdbg_clock_add(clock, &pair) == 0;
		good &= holds(clock, &device, ns - 2 * NS, &error);
		good &= holds(clock, &device, ns + 7 * NS, &error);
	}
	tap_check(fits && good, "the counter begins anew after 36 bits");
	tap_check(holds(clock, &device, 1001 * NS, &error),
		  "long ago is found by the time near it");
	gtdbg_clock_destroy(clock);
}

static void jumps(void)
{
	struct device device = device_random();
	struct gtdbg_clock *clock;
	struct gtdbg_device_clock pair;
	uint64_t ns, error;
	int i;

	gtdbg_clock_create(HZ, &clock);
	for (i = 0, ns = 1000 * NS; i < 10; i++, ns += NS) {
		pair = reading_random(&device, ns);
		gtdbg_clock_add(clock, &pair);
	}
	/* The device stood still for 50 ms. */
	device.start_ns += 50000000;
	pair = reading_random(&device, ns);
	tap_check(gtdbg_clock_add(clock, &pair) == 1, "a jump is noticed");
	tap_check(holds(clock, &device, ns + NS, &error),
		  "and the new time is right");
	/* It was reset. */
	device.start_ns = ns;
	pair = reading(&device, ns + NS, 1000, 1000);
	tap_check(gtdbg_clock_add(clock, &pair) == 1, "a reset is noticed");
	tap_check(holds(clock, &device, ns + 2 * NS, &error),
		  "and the time from then on is right");
	gtdbg_clock_destroy(clock);
}

static void refusals(void)
{
	struct device device = device_random();
	struct gtdbg_clock *clock;
	struct gtdbg_device_clock pair = reading(&device, 1000 * NS, 10, 10);
	uint64_t ns, error;

	tap_check(gtdbg_clock_create(0, &clock) == -EINVAL,
		  "a frequency of 0 is refused");
	gtdbg_clock_create(HZ, &clock);
	tap_check(gtdbg_clock_time(clock, 0, 0, &ns, &error) == -ENODATA,
		  "there is no time without a pair");
	tap_check(!gtdbg_clock_add(clock, &pair) &&
		  holds(clock, &device, 1000 * NS, &error) && error < 200,
		  "one pair is as good as its span");
	tap_check(!gtdbg_clock_add(clock, &pair), "the same pair does no harm");
	pair.time_ns -= 1000;
	tap_check(gtdbg_clock_add(clock, &pair) == -EINVAL,
		  "an earlier pair is refused");
	pair.time_ns += NS;
	pair.span_ns = 61 * NS;
	tap_check(gtdbg_clock_add(clock, &pair) == -EINVAL,
		  "a span of more than a minute is refused");
	gtdbg_clock_destroy(clock);
}

int main(void)
{
	/* A pair alone would be wrong by 10 us each second, at 10 ppm. */
	trials(reading_random, 25000, "80:20");
	trials(reading_exact, 200, "exact");
	wraps();
	jumps();
	refusals();
	return tap_end();
}
