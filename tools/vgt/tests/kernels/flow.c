// SPDX-License-Identifier: MIT
#include "suite.h"

#include <stdlib.h>
#include <string.h>

#define N 230
#define TABLE 77

static int32_t nested_if(int32_t x)
{
	if (x < 0 && x & 1)
		return (uint32_t)x * 3;
	if (x < 0 && x & 2)
		return (uint32_t)x - 7;
	if (x < 0)
		return -x;
	if (x % 3 == 0)
		return x / 3;
	return (x ^ 0x55) + (x > 500 ? 1000 : 0);
}

static void flow_if(const struct kt_run *run)
{
	size_t i;

	for (i = 0; i < N; i++)
		KT_WANT(run, 1, int32_t)[i] =
			nested_if(KT_DATA(run, 0, int32_t)[i]);
}

static uint32_t collatz(uint32_t x)
{
	if (x == 1)
		return 0;
	return 1 + collatz(x % 2 ? 3 * x + 1 : x / 2);
}

static void flow_while(const struct kt_run *run)
{
	size_t i;

	for (i = 0; i < N; i++)
		KT_WANT(run, 1, uint32_t)[i] =
			collatz(KT_DATA(run, 0, uint32_t)[i] % 1000 + 1);
}

static uint32_t gcd(uint32_t a, uint32_t b)
{
	return b ? gcd(b, a % b) : a;
}

static void flow_do(const struct kt_run *run)
{
	size_t i;

	for (i = 0; i < N; i++) {
		uint32_t x = KT_DATA(run, 0, uint32_t)[i];

		KT_WANT(run, 1, uint32_t)[i] = gcd(x | 1, x >> 16 | 1);
	}
}

static int32_t break_continue(int32_t x)
{
	int32_t k, sum = 0;

	for (k = 0; k < 100; k++) {
		if (k % 5 == x % 5)
			continue;
		sum += k;
		if (sum > x * 20)
			break;
		sum -= k % 2 * 2;
	}
	return sum;
}

static void flow_break_continue(const struct kt_run *run)
{
	size_t i;

	for (i = 0; i < N; i++)
		KT_WANT(run, 1, int32_t)[i] =
			break_continue(KT_DATA(run, 0, int32_t)[i] & 63);
}

static int32_t nested_loops(int32_t x)
{
	int32_t a, b, c, count = 0;

	for (a = 0; a < x && count <= 3000; a++)
		for (b = a; b < 12 && (a ^ b) != x; b++)
			for (c = 0; c < b && (c * 2 == x || c <= a + 3); c++)
				count += c * 2 == x ? 0 : a * b + c;
	return count;
}

static void flow_nested(const struct kt_run *run)
{
	size_t i;

	for (i = 0; i < N; i++)
		KT_WANT(run, 1, int32_t)[i] =
			nested_loops(KT_DATA(run, 0, int32_t)[i] & 31);
}

/* Looks for a factor pair; 0: none, 1: too large, 2: three below @x. */
static int search_pairs(int32_t x, int32_t tries)
{
	int32_t n;

	for (n = 0; n < 19 * 19; n++) {
		int32_t product = (n / 19 + 1) * (n % 19 + 1);

		if (product > x)
			return 1;
		if (product == x - 3 && tries < 3)
			return 2;
	}
	return 0;
}

static void flow_goto(const struct kt_run *run)
{
	size_t i;

	for (i = 0; i < N; i++) {
		int32_t x = KT_DATA(run, 0, int32_t)[i] & 1023;
		int32_t tries = 1;
		int found;

		while ((found = search_pairs(x, tries)) == 2) {
			x -= 40;
			tries++;
		}
		if (!found)
			tries += 100;
		KT_WANT(run, 1, int32_t)[i] = tries * 10000 + x;
	}
}

static uint32_t dense(uint32_t x)
{
	uint32_t kind = x % 11;

	if (kind == 0)
		return 5;
	if (kind == 1)
		return x;
	if (kind <= 3)
		return x * 2 + 9;
	if (kind == 4)
		return 9;
	if (kind == 5)
		return 12345;
	if (kind == 6)
		return x >> 3;
	return (kind == 7 ? ~x : 0) ^ 0xff00;
}

static void flow_switch_dense(const struct kt_run *run)
{
	size_t i;

	for (i = 0; i < N; i++)
		KT_WANT(run, 1, uint32_t)[i] =
			dense(KT_DATA(run, 0, uint32_t)[i]);
}

static const int32_t sparse_keys[] = {
	-2000000000, -1, 7, 1000, INT32_MAX,
};

static void flow_switch_sparse(const struct kt_run *run)
{
	size_t i, k;

	for (i = 0; i < N; i++) {
		int32_t x = KT_DATA(run, 0, int32_t)[i];
		int32_t r = x > 0 ? 6 : 7;

		for (k = 0; k < 5; k++)
			if (x == sparse_keys[k])
				r = k + 1;
		KT_WANT(run, 1, int32_t)[i] = r;
	}
}

static void flow_return(const struct kt_run *run)
{
	size_t i;

	for (i = 0; i < N; i++) {
		int32_t x = KT_DATA(run, 0, int32_t)[i];

		if (x & 1)
			continue;
		KT_WANT(run, 1, int32_t)[i] =
			x & 0xff ? 2 + __builtin_ctz(x) : 99;
	}
}

static void flow_short_circuit(const struct kt_run *run)
{
	const int32_t *in = KT_DATA(run, 0, int32_t);
	size_t i;

	for (i = 0; i < N; i++) {
		int32_t k = in[i] & 0xff, hits = 0;

		for (; k < N && in[k] && (in[k] & 7) != 3; hits++)
			k += (in[k] & 3) + 1;
		if (k >= N || !in[k])
			hits = -hits;
		KT_WANT(run, 1, int32_t)[i] = hits;
	}
}

/* The kernel forbids contraction, so each operation rounds alike. */
static void flow_mandelbrot(const struct kt_run *run)
{
	int32_t *out = KT_WANT(run, 0, int32_t);
	int px, py, k;

	for (py = 0; py < 17; py++)
		for (px = 0; px < 23; px++) {
			float cx = px * 0.125f - 2, cy = py * 0.125f - 1;
			float x = 0, y = 0, xx, yy;

			for (k = 0; k < 64; k++) {
				xx = x * x;
				yy = y * y;
				if (xx + yy > 4)
					break;
				y = 2 * x * y + cy;
				x = xx - yy + cx;
			}
			*out++ = k;
		}
}

static int compare_ints(const void *a, const void *b)
{
	int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;

	return (x > y) - (x < y);
}

static void flow_sort(const struct kt_run *run)
{
	int32_t *out = KT_WANT(run, 1, int32_t);
	size_t i;

	memcpy(out, run->arg[0].data, 9 * N * 4);
	for (i = 0; i < N; i++)
		qsort(out + 9 * i, 9, 4, compare_ints);
}

static uint32_t machine(uint32_t code)
{
	uint32_t state = 0, acc = 1;
	int step;

	for (step = 0; step < 40; step++) {
		if (state == 0) {
			acc += code & 15;
			state = 1 + (code & 1);
		} else if (state == 1) {
			acc ^= acc << 3;
			state = acc & 4 ? 3 : 0;
		} else if (state == 2) {
			acc = acc * 5 + 1;
			state = acc & 2 ? 1 : 3;
		} else if (state == 3) {
			state = acc > 0xf0000000 ? 4 : acc & 3;
			code = code >> 1 | code << 31;
		} else {
			acc--;
			state = 0;
		}
	}
	return acc;
}

static void flow_machine(const struct kt_run *run)
{
	size_t i;

	for (i = 0; i < N; i++)
		KT_WANT(run, 1, uint32_t)[i] =
			machine(KT_DATA(run, 0, uint32_t)[i]);
}

static void flow_uniform(const struct kt_run *run)
{
	int32_t turns = *(const int32_t *)run->test->arg[2].value;
	int32_t k;
	size_t i;

	for (i = 0; i < N; i++) {
		uint32_t x = KT_DATA(run, 0, int32_t)[i], sum = x;

		for (k = 0; k < turns && k <= 17; k++)
			sum += turns > 10 ? k * x : (uint32_t)-k;
		KT_WANT(run, 1, int32_t)[i] = sum;
	}
}

static void flow_binary_search(const struct kt_run *run)
{
	int32_t k, key;
	size_t i;

	/* The table holds 0, 1, 2, ...: every key in range is found. */
	for (i = 0; i < N; i++) {
		key = KT_DATA(run, 2, int32_t)[i];
		for (k = 0; k < TABLE && k < key; k++)
			;
		KT_WANT(run, 3, int32_t)[i] =
			k < TABLE && k == key ? k : -1 - k;
	}
}

#define PLAIN(function, tag, how) \
	{ .kernel = #function, .reference = function, .global = { N }, \
	  .arg = { KT_BUFFER_IN(tag, N, how), KT_BUFFER_OUT(tag, N) } }

static const int32_t turns_5 = 5, turns_40 = 40, table_entries = TABLE;

const struct kt_case kt_flow[] = {
	{ .kernel = "flow_if", .reference = flow_if, .global = { N },
	  .arg = { KT_BUFFER_RANGE(I32, N, -900, 900),
		   KT_BUFFER_OUT(I32, N) } },
	PLAIN(flow_while, U32, BITS),
	PLAIN(flow_do, U32, BITS),
	PLAIN(flow_break_continue, I32, BITS),
	PLAIN(flow_nested, I32, BITS),
	PLAIN(flow_goto, I32, BITS),
	PLAIN(flow_switch_dense, U32, BITS),
	{ .kernel = "flow_switch_sparse", .reference = flow_switch_sparse,
	  .global = { N },
	  .arg = { KT_BUFFER_RANGE(I32, N, -4, 12), KT_BUFFER_OUT(I32, N) } },
	{ .kernel = "flow_switch_sparse", .label = "edges",
	  .reference = flow_switch_sparse, .global = { N },
	  .arg = { KT_BUFFER_IN(I32, N, EDGES), KT_BUFFER_OUT(I32, N) } },
	{ .kernel = "flow_return", .reference = flow_return, .global = { N },
	  .arg = { KT_BUFFER_RANGE(I32, N, 0, 2000),
		   KT_BUFFER_INOUT(I32, N, BITS) } },
	PLAIN(flow_short_circuit, I32, BITS),
	{ .kernel = "flow_mandelbrot", .reference = flow_mandelbrot,
	  .global = { 23, 17 }, .arg = { KT_BUFFER_OUT(I32, 23 * 17) } },
	{ .kernel = "flow_sort", .reference = flow_sort, .global = { N },
	  .arg = { KT_BUFFER_IN(I32, 9 * N, BITS),
		   KT_BUFFER_OUT(I32, 9 * N) } },
	PLAIN(flow_machine, U32, BITS),
	{ .kernel = "flow_uniform", .reference = flow_uniform, .global = { N },
	  .arg = { KT_BUFFER_IN(I32, N, BITS), KT_BUFFER_OUT(I32, N),
		   KT_BYTES(&turns_5) } },
	{ .kernel = "flow_uniform", .label = "long", .reference = flow_uniform,
	  .global = { N },
	  .arg = { KT_BUFFER_IN(I32, N, BITS), KT_BUFFER_OUT(I32, N),
		   KT_BYTES(&turns_40) } },
	{ .kernel = "flow_binary_search", .reference = flow_binary_search,
	  .global = { N },
	  .arg = { KT_BUFFER_IN(I32, TABLE, INDEX), KT_BYTES(&table_entries),
		   KT_BUFFER_RANGE(I32, N, -20, 100), KT_BUFFER_OUT(I32, N) } },
	{},
};
