// SPDX-License-Identifier: MIT
#include "suite.h"

static void group_reduce(const struct kt_run *run)
{
	size_t size = run->test->local[0], g, l;

	for (g = 0; g < run->test->global[0] / size; g++) {
		const int32_t *in = KT_DATA(run, 0, int32_t) + g * size;
		int32_t *out = KT_WANT(run, 1, int32_t) + 6 * g * size;
		int32_t sum = 0, low = in[0], high = in[0];

		for (l = 0; l < size; l++) {
			out[6 * l + 4] = sum;
			sum += in[l];
			out[6 * l + 3] = sum;
			low = in[l] < low ? in[l] : low;
			high = in[l] > high ? in[l] : high;
		}
		for (l = 0; l < size; l++) {
			out[6 * l] = sum;
			out[6 * l + 1] = low;
			out[6 * l + 2] = high;
			out[6 * l + 5] = in[5];
		}
	}
}

static void group_wide(const struct kt_run *run)
{
	size_t size = run->test->local[0], g, l;

	for (g = 0; g < run->test->global[0] / size; g++) {
		const int64_t *in = KT_DATA(run, 0, int64_t) + g * size;
		int64_t *out = KT_WANT(run, 1, int64_t) + 5 * g * size;
		int64_t low = INT64_MAX, high = INT64_MIN;
		uint64_t sum = 0;

		for (l = 0; l < size; l++) {
			sum += (uint64_t)in[l];
			out[5 * l + 2] = sum;
			out[5 * l + 3] = low;
			low = in[l] < low ? in[l] : low;
			high = in[l] > high ? in[l] : high;
		}
		for (l = 0; l < size; l++) {
			out[5 * l] = sum;
			out[5 * l + 1] = high;
			out[5 * l + 4] = in[7];
		}
	}
}

static void group_vote(const struct kt_run *run)
{
	const int32_t *in = KT_DATA(run, 0, int32_t);
	size_t g, l;

	for (g = 0; g < 20; g++) {
		bool any = false, all = true;

		for (l = 0; l < 16; l++) {
			any |= in[16 * g + l] > 90;
			all &= in[16 * g + l] > 5;
		}
		for (l = 0; l < 16; l++)
			KT_WANT(run, 1, int32_t)[16 * g + l] = any + all * 2;
	}
}

/* The last group of a row is smaller: 50 items in groups of 16. */
static void linear_ids(const struct kt_run *run)
{
	uint32_t *out = KT_WANT(run, 0, uint32_t);
	size_t x, y, width;

	for (y = 0; y < 6; y++)
		for (x = 0; x < 50; x++, out += 2) {
			width = x < 48 ? 16 : 2;
			out[0] = y % 4 * width + x % 16;
			out[1] = 16 + width * 100;
		}
}

static void program_scope(const struct kt_run *run)
{
	size_t i;

	for (i = 0; i < 64; i++)
		KT_WANT(run, 0, int32_t)[i] = i % 4 + 1;
	KT_WANT(run, 0, int32_t)[64] = 40;
}

static int32_t weighted(const int32_t *list, size_t n)
{
	uint32_t sum = 0;
	size_t k;

	for (k = 0; k < n; k++)
		sum += (uint32_t)list[k] * (k + 1);
	return sum;
}

static void generic_pointers(const struct kt_run *run)
{
	const int32_t *in = KT_DATA(run, 0, int32_t);
	int32_t four[4];
	size_t i, k;

	for (i = 0; i < 64; i++) {
		for (k = 0; k < 4; k++)
			four[k] = in[(i % 2 ? i + k : i / 16 * 16 + k) % 64] &
				  0xfff;
		KT_WANT(run, 1, uint32_t)[i] =
			weighted(four, 4) + weighted(in, 3) % 1000;
	}
}

#define REDUCE(size) \
	{ .kernel = "group_reduce", .label = #size, \
	  .reference = group_reduce, .global = { 4 * (size) }, \
	  .local = { size }, \
	  .extension = "__opencl_c_work_group_collective_functions", \
	  .arg = { KT_BUFFER_RANGE(I32, 4 * (size), -9999, 9999), \
		   KT_BUFFER_OUT(I32, 24 * (size)) } }

const struct kt_case kt_collective[] = {
	REDUCE(16),
	REDUCE(40),
	REDUCE(128),
	{ .kernel = "group_wide", .reference = group_wide, .global = { 288 },
	  .local = { 72 },
	  .extension = "__opencl_c_work_group_collective_functions",
	  .arg = { KT_BUFFER_IN(I64, 288, BITS),
		   KT_BUFFER_OUT(I64, 5 * 288) } },
	{ .kernel = "group_vote", .reference = group_vote, .global = { 320 },
	  .local = { 16 },
	  .extension = "__opencl_c_work_group_collective_functions",
	  .arg = { KT_BUFFER_RANGE(I32, 320, 0, 100),
		   KT_BUFFER_OUT(I32, 320) } },
	{ .kernel = "linear_ids", .reference = linear_ids,
	  .global = { 50, 6 }, .local = { 16, 4 },
	  .arg = { KT_BUFFER_OUT(U32, 600) } },
	{ .kernel = "program_scope", .reference = program_scope,
	  .extension = "__opencl_c_program_scope_global_variables",
	  .global = { 64 }, .arg = { KT_BUFFER_OUT(I32, 65) } },
	{ .kernel = "generic_pointers", .reference = generic_pointers,
	  .global = { 64 }, .local = { 16 },
	  .extension = "__opencl_c_generic_address_space",
	  .arg = { KT_BUFFER_IN(I32, 64, BITS), KT_BUFFER_OUT(I32, 64) } },
	{},
};
