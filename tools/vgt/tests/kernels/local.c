// SPDX-License-Identifier: MIT
#include "suite.h"

#include <string.h>

#define GROUPS 5

static void local_reverse(const struct kt_run *run)
{
	size_t g, l;

	for (g = 0; g < GROUPS; g++)
		for (l = 0; l < 64; l++)
			KT_WANT(run, 1, int32_t)[g * 64 + l] =
				KT_DATA(run, 0, int32_t)[g * 64 + 63 - l];
}

static void local_uniform(const struct kt_run *run, size_t bytes)
{
	const uint8_t *in = KT_DATA(run, 0, uint8_t);

	for (size_t i = 0; i < 64 * GROUPS; i++)
		memcpy(KT_WANT(run, 1, uint8_t) + i * bytes,
		       in + (i / 64 * 64 + i / 64 * 5 + 3) * bytes, bytes);
}

#define UNIFORM(type, width, element)					\
static void local_uniform_##type##width(const struct kt_run *run)	\
{									\
	local_uniform(run, width * sizeof(element));			\
}

UNIFORM(uint, 2, uint32_t)
UNIFORM(uint, 3, uint32_t)
UNIFORM(uint, 4, uint32_t)
UNIFORM(uint, 8, uint32_t)
UNIFORM(ushort, 4, uint16_t)
UNIFORM(ulong, 2, uint64_t)
UNIFORM(ulong, 4, uint64_t)

static void local_reduce(const struct kt_run *run)
{
	size_t i;

	memset(run->arg[1].want, 0, 4 * GROUPS);
	for (i = 0; i < 128 * GROUPS; i++)
		KT_WANT(run, 1, uint32_t)[i / 128] +=
			KT_DATA(run, 0, uint32_t)[i];
}

static void local_scan(const struct kt_run *run)
{
	uint32_t sum = 0;
	size_t i;

	for (i = 0; i < 100 * GROUPS; i++) {
		if (i % 100 == 0)
			sum = 0;
		sum += KT_DATA(run, 0, uint32_t)[i];
		KT_WANT(run, 1, uint32_t)[i] = sum;
	}
}

static void local_histogram(const struct kt_run *run)
{
	size_t i;

	memset(run->arg[1].want, 0, 4 * 32 * GROUPS);
	for (i = 0; i < 20 * 48 * GROUPS; i++)
		KT_WANT(run, 1, uint32_t)[i / (20 * 48) * 32 +
			KT_DATA(run, 0, uint8_t)[i] % 32]++;
}

static void local_transpose(const struct kt_run *run)
{
	size_t x, y;

	for (y = 0; y < 16; y++)
		for (x = 0; x < 40; x++)
			KT_WANT(run, 1, float)[x * 16 + y] =
				KT_DATA(run, 0, float)[y * 40 + x];
}

static void local_bytes(const struct kt_run *run)
{
	size_t g, l, k;

	for (g = 0; g < GROUPS; g++) {
		const uint8_t *text = KT_DATA(run, 0, uint8_t) + 128 * g;

		for (l = 0; l < 64; l++) {
			k = l * 5 % 64;
			KT_WANT(run, 1, uint16_t)[g * 64 + l] =
				text[k] * 3 + text[127 - k];
		}
	}
}

static void local_struct(const struct kt_run *run)
{
	size_t i, l;

	for (i = 0; i < 32 * GROUPS; i++) {
		int64_t x = KT_DATA(run, 0, int32_t)[i ^ 9];

		l = i % 32 ^ 9;
		KT_WANT(run, 1, int64_t)[i] = x + (int8_t)(x >> 4) + x * 512 +
					      (l + 1) * (l + 3);
	}
}

static void barrier_loop(const struct kt_run *run)
{
	int32_t value[96], old[96];
	size_t g, l, turn;

	for (l = 0; l < 96; l++)
		value[l] = l;
	for (turn = 0; turn < 10; turn++) {
		memcpy(old, value, sizeof(old));
		for (l = 0; l < 96; l++)
			value[l] += old[(l + 1) % 96] * (turn % 2 ? -1 : 2);
	}
	for (g = 0; g < GROUPS; g++)
		memcpy(KT_WANT(run, 0, int32_t) + 96 * g, value, sizeof(value));
}

static void barrier_global(const struct kt_run *run)
{
	size_t g, l, from;

	for (g = 0; g < GROUPS; g++)
		for (l = 0; l < 80; l++) {
			from = (l + 7) % 80;
			KT_WANT(run, 0, uint32_t)[g * 80 + l] =
				2 * (KT_DATA(run, 0, uint32_t)[g * 80 + from] +
				     from);
		}
}

static void async_copy(const struct kt_run *run)
{
	size_t i;

	for (i = 0; i < 48 * GROUPS; i++)
		KT_WANT(run, 1, uint32_t)[i] =
			KT_DATA(run, 0, uint32_t)[i] * 2 + 1;
}

static void async_strided(const struct kt_run *run)
{
	size_t g, l;

	for (g = 0; g < GROUPS; g++)
		for (l = 0; l < 24; l++)
			KT_WANT(run, 1, float)[g * 24 + l] =
				KT_DATA(run, 0, float)[(g * 24 + 23 - l) * 3];
}

static void local_full(const struct kt_run *run)
{
	size_t i, k, at;

	for (i = 0; i < 256; i++) {
		uint32_t sum = 0;

		for (k = 0; k < 40; k++) {
			at = (i % 128 * 371 + k * 997) % 15000;
			sum += KT_DATA(run, 0, uint32_t)[at % 256] + at;
		}
		KT_WANT(run, 1, uint32_t)[i] = sum;
	}
}

static const int32_t per_item = 20;

#define GROUPED(function, size, ...) \
	{ .kernel = #function, .reference = function, \
	  .global = { (size) * GROUPS }, .local = { size }, \
	  .arg = { __VA_ARGS__ } }

#define WHOLE_GROUP(type, width, element)				\
	GROUPED(local_uniform_##type##width, 64,			\
		KT_BUFFER_IN(element, 64 * GROUPS * width, BITS),	\
		KT_BUFFER_OUT(element, 64 * GROUPS * width))

const struct kt_case kt_local[] = {
	GROUPED(local_reverse, 64, KT_BUFFER_IN(I32, 64 * GROUPS, BITS),
		KT_BUFFER_OUT(I32, 64 * GROUPS)),
	WHOLE_GROUP(uint, 2, U32),
	WHOLE_GROUP(uint, 3, U32),
	WHOLE_GROUP(uint, 4, U32),
	WHOLE_GROUP(uint, 8, U32),
	WHOLE_GROUP(ushort, 4, U16),
	WHOLE_GROUP(ulong, 2, U64),
	WHOLE_GROUP(ulong, 4, U64),
	GROUPED(local_reduce, 128, KT_BUFFER_IN(U32, 128 * GROUPS, BITS),
		KT_BUFFER_OUT(U32, GROUPS), KT_SLM(U32, 128)),
	GROUPED(local_scan, 100, KT_BUFFER_IN(I32, 100 * GROUPS, BITS),
		KT_BUFFER_OUT(I32, 100 * GROUPS), KT_SLM(I32, 100),
		KT_SLM(I32, 100)),
	GROUPED(local_histogram, 48, KT_BUFFER_IN(U8, 960 * GROUPS, BITS),
		KT_BUFFER_OUT(U32, 32 * GROUPS), KT_BYTES(&per_item)),
	{ .kernel = "local_transpose", .reference = local_transpose,
	  .global = { 40, 16 }, .local = { 8, 8 },
	  .arg = { KT_BUFFER_IN(F32, 640, BITS), KT_BUFFER_OUT(F32, 640) } },
	GROUPED(local_bytes, 64, KT_BUFFER_IN(U8, 128 * GROUPS, BITS),
		KT_BUFFER_OUT(U16, 64 * GROUPS)),
	GROUPED(local_struct, 32, KT_BUFFER_IN(I32, 32 * GROUPS, BITS),
		KT_BUFFER_OUT(I64, 32 * GROUPS)),
	GROUPED(barrier_loop, 96, KT_BUFFER_OUT(I32, 96 * GROUPS)),
	GROUPED(barrier_global, 80, KT_BUFFER_INOUT(I32, 80 * GROUPS, BITS)),
	GROUPED(async_copy, 48, KT_BUFFER_IN(I32, 48 * GROUPS, BITS),
		KT_BUFFER_OUT(I32, 48 * GROUPS), KT_SLM(I32, 48)),
	GROUPED(async_strided, 24, KT_BUFFER_IN(F32, 72 * GROUPS, BITS),
		KT_BUFFER_OUT(F32, 24 * GROUPS), KT_SLM(F32, 24)),
	{ .kernel = "local_full", .reference = local_full, .global = { 256 },
	  .local = { 128 },
	  .arg = { KT_BUFFER_IN(U32, 256, BITS), KT_BUFFER_OUT(U32, 256),
		   KT_SLM(U32, 15000) } },
	{},
};
