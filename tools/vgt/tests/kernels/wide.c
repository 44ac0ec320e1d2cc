// SPDX-License-Identifier: MIT
#include "suite.h"

#define N 150

typedef __int128 big;

static uint64_t rotate_left(uint64_t value, uint64_t count)
{
	count &= 63;
	return count ? value << count | value >> (64 - count) : value;
}

static uint64_t count_ones(uint64_t value)
{
	uint64_t count = 0;

	for (; value; value &= value - 1)
		count++;
	return count;
}

static uint64_t leading_zeros(uint64_t value)
{
	uint64_t count = 0;

	while (count < 64 && !(value >> (63 - count) & 1))
		count++;
	return count;
}

#define WIDE(type, ctype, low, high) \
static void wide_##type(const struct kt_run *run) \
{ \
	const ctype *a = KT_DATA(run, 0, ctype); \
	const ctype *b = KT_DATA(run, 1, ctype); \
	ctype *out = KT_WANT(run, 2, ctype); \
	size_t i; \
\
	for (i = 0; i < N; i++, out += 8) { \
		ctype x = a[i], y = b[i], c = 12345678901234; \
\
		out[0] = (uint64_t)x + (uint64_t)y; \
		out[1] = (uint64_t)x - (uint64_t)y; \
		out[2] = (uint64_t)x * (uint64_t)y; \
		out[3] = (uint64_t)x << (y & 63); \
		out[4] = x >> (y & 63); \
		out[5] = (x & ~y) | (x ^ (ctype)(0 - (uint64_t)y)); \
		out[6] = (uint64_t)(x < y ? x : y) - \
			 (uint64_t)(x > c ? x : c); \
		out[7] = (x < y) + (x == y) * 2 + (x > 5) * 4; \
	} \
} \
static void wide_divide_##type(const struct kt_run *run) \
{ \
	const ctype *a = KT_DATA(run, 0, ctype); \
	const ctype *b = KT_DATA(run, 1, ctype); \
	ctype *out = KT_WANT(run, 2, ctype); \
	size_t i; \
\
	for (i = 0; i < N; i++, out += 4) { \
		ctype y = b[i] == 0 || b[i] == (ctype)-1 ? 3 : b[i]; \
\
		out[0] = a[i] / y; \
		out[1] = a[i] % y; \
		out[2] = a[i] / 1000000007; \
		out[3] = a[i] % 37; \
	} \
} \
static void wide_builtin_##type(const struct kt_run *run) \
{ \
	const ctype *a = KT_DATA(run, 0, ctype); \
	const ctype *b = KT_DATA(run, 1, ctype); \
	ctype *out = KT_WANT(run, 2, ctype); \
	size_t i; \
\
	for (i = 0; i < N; i++, out += 8) { \
		big x = a[i], y = b[i], sum = x + y, gap = x - y; \
		ctype top = (ctype)((type##_product)x * y >> 64); \
\
		out[0] = sum < low ? low : sum > high ? high : (ctype)sum; \
		out[1] = gap < low ? low : gap > high ? high : (ctype)gap; \
		out[2] = top; \
		out[3] = rotate_left(a[i], b[i]); \
		out[4] = sum >> 1; \
		out[5] = (sum + 1) >> 1; \
		out[6] = count_ones(a[i]) + leading_zeros(b[i]); \
		out[7] = (uint64_t)top + (uint64_t)b[i]; \
	} \
}

typedef __int128 long_product;
typedef unsigned __int128 ulong_product;

WIDE(long, int64_t, INT64_MIN, INT64_MAX)
WIDE(ulong, uint64_t, 0, UINT64_MAX)

static void wide_lcg(const struct kt_run *run)
{
	const uint64_t *in = KT_DATA(run, 0, uint64_t);
	uint64_t *out = KT_WANT(run, 1, uint64_t);
	size_t i, turn;

	for (i = 0; i < N; i++) {
		uint64_t x = in[i];

		for (turn = 0; turn < 8 + i % 16; turn++) {
			x = x * 6364136223846793005 + 1442695040888963407;
			x ^= x >> 33;
		}
		out[i] = x;
	}
}

static void wide_widen(const struct kt_run *run)
{
	const int32_t *in = KT_DATA(run, 0, int32_t);
	const uint32_t *uin = KT_DATA(run, 1, uint32_t);
	int64_t *out = KT_WANT(run, 2, int64_t);
	size_t i;

	for (i = 0; i < N; i++, out += 4) {
		out[0] = in[i];
		out[1] = uin[i];
		out[2] = (int64_t)in[i] * in[i];
		out[3] = (uint64_t)uin[i] * uin[i];
	}
}

static void wide_vector(const struct kt_run *run)
{
	const uint64_t *in = KT_DATA(run, 0, uint64_t);
	uint64_t *out = KT_WANT(run, 1, uint64_t);
	size_t i;

	for (i = 0; i < N; i++) {
		out[2 * i] = in[2 * i + 1] * 3 + (in[2 * i] >> 1);
		out[2 * i + 1] = in[2 * i] * i + (in[2 * i + 1] >> 40);
	}
}

#define BINARY(function, tag, per_item) \
	{ .kernel = #function, .reference = function, .global = { N }, \
	  .arg = { KT_BUFFER_IN(tag, N, EDGES), KT_BUFFER_IN(tag, N, EDGES), \
		   KT_BUFFER_OUT(tag, (per_item) * N) } }
/*
 * Not the extreme values: IGC's add_sat() of twice the smallest long gives the
 * largest, and its rhadd() of twice the largest ulong gives half of it.
 */
#define RANDOM(function, tag, per_item) \
	{ .kernel = #function, .reference = function, .global = { N }, \
	  .arg = { KT_BUFFER_IN(tag, N, BITS), KT_BUFFER_IN(tag, N, BITS), \
		   KT_BUFFER_OUT(tag, (per_item) * N) } }

const struct kt_case kt_wide[] = {
	BINARY(wide_long, I64, 8),
	BINARY(wide_ulong, U64, 8),
	BINARY(wide_divide_long, I64, 4),
	BINARY(wide_divide_ulong, U64, 4),
	RANDOM(wide_builtin_long, I64, 8),
	RANDOM(wide_builtin_ulong, U64, 8),
	{ .kernel = "wide_lcg", .reference = wide_lcg, .global = { N },
	  .arg = { KT_BUFFER_IN(U64, N, BITS), KT_BUFFER_OUT(U64, N) } },
	{ .kernel = "wide_widen", .reference = wide_widen, .global = { N },
	  .arg = { KT_BUFFER_IN(I32, N, EDGES), KT_BUFFER_IN(U32, N, EDGES),
		   KT_BUFFER_OUT(I64, 4 * N) } },
	{ .kernel = "wide_vector", .reference = wide_vector, .global = { N },
	  .arg = { KT_BUFFER_IN(U64, 2 * N, BITS),
		   KT_BUFFER_OUT(U64, 2 * N) } },
	{},
};
