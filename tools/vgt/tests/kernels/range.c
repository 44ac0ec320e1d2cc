// SPDX-License-Identifier: MIT
#include "suite.h"

static void range_item(const struct kt_run *run, const size_t *at,
		       const size_t *size, const size_t *local)
{
	const struct kt_case *test = run->test;
	size_t index = (at[2] * size[1] + at[1]) * size[0] + at[0];
	uint32_t *out = KT_WANT(run, 0, uint32_t) + 3 * index;
	uint32_t ids = 0, groups = 0, dims;
	int d;

	for (d = 0; d < 3; d++) {
		ids = ids * 97 + at[d] + test->offset[d] +
		      at[d] % local[d] * 11;
		groups = groups * 89 +
			 at[d] / local[d] * (size[d] / local[d]) + local[d];
	}
	dims = test->global[2] ? 3 : test->global[1] ? 2 : 1;
	out[0] = ids;
	out[1] = groups;
	out[2] = dims * 1000 + size[2];
}

static void range_ids(const struct kt_run *run)
{
	size_t size[3], local[3], at[3];
	int d;

	for (d = 0; d < 3; d++) {
		size[d] = run->test->global[d] ? run->test->global[d] : 1;
		local[d] = run->test->local[d] ? run->test->local[d] : 1;
	}
	for (at[2] = 0; at[2] < size[2]; at[2]++)
		for (at[1] = 0; at[1] < size[1]; at[1]++)
			for (at[0] = 0; at[0] < size[0]; at[0]++)
				range_item(run, at, size, local);
}

static void range_count(const struct kt_run *run)
{
	size_t n = run->test->global[0];

	*KT_WANT(run, 0, uint32_t) = n;
	*KT_WANT(run, 1, uint32_t) = n * (n + 1) / 2;
}

static void range_required(const struct kt_run *run)
{
	size_t x, y, z;

	for (z = 0; z < 4; z++)
		for (y = 0; y < 12; y++)
			for (x = 0; x < 8; x++)
				KT_WANT(run, 0, uint32_t)[(z * 12 + y) * 8 +
							  x] =
					x % 4 + y % 6 * 4 + z % 2 * 24 + 6000;
}

static void range_no_ids(const struct kt_run *run)
{
	KT_WANT(run, 0, uint32_t)[0] = 42;
	KT_WANT(run, 0, uint32_t)[1] = 3;
}

static const float factor = 1.5f;

static void range_saxpy(const struct kt_run *run)
{
	size_t i;

	for (i = 0; i < run->test->global[0]; i++)
		KT_WANT(run, 1, float)[i] +=
			factor * KT_DATA(run, 0, float)[i];
}

#define IDS(name, x, y, z, lx, ly, lz, ox, oy, oz) \
	{ .kernel = "range_ids", .label = name, .reference = range_ids, \
	  .global = { x, y, z }, .local = { lx, ly, lz }, \
	  .offset = { ox, oy, oz }, \
	  .arg = { KT_BUFFER_OUT(U32, 3 * (x) * ((y) ? (y) : 1) * \
					      ((z) ? (z) : 1)) } }
#define COUNT(n) \
	{ .kernel = "range_count", .label = #n, .reference = range_count, \
	  .global = { n }, \
	  .arg = { KT_BUFFER_INOUT(U32, 1, ZERO), \
		   KT_BUFFER_INOUT(U32, 1, ZERO) } }

const struct kt_case kt_range[] = {
	IDS("1d", 96, 0, 0, 32, 0, 0, 0, 0, 0),
	IDS("1d odd", 91, 0, 0, 13, 0, 0, 0, 0, 0),
	IDS("1d single", 5, 0, 0, 1, 0, 0, 0, 0, 0),
	IDS("1d offset", 60, 0, 0, 20, 0, 0, 1000, 0, 0),
	IDS("1d large", 512, 0, 0, 256, 0, 0, 0, 0, 0),
	IDS("2d", 24, 10, 0, 8, 5, 0, 0, 0, 0),
	IDS("2d offset", 15, 14, 0, 5, 7, 0, 3, 70000, 0),
	IDS("3d", 6, 10, 4, 3, 5, 2, 0, 0, 0),
	IDS("3d offset", 4, 6, 9, 2, 3, 3, 1, 2, 3),
	IDS("3d thin", 1, 1, 33, 1, 1, 11, 0, 0, 0),
	COUNT(1),
	COUNT(7),
	COUNT(31),
	COUNT(33),
	COUNT(257),
	COUNT(1021),
	COUNT(5000),
	{ .kernel = "range_required", .reference = range_required,
	  .global = { 8, 12, 4 }, .local = { 4, 6, 2 },
	  .arg = { KT_BUFFER_OUT(U32, 384) } },
	{ .kernel = "range_no_ids", .reference = range_no_ids,
	  .global = { 48 }, .local = { 16 },
	  .arg = { KT_BUFFER_OUT(U32, 2) } },
	{ .kernel = "range_saxpy", .reference = range_saxpy,
	  .global = { 20000 },
	  .arg = { KT_BUFFER_IN(F32, 20000, INDEX),
		   KT_BUFFER_INOUT(F32, 20000, INDEX), KT_BYTES(&factor) } },
	{},
};
