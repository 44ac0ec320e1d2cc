// SPDX-License-Identifier: MIT
/*
 * The median of what a call of the OpenCL loader takes that does nothing, in
 * nanoseconds, with two readings of the clock: others who work do not change it.
 * usage: call COUNT
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ull + now.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

int main(int argc, char **argv)
{
	size_t count = argc > 1 ? strtoul(argv[1], NULL, 10) : 0, i;
	uint64_t *took = calloc(count + 1, sizeof(*took));

	if (!count || !took)
		return 2;
	for (i = 0; i < count; i++) {
		took[i] = now_ns();
		clFinish(NULL);
		took[i] = now_ns() - took[i];
	}
	qsort(took, count, sizeof(*took), by_value);
	printf("%llu\n", (unsigned long long)took[count / 2]);
	free(took);
	return 0;
}
