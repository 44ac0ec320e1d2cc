/* SPDX-License-Identifier: MIT */
/* The math library, one function per output column. */

#define UNARY(name) \
kernel void math_##name(global const float *in, global float *out) \
{ \
	size_t i = get_global_id(0); \
\
	out[i] = name(in[i]); \
}

#define BINARY(name) \
kernel void math_##name(global const float *a, global const float *b, \
			global float *out) \
{ \
	size_t i = get_global_id(0); \
\
	out[i] = name(a[i], b[i]); \
}

UNARY(exp)
UNARY(exp2)
UNARY(exp10)
UNARY(expm1)
UNARY(log)
UNARY(log2)
UNARY(log10)
UNARY(log1p)
UNARY(sin)
UNARY(cos)
UNARY(tan)
UNARY(asin)
UNARY(acos)
UNARY(atan)
UNARY(sinh)
UNARY(cosh)
UNARY(tanh)
UNARY(sqrt)
UNARY(rsqrt)
UNARY(cbrt)
UNARY(erf)
UNARY(tgamma)
UNARY(sinpi)
UNARY(native_exp2)
UNARY(native_log2)
UNARY(native_sqrt)
UNARY(native_recip)
UNARY(native_sin)
UNARY(half_cos)
BINARY(pow)
BINARY(atan2)
BINARY(hypot)
BINARY(fmod)
BINARY(remainder)
BINARY(native_divide)
