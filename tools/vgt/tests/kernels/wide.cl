/* SPDX-License-Identifier: MIT */
/* 64-bit integers: the compiler makes them of 32-bit instructions. */

#define WIDE(type) \
kernel void wide_##type(global const type *a, global const type *b, \
			global type *out) \
{ \
	size_t i = get_global_id(0); \
	type x = a[i], y = b[i]; \
\
	out[8 * i] = x + y; \
	out[8 * i + 1] = x - y; \
	out[8 * i + 2] = x * y; \
	out[8 * i + 3] = x << (y & 63); \
	out[8 * i + 4] = x >> (y & 63); \
	out[8 * i + 5] = (x & ~y) | (x ^ -y); \
	out[8 * i + 6] = min(x, y) - max(x, (type)12345678901234); \
	out[8 * i + 7] = (x < y) + (x == y) * 2 + (x > 5) * 4; \
} \
kernel void wide_divide_##type(global const type *a, global const type *b, \
			       global type *out) \
{ \
	size_t i = get_global_id(0); \
	type x = a[i], y = b[i] == 0 || b[i] == (type)-1 ? (type)3 : b[i]; \
\
	out[4 * i] = x / y; \
	out[4 * i + 1] = x % y; \
	out[4 * i + 2] = x / 1000000007; \
	out[4 * i + 3] = x % 37; \
} \
kernel void wide_builtin_##type(global const type *a, global const type *b, \
				global type *out) \
{ \
	size_t i = get_global_id(0); \
	type x = a[i], y = b[i]; \
\
	out[8 * i] = add_sat(x, y); \
	out[8 * i + 1] = sub_sat(x, y); \
	out[8 * i + 2] = mul_hi(x, y); \
	out[8 * i + 3] = rotate(x, y); \
	out[8 * i + 4] = hadd(x, y); \
	out[8 * i + 5] = rhadd(x, y); \
	out[8 * i + 6] = popcount(x) + clz(y); \
	out[8 * i + 7] = mad_hi(x, y, y); \
}

WIDE(long)
WIDE(ulong)

kernel void wide_lcg(global const ulong *in, global ulong *out)
{
	size_t i = get_global_id(0);
	ulong x = in[i];
	uint turns = 8 + (i & 15);

	while (turns--) {
		x = x * 6364136223846793005UL + 1442695040888963407UL;
		x ^= x >> 33;
	}
	out[i] = x;
}

kernel void wide_widen(global const int *in, global const uint *uin,
		       global long *out)
{
	size_t i = get_global_id(0);

	out[4 * i] = in[i];
	out[4 * i + 1] = uin[i];
	out[4 * i + 2] = (long)in[i] * in[i];
	out[4 * i + 3] = (ulong)uin[i] * uin[i];
}

kernel void wide_vector(global const ulong2 *a, global ulong2 *out)
{
	size_t i = get_global_id(0);

	out[i] = a[i].yx * (ulong2)(3, i) + (a[i] >> (ulong2)(1, 40));
}
