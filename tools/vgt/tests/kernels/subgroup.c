// SPDX-License-Identifier: MIT
#include "suite.h"

#define N 192

static void sub_reduce(const struct kt_run *run, size_t width)
{
	size_t group, l;

	for (group = 0; group < N / width; group++) {
		const int32_t *in = KT_DATA(run, 0, int32_t) + group * width;
		int32_t *out = KT_WANT(run, 1, int32_t) + 8 * group * width;
		int32_t sum = 0, low = in[0], high = in[0];

		for (l = 0; l < width; l++) {
			out[8 * l + 4] = sum;
			sum += in[l];
			out[8 * l + 3] = sum;
			low = in[l] < low ? in[l] : low;
			high = in[l] > high ? in[l] : high;
		}
		for (l = 0; l < width; l++) {
			out[8 * l] = sum;
			out[8 * l + 1] = low;
			out[8 * l + 2] = high;
			out[8 * l + 5] = in[3];
			out[8 * l + 6] = (high > 9000) + (low > -9000) * 2;
			out[8 * l + 7] = l + width * 100 +
					 group % (96 / width) * 10000;
		}
	}
}

static void sub_shuffle(const struct kt_run *run, size_t width)
{
	const int32_t *in = KT_DATA(run, 0, int32_t);
	int32_t *out = KT_WANT(run, 2, int32_t);
	size_t i, first, l;

	for (i = 0; i < N; i++, out += 4) {
		l = i % width;
		first = i - l;
		out[0] = in[first + KT_DATA(run, 1, uint32_t)[i] % width];
		out[1] = in[first + (l ^ 5)];
		/* What is shifted in comes from the other operand: x again. */
		out[2] = in[first + (l + width - 1) % width];
		out[3] = in[first + (l + 2) % width];
	}
}

static void sub_block(const struct kt_run *run, size_t width)
{
	const uint32_t *in = KT_DATA(run, 0, uint32_t);
	size_t i;

	for (i = 0; i < N; i++)
		KT_WANT(run, 1, uint32_t)[i] = in[i] + (in[i] ^ in[i + width]);
}

#define WIDTH(n) \
static void sub_reduce_##n(const struct kt_run *run) \
{ \
	sub_reduce(run, n); \
} \
static void sub_shuffle_##n(const struct kt_run *run) \
{ \
	sub_shuffle(run, n); \
}
#define BLOCK_WIDTH(n) \
static void sub_block_##n(const struct kt_run *run) \
{ \
	sub_block(run, n); \
}

WIDTH(8)
WIDTH(16)
WIDTH(32)
BLOCK_WIDTH(8)
BLOCK_WIDTH(16)

#define CASES(n) \
	{ .kernel = "sub_reduce_" #n, .reference = sub_reduce_##n, \
	  .global = { N }, .local = { 96 }, \
	  .extension = "cl_intel_subgroups", \
	  .arg = { KT_BUFFER_RANGE(I32, N, -9999, 9999), \
		   KT_BUFFER_OUT(I32, 8 * N) } }, \
	{ .kernel = "sub_shuffle_" #n, .reference = sub_shuffle_##n, \
	  .global = { N }, .local = { 96 }, \
	  .extension = "cl_intel_subgroups", \
	  .arg = { KT_BUFFER_IN(I32, N, BITS), KT_BUFFER_IN(U32, N, BITS), \
		   KT_BUFFER_OUT(I32, 4 * N) } }
#define BLOCK_CASE(n) \
	{ .kernel = "sub_block_" #n, .reference = sub_block_##n, \
	  .global = { N }, .local = { 96 }, \
	  .extension = "cl_intel_subgroups", \
	  .arg = { KT_BUFFER_IN(U32, N + 32, BITS), KT_BUFFER_OUT(U32, N) } }

const struct kt_case kt_subgroup[] = {
	CASES(8),
	CASES(16),
	CASES(32),
	BLOCK_CASE(8),
	BLOCK_CASE(16),
	{},
};
