/* SPDX-License-Identifier: MIT */
struct pair {
	char first;
	long second;
};

__constant int table[4] = { 1, 2, 3, 4 };

static int add(struct pair *p, int by)
{
	return (int)p->second + by;
}

__kernel void compute(__global const int *in, __global int *out, int n)
{
	__local int tile[64];
	struct pair mine = { 1, n };
	int sum = in[0];

	tile[n & 63] = sum;
	sum += add(&mine, table[n & 3]);
	out[0] = sum + tile[3];
}
