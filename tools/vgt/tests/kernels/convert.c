// SPDX-License-Identifier: MIT
#include "suite.h"

#include <fenv.h>
#include <math.h>
#include <string.h>

#define N 240

static int64_t clip(int64_t value, int64_t low, int64_t high)
{
	return value < low ? low : value > high ? high : value;
}

static double clip_number(double value, double low, double high)
{
	if (isnan(value))
		return 0;
	return value < low ? low : value > high ? high : value;
}

/* The float next to @exact in the direction of rounding mode @mode. */
static float to_float(long double exact, int mode)
{
	volatile long double value = exact;
	volatile float result;

	fesetround(mode);
	result = value;
	fesetround(FE_TONEAREST);
	return result;
}

static void int_narrow(const struct kt_run *run)
{
	const int32_t *in = KT_DATA(run, 0, int32_t);
	size_t i;

	for (i = 0; i < N; i++) {
		KT_WANT(run, 1, int8_t)[2 * i] = in[i];
		KT_WANT(run, 1, int8_t)[2 * i + 1] = clip(in[i], -128, 127);
		KT_WANT(run, 2, uint8_t)[2 * i] = in[i];
		KT_WANT(run, 2, uint8_t)[2 * i + 1] = clip(in[i], 0, 255);
		KT_WANT(run, 3, int16_t)[2 * i] = in[i];
		KT_WANT(run, 3, int16_t)[2 * i + 1] =
			clip(in[i], -32768, 32767);
		KT_WANT(run, 4, uint16_t)[2 * i] = in[i];
		KT_WANT(run, 4, uint16_t)[2 * i + 1] = clip(in[i], 0, 65535);
	}
}

static void int_extend(const struct kt_run *run)
{
	int32_t *out = KT_WANT(run, 4, int32_t);
	size_t i;

	for (i = 0; i < N; i++, out += 4) {
		out[0] = KT_DATA(run, 0, int8_t)[i];
		out[1] = KT_DATA(run, 1, uint8_t)[i];
		out[2] = KT_DATA(run, 2, int16_t)[i];
		out[3] = KT_DATA(run, 3, uint16_t)[i];
	}
}

static void float_to_int(const struct kt_run *run)
{
	const float *in = KT_DATA(run, 0, float);
	int32_t *out = KT_WANT(run, 1, int32_t);
	uint32_t *uout = KT_WANT(run, 2, uint32_t);
	size_t i;

	for (i = 0; i < N; i++, out += 5, uout += 2) {
		out[0] = truncf(in[i]);
		out[1] = rintf(in[i]);
		out[2] = ceilf(in[i]);
		out[3] = floorf(in[i]);
		out[4] = truncf(in[i]);
		uout[0] = truncf(fabsf(in[i]));
		uout[1] = rintf(fabsf(in[i]));
	}
}

static void float_to_small_sat(const struct kt_run *run)
{
	const float *in = KT_DATA(run, 0, float);
	size_t i;

	for (i = 0; i < N; i++) {
		KT_WANT(run, 1, int8_t)[i] =
			clip_number(rint(in[i]), -128, 127);
		KT_WANT(run, 2, uint8_t)[i] = clip_number(ceil(in[i]), 0, 255);
		KT_WANT(run, 3, int16_t)[i] =
			clip_number(floor(in[i]), -32768, 32767);
		KT_WANT(run, 4, uint16_t)[i] =
			clip_number(trunc(in[i]), 0, 65535);
		KT_WANT(run, 5, int32_t)[i] =
			clip_number(trunc(in[i]), INT32_MIN, INT32_MAX);
		KT_WANT(run, 6, uint32_t)[i] =
			clip_number(trunc(in[i]), 0, UINT32_MAX);
	}
}

static void int_to_float(const struct kt_run *run)
{
	const int32_t *in = KT_DATA(run, 0, int32_t);
	const uint32_t *uin = KT_DATA(run, 1, uint32_t);
	float *out = KT_WANT(run, 2, float);
	size_t i;

	for (i = 0; i < N; i++, out += 5) {
		out[0] = to_float(in[i], FE_TONEAREST);
		out[1] = to_float(in[i], FE_UPWARD);
		out[2] = to_float(in[i], FE_DOWNWARD);
		out[3] = to_float(in[i], FE_TOWARDZERO);
		out[4] = to_float(uin[i], FE_TONEAREST);
	}
}

static void small_to_float(const struct kt_run *run)
{
	float *out = KT_WANT(run, 4, float);
	size_t i;

	for (i = 0; i < N; i++, out += 4) {
		out[0] = KT_DATA(run, 0, int8_t)[i] / 2.0;
		out[1] = KT_DATA(run, 1, uint8_t)[i] + 0.25;
		out[2] = KT_DATA(run, 2, int16_t)[i];
		out[3] = KT_DATA(run, 3, uint16_t)[i] - 1;
	}
}

static void long_to_float(const struct kt_run *run)
{
	float *out = KT_WANT(run, 2, float);
	size_t i;

	for (i = 0; i < N; i++) {
		out[2 * i] = to_float(KT_DATA(run, 0, int64_t)[i],
				      FE_TONEAREST);
		out[2 * i + 1] = to_float(KT_DATA(run, 1, uint64_t)[i],
					  FE_TONEAREST);
	}
}

static void float_to_long(const struct kt_run *run)
{
	const float *in = KT_DATA(run, 0, float);
	size_t i;

	for (i = 0; i < N; i++) {
		KT_WANT(run, 1, int64_t)[2 * i] = truncl(in[i]);
		KT_WANT(run, 1, int64_t)[2 * i + 1] = rintl(in[i]);
		KT_WANT(run, 2, uint64_t)[i] = truncl(fabsl(in[i]));
	}
}

static void long_narrow(const struct kt_run *run)
{
	const int64_t *in = KT_DATA(run, 0, int64_t);
	size_t i;

	for (i = 0; i < N; i++) {
		KT_WANT(run, 1, int32_t)[2 * i] = in[i];
		KT_WANT(run, 1, int32_t)[2 * i + 1] =
			clip(in[i], INT32_MIN, INT32_MAX);
		KT_WANT(run, 2, uint8_t)[2 * i] = in[i];
		KT_WANT(run, 2, uint8_t)[2 * i + 1] = clip(in[i], 0, 255);
	}
}

/* All 65536 halves are few enough to look for the right neighbour. */
static double half_value(uint16_t bits)
{
	_Float16 half;

	memcpy(&half, &bits, 2);
	return (double)half;
}

static uint16_t round_half(double value, int mode)
{
	uint16_t sign = signbit(value) ? 0x8000 : 0;
	double size = fabs(value), below, above;
	uint16_t bits = 0;
	bool up;

	if (isnan(value))
		return 0x7e00;
	if (isinf(value))
		return sign | 0x7c00;
	while (bits < 0x7bff && half_value(bits + 1) <= size)
		bits++;
	below = half_value(bits);
	above = bits == 0x7bff ? 65536 : half_value(bits + 1);
	if (below == size)
		return sign | bits;
	switch (mode) {
	case FE_TONEAREST:
		up = size - below > above - size ||
		     (size - below == above - size && (bits & 1));
		break;
	case FE_UPWARD:
		up = !sign;
		break;
	case FE_DOWNWARD:
		up = sign;
		break;
	default:
		up = false;
	}
	return sign | (bits + up);
}

static void half_load_store(const struct kt_run *run)
{
	const uint16_t *in = KT_DATA(run, 0, uint16_t);
	const float *wide = KT_DATA(run, 1, float);
	size_t i;

	for (i = 0; i < N; i++) {
		KT_WANT(run, 2, float)[i] = half_value(in[i]);
		KT_WANT(run, 3, uint16_t)[i] =
			round_half(wide[i], FE_TONEAREST);
		KT_WANT(run, 4, uint16_t)[i] =
			round_half(wide[i], FE_TOWARDZERO);
		KT_WANT(run, 5, uint16_t)[i] = round_half(wide[i], FE_UPWARD);
		KT_WANT(run, 6, uint16_t)[i] = round_half(wide[i], FE_DOWNWARD);
	}
}

static void half_vectors(const struct kt_run *run)
{
	const uint16_t *in = KT_DATA(run, 0, uint16_t);
	uint16_t *out = KT_WANT(run, 1, uint16_t);
	size_t i, k;

	for (i = 0; i < N; i++, in += 4, out += 4) {
		for (k = 0; k < 2; k++)
			out[k] = round_half(half_value(in[k]) +
						    half_value(in[2 + k]),
					    FE_TONEAREST);
		for (k = 2; k < 4; k++)
			out[k] = round_half(half_value(in[3 - k]) * 2,
					    FE_TONEAREST);
	}
}

static void reinterpret(const struct kt_run *run)
{
	const uint32_t *in = KT_DATA(run, 0, uint32_t);
	uint32_t *out = KT_WANT(run, 1, uint32_t);
	size_t i;

	for (i = 0; i < N; i++, out += 4) {
		out[0] = in[i];
		out[1] = (in[i] & 0x7f7fffff) ^ 0x80000000;
		out[2] = in[i] & 0x7f7fffff;
		out[3] = in[i] << 16 | in[i] >> 16;
	}
}

#define CASE(function, ...) \
	{ .kernel = #function, .reference = function, .global = { N }, \
	  .arg = { __VA_ARGS__ } }

const struct kt_case kt_convert[] = {
	CASE(int_narrow, KT_BUFFER_IN(I32, N, EDGES), KT_BUFFER_OUT(I8, 2 * N),
	     KT_BUFFER_OUT(U8, 2 * N), KT_BUFFER_OUT(I16, 2 * N),
	     KT_BUFFER_OUT(U16, 2 * N)),
	CASE(int_extend, KT_BUFFER_IN(I8, N, EDGES), KT_BUFFER_IN(U8, N, EDGES),
	     KT_BUFFER_IN(I16, N, EDGES), KT_BUFFER_IN(U16, N, EDGES),
	     KT_BUFFER_OUT(I32, 4 * N)),
	CASE(float_to_int, KT_BUFFER_RANGE(F32, N, -1000, 1000),
	     KT_BUFFER_OUT(I32, 5 * N), KT_BUFFER_OUT(U32, 2 * N)),
	CASE(float_to_small_sat, KT_BUFFER_IN(F32, N, EDGES),
	     KT_BUFFER_OUT(I8, N), KT_BUFFER_OUT(U8, N), KT_BUFFER_OUT(I16, N),
	     KT_BUFFER_OUT(U16, N), KT_BUFFER_OUT(I32, N),
	     KT_BUFFER_OUT(U32, N)),
	CASE(int_to_float, KT_BUFFER_IN(I32, N, EDGES),
	     KT_BUFFER_IN(U32, N, EDGES), KT_BUFFER_OUT(F32, 5 * N)),
	CASE(small_to_float, KT_BUFFER_IN(I8, N, EDGES),
	     KT_BUFFER_IN(U8, N, EDGES), KT_BUFFER_IN(I16, N, EDGES),
	     KT_BUFFER_IN(U16, N, EDGES), KT_BUFFER_OUT(F32, 4 * N)),
	CASE(long_to_float, KT_BUFFER_IN(I64, N, EDGES),
	     KT_BUFFER_IN(U64, N, EDGES), KT_BUFFER_OUT(F32, 2 * N)),
	CASE(float_to_long, KT_BUFFER_RANGE(F32, N, -1e12, 1e12),
	     KT_BUFFER_OUT(I64, 2 * N), KT_BUFFER_OUT(U64, N)),
	CASE(long_narrow, KT_BUFFER_IN(I64, N, EDGES),
	     KT_BUFFER_OUT(I32, 2 * N), KT_BUFFER_OUT(U8, 2 * N)),
	CASE(half_load_store, KT_BUFFER_IN(F16, N, EDGES),
	     KT_BUFFER_RANGE(F32, N, -70, 70), KT_BUFFER_OUT(F32, N),
	     KT_BUFFER_OUT(F16, N), KT_BUFFER_OUT(F16, N),
	     KT_BUFFER_OUT(F16, N), KT_BUFFER_OUT(F16, N)),
	CASE(half_vectors, KT_BUFFER_RANGE(F16, 4 * N, -500, 500),
	     KT_BUFFER_OUT(F16, 4 * N)),
	CASE(reinterpret, KT_BUFFER_IN(U32, N, BITS),
	     KT_BUFFER_OUT(U32, 4 * N)),
	{},
};
