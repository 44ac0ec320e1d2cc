// SPDX-License-Identifier: MIT
#include "suite.h"

#include <math.h>

#define N 256

#define UNARY(name, expression) \
static void math_##name(const struct kt_run *run) \
{ \
	const float *in = KT_DATA(run, 0, float); \
	double *out = KT_WANT(run, 1, double); \
	size_t i; \
\
	for (i = 0; i < N; i++) { \
		double x = in[i]; \
\
		out[i] = expression; \
	} \
}

#define BINARY(name, expression) \
static void math_##name(const struct kt_run *run) \
{ \
	const float *a = KT_DATA(run, 0, float); \
	const float *b = KT_DATA(run, 1, float); \
	double *out = KT_WANT(run, 2, double); \
	size_t i; \
\
	for (i = 0; i < N; i++) { \
		double x = a[i], y = b[i]; \
\
		out[i] = expression; \
	} \
}

UNARY(exp, exp(x))
UNARY(exp2, exp2(x))
UNARY(exp10, pow(10, x))
UNARY(expm1, expm1(x))
UNARY(log, log(x))
UNARY(log2, log2(x))
UNARY(log10, log10(x))
UNARY(log1p, log1p(x))
UNARY(sin, sin(x))
UNARY(cos, cos(x))
UNARY(tan, tan(x))
UNARY(asin, asin(x))
UNARY(acos, acos(x))
UNARY(atan, atan(x))
UNARY(sinh, sinh(x))
UNARY(cosh, cosh(x))
UNARY(tanh, tanh(x))
UNARY(sqrt, sqrt(x))
UNARY(rsqrt, 1 / sqrt(x))
UNARY(cbrt, cbrt(x))
UNARY(erf, erf(x))
UNARY(tgamma, tgamma(x))
UNARY(sinpi, sin(M_PI * fmod(x, 2)))
UNARY(native_exp2, exp2(x))
UNARY(native_log2, log2(x))
UNARY(native_sqrt, sqrt(x))
UNARY(native_recip, 1 / x)
UNARY(native_sin, sin(x))
UNARY(half_cos, cos(x))
BINARY(pow, pow(x, y))
BINARY(atan2, atan2(x, y))
BINARY(hypot, hypot(x, y))
BINARY(fmod, fmod(x, y))
BINARY(remainder, remainder(x, y))
BINARY(native_divide, x / y)

#define ONE(name, low, high, error) \
	{ .kernel = "math_" #name, .reference = math_##name, .global = { N }, \
	  .arg = { KT_BUFFER_RANGE(F32, N, low, high), \
		   KT_BUFFER_ULP(N, error) } }
/* The native functions have an error bound of their own, an absolute one. */
#define NATIVE(name, low, high, error) \
	{ .kernel = "math_" #name, .reference = math_##name, .global = { N }, \
	  .arg = { KT_BUFFER_RANGE(F32, N, low, high), \
		   { .dir = KT_OUT, .type = KT_F32, .count = N, .ulp = 16, \
		     .abs_error = error } } }
#define TWO(name, low, high, error) \
	{ .kernel = "math_" #name, .reference = math_##name, .global = { N }, \
	  .arg = { KT_BUFFER_RANGE(F32, N, low, high), \
		   KT_BUFFER_RANGE(F32, N, 0.125, 9), \
		   KT_BUFFER_ULP(N, error) } }
#define SPECIAL(name, error) \
	{ .kernel = "math_" #name, .label = "special", \
	  .reference = math_##name, .global = { N }, \
	  .arg = { KT_BUFFER_IN(F32, N, EDGES), KT_BUFFER_ULP(N, error) } }

/* Error bounds: OpenCL C 3.0, section 7.4, full profile. */
const struct kt_case kt_math[] = {
	ONE(exp, -80, 80, 3),
	ONE(exp2, -100, 100, 3),
	ONE(exp10, -30, 30, 3),
	ONE(expm1, -5, 5, 3),
	ONE(log, 1e-3, 1000, 3),
	ONE(log2, 1e-3, 1000, 3),
	ONE(log10, 1e-3, 1000, 3),
	ONE(log1p, -0.9, 100, 2),
	ONE(sin, -50, 50, 4),
	ONE(cos, -50, 50, 4),
	ONE(tan, -50, 50, 5),
	ONE(asin, -1, 1, 4),
	ONE(acos, -1, 1, 4),
	ONE(atan, -100, 100, 5),
	ONE(sinh, -20, 20, 4),
	ONE(cosh, -20, 20, 4),
	ONE(tanh, -4, 4, 5),
	ONE(sqrt, 0, 1e6, 3),
	ONE(rsqrt, 1e-6, 1e6, 2),
	ONE(cbrt, -1000, 1000, 2),
	ONE(erf, -3, 3, 16),
	ONE(tgamma, 0.5, 20, 16),
	ONE(sinpi, -3, 3, 4),
	NATIVE(native_exp2, -20, 20, 0),
	NATIVE(native_log2, 0.1, 1000, 1e-5),
	NATIVE(native_sqrt, 0, 1e6, 0),
	NATIVE(native_recip, 0.01, 100, 0),
	NATIVE(native_sin, -3, 3, 1e-3),
	NATIVE(half_cos, -3, 3, 1e-2),
	TWO(pow, 0.01, 20, 16),
	TWO(atan2, -9, 9, 6),
	TWO(hypot, -9, 9, 4),
	TWO(fmod, -90, 90, 0.001),
	TWO(remainder, -90, 90, 0.001),
	TWO(native_divide, -90, 90, 8),
	SPECIAL(sqrt, 3),
	SPECIAL(rsqrt, 2),
	SPECIAL(exp, 3),
	SPECIAL(exp2, 3),
	SPECIAL(log, 3),
	SPECIAL(log2, 3),
	SPECIAL(atan, 5),
	SPECIAL(cbrt, 2),
	{},
};
