// SPDX-License-Identifier: MIT
#include "suite.h"

#include <string.h>

#define N 210

#define COPY(type, ctype) \
static void copy_##type(const struct kt_run *run) \
{ \
	size_t i; \
\
	for (i = 0; i < N; i++) \
		KT_WANT(run, 1, ctype)[i] = \
			KT_DATA(run, 0, ctype)[N - 1 - i] + (ctype)i; \
}

COPY(char, uint8_t)
COPY(short, uint16_t)
COPY(int, uint32_t)
COPY(long, uint64_t)
COPY(float, float)

static void vector_load(const struct kt_run *run)
{
	const uint32_t *in = KT_DATA(run, 0, uint32_t);
	uint32_t *out = KT_WANT(run, 1, uint32_t);
	size_t i, k;

	for (i = 0; i < N; i++) {
		for (k = 0; k < 3; k++)
			out[3 * i + k] = in[1 + 3 * i + k] * 2;
		for (k = 0; k < 4; k++)
			out[3 * N + 4 * i + k] = in[3 + 4 * i + k] + 1;
		for (k = 0; k < 8; k++)
			out[7 * N + 8 * i + k] = in[1 + 8 * i + 7 - k];
	}
}

static void char_vector_load(const struct kt_run *run)
{
	const int8_t *in = KT_DATA(run, 0, int8_t);
	int8_t *out = KT_WANT(run, 1, int8_t);

	memcpy(out, in + 1, 3 * N);
	memcpy(out + 3 * N + 1, in + 3, 4 * N);
	memcpy(out + 7 * N + 3, in + 5, 2 * N);
}

struct __attribute__((packed)) mixed {
	int8_t tag;
	uint32_t value;
	int16_t half_word;
	int64_t wide;
};

static void unaligned(const struct kt_run *run)
{
	const struct mixed *in = KT_DATA(run, 0, struct mixed);
	struct mixed *out = KT_WANT(run, 1, struct mixed);
	size_t i;

	for (i = 0; i < N; i++) {
		out[i].tag = in[i].half_word;
		out[i].value = in[i].value + in[i].tag;
		out[i].half_word = in[i].value;
		out[i].wide = in[i].wide ^ (int32_t)in[i].value;
	}
}

struct nested {
	int32_t count;
	int16_t point[3][2];
	uint8_t flags[4];
	float weight;
};

static void struct_array(const struct kt_run *run)
{
	struct nested *list = KT_WANT(run, 0, struct nested);
	size_t i, k;

	for (i = 0; i < N; i++, list++) {
		uint32_t sum = 0;

		for (k = 0; k < 3; k++)
			sum += list->point[k][0] * list->point[k][1];
		list->count = sum;
		memcpy(list->point[1], list->point[2], 4);
		list->flags[i & 3] ^= 0xff;
		list->weight *= 0.5f;
	}
}

static void constants(const struct kt_run *run)
{
	static const int32_t digits[] = {
		3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3
	};
	static const char letters[] = "the quick brown fox";
	static const float z[] = { 3, 8, 9 }, w[] = { 4, -1, 9 };
	const int32_t *more = KT_DATA(run, 1, int32_t);
	size_t i;

	for (i = 0; i < N; i++) {
		uint32_t x = KT_DATA(run, 0, uint32_t)[i];
		int32_t *out = KT_WANT(run, 2, int32_t) + 3 * i;

		out[0] = digits[x % 16];
		out[1] = letters[x % 19];
		out[2] = (uint32_t)more[x % 50] + 1;
		KT_WANT(run, 3, float)[i] = z[x % 3] + w[i % 3];
	}
}

static void private_array(const struct kt_run *run)
{
	size_t i, k;

	for (i = 0; i < N; i++) {
		uint32_t *bins = KT_WANT(run, 1, uint32_t) + 16 * i;

		for (k = 0; k < 16; k++)
			bins[k] = k * i;
		for (k = 0; k < 32; k++)
			bins[KT_DATA(run, 0, uint32_t)[i] >> k % 16 & 15] += k;
	}
}

static void private_large(const struct kt_run *run)
{
	uint32_t heap[400], x, sum;
	size_t i, k;

	for (i = 0; i < N; i++) {
		x = KT_DATA(run, 0, uint32_t)[i];
		for (k = 0; k < 400; k++)
			heap[k] = k ^ x;
		for (k = 0; k < 300; k++) {
			heap[(x >> 8) % 400] +=
				heap[(x + (uint32_t)k * 7) % 400];
			x = x * 1664525 + 1013904223;
		}
		for (k = 0, sum = 0; k < 400; k++)
			sum = sum * 31 + heap[k];
		KT_WANT(run, 1, uint32_t)[i] = sum;
	}
}

/* Item i has the triples in order, from triple i on. */
static void triples(const struct kt_run *run)
{
	size_t bytes = run->test->arg[0].type == KT_U16 ? 2 : 1;
	size_t whole = run->test->arg[0].count * bytes, three = 3 * bytes;
	const uint8_t *in = KT_DATA(run, 0, uint8_t);

	for (size_t at = 0; at < N * whole; at += three)
		memcpy(KT_WANT(run, 1, uint8_t) + at,
		       in + (at % whole + at / whole * three) % whole, three);
}

static void private_bytes(const struct kt_run *run)
{
	const uint8_t *in = KT_DATA(run, 0, uint8_t);
	uint8_t text[24];
	size_t i, k;

	for (i = 0; i < N; i++) {
		size_t word = in[i] % 5 * 2;

		for (k = 0; k < 24; k++)
			text[k] = in[(i + k) % 128];
		text[in[i] % 24] = (text[word] << 8 | text[word + 1]) >> 3;
		for (k = 0; k < 24; k++)
			KT_WANT(run, 1, uint8_t)[24 * i + k] = text[k * 5 % 24];
	}
}

static void spill(const struct kt_run *run)
{
	static const uint8_t swizzle[] = {
		7, 6, 5, 4, 15, 14, 13, 12, 0, 1, 2, 3, 8, 10, 11, 9
	};
	uint32_t v[12][16], old[16], sum;
	size_t i, j, k, turn;

	for (i = 0; i < N; i++) {
		memcpy(v, KT_DATA(run, 0, uint32_t) + i, sizeof(v));
		for (turn = 0; turn < 3; turn++)
			for (k = 0; k < 12; k++) {
				memcpy(old, v[(k + 5) % 12], sizeof(old));
				for (j = 0; j < 16; j++)
					v[k][j] = v[k][j] * 3 + old[swizzle[j]];
			}
		for (j = 0; j < 16; j++) {
			for (k = 0, sum = 0; k < 12; k++)
				sum = sum * 5 ^ v[k][j];
			KT_WANT(run, 1, uint32_t)[16 * i + j] = sum;
		}
	}
}

static void gather_scatter(const struct kt_run *run)
{
	const uint32_t *index = KT_DATA(run, 0, uint32_t);
	const uint32_t *in = KT_DATA(run, 1, uint32_t);
	size_t i;

	for (i = 0; i < N; i++)
		KT_WANT(run, 2, uint32_t)[index[i]] =
			in[index[index[i]]] * 2 + i;
}

static void strided(const struct kt_run *run)
{
	size_t i, k;

	for (i = 0; i < N; i++)
		for (k = 0; k < 7; k++)
			KT_WANT(run, 1, int16_t)[i * 7 + k] =
				KT_DATA(run, 0, int16_t)[k * N + i];
}

static void transpose(const struct kt_run *run)
{
	size_t x, y;

	for (y = 0; y < 11; y++)
		for (x = 0; x < 37; x++)
			KT_WANT(run, 1, float)[x * 11 + y] =
				KT_DATA(run, 0, float)[y * 37 + x];
}

static void pointer_walk(const struct kt_run *run)
{
	const int32_t *next = KT_DATA(run, 0, int32_t);
	uint32_t sum;
	size_t i, k, at;

	for (i = 0; i < N; i++) {
		at = i;
		sum = 0;
		for (k = 0; k < 10; k++) {
			sum = sum * 3 + KT_DATA(run, 1, uint32_t)[at];
			at = next[at];
		}
		KT_WANT(run, 2, uint32_t)[i] = sum;
	}
}

static void select_pointer(const struct kt_run *run)
{
	const uint32_t *a = KT_DATA(run, 0, uint32_t);
	const uint32_t *b = KT_DATA(run, 1, uint32_t);
	const uint32_t *c = KT_DATA(run, 2, uint32_t);
	uint32_t i, first, second;

	for (i = 0; i < N; i++) {
		first = i;
		second = -i;
		*(a[i] & 2 ? &second : &first) += 5;
		KT_WANT(run, 3, uint32_t)[i] = (a[i] & 1 ? a : b)[i] +
					       first * 3 + second + c[i % 8];
	}
}

#define CASE(function, ...) \
	{ .kernel = #function, .reference = function, .global = { N }, \
	  .arg = { __VA_ARGS__ } }

static const int32_t stride = 7;

const struct kt_case kt_memory[] = {
	CASE(copy_char, KT_BUFFER_IN(I8, N, BITS), KT_BUFFER_OUT(I8, N)),
	CASE(copy_short, KT_BUFFER_IN(I16, N, BITS), KT_BUFFER_OUT(I16, N)),
	CASE(copy_int, KT_BUFFER_IN(I32, N, BITS), KT_BUFFER_OUT(I32, N)),
	CASE(copy_long, KT_BUFFER_IN(I64, N, BITS), KT_BUFFER_OUT(I64, N)),
	CASE(copy_float, KT_BUFFER_RANGE(F32, N, -9, 9),
	     KT_BUFFER_OUT(F32, N)),
	CASE(vector_load, KT_BUFFER_IN(I32, 8 * N + 1, BITS),
	     KT_BUFFER_OUT(I32, 15 * N)),
	CASE(char_vector_load, KT_BUFFER_IN(I8, 4 * N + 5, BITS),
	     KT_BUFFER_OUT(I8, 9 * N + 8)),
	CASE(unaligned, KT_BUFFER_IN(I8, 15 * N, BITS),
	     KT_BUFFER_OUT(I8, 15 * N)),
	CASE(struct_array, KT_BUFFER_INOUT(I32, 6 * N, BITS)),
	CASE(constants, KT_BUFFER_IN(U32, N, BITS), KT_BUFFER_IN(I32, 50, BITS),
	     KT_BUFFER_OUT(I32, 3 * N), KT_BUFFER_OUT(F32, N)),
	CASE(private_array, KT_BUFFER_IN(U32, N, BITS),
	     KT_BUFFER_OUT(U32, 16 * N)),
	CASE(private_large, KT_BUFFER_IN(U32, N, BITS), KT_BUFFER_OUT(U32, N)),
	CASE(private_bytes, KT_BUFFER_IN(U8, N, BITS),
	     KT_BUFFER_OUT(U8, 24 * N)),
	{ .kernel = "private_char3", .reference = triples, .global = { N },
	  .arg = { KT_BUFFER_IN(U8, 252, BITS), KT_BUFFER_OUT(U8, 252 * N) } },
	{ .kernel = "private_short3", .reference = triples, .global = { N },
	  .arg = { KT_BUFFER_IN(U16, 126, BITS),
		   KT_BUFFER_OUT(U16, 126 * N) } },
	{ .kernel = "private_char3_odd", .reference = triples, .global = { N },
	  .arg = { KT_BUFFER_IN(U8, 237, BITS), KT_BUFFER_OUT(U8, 237 * N) } },
	CASE(spill, KT_BUFFER_IN(I32, N + 192, BITS),
	     KT_BUFFER_OUT(I32, 16 * N)),
	CASE(gather_scatter, KT_BUFFER_IN(U32, N, SHUFFLE),
	     KT_BUFFER_IN(I32, N, BITS), KT_BUFFER_OUT(I32, N)),
	CASE(strided, KT_BUFFER_IN(I16, 7 * N, BITS), KT_BUFFER_OUT(I16, 7 * N),
	     KT_BYTES(&stride)),
	{ .kernel = "transpose", .reference = transpose, .global = { 37, 11 },
	  .arg = { KT_BUFFER_IN(F32, 37 * 11, BITS),
		   KT_BUFFER_OUT(F32, 37 * 11) } },
	CASE(pointer_walk, KT_BUFFER_IN(I32, N, SHUFFLE),
	     KT_BUFFER_IN(I32, N, BITS), KT_BUFFER_OUT(I32, N)),
	CASE(select_pointer, KT_BUFFER_IN(I32, N, BITS),
	     KT_BUFFER_IN(I32, N, BITS), KT_BUFFER_IN(I32, 8, BITS),
	     KT_BUFFER_OUT(I32, N)),
	{},
};
