// SPDX-License-Identifier: MIT
#include "suite.h"

#define N 700

static void atomic_count(const struct kt_run *run)
{
	uint32_t *cell = KT_WANT(run, 0, uint32_t);
	int32_t *as_int = KT_WANT(run, 0, int32_t);
	int32_t i;

	for (i = 0; i < N; i++) {
		cell[0] += i;
		cell[1] -= i * 3;
		cell[2]++;
		cell[3]--;
		as_int[4] = as_int[4] < 500 - i ? as_int[4] : 500 - i;
		as_int[5] = as_int[5] > (i ^ 0x55) ? as_int[5] : i ^ 0x55;
		cell[6] &= ~(1u << (i & 15));
		cell[7] |= 1u << (i & 31);
		cell[8] ^= i * 77;
		cell[9 + i % 8]++;
	}
}

static void atomic_unsigned(const struct kt_run *run)
{
	uint32_t *cell = KT_WANT(run, 0, uint32_t);
	uint32_t low = 0xfffffff0 - (N - 1), high = 0x80000000 + N - 1;

	cell[0] = cell[0] < low ? cell[0] : low;
	cell[1] = cell[1] > high ? cell[1] : high;
}

static void atomic_ticket(const struct kt_run *run)
{
	size_t i;

	*KT_WANT(run, 0, uint32_t) = N;
	for (i = 0; i < N; i++)
		KT_WANT(run, 1, uint32_t)[i] = 1;
}

/*
 * Which item comes last is open: every value but the last is seen once, the
 * initial -1 too. That leaves one hole, where the cell's last value is.
 */
static int run_exchange(struct kt_run *run)
{
	static const int32_t zeros[N + 1];
	int32_t seen[N + 1], last = -1;
	float float_last = -1;
	bool is_float = run->test->arg[0].type == KT_F32;
	const size_t items = N;
	cl_mem cell, marks;
	cl_int error;
	size_t i;

	cell = clCreateBuffer(run->context, CL_MEM_COPY_HOST_PTR, 4,
			      is_float ? (void *)&float_last : &last, &error);
	marks = clCreateBuffer(run->context, CL_MEM_COPY_HOST_PTR,
			       sizeof(zeros), (void *)zeros, &error);
	KT_TRY(run, clSetKernelArg(run->kernel, 0, sizeof(cell), &cell));
	KT_TRY(run, clSetKernelArg(run->kernel, 1, sizeof(marks), &marks));
	KT_TRY(run, clEnqueueNDRangeKernel(run->queue, run->kernel, 1, NULL,
					   &items, NULL, 0, NULL, NULL));
	KT_TRY(run, clEnqueueReadBuffer(run->queue, cell, CL_TRUE, 0, 4,
					is_float ? (void *)&float_last : &last,
					0, NULL, NULL));
	KT_TRY(run, clEnqueueReadBuffer(run->queue, marks, CL_TRUE, 0,
					sizeof(seen), seen, 0, NULL, NULL));
	clReleaseMemObject(cell);
	clReleaseMemObject(marks);
	if (is_float)
		last = float_last;
	for (i = 0; i <= N; i++)
		if (seen[i] != ((int32_t)i != last + 1))
			return kt_fail(run, "value %zu seen %d times, last %d",
				       i, seen[i], last);
	return 0;
}

static void atomic_cas(const struct kt_run *run)
{
	float *sum = KT_WANT(run, 1, float);
	size_t i;

	/* Whole numbers below 2^24: the order does not matter. */
	for (i = 0; i < N; i++)
		*sum += KT_DATA(run, 0, float)[i];
}

static void atomic_local(const struct kt_run *run)
{
	size_t g, l;

	for (g = 0; g < 5; g++) {
		int32_t *out = KT_WANT(run, 0, int32_t) + 10 * g;

		for (l = 0; l < 10; l++)
			out[l] = l == 6 ? -1 : (int32_t)l * 100;
		for (l = 0; l < 140; l++) {
			out[0] += l;
			out[1] -= l;
			out[8] ^= l * 5;
			out[6] &= ~(1 << (l & 7));
			out[7] |= 1 << (l & 15);
		}
		out[2] += 140;
		out[3] -= 140;
		out[4] = 450 - 139;
		out[5] = 460 + 139;
		out[9] = 77;
	}
}

static void atomic_local_ticket(const struct kt_run *run)
{
	size_t i;

	for (i = 0; i < N; i++)
		KT_WANT(run, 0, uint32_t)[i] = 1;
}

static void atomic_divergent(const struct kt_run *run)
{
	int32_t *cell = KT_WANT(run, 1, int32_t);
	int32_t i, k, x;

	for (i = 0; i < N; i++) {
		x = KT_DATA(run, 0, int32_t)[i];
		if (x & 1)
			for (k = 0; k < (x >> 1 & 7); k++)
				cell[k]++;
		else if (x & 2)
			cell[8]--;
	}
}

static void wide_count(uint64_t *cell, int64_t items)
{
	int64_t *as_long = (int64_t *)cell;
	int64_t i, low, high;

	for (i = 0; i < items; i++) {
		cell[0] += (uint64_t)i << 30;
		cell[1] -= (uint64_t)i << 33;
		cell[2]++;
		cell[3]--;
		cell[6] &= ~(1ULL << (i & 63));
		cell[7] |= 1ULL << (i & 63);
		cell[8] ^= (uint64_t)i << 20;
	}
	low = -((items - 1) << 35);
	high = (items - 1) << 36;
	as_long[4] = as_long[4] < low ? as_long[4] : low;
	as_long[5] = as_long[5] > high ? as_long[5] : high;
}

static void atomic_wide(const struct kt_run *run)
{
	uint64_t *cell = KT_WANT(run, 0, uint64_t);

	wide_count(cell, N);
	cell[10] = cell[9];
	cell[9] = 99ULL << 40;
	cell[12] = cell[11];
	cell[11] = 1ULL << 50;
}

/* Each value that was exchanged is in the sum, or is still in its cell. */
static int run_wide_local(struct kt_run *run)
{
	enum { GROUPS = 3, ITEMS = 70, CELLS = 12 };
	const size_t items = GROUPS * ITEMS, local = ITEMS;
	uint64_t out[GROUPS * CELLS], want[CELLS];
	cl_int error;
	cl_mem mem;

	for (size_t i = 0; i < CELLS; i++)
		want[i] = (uint64_t)i << 40;
	wide_count(want, ITEMS);
	want[9] += want[10] + ITEMS * (ITEMS + 1) / 2;
	for (size_t i = 0; i < ITEMS; i++)
		want[11] = want[11] * 3 + 1;
	mem = clCreateBuffer(run->context, 0, sizeof(out), NULL, &error);
	KT_TRY(run, clSetKernelArg(run->kernel, 0, sizeof(mem), &mem));
	KT_TRY(run, clEnqueueNDRangeKernel(run->queue, run->kernel, 1, NULL,
					   &items, &local, 0, NULL, NULL));
	KT_TRY(run, clEnqueueReadBuffer(run->queue, mem, CL_TRUE, 0,
					sizeof(out), out, 0, NULL, NULL));
	clReleaseMemObject(mem);
	for (size_t i = 0; i < GROUPS * CELLS; i++) {
		uint64_t got = out[i] + (i % CELLS == 9 ? out[i + 1] : 0);

		if (i % CELLS != 10 && got != want[i % CELLS])
			return kt_fail(run, "cell %zu of group %zu: 0x%llx",
				       i % CELLS, i / CELLS,
				       (unsigned long long)got);
	}
	return 0;
}

const struct kt_case kt_atomic[] = {
	{ .kernel = "atomic_count", .reference = atomic_count, .global = { N },
	  .arg = { KT_BUFFER_INOUT(I32, 17, INDEX) } },
	{ .kernel = "atomic_count", .label = "random",
	  .reference = atomic_count, .global = { N },
	  .arg = { KT_BUFFER_INOUT(I32, 17, BITS) } },
	{ .kernel = "atomic_unsigned", .reference = atomic_unsigned,
	  .global = { N }, .arg = { KT_BUFFER_INOUT(U32, 2, BITS) } },
	{ .kernel = "atomic_ticket", .reference = atomic_ticket,
	  .global = { N },
	  .arg = { KT_BUFFER_INOUT(U32, 1, ZERO),
		   KT_BUFFER_INOUT(U32, N, ZERO) } },
	{ .kernel = "atomic_swap", .run = run_exchange,
	  .arg = { { .type = KT_I32 } } },
	{ .kernel = "atomic_float_swap", .run = run_exchange,
	  .arg = { { .type = KT_F32 } } },
	{ .kernel = "atomic_cas", .reference = atomic_cas, .global = { N },
	  .arg = { KT_BUFFER_IN(F32, N, INDEX),
		   KT_BUFFER_INOUT(F32, 1, ZERO) } },
	{ .kernel = "atomic_local", .reference = atomic_local,
	  .global = { 700 }, .local = { 140 },
	  .arg = { KT_BUFFER_OUT(I32, 50) } },
	{ .kernel = "atomic_local_ticket", .reference = atomic_local_ticket,
	  .global = { N }, .local = { 50 },
	  .arg = { KT_BUFFER_INOUT(U32, N, ZERO) } },
	{ .kernel = "atomic_divergent", .reference = atomic_divergent,
	  .global = { N },
	  .arg = { KT_BUFFER_IN(I32, N, BITS),
		   KT_BUFFER_INOUT(I32, 9, ZERO) } },
	{ .kernel = "atomic_wide", .reference = atomic_wide, .global = { N },
	  .extension = "cl_khr_int64_base_atomics",
	  .arg = { KT_BUFFER_INOUT(I64, 13, INDEX) } },
	{ .kernel = "atomic_wide_local", .run = run_wide_local,
	  .extension = "cl_khr_int64_base_atomics" },
	{},
};
