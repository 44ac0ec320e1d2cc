/* SPDX-License-Identifier: MIT */
/* Function calls, arguments and results by value and by pointer. */

#define NOINLINE __attribute__((noinline))

struct pair {
	int a;
	float b;
};

struct record {
	char tag;
	short width;
	int value[4];
	long sum;
};

NOINLINE int weigh(int x, int y)
{
	if (x > y)
		return x - y * 2;
	return x * 3 + y;
}

NOINLINE int chain_c(int x)
{
	return x * x - 1;
}

NOINLINE int chain_b(int x)
{
	return chain_c(x + 1) + chain_c(x - 1);
}

NOINLINE int chain_a(int x)
{
	int r = 0;

	for (int k = 0; k < (x & 7); k++)
		r += chain_b(k + x);
	return r;
}

NOINLINE struct pair make_pair(int x)
{
	struct pair p = { x * 2, x * 0.5f };

	return p;
}

NOINLINE float take_pair(struct pair p, int scale)
{
	return p.a * scale + p.b;
}

NOINLINE void step_pointer(int *value, int by)
{
	while (*value < by)
		*value = *value * 2 + 1;
}

NOINLINE int many(int a, int b, int c, int d, int e, int f, int g, int h,
		  int j, int k, int l, int m, int n, int o, int p, int q)
{
	return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h -
	       (9 * j + 10 * k + 11 * l + 12 * m + 13 * n + 14 * o + 15 * p +
		16 * q);
}

NOINLINE long fill_record(struct record *r, int seed)
{
	r->tag = seed;
	r->width = seed * 3;
	r->sum = 0;
	for (int k = 0; k < 4; k++) {
		r->value[k] = seed + k * k;
		r->sum += (long)r->value[k] << 20;
	}
	return r->sum + r->tag + r->width;
}

kernel void call_divergent(global const int *in, global int *out)
{
	size_t i = get_global_id(0);
	int x = in[i] & 0xfff;

	if (x & 1)
		out[i] = weigh(x, (int)i * 8);
	else
		out[i] = weigh((int)i * 16, x) ^ 1;
}

kernel void call_chain(global const int *in, global int *out)
{
	size_t i = get_global_id(0);

	out[i] = chain_a(in[i] & 0xfff);
}

kernel void call_struct(global const int *in, global float *out)
{
	size_t i = get_global_id(0);
	struct pair p = make_pair(in[i] & 0xff);

	p.a += 1;
	out[i] = take_pair(p, 4);
}

kernel void call_pointer(global const int *in, global int *out)
{
	size_t i = get_global_id(0);
	int value = in[i] & 63;

	step_pointer(&value, 100 + (int)i);
	out[i] = value;
}

kernel void call_many(global const int *in, global int *out)
{
	size_t i = get_global_id(0);
	int x = in[i];

	out[i] = many(x, x ^ 1, x ^ 2, x ^ 3, x ^ 4, x ^ 5, x ^ 6, x ^ 7, i,
		      i + 1, i + 2, i + 3, i + 4, i + 5, i + 6, i + 7);
}

kernel void call_record(global const int *in, global long *out)
{
	size_t i = get_global_id(0);
	struct record r;

	out[2 * i] = fill_record(&r, in[i] & 0x7f);
	out[2 * i + 1] = r.value[in[i] & 3] + r.tag;
}

kernel void call_in_loop(global const int *in, global int *out)
{
	size_t i = get_global_id(0);
	int x = in[i] & 15, sum = 0;

	while (x > 0) {
		sum += weigh(x, sum & 31);
		if (sum > 200)
			break;
		x--;
	}
	out[i] = sum;
}

kernel void arg_struct(global float *out, struct pair p, struct record r)
{
	size_t i = get_global_id(0);

	out[i] = p.a + p.b + r.tag + r.width + r.value[i & 3] + (float)r.sum;
}

kernel void arg_many(global int *out, char c, uchar uc, short s, ushort us,
		     int n, uint un, long l, ulong ul, float f, int2 n2,
		     float4 f4, uchar3 c3, short8 s8, global const int *in)
{
	size_t i = get_global_id(0);

	out[8 * i] = c + uc;
	out[8 * i + 1] = s + us;
	out[8 * i + 2] = n + un;
	out[8 * i + 3] = l + ul;
	out[8 * i + 4] = f * 4;
	out[8 * i + 5] = n2.x - n2.y + (int)f4.z;
	out[8 * i + 6] = c3.x + c3.y * c3.z;
	out[8 * i + 7] = s8.s7 + in[i];
}
