// SPDX-License-Identifier: MIT
#include "suite.h"

#include <string.h>

#define N 64
#define LENGTHS 5

static const size_t lengths[LENGTHS] = { 2, 3, 4, 8, 16 };

/* The array of item @i: as it came, or with its number in each element. */
static void array_make(const struct kt_run *run, size_t bytes, size_t i,
		       bool own, uint8_t array[255])
{
	memcpy(array, KT_DATA(run, 0, uint8_t), 255 / bytes * bytes);
	for (size_t k = 0; k < 255 / bytes && own; k++)
		array[k * bytes] ^= i;
}

static void load(const struct kt_run *run, size_t bytes, bool own)
{
	uint8_t *out = KT_WANT(run, 2, uint8_t), array[255];

	for (size_t i = 0; i < N; i++) {
		size_t at = KT_DATA(run, 1, uint32_t)[i] * bytes;

		array_make(run, bytes, i, own, array);
		for (size_t n = 0; n < LENGTHS; n++) {
			memcpy(out, array + at, lengths[n] * bytes);
			out += lengths[n] * bytes;
		}
	}
}

static void store(const struct kt_run *run, size_t bytes, bool own)
{
	const uint8_t *in = KT_DATA(run, 0, uint8_t) + bytes;
	size_t room = 255 / bytes;
	uint8_t array[255];

	for (size_t i = 0; i < N; i++) {
		size_t at = KT_DATA(run, 1, uint32_t)[i];

		array_make(run, bytes, i, own, array);
		for (size_t n = 0; n < LENGTHS; n++) {
			size_t place = (at + 5 * lengths[n]) % (room - 15);

			memcpy(array + place * bytes, in, lengths[n] * bytes);
		}
		memcpy(KT_WANT(run, 2, uint8_t) + i * room * bytes, array,
		       room * bytes);
	}
}

#define REFERENCES(bytes) \
static void load_own_##bytes(const struct kt_run *run) \
{ \
	load(run, bytes, true); \
} \
static void load_##bytes(const struct kt_run *run) \
{ \
	load(run, bytes, false); \
} \
static void store_own_##bytes(const struct kt_run *run) \
{ \
	store(run, bytes, true); \
} \
static void store_##bytes(const struct kt_run *run) \
{ \
	store(run, bytes, false); \
}

REFERENCES(1)
REFERENCES(2)
REFERENCES(8)

#define PLACE(name, tag, bytes, function, count) \
	{ .kernel = name, .reference = function, .global = { N }, \
	  .local = { 32 }, \
	  .arg = { KT_BUFFER_IN(tag, 255 / (bytes), BITS), \
		   KT_BUFFER_RANGE(U32, N, 0, 255 / (bytes) - 16), \
		   KT_BUFFER_OUT(tag, N * (count)) } }
#define PLACES(type, tag, bytes) \
	PLACE("load_private_" #type, tag, bytes, load_own_##bytes, 33), \
	PLACE("load_local_" #type, tag, bytes, load_##bytes, 33), \
	PLACE("load_global_" #type, tag, bytes, load_##bytes, 33), \
	PLACE("load_constant_" #type, tag, bytes, load_##bytes, 33), \
	PLACE("store_private_" #type, tag, bytes, store_own_##bytes, \
	      255 / (bytes)), \
	PLACE("store_local_" #type, tag, bytes, store_##bytes, \
	      255 / (bytes)), \
	PLACE("store_global_" #type, tag, bytes, store_##bytes, \
	      255 / (bytes))

const struct kt_case kt_place[] = {
	PLACES(char, I8, 1),
	PLACES(short, I16, 2),
	PLACES(long, I64, 8),
	{},
};
