// SPDX-License-Identifier: MIT
/*
 * Functions of OpenCL C within the error that its specification allows (OpenCL C
 * 3.0, section 7.4, full profile, and OpenCL extensions, cl_khr_fp16).
 */
#include "numbers.h"
#include "tap.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct function {
	const char *expression; /* of x, y and z */
	int arguments;
	/* In units in the last place; below 0: the type has no such function. */
	double float_ulps, half_ulps;
	long double (*exact)(long double x, long double y, long double z);
};

#define EXACT(name, value)						\
static long double exact_##name(long double x, long double y, long double z) \
{									\
	(void)x;							\
	(void)y;							\
	(void)z;							\
	return value;							\
}

/* Reduced to where sines are small: the rest of a half turn is exact. */
static long double sine_of_pi(long double x)
{
	long double turn = x - 2 * rintl(x / 2);

	if (isinf(x))
		return NAN;
	if (fabsl(turn) > 0.5L)
		turn = copysignl(1, turn) - turn;
	return sinl(M_PIl * turn);
}

static long double cosine_of_pi(long double x)
{
	long double turn = fabsl(x - 2 * rintl(x / 2));

	return isinf(x) ? NAN : sine_of_pi(0.5L - turn);
}

EXACT(add, x + y)
EXACT(sub, x - y)
EXACT(mul, x * y)
EXACT(div, x / y)
EXACT(recip, 1 / x)
EXACT(acos, acosl(x))
EXACT(acosh, acoshl(x))
EXACT(acospi, acosl(x) / M_PIl)
EXACT(asin, asinl(x))
EXACT(asinh, asinhl(x))
EXACT(asinpi, asinl(x) / M_PIl)
EXACT(atan, atanl(x))
EXACT(atanh, atanhl(x))
EXACT(atanpi, atanl(x) / M_PIl)
EXACT(atan2, atan2l(x, y))
EXACT(atan2pi, atan2l(x, y) / M_PIl)
EXACT(cbrt, cbrtl(x))
EXACT(ceil, ceill(x))
EXACT(cos, cosl(x))
EXACT(cosh, coshl(x))
EXACT(cospi, cosine_of_pi(x))
EXACT(erf, erfl(x))
EXACT(erfc, erfcl(x))
EXACT(exp, expl(x))
EXACT(exp2, exp2l(x))
EXACT(exp10, exp10l(x))
EXACT(expm1, expm1l(x))
EXACT(fabs, fabsl(x))
EXACT(fdim, fdiml(x, y))
EXACT(floor, floorl(x))
EXACT(fma, fmal(x, y, z))
EXACT(fmax, fmaxl(x, y))
EXACT(fmin, fminl(x, y))
EXACT(fmod, fmodl(x, y))
EXACT(hypot, hypotl(x, y))
EXACT(log, logl(x))
EXACT(log2, log2l(x))
EXACT(log10, log10l(x))
EXACT(log1p, log1pl(x))
EXACT(logb, logbl(x))
EXACT(pow, powl(x, y))
EXACT(remainder, remainderl(x, y))
EXACT(rint, rintl(x))
EXACT(round, roundl(x))
EXACT(rsqrt, 1 / sqrtl(x))
EXACT(sin, sinl(x))
EXACT(sinh, sinhl(x))
EXACT(sinpi, sine_of_pi(x))
EXACT(sqrt, sqrtl(x))
EXACT(tan, tanl(x))
EXACT(tanh, tanhl(x))
EXACT(tanpi, sine_of_pi(x) / cosine_of_pi(x))
EXACT(tgamma, tgammal(x))
EXACT(trunc, truncl(x))

#define ONE(name, float_ulps, half_ulps) \
	{ #name "(x)", 1, float_ulps, half_ulps, exact_##name }
#define TWO(name, float_ulps, half_ulps) \
	{ #name "(x, y)", 2, float_ulps, half_ulps, exact_##name }

static const struct function functions[] = {
	{ "x + y", 2, 0.5, 0.5, exact_add },
	{ "x - y", 2, 0.5, 0.5, exact_sub },
	{ "x * y", 2, 0.5, 0.5, exact_mul },
	{ "x / y", 2, 2.5, 1, exact_div },
	{ "1 / x", 1, 2.5, 1, exact_recip },
	{ "fma(x, y, z)", 3, 0.5, 0.5, exact_fma },
	ONE(acos, 4, 2),
	ONE(acosh, 4, 2),
	ONE(acospi, 5, 2),
	ONE(asin, 4, 2),
	ONE(asinh, 4, 2),
	ONE(asinpi, 5, 2),
	ONE(atan, 5, 2),
	ONE(atanh, 5, 2),
	ONE(atanpi, 5, 2),
	TWO(atan2, 6, 2),
	TWO(atan2pi, 6, 2),
	ONE(cbrt, 2, 2),
	ONE(ceil, 0, 0),
	ONE(cos, 4, 2),
	ONE(cosh, 4, 2),
	ONE(cospi, 4, 2),
	ONE(erf, 16, 4),
	ONE(erfc, 16, 4),
	ONE(exp, 3, 2),
	ONE(exp2, 3, 2),
	ONE(exp10, 3, 2),
	ONE(expm1, 3, 2),
	ONE(fabs, 0, 0),
	TWO(fdim, 0.5, 0.5),
	ONE(floor, 0, 0),
	TWO(fmax, 0, 0),
	TWO(fmin, 0, 0),
	TWO(fmod, 0, 0),
	TWO(hypot, 4, 2),
	ONE(log, 3, 2),
	ONE(log2, 3, 2),
	ONE(log10, 3, 2),
	ONE(log1p, 2, 2),
	ONE(logb, 0, 0),
	TWO(pow, 16, 4),
	TWO(remainder, 0, 0),
	ONE(rint, 0, 0),
	ONE(round, 0, 0),
	ONE(rsqrt, 2, 1),
	ONE(sin, 4, 2),
	ONE(sinh, 4, 2),
	ONE(sinpi, 4, 2),
	ONE(sqrt, 3, 0.5),
	ONE(tan, 5, 2),
	ONE(tanh, 5, 2),
	ONE(tanpi, 6, 2),
	ONE(tgamma, 16, 4),
	ONE(trunc, 0, 0),
	/* What the device's own instructions give: not to be worse than these. */
	{ "native_recip(x)", 1, 3, -1, exact_recip },
	{ "native_sqrt(x)", 1, 4, -1, exact_sqrt },
	{ "native_rsqrt(x)", 1, 4, -1, exact_rsqrt },
	{ "native_exp2(x)", 1, 4, -1, exact_exp2 },
	{ "half_sqrt(x)", 1, 8192, -1, exact_sqrt },
	{ "half_recip(x)", 1, 8192, -1, exact_recip },
};

#define FUNCTIONS (sizeof(functions) / sizeof(functions[0]))

struct sample {
	enum type type;
	size_t count;
	uint8_t *argument[3], *out;
};

static double allowed(const struct function *function, enum type type)
{
	return type == HALF ? function->half_ulps : function->float_ulps;
}

static char *source_write(enum type type)
{
	const char *t = types[type].name;
	static char text[40000];
	size_t used;

	used = snprintf(text, sizeof(text),
			"#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n");
	for (size_t n = 0; n < FUNCTIONS; n++) {
		if (allowed(&functions[n], type) < 0)
			continue;
		used += snprintf(text + used, sizeof(text) - used,
				 "kernel void f%zu(global const %s *a, global const %s *b,\n"
				 "\tglobal const %s *c, global %s *out)\n"
				 "{\n\tsize_t i = get_global_id(0);\n"
				 "\t%s x = a[i], y = b[i], z = c[i];\n\n"
				 "\tout[i] = %s;\n}\n",
				 n, t, t, t, t, t, functions[n].expression);
	}
	return text;
}

static long double error_of(const struct function *function,
			    const struct sample *sample, size_t i)
{
	size_t at = i * types[sample->type].bytes;
	long double v[3];

	for (int n = 0; n < 3; n++)
		v[n] = value_load(sample->type, sample->argument[n] + at);
	return value_ulps(sample->type, value_load(sample->type,
						   sample->out + at),
			  function->exact(v[0], v[1], v[2]));
}

static bool function_check(const struct function *function,
			   const struct sample *sample, char *why, size_t room)
{
	long double worst = 0, error;
	size_t wrong = 0, place = 0;

	for (size_t i = 0; i < sample->count; i++) {
		error = error_of(function, sample, i);
		wrong += error > allowed(function, sample->type);
		if (error > worst) {
			worst = error;
			place = i;
		}
	}
	place *= types[sample->type].bytes;
	snprintf(why, room,
		 "%zu wrong; %Lg ULP for %La, %La, %La: %La", wrong, worst,
		 value_load(sample->type, sample->argument[0] + place),
		 value_load(sample->type, sample->argument[1] + place),
		 value_load(sample->type, sample->argument[2] + place),
		 value_load(sample->type, sample->out + place));
	return !wrong;
}

static void function_run(struct numbers *numbers, cl_program program,
			 const struct sample *sample, size_t n)
{
	size_t bytes = sample->count * types[sample->type].bytes;
	char kernel[16], name[64], why[200] = "launch";
	struct launch launch = {
		.kernel = kernel, .items = sample->count, .buffers = 4,
		.buffer = { { sample->argument[0], bytes },
			    { sample->argument[1], bytes },
			    { sample->argument[2], bytes },
			    { sample->out, bytes } },
	};
	bool ok;

	snprintf(kernel, sizeof(kernel), "f%zu", n);
	ok = !numbers_launch(numbers, program, &launch) &&
	     function_check(&functions[n], sample, why, sizeof(why));
	snprintf(name, sizeof(name), "%s of %s", functions[n].expression,
		 types[sample->type].name);
	tap_result(ok, name, why);
}

static void type_run(struct numbers *numbers, struct sample *sample)
{
	cl_program program = numbers_build(numbers, source_write(sample->type));

	if (!program) {
		tap_result(false, types[sample->type].name, "build");
		return;
	}
	for (uint64_t n = 0; n < 3; n++)
		value_fill(sample->type, sample->argument[n], sample->count, n);
	for (size_t n = 0; n < FUNCTIONS; n++)
		if (allowed(&functions[n], sample->type) >= 0)
			function_run(numbers, program, sample, n);
	clReleaseProgram(program);
}

static void sample_run(struct numbers *numbers, enum type type)
{
	struct sample sample = { .type = type, .count = value_count(type) };
	size_t bytes = sample.count * types[type].bytes;

	for (int n = 0; n < 3; n++)
		sample.argument[n] = malloc(bytes);
	sample.out = malloc(bytes);
	if (!sample.out || !sample.argument[0] || !sample.argument[1] ||
	    !sample.argument[2])
		abort();
	type_run(numbers, &sample);
	for (int n = 0; n < 3; n++)
		free(sample.argument[n]);
	free(sample.out);
}

void math_run(struct numbers *numbers)
{
	sample_run(numbers, HALF);
	sample_run(numbers, FLOAT);
}
