// SPDX-License-Identifier: MIT
#include "suite.h"

#define N 180

struct pair {
	int32_t a;
	float b;
};

struct record {
	int8_t tag;
	int16_t width;
	int32_t value[4];
	int64_t sum;
};

static int32_t weigh(int32_t x, int32_t y)
{
	return x > y ? x - y * 2 : x * 3 + y;
}

static void call_divergent(const struct kt_run *run)
{
	int32_t i, x;

	for (i = 0; i < N; i++) {
		x = KT_DATA(run, 0, int32_t)[i] & 0xfff;
		KT_WANT(run, 1, int32_t)[i] =
			x & 1 ? weigh(x, i * 8) : weigh(i * 16, x) ^ 1;
	}
}

static void call_chain(const struct kt_run *run)
{
	int32_t i, k, x, sum;

	for (i = 0; i < N; i++) {
		x = KT_DATA(run, 0, int32_t)[i] & 0xfff;
		sum = 0;
		/* (y+1)^2 - 1 + (y-1)^2 - 1 is 2 y^2. */
		for (k = 0; k < (x & 7); k++)
			sum += 2 * (k + x) * (k + x);
		KT_WANT(run, 1, int32_t)[i] = sum;
	}
}

static void call_struct(const struct kt_run *run)
{
	size_t i;

	for (i = 0; i < N; i++) {
		int32_t x = KT_DATA(run, 0, int32_t)[i] & 0xff;

		KT_WANT(run, 1, float)[i] = (2 * x + 1) * 4 + x * 0.5f;
	}
}

static void call_pointer(const struct kt_run *run)
{
	int32_t i, value;

	for (i = 0; i < N; i++) {
		value = KT_DATA(run, 0, int32_t)[i] & 63;
		while (value < 100 + i)
			value += value + 1;
		KT_WANT(run, 1, int32_t)[i] = value;
	}
}

static void call_many(const struct kt_run *run)
{
	uint32_t i, k, x, sum;

	for (i = 0; i < N; i++) {
		x = KT_DATA(run, 0, int32_t)[i];
		sum = 0;
		for (k = 0; k < 8; k++)
			sum += (k + 1) * (x ^ k) - (k + 9) * (i + k);
		KT_WANT(run, 1, int32_t)[i] = sum;
	}
}

static void call_record(const struct kt_run *run)
{
	int64_t *out = KT_WANT(run, 1, int64_t);
	int64_t x, seed;
	size_t i;

	for (i = 0; i < N; i++) {
		x = KT_DATA(run, 0, int32_t)[i];
		seed = x & 0x7f;
		/* 0 + 1 + 4 + 9 squares on top of four seeds. */
		out[2 * i] = ((4 * seed + 14) << 20) + seed + seed * 3;
		out[2 * i + 1] = seed + (x & 3) * (x & 3) + seed;
	}
}

static void call_in_loop(const struct kt_run *run)
{
	int32_t x, sum;
	size_t i;

	for (i = 0; i < N; i++) {
		sum = 0;
		for (x = KT_DATA(run, 0, int32_t)[i] & 15; x > 0; x--) {
			sum += weigh(x, sum & 31);
			if (sum > 200)
				break;
		}
		KT_WANT(run, 1, int32_t)[i] = sum;
	}
}

static const struct pair pair = { 1234, 0.75f };
static const struct record record = {
	-7, 300, { 10, 20, 30, 40 }, 100000
};

static void arg_struct(const struct kt_run *run)
{
	size_t i;

	for (i = 0; i < N; i++)
		KT_WANT(run, 0, float)[i] = 1234.75f - 7 + 300 +
					    10 * (i % 4 + 1) + 100000;
}

static const int8_t arg_c = -100;
static const uint8_t arg_uc = 250, arg_c3[4] = { 3, 5, 7 };
static const int16_t arg_s = -30000, arg_s8[8] = { [7] = -321 };
static const uint16_t arg_us = 65000;
static const int32_t arg_n = -5, arg_n2[2] = { 77, 1000 };
static const uint32_t arg_un = 3000000000;
static const int64_t arg_l = -1234567890123;
static const uint64_t arg_ul = 1234567890999;
static const float arg_f = 2.25f, arg_f4[4] = { 1, 2, 300, 4 };

static void arg_many(const struct kt_run *run)
{
	const int32_t *in = KT_DATA(run, 14, int32_t);
	int32_t *out = KT_WANT(run, 0, int32_t);
	size_t i;

	for (i = 0; i < N; i++, out += 8) {
		out[0] = 150;
		out[1] = 35000;
		out[2] = (int32_t)2999999995;
		out[3] = 876;
		out[4] = 9;
		out[5] = 77 - 1000 + 300;
		out[6] = 38;
		out[7] = (uint32_t)in[i] - 321;
	}
}

#define PLAIN(function, tag) \
	{ .kernel = #function, .reference = function, .global = { N }, \
	  .arg = { KT_BUFFER_IN(I32, N, BITS), KT_BUFFER_OUT(tag, N) } }

const struct kt_case kt_call[] = {
	PLAIN(call_divergent, I32),
	PLAIN(call_chain, I32),
	PLAIN(call_struct, F32),
	PLAIN(call_pointer, I32),
	PLAIN(call_many, I32),
	{ .kernel = "call_record", .reference = call_record, .global = { N },
	  .arg = { KT_BUFFER_IN(I32, N, BITS), KT_BUFFER_OUT(I64, 2 * N) } },
	PLAIN(call_in_loop, I32),
	{ .kernel = "arg_struct", .reference = arg_struct, .global = { N },
	  .arg = { KT_BUFFER_OUT(F32, N), KT_BYTES(&pair),
		   KT_BYTES(&record) } },
	{ .kernel = "arg_many", .reference = arg_many, .global = { N },
	  .arg = { KT_BUFFER_OUT(I32, 8 * N), KT_BYTES(&arg_c),
		   KT_BYTES(&arg_uc), KT_BYTES(&arg_s), KT_BYTES(&arg_us),
		   KT_BYTES(&arg_n), KT_BYTES(&arg_un), KT_BYTES(&arg_l),
		   KT_BYTES(&arg_ul), KT_BYTES(&arg_f), KT_BYTES(&arg_n2),
		   KT_BYTES(&arg_f4), KT_BYTES(&arg_c3), KT_BYTES(&arg_s8),
		   KT_BUFFER_IN(I32, N, BITS) } },
	{},
};
