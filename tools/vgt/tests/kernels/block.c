// SPDX-License-Identifier: MIT
/* The bytes of a block lie in memory as cl_intel_subgroups says: lane by lane. */
#include "suite.h"

#include <string.h>

#define GROUPS 3
#define GROUP 32 /* items */

static uint64_t element(const void *from, size_t i, size_t bytes)
{
	uint64_t value = 0;

	memcpy(&value, (const uint8_t *)from + i * bytes, bytes);
	return value;
}

static void element_set(void *to, size_t i, size_t bytes, uint64_t value)
{
	memcpy((uint8_t *)to + i * bytes, &value, bytes);
}

/* @block elements are one sub-group's. */
static void reference(const struct kt_run *run, size_t bytes, size_t n,
		      size_t simd)
{
	size_t block = n * simd;

	for (size_t i = 0; i < GROUPS * GROUP * n; i++) {
		size_t last = i / block * block + block - 1;

		element_set(run->arg[1].want, i, bytes,
			    element(run->arg[0].data, last - i % block,
				    bytes));
		element_set(run->arg[2].want, i, bytes,
			    element(run->arg[0].data, i, bytes) + 1);
	}
}

#define REFERENCE(type, bytes, n, simd) \
static void type##n##_##simd(const struct kt_run *run) \
{ \
	reference(run, bytes, n, simd); \
}
#define ROW(tag, type, n, simd) \
	{ .kernel = "block_" #type #n "_" #simd, \
	  .reference = type##n##_##simd, \
	  .extension = "cl_intel_subgroup_local_block_io", \
	  .global = { GROUPS * GROUP }, .local = { GROUP }, \
	  .arg = { KT_BUFFER_IN(tag, GROUPS * GROUP * n, BITS), \
		   KT_BUFFER_OUT(tag, GROUPS * GROUP * n), \
		   KT_BUFFER_OUT(tag, GROUPS * GROUP * n), \
		   KT_SLM(tag, GROUP * n) } }
#define ROWS(tag, type) \
	ROW(tag, type, 1, 8), ROW(tag, type, 1, 16), \
	ROW(tag, type, 4, 8), ROW(tag, type, 4, 16), \
	ROW(tag, type, 8, 8), ROW(tag, type, 8, 16)
#define REFERENCES(type, bytes) \
	REFERENCE(type, bytes, 1, 8) REFERENCE(type, bytes, 1, 16) \
	REFERENCE(type, bytes, 4, 8) REFERENCE(type, bytes, 4, 16) \
	REFERENCE(type, bytes, 8, 8) REFERENCE(type, bytes, 8, 16)

REFERENCES(uchar, 1)
REFERENCES(ushort, 2)
REFERENCES(uint, 4)
REFERENCES(ulong, 8)

const struct kt_case kt_block[] = {
	ROWS(U8, uchar),
	ROWS(U16, ushort),
	ROWS(U32, uint),
	ROWS(U64, ulong),
	{},
};
