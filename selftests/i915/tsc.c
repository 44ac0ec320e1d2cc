// SPDX-License-Identifier: MIT
/*
 * Prints how many times a millisecond this CPU's time stamp counter counts. A guest
 * finds that out itself, by other clocks, but wrongly by a factor of up to ten if its
 * CPU is not let run meanwhile.
 */
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <x86intrin.h>

#define TRIES 1000
#define SPAN_NS 200000000ULL

struct moment {
	uint64_t ns, counter;
};

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC_RAW, &now);
	return now.tv_sec * 1000000000ULL + now.tv_nsec;
}

/* Of many readings of both, the one with the least between them. */
static struct moment look(void)
{
	struct moment best = { 0 };
	uint64_t shortest = UINT64_MAX;

	for (int i = 0; i < TRIES; i++) {
		uint64_t before = __rdtsc(), ns = now_ns(), after = __rdtsc();

		if (after - before >= shortest)
			continue;
		shortest = after - before;
		best.ns = ns;
		best.counter = before + shortest / 2;
	}
	return best;
}

int main(void)
{
	struct timespec span = { .tv_nsec = SPAN_NS };
	struct moment first = look(), last;

	nanosleep(&span, NULL);
	last = look();
	printf("%llu\n", (unsigned long long)
	       ((last.counter - first.counter) * 1000000 /
		(last.ns - first.ns)));
	return 0;
}
