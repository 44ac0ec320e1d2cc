// SPDX-License-Identifier: MIT
#include "suite.h"

#include <math.h>

#define N 240

static void float_basic(const struct kt_run *run)
{
	const float *a = KT_DATA(run, 0, float);
	const float *b = KT_DATA(run, 1, float);
	const float *c = KT_DATA(run, 2, float);
	float *out = KT_WANT(run, 3, float);
	size_t i;

	for (i = 0; i < N; i++, out += 6) {
		out[0] = (double)a[i] + b[i];
		out[1] = (double)a[i] - b[i];
		out[2] = (double)a[i] * b[i];
		out[3] = fmaf(a[i], b[i], c[i]);
		out[4] = -a[i];
		out[5] = fabsf(b[i]);
	}
}

static void float_divide(const struct kt_run *run)
{
	const float *a = KT_DATA(run, 0, float);
	const float *b = KT_DATA(run, 1, float);
	double *out = KT_WANT(run, 2, double);
	size_t i;

	for (i = 0; i < N; i++) {
		out[2 * i] = (double)a[i] / b[i];
		out[2 * i + 1] = 1.0 / b[i];
	}
}

static void float_compare(const struct kt_run *run)
{
	const float *a = KT_DATA(run, 0, float);
	const float *b = KT_DATA(run, 1, float);
	int32_t *out = KT_WANT(run, 2, int32_t);
	size_t i;

	for (i = 0; i < N; i++, out += 2) {
		float x = a[i], y = b[i];
		bool nan = isnan(x) || isnan(y);

		out[0] = (x < y) | (x <= y) << 1 | (x > y) << 2 |
			 (x >= y) << 3 | (x == y) << 4 | (x != y) << 5 |
			 nan << 6 | !nan << 7 | (x < y) << 8 | (x != y) << 9;
		out[1] = (isnan(x) != 0) | (isinf(x) != 0) << 1 |
			 (isfinite(x) != 0) << 2 |
			 (isnormal(x) != 0) << 3 | (signbit(x) != 0) << 4;
	}
}

static void float_min_max(const struct kt_run *run)
{
	const float *a = KT_DATA(run, 0, float);
	const float *b = KT_DATA(run, 1, float);
	float *out = KT_WANT(run, 2, float);
	size_t i;

	for (i = 0; i < N; i++, out += 4) {
		out[0] = fminf(a[i], b[i]);
		out[1] = fmaxf(a[i], b[i]);
		out[2] = a[i] < b[i] ? a[i] : b[i];
		out[3] = copysignf(a[i], b[i]);
	}
}

static void float_round(const struct kt_run *run)
{
	const float *in = KT_DATA(run, 0, float);
	float *out = KT_WANT(run, 1, float);
	size_t i;

	for (i = 0; i < N; i++, out += 5) {
		out[0] = floorf(in[i]);
		out[1] = ceilf(in[i]);
		out[2] = truncf(in[i]);
		out[3] = rintf(in[i]);
		out[4] = roundf(in[i]);
	}
}

static double dot(const float *a, const float *b, size_t n)
{
	double sum = 0;

	while (n--)
		sum += (double)a[n] * b[n];
	return sum;
}

static void float_vector(const struct kt_run *run)
{
	const float *a = KT_DATA(run, 0, float);
	const float *b = KT_DATA(run, 1, float);
	double *out = KT_WANT(run, 2, double);
	size_t i, k;

	for (i = 0; i < N; i++, a += 4, b += 4, out += 8) {
		double gap = 0;

		for (k = 0; k < 4; k++)
			gap += ((double)a[k] - b[k]) * ((double)a[k] - b[k]);
		out[0] = dot(a, b, 4);
		out[1] = sqrt(dot(a, a, 3));
		out[2] = sqrt(gap);
		for (k = 0; k < 3; k++)
			out[3 + k] = (double)a[(k + 1) % 3] * b[(k + 2) % 3] -
				     (double)a[(k + 2) % 3] * b[(k + 1) % 3];
		out[6] = a[1] / sqrt(dot(a, a, 4));
		out[7] = sqrt(dot(b, b, 2));
	}
}

static void float_common(const struct kt_run *run)
{
	const float *a = KT_DATA(run, 0, float);
	const float *b = KT_DATA(run, 1, float);
	double *out = KT_WANT(run, 2, double);
	size_t i;

	for (i = 0; i < N; i++, out += 8) {
		double t = (fmin(fmax(a[i], -1), 1) + 1) / 2;

		out[0] = fmin(fmax(a[i], -0.5), 0.75);
		out[1] = a[i] + ((double)b[i] - a[i]) * 0.25;
		out[2] = b[i] < a[i] ? 0 : 1;
		out[3] = t * t * (3 - 2 * t);
		out[4] = (b[i] > 0) - (b[i] < 0);
		out[5] = a[i] * (180 / M_PI);
		out[6] = b[i] * (M_PI / 180);
		out[7] = a[i] > b[i] ? (double)a[i] - b[i] : 0;
	}
}

static void float_parts(const struct kt_run *run)
{
	const float *in = KT_DATA(run, 0, float);
	float *out = KT_WANT(run, 1, float);
	int32_t *exponents = KT_WANT(run, 2, int32_t);
	size_t i;

	for (i = 0; i < N; i++, out += 5, exponents += 2) {
		out[0] = frexpf(in[i], &exponents[0]);
		out[1] = modff(in[i], &out[2]);
		out[3] = ldexpf(in[i], (int)(i & 15) - 8);
		out[4] = nextafterf(in[i], 1000);
		exponents[1] = ilogbf(in[i]);
	}
}

static void float_denormal(const struct kt_run *run)
{
	const float *in = KT_DATA(run, 0, float);
	float *out = KT_WANT(run, 1, float);
	size_t i;

	for (i = 0; i < N; i++) {
		volatile float tiny = in[i] * 0x1p-120f;

		out[2 * i] = tiny;
		out[2 * i + 1] = tiny * 0x1p120f;
	}
}

static void half_basic(const struct kt_run *run)
{
	const _Float16 *a = KT_DATA(run, 0, _Float16);
	const _Float16 *b = KT_DATA(run, 1, _Float16);
	_Float16 *out = KT_WANT(run, 2, _Float16);
	size_t i;

	for (i = 0; i < N; i++, out += 6) {
		float x = a[i], y = b[i];

		out[0] = (_Float16)(x + y);
		out[1] = (_Float16)(x - y);
		out[2] = (_Float16)(x * y);
		out[3] = x < y ? a[i] : b[i];
		out[4] = (_Float16)fabsf(x);
		/* Exact in double, so there is only one rounding. */
		out[5] = (_Float16)((double)x * y + x);
	}
}

static void half_convert(const struct kt_run *run)
{
	const _Float16 *in = KT_DATA(run, 0, _Float16);
	const int32_t *m = KT_DATA(run, 3, int32_t);
	_Float16 *out = KT_WANT(run, 4, _Float16);
	size_t i;

	for (i = 0; i < N; i++) {
		float scaled = m[i] * 1.01f;

		KT_WANT(run, 1, int32_t)[2 * i] = truncf(in[i]);
		KT_WANT(run, 1, int32_t)[2 * i + 1] = rintf(in[i]);
		KT_WANT(run, 2, float)[i] = in[i];
		out[2 * i] = (_Float16)m[i];
		out[2 * i + 1] = (_Float16)scaled;
		/* Toward zero: one step back if it was rounded away. */
		if (fabsf((float)out[2 * i + 1]) > fabsf(scaled))
			((uint16_t *)out)[2 * i + 1]--;
	}
}

static void half_compare(const struct kt_run *run)
{
	int32_t *out = KT_WANT(run, 2, int32_t);
	size_t i;

	for (i = 0; i < N; i++) {
		float x = KT_DATA(run, 0, _Float16)[i];
		float y = KT_DATA(run, 1, _Float16)[i];

		out[i] = (x < y) | (x <= y) << 1 | (x > y) << 2 |
			 (x >= y) << 3 | (x == y) << 4 | (x != y) << 5 |
			 (isnan(x) != 0) << 6;
	}
}

static void half_vector(const struct kt_run *run)
{
	static const float factor[] = { 1, 2, 0.5, -1 };
	const _Float16 *a = KT_DATA(run, 0, _Float16);
	const _Float16 *b = KT_DATA(run, 1, _Float16);
	size_t i, k;

	for (i = 0; i < N; i++)
		for (k = 0; k < 4; k++) {
			_Float16 sum = (_Float16)((float)a[4 * i + k] +
						  (float)b[4 * i + 3 - k]);

			KT_WANT(run, 2, _Float16)[4 * i + k] =
				(_Float16)((float)sum * factor[k]);
		}
}

#define CASE(function, ...) \
	{ .kernel = #function, .reference = function, .global = { N }, \
	  .arg = { __VA_ARGS__ } }
#define HALF_CASE(function, ...) \
	{ .kernel = #function, .reference = function, .global = { N }, \
	  .extension = "cl_khr_fp16", .arg = { __VA_ARGS__ } }

const struct kt_case kt_float[] = {
	CASE(float_basic, KT_BUFFER_IN(F32, N, EDGES),
	     KT_BUFFER_IN(F32, N, EDGES), KT_BUFFER_IN(F32, N, EDGES),
	     KT_BUFFER_OUT(F32, 6 * N)),
	CASE(float_divide, KT_BUFFER_RANGE(F32, N, -1e6, 1e6),
	     KT_BUFFER_RANGE(F32, N, -100, 100), KT_BUFFER_ULP(2 * N, 2.5)),
	CASE(float_compare, KT_BUFFER_IN(F32, N, EDGES),
	     KT_BUFFER_IN(F32, N, EDGES), KT_BUFFER_OUT(I32, 2 * N)),
	CASE(float_min_max, KT_BUFFER_RANGE(F32, N, -3, 3),
	     KT_BUFFER_RANGE(F32, N, -3, 3), KT_BUFFER_OUT(F32, 4 * N)),
	CASE(float_round, KT_BUFFER_RANGE(F32, N, -20, 20),
	     KT_BUFFER_OUT(F32, 5 * N)),
	{ .kernel = "float_vector", .reference = float_vector,
	  .global = { N },
	  .arg = { KT_BUFFER_RANGE(F32, 4 * N, -2, 2),
		   KT_BUFFER_RANGE(F32, 4 * N, -2, 2),
		   { .dir = KT_OUT, .type = KT_F32, .count = 8 * N, .ulp = 8192,
		     .abs_error = 1e-5 } } },
	{ .kernel = "float_common", .reference = float_common,
	  .global = { N },
	  .arg = { KT_BUFFER_RANGE(F32, N, -2, 2),
		   KT_BUFFER_RANGE(F32, N, -2, 2),
		   { .dir = KT_OUT, .type = KT_F32, .count = 8 * N, .ulp = 4,
		     .abs_error = 1e-6 } } },
	CASE(float_parts, KT_BUFFER_RANGE(F32, N, -300, 300),
	     KT_BUFFER_OUT(F32, 5 * N), KT_BUFFER_OUT(I32, 2 * N)),
	CASE(float_denormal, KT_BUFFER_RANGE(F32, N, -0.01, 0.01),
	     KT_BUFFER_OUT(F32, 2 * N)),
	HALF_CASE(half_basic, KT_BUFFER_IN(F16, N, EDGES),
		  KT_BUFFER_IN(F16, N, EDGES), KT_BUFFER_OUT(F16, 6 * N)),
	HALF_CASE(half_convert, KT_BUFFER_RANGE(F16, N, -900, 900),
		  KT_BUFFER_OUT(I32, 2 * N), KT_BUFFER_OUT(F32, N),
		  KT_BUFFER_RANGE(I32, N, -9000, 9000),
		  KT_BUFFER_OUT(F16, 2 * N)),
	HALF_CASE(half_compare, KT_BUFFER_IN(F16, N, EDGES),
		  KT_BUFFER_IN(F16, N, EDGES), KT_BUFFER_OUT(I32, N)),
	HALF_CASE(half_vector, KT_BUFFER_RANGE(F16, 4 * N, -90, 90),
		  KT_BUFFER_RANGE(F16, 4 * N, -90, 90),
		  KT_BUFFER_OUT(F16, 4 * N)),
	{},
};
