/* SPDX-License-Identifier: MIT */
/* Loads and stores: sizes, alignment, address spaces, private arrays. */

#define COPY(type) \
kernel void copy_##type(global const type *in, global type *out) \
{ \
	size_t i = get_global_id(0), n = get_global_size(0); \
\
	out[i] = in[n - 1 - i] + (type)i; \
}

COPY(char)
COPY(short)
COPY(int)
COPY(long)
COPY(float)

kernel void vector_load(global const int *in, global int *out)
{
	size_t i = get_global_id(0);
	int3 three = vload3(i, in + 1);
	int4 four = vload4(i, in + 3);
	int8 eight = vload8(i, in + 1);

	vstore3(three * 2, i, out);
	vstore4(four + 1, i, out + 3 * get_global_size(0));
	vstore8(eight.s76543210, i, out + 7 * get_global_size(0));
}

kernel void char_vector_load(global const char *in, global char *out)
{
	size_t i = get_global_id(0);
	size_t n = get_global_size(0);

	vstore3(vload3(i, in + 1), i, out);
	vstore4(vload4(i, in + 3), i, out + 3 * n + 1);
	vstore2(vload2(i, in + 5), i, out + 7 * n + 3);
}

struct __attribute__((packed)) mixed {
	char tag;
	int value;
	short half_word;
	long wide;
};

kernel void unaligned(global const struct mixed *in, global struct mixed *out)
{
	size_t i = get_global_id(0);

	out[i].tag = in[i].half_word;
	out[i].value = in[i].value + in[i].tag;
	out[i].half_word = in[i].value;
	out[i].wide = in[i].wide ^ in[i].value;
}

struct nested {
	int count;
	struct {
		short x, y;
	} point[3];
	uchar flags[4];
	float weight;
};

kernel void struct_array(global struct nested *list)
{
	size_t i = get_global_id(0);
	struct nested copy = list[i];
	int sum = 0;

	for (int k = 0; k < 3; k++)
		sum += copy.point[k].x * copy.point[k].y;
	copy.count = sum;
	copy.point[1] = copy.point[2];
	copy.flags[i & 3] ^= 0xff;
	copy.weight *= 0.5f;
	list[i] = copy;
}

constant int table[16] = { 3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3 };
constant float4 colours[3] = {
	(float4)(1, 2, 3, 4), (float4)(0.5f, 0.25f, 8, -1), (float4)(9),
};
constant char letters[] = "the quick brown fox";

kernel void constants(global const uint *in, constant int *more,
		      global int *out, global float *fout)
{
	size_t i = get_global_id(0);
	uint x = in[i];

	out[3 * i] = table[x & 15];
	out[3 * i + 1] = letters[x % 19];
	out[3 * i + 2] = more[x % 50] + table[3];
	fout[i] = colours[x % 3].z + colours[i % 3].w;
}

kernel void private_array(global const uint *in, global uint *out)
{
	size_t i = get_global_id(0);
	uint bins[16];

	for (int k = 0; k < 16; k++)
		bins[k] = k * i;
	for (int k = 0; k < 32; k++)
		bins[in[i] >> (k & 15) & 15] += k;
	for (int k = 0; k < 16; k++)
		out[16 * i + k] = bins[k];
}

kernel void private_large(global const uint *in, global uint *out)
{
	size_t i = get_global_id(0);
	uint heap[400];
	uint x = in[i];

	for (int k = 0; k < 400; k++)
		heap[k] = k ^ x;
	for (int k = 0; k < 300; k++) {
		uint from = (x + k * 7) % 400, to = (x >> 8) % 400;

		heap[to] += heap[from];
		x = x * 1664525 + 1013904223;
	}
	uint sum = 0;
	for (int k = 0; k < 400; k++)
		sum = sum * 31 + heap[k];
	out[i] = sum;
}

kernel void private_bytes(global const uchar *in, global uchar *out)
{
	size_t i = get_global_id(0);
	uchar text[24];
	ushort words[5];

	for (int k = 0; k < 24; k++)
		text[k] = in[(i + k) & 127];
	for (int k = 0; k < 5; k++)
		words[k] = text[k * 2] << 8 | text[k * 2 + 1];
	text[in[i] % 24] = words[in[i] % 5] >> 3;
	for (int k = 0; k < 24; k++)
		out[24 * i + k] = text[(k * 5) % 24];
}

/* Copies of every length: the last words of each are moved by themselves. */
#define PRIVATE_TRIPLES(name, type, count) \
kernel void name(global const type *in, global type *out) \
{ \
	size_t i = get_global_id(0); \
	type mine[count]; \
\
	for (int k = 0; k < count; k++) \
		mine[k] = in[k]; \
	for (int k = 0; k < count / 3; k++) \
		vstore3(vload3((k + i) % (count / 3), mine), k, \
			out + i * count); \
}

PRIVATE_TRIPLES(private_char3, uchar, 252)
PRIVATE_TRIPLES(private_short3, ushort, 126)
PRIVATE_TRIPLES(private_char3_odd, uchar, 237)

/* More live values than there are registers. */
kernel void spill(global const int *in, global int *out)
{
	size_t i = get_global_id(0);
	int16 v[12];

	for (int k = 0; k < 12; k++)
		v[k] = vload16(k, in + i);
	for (int turn = 0; turn < 3; turn++) {
#pragma unroll
		for (int k = 0; k < 12; k++)
			v[k] = v[k] * 3 + v[(k + 5) % 12].s7654fedc01238ab9;
	}
	int16 sum = 0;
#pragma unroll
	for (int k = 0; k < 12; k++)
		sum = sum * 5 ^ v[k];
	vstore16(sum, i, out);
}

kernel void gather_scatter(global const uint *index, global const int *in,
			   global int *out)
{
	size_t i = get_global_id(0);

	out[index[i]] = in[index[index[i]]] * 2 + i;
}

kernel void strided(global const short *in, global short *out, int stride)
{
	size_t i = get_global_id(0);

	for (int k = 0; k < stride; k++)
		out[i * stride + k] = in[k * get_global_size(0) + i];
}

kernel void transpose(global const float *in, global float *out)
{
	size_t x = get_global_id(0), y = get_global_id(1);

	out[x * get_global_size(1) + y] = in[y * get_global_size(0) + x];
}

kernel void pointer_walk(global const int *next, global const int *value,
			 global int *out)
{
	size_t i = get_global_id(0);
	global const int *at = next + i;
	int sum = 0;

	for (int k = 0; k < 10; k++) {
		sum = sum * 3 + value[at - next];
		at = next + *at;
	}
	out[i] = sum;
}

kernel void select_pointer(global const int *a, global const int *b,
			   constant int *c, global int *out)
{
	size_t i = get_global_id(0);
	global const int *p = a[i] & 1 ? a : b;
	private int mine[2] = { (int)i, -(int)i };
	private int *q = &mine[a[i] >> 1 & 1];

	*q += 5;
	out[i] = p[i] + mine[0] * 3 + mine[1] + c[i & 7];
}
