// SPDX-License-Identifier: MIT
#include "suite.h"

#include <string.h>

#define N 288

struct values {
	size_t bytes;
	bool is_signed;
};

static uint64_t lowest(const struct values *values)
{
	return values->is_signed ? INT64_MIN : 0;
}

static uint64_t highest(const struct values *values)
{
	if (values->is_signed)
		return INT64_MAX;
	return values->bytes == 8 ? UINT64_MAX : UINT32_MAX;
}

static bool less(const struct values *values, uint64_t a, uint64_t b)
{
	return values->is_signed ? (int64_t)a < (int64_t)b : a < b;
}

struct totals {
	uint64_t sum, low, high;
};

static void totals_add(struct totals *totals, const struct values *values,
		       const uint8_t *in)
{
	uint64_t value = 0;

	memcpy(&value, in, values->bytes);
	totals->sum += value;
	if (less(values, value, totals->low))
		totals->low = value;
	if (less(values, totals->high, value))
		totals->high = value;
}

static void totals_put(const struct totals *totals, const struct values *values,
		       uint8_t *out)
{
	memcpy(out, &totals->sum, values->bytes);
	memcpy(out + values->bytes, &totals->low, values->bytes);
	memcpy(out + 2 * values->bytes, &totals->high, values->bytes);
}

/* Each item has those of all, then those with itself, then without. */
static void group_scan(const struct values *values, size_t size,
		       const uint8_t *in, uint8_t *out)
{
	struct totals totals = { 0, highest(values), lowest(values) };
	size_t bytes = values->bytes;

	for (size_t l = 0; l < size; l++) {
		uint8_t *item = out + 9 * l * bytes;

		totals_put(&totals, values, item + 6 * bytes);
		totals_add(&totals, values, in + l * bytes);
		totals_put(&totals, values, item + 3 * bytes);
	}
	for (size_t l = 0; l < size; l++)
		totals_put(&totals, values, out + 9 * l * bytes);
}

static void scan(const struct kt_run *run, size_t size)
{
	enum kt_type type = run->test->arg[0].type;
	const struct values values = {
		.bytes = kt_type_bytes(type), .is_signed = type == KT_I64,
	};

	for (size_t i = 0; i < N; i += size)
		group_scan(&values, size,
			   KT_DATA(run, 0, uint8_t) + i * values.bytes,
			   KT_WANT(run, 1, uint8_t) + 9 * i * values.bytes);
}

static void scan_group(const struct kt_run *run)
{
	scan(run, run->test->local[0]);
}

#define SUB_GROUP(n) \
static void scan_##n(const struct kt_run *run) \
{ \
	scan(run, n); \
}

SUB_GROUP(8)
SUB_GROUP(16)
SUB_GROUP(32)

#define SCAN(name, tag, size, function, needs) \
	{ .kernel = name, .label = #size, .reference = function, \
	  .global = { N }, .local = { size }, .extension = needs, \
	  .arg = { KT_BUFFER_IN(tag, N, BITS), KT_BUFFER_OUT(tag, 9 * N) } }
#define GROUP "__opencl_c_work_group_collective_functions"
#define SUB "cl_intel_required_subgroup_size"
#define SCANS(type, tag) \
	SCAN("group_" #type, tag, 16, scan_group, GROUP), \
	SCAN("group_" #type, tag, 72, scan_group, GROUP), \
	SCAN("group_" #type, tag, 288, scan_group, GROUP), \
	SCAN("sub_" #type "_8", tag, 96, scan_8, SUB), \
	SCAN("sub_" #type "_16", tag, 96, scan_16, SUB), \
	SCAN("sub_" #type "_32", tag, 96, scan_32, SUB)

const struct kt_case kt_scan[] = {
	SCANS(uint, U32),
	SCANS(long, I64),
	SCANS(ulong, U64),
	{},
};
