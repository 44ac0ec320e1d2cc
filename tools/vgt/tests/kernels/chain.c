// SPDX-License-Identifier: MIT
/*
 * Atomics in an order that nobody knows: what the items that met at a cell
 * found there, and what is left in it, are the cell's first value and what the
 * items made of what they found. That holds for any order, and for every
 * operation of OpenCL C.
 */
#include "suite.h"

#include <stdlib.h>
#include <string.h>

#define GROUPS 3
#define ITEMS 90
#define CELLS 7
#define N (GROUPS * ITEMS)

enum { ADD, SUB, XCHG, INC, DEC, MIN, MAX, AND, OR, XOR, CMPXCHG, OPS };

enum { CELL = 1, WHICH, A, B, OLD, ARGS };

struct chain {
	enum kt_type type;
	cl_uint op;
	uint64_t first[GROUPS * CELLS], last[GROUPS * CELLS];
	uint64_t a[N], b[N], old[N];
	uint32_t which[N];
};

static bool is_wide(const struct chain *chain)
{
	return kt_type_bytes(chain->type) == 8;
}

/* As the type has it: of a shorter one, the value's sign or zeros are above. */
static uint64_t as_type(const struct chain *chain, uint64_t value)
{
	if (chain->type == KT_I32)
		return (uint64_t)(int32_t)value;
	return is_wide(chain) ? value : (uint32_t)value;
}

static bool less(const struct chain *chain, uint64_t a, uint64_t b)
{
	if (chain->type == KT_I32 || chain->type == KT_I64)
		return (int64_t)a < (int64_t)b;
	return a < b;
}

static uint64_t apply(const struct chain *chain, uint64_t old, uint64_t a,
		      uint64_t b)
{
	switch (chain->op) {
	case ADD:
		return old + a;
	case SUB:
		return old - a;
	case XCHG:
		return a;
	case INC:
		return old + 1;
	case DEC:
		return old - 1;
	case MIN:
		return less(chain, a, old) ? a : old;
	case MAX:
		return less(chain, old, a) ? a : old;
	case AND:
		return old & a;
	case OR:
		return old | a;
	case XOR:
		return old ^ a;
	default:
		return old == a ? b : old;
	}
}

static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* Few different values, some of them small, so that swaps find what they want. */
static uint64_t value(const struct chain *chain, uint64_t *state)
{
	uint64_t random = next_random(state);

	if (chain->op == CMPXCHG)
		return as_type(chain, (random >> 20 & 3) * 0x4000000080000001);
	return as_type(chain, random >> (random & 32));
}

static void chain_fill(struct chain *chain)
{
	uint64_t state = 0x9e3779b97f4a7c15 + chain->op;

	for (size_t i = 0; i < GROUPS * CELLS; i++)
		chain->first[i] = value(chain, &state);
	for (size_t i = 0; i < N; i++) {
		chain->a[i] = value(chain, &state);
		chain->b[i] = value(chain, &state);
		chain->which[i] = (next_random(&state) >> 30) % CELLS;
	}
}

static int by_value(const void *x, const void *y)
{
	uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;

	return a < b ? -1 : a > b;
}

static int check_cell(struct kt_run *run, const struct chain *chain, size_t n)
{
	uint64_t found[ITEMS + 1], made[ITEMS + 1];
	size_t count = 1, group = n / CELLS;

	found[0] = chain->last[n];
	made[0] = chain->first[n];
	for (size_t i = group * ITEMS; i < (group + 1) * ITEMS; i++) {
		if (chain->which[i] != n % CELLS)
			continue;
		found[count] = chain->old[i];
		made[count++] = as_type(chain, apply(chain, chain->old[i],
						     chain->a[i], chain->b[i]));
	}
	qsort(found, count, sizeof(found[0]), by_value);
	qsort(made, count, sizeof(made[0]), by_value);
	for (size_t i = 0; i < count; i++)
		if (found[i] != made[i])
			return kt_fail(run,
				       "operation %u, cell %zu: 0x%llx found, 0x%llx made",
				       chain->op, n,
				       (unsigned long long)found[i],
				       (unsigned long long)made[i]);
	return 0;
}

/* The device has the type's elements, we have 64 bits of each. */
static int buffer_create(struct kt_run *run, const struct chain *chain,
			 cl_uint n, const uint64_t *values, size_t count)
{
	size_t bytes = kt_type_bytes(chain->type);
	uint8_t packed[N * 8];
	cl_int error;

	for (size_t i = 0; i < count; i++)
		memcpy(packed + i * bytes, &values[i], bytes);
	run->arg[n].mem = clCreateBuffer(run->context, CL_MEM_COPY_HOST_PTR,
					 count * bytes, packed, &error);
	KT_TRY(run, error);
	KT_TRY(run, clSetKernelArg(run->kernel, n, sizeof(cl_mem),
				   &run->arg[n].mem));
	return 0;
}

static int buffer_read(struct kt_run *run, const struct chain *chain,
		       cl_uint n, uint64_t *values, size_t count)
{
	size_t bytes = kt_type_bytes(chain->type);
	uint8_t packed[N * 8];
	uint64_t bits = 0;

	KT_TRY(run, clEnqueueReadBuffer(run->queue, run->arg[n].mem, CL_TRUE, 0,
					count * bytes, packed, 0, NULL, NULL));
	for (size_t i = 0; i < count; i++) {
		memcpy(&bits, packed + i * bytes, bytes);
		values[i] = as_type(chain, bits);
	}
	return 0;
}

static int chain_launch(struct kt_run *run, struct chain *chain)
{
	const size_t items = N, local = ITEMS;
	cl_int error;

	run->arg[WHICH].mem = clCreateBuffer(run->context, CL_MEM_COPY_HOST_PTR,
					     sizeof(chain->which), chain->which,
					     &error);
	KT_TRY(run, error);
	KT_TRY(run, clSetKernelArg(run->kernel, WHICH, sizeof(cl_mem),
				   &run->arg[WHICH].mem));
	KT_TRY(run, clSetKernelArg(run->kernel, 0, sizeof(cl_uint), &chain->op));
	if (buffer_create(run, chain, CELL, chain->first, GROUPS * CELLS) ||
	    buffer_create(run, chain, A, chain->a, N) ||
	    buffer_create(run, chain, B, chain->b, N) ||
	    buffer_create(run, chain, OLD, chain->old, N))
		return -1;
	KT_TRY(run, clEnqueueNDRangeKernel(run->queue, run->kernel, 1, NULL,
					   &items, &local, 0, NULL, NULL));
	return buffer_read(run, chain, CELL, chain->last, GROUPS * CELLS) ||
	       buffer_read(run, chain, OLD, chain->old, N) ? -1 : 0;
}

static int run_chain(struct kt_run *run)
{
	struct chain chain = { .type = run->test->arg[0].type };
	int ret = 0;

	for (chain.op = 0; chain.op < OPS && !ret; chain.op++) {
		chain_fill(&chain);
		ret = chain_launch(run, &chain);
		for (cl_uint i = CELL; i < ARGS; i++) {
			clReleaseMemObject(run->arg[i].mem);
			run->arg[i].mem = NULL;
		}
		for (size_t i = 0; i < GROUPS * CELLS && !ret; i++)
			ret = check_cell(run, &chain, i);
	}
	return ret;
}

#define CHAIN(name, tag, needs)						\
	{ .kernel = "chain_" #name, .run = run_chain, .extension = needs, \
	  .arg = { { .type = KT_##tag } } }
#define WIDE "cl_khr_int64_extended_atomics"

const struct kt_case kt_chain[] = {
	CHAIN(global_int, I32, NULL),
	CHAIN(global_uint, U32, NULL),
	CHAIN(global_long, I64, WIDE),
	CHAIN(global_ulong, U64, WIDE),
	CHAIN(local_int, I32, NULL),
	CHAIN(local_uint, U32, NULL),
	CHAIN(local_long, I64, WIDE),
	CHAIN(local_ulong, U64, WIDE),
	{},
};
