/* SPDX-License-Identifier: MIT */
/* Float arithmetic and comparisons. */

kernel void float_basic(global const float *a, global const float *b,
			global const float *c, global float *out)
{
	size_t i = get_global_id(0);

	out[6 * i] = a[i] + b[i];
	out[6 * i + 1] = a[i] - b[i];
	out[6 * i + 2] = a[i] * b[i];
	out[6 * i + 3] = fma(a[i], b[i], c[i]);
	out[6 * i + 4] = -a[i];
	out[6 * i + 5] = fabs(b[i]);
}

kernel void float_divide(global const float *a, global const float *b,
			 global float *out)
{
	size_t i = get_global_id(0);

	out[2 * i] = a[i] / b[i];
	out[2 * i + 1] = 1.0f / b[i];
}

kernel void float_compare(global const float *a, global const float *b,
			  global int *out)
{
	size_t i = get_global_id(0);
	float x = a[i], y = b[i];
	int bits = (x < y) | (x <= y) << 1 | (x > y) << 2 | (x >= y) << 3 |
		   (x == y) << 4 | (x != y) << 5 | isunordered(x, y) << 6 |
		   isordered(x, y) << 7 | isless(x, y) << 8 |
		   isnotequal(x, y) << 9;

	out[2 * i] = bits;
	out[2 * i + 1] = isnan(x) | isinf(x) << 1 | isfinite(x) << 2 |
			 isnormal(x) << 3 | signbit(x) << 4;
}

kernel void float_min_max(global const float *a, global const float *b,
			  global float *out)
{
	size_t i = get_global_id(0);

	out[4 * i] = fmin(a[i], b[i]);
	out[4 * i + 1] = fmax(a[i], b[i]);
	out[4 * i + 2] = a[i] < b[i] ? a[i] : b[i];
	out[4 * i + 3] = copysign(a[i], b[i]);
}

kernel void float_round(global const float *in, global float *out)
{
	size_t i = get_global_id(0);

	out[5 * i] = floor(in[i]);
	out[5 * i + 1] = ceil(in[i]);
	out[5 * i + 2] = trunc(in[i]);
	out[5 * i + 3] = rint(in[i]);
	out[5 * i + 4] = round(in[i]);
}

kernel void float_vector(global const float4 *a, global const float4 *b,
			 global float *out)
{
	size_t i = get_global_id(0);
	float4 c = cross(a[i], b[i]);

	out[8 * i] = dot(a[i], b[i]);
	out[8 * i + 1] = length(a[i].xyz);
	out[8 * i + 2] = distance(a[i], b[i]);
	out[8 * i + 3] = c.x;
	out[8 * i + 4] = c.y;
	out[8 * i + 5] = c.z;
	out[8 * i + 6] = normalize(a[i]).y;
	out[8 * i + 7] = fast_length(b[i].xy);
}

kernel void float_common(global const float *a, global const float *b,
			 global float *out)
{
	size_t i = get_global_id(0);

	out[8 * i] = clamp(a[i], -0.5f, 0.75f);
	out[8 * i + 1] = mix(a[i], b[i], 0.25f);
	out[8 * i + 2] = step(a[i], b[i]);
	out[8 * i + 3] = smoothstep(-1.0f, 1.0f, a[i]);
	out[8 * i + 4] = sign(b[i]);
	out[8 * i + 5] = degrees(a[i]);
	out[8 * i + 6] = radians(b[i]);
	out[8 * i + 7] = fdim(a[i], b[i]);
}

kernel void float_parts(global const float *in, global float *out,
			global int *exponents)
{
	size_t i = get_global_id(0);
	int exponent;
	float whole;

	out[5 * i] = frexp(in[i], &exponent);
	out[5 * i + 1] = modf(in[i], &whole);
	out[5 * i + 2] = whole;
	out[5 * i + 3] = ldexp(in[i], (int)(i & 15) - 8);
	out[5 * i + 4] = nextafter(in[i], 1000.0f);
	exponents[2 * i] = exponent;
	exponents[2 * i + 1] = ilogb(in[i]);
}

kernel void float_denormal(global const float *in, global float *out)
{
	size_t i = get_global_id(0);

	out[2 * i] = in[i] * 0x1p-120f;
	out[2 * i + 1] = in[i] * 0x1p-120f * 0x1p120f;
}

#ifdef cl_khr_fp16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

kernel void half_basic(global const half *a, global const half *b,
		       global half *out)
{
	size_t i = get_global_id(0);

	out[6 * i] = a[i] + b[i];
	out[6 * i + 1] = a[i] - b[i];
	out[6 * i + 2] = a[i] * b[i];
	out[6 * i + 3] = a[i] < b[i] ? a[i] : b[i];
	out[6 * i + 4] = fabs(a[i]);
	out[6 * i + 5] = fma(a[i], b[i], a[i]);
}

kernel void half_convert(global const half *in, global int *n,
			 global float *f, global const int *m,
			 global half *out)
{
	size_t i = get_global_id(0);

	n[2 * i] = in[i];
	n[2 * i + 1] = convert_int_rte(in[i]);
	f[i] = in[i];
	out[2 * i] = m[i];
	out[2 * i + 1] = convert_half_rtz(m[i] * 1.01f);
}

kernel void half_compare(global const half *a, global const half *b,
			 global int *out)
{
	size_t i = get_global_id(0);
	half x = a[i], y = b[i];

	out[i] = (x < y) | (x <= y) << 1 | (x > y) << 2 | (x >= y) << 3 |
		 (x == y) << 4 | (x != y) << 5 | isnan(x) << 6;
}

kernel void half_vector(global const half4 *a, global const half4 *b,
			global half4 *out)
{
	size_t i = get_global_id(0);
	half4 sum = a[i] + b[i].wzyx;

	out[i] = sum * (half4)(1.0h, 2.0h, 0.5h, -1.0h);
}
#endif
