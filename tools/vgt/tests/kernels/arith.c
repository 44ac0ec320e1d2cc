// SPDX-License-Identifier: MIT
#include "suite.h"

#include <stdlib.h>

#define N 200

#define BASIC(type, ctype, utype, bits) \
static void basic_##type(const struct kt_run *run) \
{ \
	const ctype *a = KT_DATA(run, 0, ctype); \
	const ctype *b = KT_DATA(run, 1, ctype); \
	ctype *out = KT_WANT(run, 2, ctype); \
	size_t i; \
\
	for (i = 0; i < N; i++, out += 8) { \
		unsigned int count = b[i] & (bits - 1); \
\
		out[0] = (utype)a[i] + (utype)b[i]; \
		out[1] = (utype)a[i] - (utype)b[i]; \
		out[2] = (uint64_t)a[i] * (uint64_t)b[i]; \
		out[3] = (a[i] & ~b[i]) | (a[i] ^ b[i]); \
		out[4] = (uint64_t)a[i] << count; \
		out[5] = (int64_t)a[i] >> count; \
		out[6] = a[i] < b[i] ? a[i] : (ctype)(0 - (uint64_t)b[i]); \
		out[7] = (a[i] >= b[i]) | (a[i] == b[i]) << 1 | \
			 (a[i] != 0) << 2; \
	} \
}

BASIC(char, int8_t, uint8_t, 8)
BASIC(uchar, uint8_t, uint8_t, 8)
BASIC(short, int16_t, uint16_t, 16)
BASIC(ushort, uint16_t, uint16_t, 16)
BASIC(int, int32_t, uint32_t, 32)
BASIC(uint, uint32_t, uint32_t, 32)

#define DIVIDE(type, ctype) \
static void divide_##type(const struct kt_run *run) \
{ \
	const ctype *a = KT_DATA(run, 0, ctype); \
	const ctype *b = KT_DATA(run, 1, ctype); \
	ctype *out = KT_WANT(run, 2, ctype); \
	size_t i; \
\
	for (i = 0; i < N; i++, out += 4) { \
		int64_t x = a[i], y = b[i]; \
\
		if (!y) \
			y = 3; \
		if (y == (ctype)-1) \
			y = 2; \
		out[0] = x / y; \
		out[1] = x % y; \
		out[2] = x / 7; \
		out[3] = x % 10; \
	} \
}

DIVIDE(char, int8_t)
DIVIDE(uchar, uint8_t)
DIVIDE(short, int16_t)
DIVIDE(ushort, uint16_t)
DIVIDE(int, int32_t)
DIVIDE(uint, uint32_t)

static int64_t clip(int64_t value, int64_t low, int64_t high)
{
	return value < low ? low : value > high ? high : value;
}

#define SATURATE(type, ctype, low, high, bits) \
static void saturate_##type(const struct kt_run *run) \
{ \
	const ctype *a = KT_DATA(run, 0, ctype); \
	const ctype *b = KT_DATA(run, 1, ctype); \
	ctype *out = KT_WANT(run, 2, ctype); \
	size_t i; \
\
	for (i = 0; i < N; i++, out += 6) { \
		int64_t x = a[i], y = b[i]; \
\
		out[0] = clip(x + y, low, high); \
		out[1] = clip(x - y, low, high); \
		out[2] = (x + y) >> 1; \
		out[3] = (x + y + 1) >> 1; \
		out[4] = (__int128)x * y >> bits; \
		out[5] = clip(x, 5, 100); \
	} \
}

SATURATE(char, int8_t, INT8_MIN, INT8_MAX, 8)
SATURATE(uchar, uint8_t, 0, UINT8_MAX, 8)
SATURATE(short, int16_t, INT16_MIN, INT16_MAX, 16)
SATURATE(ushort, uint16_t, 0, UINT16_MAX, 16)
SATURATE(int, int32_t, INT32_MIN, INT32_MAX, 32)
SATURATE(uint, uint32_t, 0, UINT32_MAX, 32)

static uint32_t ones(uint32_t value)
{
	uint32_t count = 0;

	for (; value; value >>= 1)
		count += value & 1;
	return count;
}

static uint32_t leading_zeros(uint32_t value, uint32_t bits)
{
	uint32_t count = 0;

	while (count < bits && !(value >> (bits - 1 - count) & 1))
		count++;
	return count;
}

static uint32_t rotate_left(uint32_t value, uint32_t count, uint32_t bits)
{
	uint64_t twice = (uint64_t)value << bits | value;

	return twice >> (bits - count % bits);
}

static void bit_count(const struct kt_run *run)
{
	const uint32_t *a = KT_DATA(run, 0, uint32_t);
	const uint32_t *b = KT_DATA(run, 1, uint32_t);
	uint32_t *out = KT_WANT(run, 2, uint32_t);
	size_t i;

	for (i = 0; i < N; i++, out += 6) {
		out[0] = ones(a[i]);
		out[1] = leading_zeros(a[i], 32);
		out[2] = rotate_left(a[i], b[i], 32);
		out[3] = leading_zeros(a[i] & 0xffff, 16);
		out[4] = ones(b[i] & 0xff);
		out[5] = rotate_left(a[i] & 0xff, b[i] & 0xff, 8) & 0xff;
	}
}

static void mul24_mad24(const struct kt_run *run)
{
	const int32_t *a = KT_DATA(run, 0, int32_t);
	const int32_t *b = KT_DATA(run, 1, int32_t);
	int32_t *out = KT_WANT(run, 2, int32_t);
	size_t i;

	for (i = 0; i < N; i++, out += 4) {
		int64_t x = a[i] >> 8, y = b[i] >> 8;

		out[0] = x * y;
		out[1] = x * y + a[i];
		out[2] = ((int64_t)a[i] * b[i] >> 32) + x;
		out[3] = clip(a[i] * x + y, INT32_MIN, INT32_MAX);
	}
}

static void abs_diff_upsample(const struct kt_run *run)
{
	const int32_t *a = KT_DATA(run, 0, int32_t);
	const int32_t *b = KT_DATA(run, 1, int32_t);
	uint32_t *out = KT_WANT(run, 2, uint32_t);
	uint64_t *wide = KT_WANT(run, 3, uint64_t);
	size_t i;

	for (i = 0; i < N; i++, out += 4) {
		out[0] = llabs(a[i]);
		out[1] = llabs((int64_t)a[i] - b[i]);
		out[2] = a[i] > b[i] ? a[i] : b[i];
		out[3] = (uint32_t)a[i] << 16 | (b[i] & 0xffff);
		wide[i] = (uint64_t)a[i] << 32 | (uint32_t)b[i];
	}
}

static void vector_lanes(const struct kt_run *run)
{
	const int32_t *a = KT_DATA(run, 0, int32_t);
	const int32_t *b = KT_DATA(run, 1, int32_t);
	int32_t *out = KT_WANT(run, 2, int32_t);
	size_t i, k;

	for (i = 0; i < N; i++, a += 4, b += 4, out += 16)
		for (k = 0; k < 4; k++) {
			out[k] = (uint32_t)a[k] * (uint32_t)b[k] + k + 1;
			out[4 + k] = k < 2 ? a[3 - k] : b[k - 2];
			out[8 + k] = a[k] < b[k] ? b[k] : a[k];
			out[12 + k] = (int32_t)((uint32_t)a[k ^ 1] -
						(uint32_t)b[k]) >>
				      (b[k] & 31);
		}
}

static void vector_widths(const struct kt_run *run)
{
	const uint8_t *in = KT_DATA(run, 0, uint8_t);
	uint8_t *out = KT_WANT(run, 1, uint8_t);
	size_t i, k;

	for (i = 0; i < N; i++, in += 16, out += 32) {
		for (k = 0; k < 16; k++)
			out[k] = in[15 - k];
		for (k = 0; k < 8; k++)
			out[16 + k] = in[k] + in[8 + k];
		for (k = 0; k < 4; k++)
			out[24 + k] = out[17 + 2 * k];
		out[28] = in[3];
		out[29] = in[10];
		out[30] = in[11];
		out[31] = (out[24] ^ out[26]) - (out[25] ^ out[27]);
	}
}

static void shuffles(const struct kt_run *run)
{
	const uint16_t *in = KT_DATA(run, 0, uint16_t);
	const uint16_t *index = KT_DATA(run, 1, uint16_t);
	uint16_t *out = KT_WANT(run, 2, uint16_t);
	size_t i, k;

	for (i = 0; i < N; i++, in += 8, index += 8, out += 16)
		for (k = 0; k < 8; k++) {
			size_t pick = index[k] & 15;

			out[k] = in[pick & 7];
			out[8 + k] = pick < 8 ? in[pick] : index[pick - 8];
		}
}

static void bit_select(const struct kt_run *run)
{
	const uint32_t *a = KT_DATA(run, 0, uint32_t);
	const uint32_t *b = KT_DATA(run, 1, uint32_t);
	const uint32_t *c = KT_DATA(run, 2, uint32_t);
	uint32_t *out = KT_WANT(run, 3, uint32_t);
	size_t i;

	for (i = 0; i < N; i++, out += 4) {
		uint32_t signs = (a[i] >> 31) + (b[i] >> 31);

		out[0] = (a[i] & ~c[i]) | (b[i] & c[i]);
		out[1] = c[i] >> 31 ? b[i] : a[i];
		out[2] = (signs > 0) * 2 + (signs == 2);
		out[3] = __builtin_bswap32(a[i]);
	}
}

static void hash_mix(const struct kt_run *run)
{
	const uint32_t *in = KT_DATA(run, 0, uint32_t);
	uint32_t *out = KT_WANT(run, 1, uint32_t);
	uint32_t a, b, c, i, round;

	for (i = 0; i < N; i++) {
		a = in[i];
		b = i;
		c = 0x9e3779b9;
		for (round = 0; round < 16; round++) {
			a += rotate_left(b, 5, 32) ^ c;
			b = rotate_left(b, 7, 32) + (a & c);
			c ^= a * 0x85ebca6b;
		}
		out[i] = a ^ b ^ c;
	}
}

#define BINARY(function, tag, per_item) \
	{ .kernel = #function, .reference = function, .global = { N }, \
	  .arg = { KT_BUFFER_IN(tag, N, EDGES), KT_BUFFER_IN(tag, N, EDGES), \
		   KT_BUFFER_OUT(tag, (per_item) * N) } }

const struct kt_case kt_arith[] = {
	BINARY(basic_char, I8, 8),
	BINARY(basic_uchar, U8, 8),
	BINARY(basic_short, I16, 8),
	BINARY(basic_ushort, U16, 8),
	BINARY(basic_int, I32, 8),
	BINARY(basic_uint, U32, 8),
	BINARY(divide_char, I8, 4),
	BINARY(divide_uchar, U8, 4),
	BINARY(divide_short, I16, 4),
	BINARY(divide_ushort, U16, 4),
	BINARY(divide_int, I32, 4),
	BINARY(divide_uint, U32, 4),
	BINARY(saturate_char, I8, 6),
	BINARY(saturate_uchar, U8, 6),
	BINARY(saturate_short, I16, 6),
	BINARY(saturate_ushort, U16, 6),
	BINARY(saturate_int, I32, 6),
	BINARY(saturate_uint, U32, 6),
	BINARY(bit_count, U32, 6),
	BINARY(mul24_mad24, I32, 4),
	{ .kernel = "abs_diff_upsample", .reference = abs_diff_upsample,
	  .global = { N },
	  .arg = { KT_BUFFER_IN(I32, N, EDGES), KT_BUFFER_IN(I32, N, EDGES),
		   KT_BUFFER_OUT(U32, 4 * N), KT_BUFFER_OUT(I64, N) } },
	{ .kernel = "vector_lanes", .reference = vector_lanes,
	  .global = { N },
	  .arg = { KT_BUFFER_IN(I32, 4 * N, EDGES),
		   KT_BUFFER_IN(I32, 4 * N, EDGES),
		   KT_BUFFER_OUT(I32, 16 * N) } },
	{ .kernel = "vector_widths", .reference = vector_widths,
	  .global = { N },
	  .arg = { KT_BUFFER_IN(U8, 16 * N, BITS),
		   KT_BUFFER_OUT(U8, 32 * N) } },
	{ .kernel = "shuffles", .reference = shuffles, .global = { N },
	  .arg = { KT_BUFFER_IN(U16, 8 * N, BITS),
		   KT_BUFFER_IN(U16, 8 * N, BITS),
		   KT_BUFFER_OUT(U16, 16 * N) } },
	{ .kernel = "bit_select", .reference = bit_select, .global = { N },
	  .arg = { KT_BUFFER_IN(U32, N, BITS), KT_BUFFER_IN(U32, N, BITS),
		   KT_BUFFER_IN(U32, N, BITS), KT_BUFFER_OUT(U32, 4 * N) } },
	{ .kernel = "hash_mix", .reference = hash_mix, .global = { N },
	  .arg = { KT_BUFFER_IN(U32, N, BITS), KT_BUFFER_OUT(U32, N) } },
	{},
};
