// SPDX-License-Identifier: MIT
/* What the tests stop. launch.c computes the same on the CPU. */

kernel void sample(global const int *in, global int *out)
{
	int i = get_global_id(0);
	int v = in[i];

	if (i & 1)
		v = v * 3 + 1;
	else
		v = v - 7;
	out[i] = v;
}

kernel void endless(global volatile const int *in, global int *out)
{
	int i = get_global_id(0);
	int n = 0;

	while (in[0] != 1)
		n++;
	out[i] = in[1] + i;
}

int collatz(int v)
{
	int n = 0;

	while (v != 1 && n < 100) {
		v = v & 1 ? 3 * v + 1 : v / 2;
		n++;
	}
	return n;
}

kernel void diverge(global const int *in, global int *out)
{
	int i = get_global_id(0);
	int v = in[i], sum = 0;

	for (int k = 0; k < (i & 3) + 2; k++) {
		switch ((v + k) & 3) {
		case 0:
			sum += collatz((v & 15) + 1);
			break;
		case 1:
			sum -= k;
			continue;
		case 2:
			sum ^= v;
			break;
		default:
			for (int j = 0; j < k; j++)
				sum += j * v;
		}
		sum += 5;
	}
	out[i] = sum;
}

kernel void reverse(global const int *in, global int *out)
{
	local int tile[32];
	int i = get_global_id(0), l = get_local_id(0);

	tile[l] = in[i];
	barrier(CLK_LOCAL_MEM_FENCE);
	out[i] = tile[31 - l];
}

kernel void total(global const int *in, global int *out)
{
	local int tile[32];
	int i = get_global_id(0), l = get_local_id(0);

	tile[l] = in[i];
	for (int n = 16; n > 0; n /= 2) {
		barrier(CLK_LOCAL_MEM_FENCE);
		if (l < n)
			tile[l] += tile[l + n];
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	out[i] = tile[0] + l;
}

kernel void spill(global const int *in, global int *out)
{
	int i = get_global_id(0);
	int t[40], sum = 0;

	for (int k = 0; k < 40; k++)
		t[k] = in[i] * k + i;
	for (int k = 0; k < 40; k++)
		sum += t[(in[i] + k * 7) % 40] ^ k;
	out[i] = sum;
}

__attribute__((intel_reqd_sub_group_size(16)))
kernel void wide16(global const int *in, global int *out)
{
	int i = get_global_id(0);
	int v = in[i], sum = 0;

	for (int k = 0; k < (i & 7); k++)
		sum += k & 1 ? v : i * k;
	out[i] = sum + v * 12345 - i * 6789;
}

__attribute__((intel_reqd_sub_group_size(32)))
kernel void wide32(global const int *in, global int *out)
{
	int i = get_global_id(0);
	int v = in[i], sum = 0;

	for (int k = 0; k < (i & 7); k++)
		sum += k & 1 ? v : i * k;
	out[i] = sum + v * 12345 - i * 6789;
}

/* Products of 64 bits, halves of which wait in the accumulator. */
kernel void product(global const int *in, global int *out)
{
	int i = get_global_id(0);
	int v = in[i];

	out[i] = mul_hi(v * 123456789, i * 98765431) + mul_hi(v, i * 65537);
}

/* Long enough that its beginning and end do not count. */
kernel void grind(global const int *in, global int *out)
{
	int i = get_global_id(0);
	uint v = in[i];

	for (int k = 0; k < 20000; k++)
		v = (v * 1664525 + 1013904223) ^ (v >> 13);
	out[i] = v;
}

/* One thread goes round, the others wait for it. */
kernel void uneven(global volatile const int *in, global int *out)
{
	int i = get_global_id(0);
	int n = 0;

	if (get_local_id(0) < 8)
		while (in[0] != 1)
			n++;
	barrier(CLK_LOCAL_MEM_FENCE);
	out[i] = in[1] + i;
}

int inner(int v)
{
	return v * 3 + 1;
}

int outer(int v)
{
	int a = inner(v), b = inner(v + 2);

	return a - b * v;
}

/* Calls two deep, and two in a line. */
kernel void nested(global const int *in, global int *out)
{
	int i = get_global_id(0);
	int v = in[i], sum = outer(v) + inner(i);

	if (v & 1)
		sum += outer(sum);
	out[i] = sum;
}
