/* SPDX-License-Identifier: MIT */
/* Integer arithmetic of 8 to 32 bits, vectors, bit operations. */

#define BASIC(type, bits) \
kernel void basic_##type(global const type *a, global const type *b, \
			 global type *out) \
{ \
	size_t i = get_global_id(0); \
	type x = a[i], y = b[i]; \
	uint count = (uint)y & (bits - 1); \
\
	out[8 * i] = x + y; \
	out[8 * i + 1] = x - y; \
	out[8 * i + 2] = x * y; \
	out[8 * i + 3] = (x & ~y) | (x ^ y); \
	out[8 * i + 4] = x << count; \
	out[8 * i + 5] = x >> count; \
	out[8 * i + 6] = x < y ? x : -y; \
	out[8 * i + 7] = (x >= y) + (x == y) * 2 + (x != 0) * 4; \
}

BASIC(char, 8)
BASIC(uchar, 8)
BASIC(short, 16)
BASIC(ushort, 16)
BASIC(int, 32)
BASIC(uint, 32)

#define DIVIDE(type) \
kernel void divide_##type(global const type *a, global const type *b, \
			  global type *out) \
{ \
	size_t i = get_global_id(0); \
	type x = a[i], y = b[i] == 0 ? (type)3 : b[i]; \
\
	if (y == (type)-1) \
		y = 2; \
	out[4 * i] = x / y; \
	out[4 * i + 1] = x % y; \
	out[4 * i + 2] = x / (type)7; \
	out[4 * i + 3] = x % (type)10; \
}

DIVIDE(char)
DIVIDE(uchar)
DIVIDE(short)
DIVIDE(ushort)
DIVIDE(int)
DIVIDE(uint)

#define SATURATE(type) \
kernel void saturate_##type(global const type *a, global const type *b, \
			    global type *out) \
{ \
	size_t i = get_global_id(0); \
	type x = a[i], y = b[i]; \
\
	out[6 * i] = add_sat(x, y); \
	out[6 * i + 1] = sub_sat(x, y); \
	out[6 * i + 2] = hadd(x, y); \
	out[6 * i + 3] = rhadd(x, y); \
	out[6 * i + 4] = mul_hi(x, y); \
	out[6 * i + 5] = clamp(x, (type)5, (type)100); \
}

SATURATE(char)
SATURATE(uchar)
SATURATE(short)
SATURATE(ushort)
SATURATE(int)
SATURATE(uint)

kernel void bit_count(global const uint *a, global const uint *b,
		      global uint *out)
{
	size_t i = get_global_id(0);

	out[6 * i] = popcount(a[i]);
	out[6 * i + 1] = clz(a[i]);
	out[6 * i + 2] = rotate(a[i], b[i]);
	out[6 * i + 3] = clz((ushort)a[i]);
	out[6 * i + 4] = popcount((uchar)b[i]);
	out[6 * i + 5] = rotate((uchar)a[i], (uchar)b[i]);
}

kernel void mul24_mad24(global const int *a, global const int *b,
			global int *out)
{
	size_t i = get_global_id(0);
	int x = a[i] >> 8, y = b[i] >> 8;

	out[4 * i] = mul24(x, y);
	out[4 * i + 1] = mad24(x, y, a[i]);
	out[4 * i + 2] = mad_hi(a[i], b[i], x);
	out[4 * i + 3] = mad_sat(a[i], x, y);
}

kernel void abs_diff_upsample(global const int *a, global const int *b,
			      global uint *out, global long *wide)
{
	size_t i = get_global_id(0);

	out[4 * i] = abs(a[i]);
	out[4 * i + 1] = abs_diff(a[i], b[i]);
	out[4 * i + 2] = max(a[i], b[i]);
	out[4 * i + 3] = upsample((short)a[i], (ushort)b[i]);
	wide[i] = upsample(a[i], (uint)b[i]);
}

kernel void vector_lanes(global const int4 *a, global const int4 *b,
			 global int4 *out)
{
	size_t i = get_global_id(0);
	int4 x = a[i], y = b[i];
	int4 less = x < y;

	out[4 * i] = x * y + (int4)(1, 2, 3, 4);
	out[4 * i + 1] = (int4)(x.wz, y.s01);
	out[4 * i + 2] = select(x, y, less);
	out[4 * i + 3] = (x.yxwz - y) >> (y & 31);
}

kernel void vector_widths(global const uchar *in, global uchar *out)
{
	size_t i = get_global_id(0);
	uchar16 all = vload16(i, in);
	uchar8 sum = all.lo + all.hi;
	uchar4 odd = sum.odd;
	uchar2 pair = odd.xy ^ odd.zw;
	uchar3 three = all.s3ab;

	vstore16(all.sfedcba9876543210, 0, out + 32 * i);
	vstore8(sum, 0, out + 32 * i + 16);
	vstore4(odd, 0, out + 32 * i + 24);
	vstore3(three, 0, out + 32 * i + 28);
	out[32 * i + 31] = pair.x - pair.y;
}

kernel void shuffles(global const ushort8 *in, global const ushort8 *index,
		     global ushort8 *out)
{
	size_t i = get_global_id(0);

	out[2 * i] = shuffle(in[i], index[i]);
	out[2 * i + 1] = shuffle2(in[i], index[i], index[i]);
}

kernel void bit_select(global const uint *a, global const uint *b,
		       global const uint *c, global uint *out)
{
	size_t i = get_global_id(0);

	out[4 * i] = bitselect(a[i], b[i], c[i]);
	out[4 * i + 1] = select(a[i], b[i], c[i] & 0x80000000);
	out[4 * i + 2] = any((int2)(a[i], b[i])) * 2 +
			 all((int2)(a[i], b[i]));
	out[4 * i + 3] = as_uint(as_uchar4(a[i]).wzyx);
}

kernel void hash_mix(global const uint *in, global uint *out)
{
	size_t i = get_global_id(0);
	uint a = in[i], b = i, c = 0x9e3779b9;

	for (int round = 0; round < 16; round++) {
		a += rotate(b, 5u) ^ c;
		b = (b << 7 | b >> 25) + (a & c);
		c ^= a * 0x85ebca6b;
	}
	out[i] = a ^ b ^ c;
}
