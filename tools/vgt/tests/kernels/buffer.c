// SPDX-License-Identifier: MIT
#include "suite.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define POISON 0xa5

size_t kt_type_bytes(enum kt_type type)
{
	static const uint8_t bytes[] = {
		[KT_I8] = 1,  [KT_U8] = 1,  [KT_I16] = 2, [KT_U16] = 2,
		[KT_I32] = 4, [KT_U32] = 4, [KT_I64] = 8, [KT_U64] = 8,
		[KT_F16] = 2, [KT_F32] = 4,
	};

	return bytes[type];
}

static uint64_t next_random(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

static void store_number(void *at, enum kt_type type, double value)
{
	int64_t integer = (int64_t)value;
	_Float16 half = (_Float16)value;
	float single = (float)value;

	switch (type) {
	case KT_F16:
		memcpy(at, &half, 2);
		break;
	case KT_F32:
		memcpy(at, &single, 4);
		break;
	default:
		memcpy(at, &integer, kt_type_bytes(type));
	}
}

static uint64_t edge_bits(enum kt_type type, uint64_t random)
{
	static const uint32_t f32[] = {
		0, 0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000,
		0x7fc00000, 0x00800000, 0x7f7fffff, 0x3f000000, 0x40200000,
		0xbfc00000, 0x4effffff, 0x4f000000, 0xcf000000, 0x4f7fffff,
	};
	static const uint16_t f16[] = {
		0, 0x8000, 0x3c00, 0xbc00, 0x7c00, 0xfc00, 0x7e00, 0x0400,
		0x7bff, 0x0001, 0x3800, 0xbe00, 0x6400, 0x6401, 0x5bff, 0xc500,
	};
	unsigned int bits = 8 * kt_type_bytes(type);
	unsigned int pick = random & 15;

	if (type == KT_F32)
		return f32[pick];
	if (type == KT_F16)
		return f16[pick];
	switch (pick & 3) {
	case 0: /* 0, 1, 2, 3 */
		return pick >> 2;
	case 1: /* -1 and its neighbours */
		return -(uint64_t)(pick >> 2);
	default: /* around the sign bit */
		return (1ULL << (bits - 1)) + (pick >> 2) - 2;
	}
}

static void fill_element(uint8_t *at, const struct kt_arg *arg, size_t i,
			 uint64_t *state)
{
	uint64_t bits = next_random(state);

	switch (arg->fill) {
	case KT_RANGE:
		store_number(at, arg->type,
			     arg->lo + (bits >> 11) * 0x1p-53 *
					       (arg->hi - arg->lo));
		return;
	case KT_INDEX:
	case KT_SHUFFLE:
		store_number(at, arg->type, i);
		return;
	case KT_EDGES:
		if (bits >> 63)
			bits = edge_bits(arg->type, bits >> 32);
		break;
	default:
		break;
	}
	memcpy(at, &bits, kt_type_bytes(arg->type));
}

static void shuffle(uint8_t *data, size_t count, size_t size, uint64_t *state)
{
	uint8_t swap[8];
	size_t i, j;

	for (i = count; i > 1; i--) {
		j = next_random(state) % i;
		memcpy(swap, data + j * size, size);
		memcpy(data + j * size, data + (i - 1) * size, size);
		memcpy(data + (i - 1) * size, swap, size);
	}
}

void kt_buffer_init(struct kt_buffer *buffer, const struct kt_arg *arg,
		    uint64_t seed)
{
	size_t i, size = kt_type_bytes(arg->type);
	uint64_t state = seed;

	buffer->data = calloc(arg->count, size);
	buffer->want = calloc(arg->count, arg->ulp > 0 ? 8 : size);
	if (!buffer->data || !buffer->want)
		abort();
	if (arg->dir == KT_OUT)
		memset(buffer->data, POISON, arg->count * size);
	else if (arg->fill != KT_ZERO)
		for (i = 0; i < arg->count; i++)
			fill_element((uint8_t *)buffer->data + i * size, arg,
				     i, &state);
	if (arg->fill == KT_SHUFFLE)
		shuffle(buffer->data, arg->count, size, &state);
	if (!(arg->ulp > 0))
		memcpy(buffer->want, buffer->data, arg->count * size);
}

void kt_buffer_fini(struct kt_buffer *buffer)
{
	free(buffer->data);
	free(buffer->want);
	buffer->data = NULL;
	buffer->want = NULL;
}

/* OpenCL's ULP: the gap between the floats around the exact result. */
static double ulp_size(double exact)
{
	int exponent;

	frexp(exact, &exponent);
	if (exponent < -125)
		exponent = -125;
	return ldexp(1.0, exponent - 24);
}

static bool float_close(float got, double want, const struct kt_arg *arg)
{
	double error;

	if (isnan(want))
		return isnan(got);
	if (isinf(got) && fabs(want) > FLT_MAX)
		return !signbit(got) == !signbit(want);
	if (isinf(want))
		return (double)got == want;
	error = fabs((double)got - want);
	if (error <= arg->ulp * ulp_size(want) || error <= arg->abs_error)
		return true;
	/* A denormal result may be flushed to zero. */
	return fabs(want) < FLT_MIN && fabs(got) <= FLT_MIN;
}

static bool bits_equal(enum kt_type type, const void *a, const void *b)
{
	float x, y;
	_Float16 hx, hy;

	if (!memcmp(a, b, kt_type_bytes(type)))
		return true;
	if (type == KT_F32) {
		memcpy(&x, a, 4);
		memcpy(&y, b, 4);
		return isnan(x) && isnan(y);
	}
	if (type == KT_F16) {
		memcpy(&hx, a, 2);
		memcpy(&hy, b, 2);
		return isnan((float)hx) && isnan((float)hy);
	}
	return false;
}

static void format_bits(enum kt_type type, const void *at, char *text,
			size_t bytes)
{
	uint64_t bits = 0;
	float single;

	memcpy(&bits, at, kt_type_bytes(type));
	if (type == KT_F32) {
		memcpy(&single, at, 4);
		snprintf(text, bytes, "%.9g (0x%08" PRIx64 ")", single, bits);
	} else {
		snprintf(text, bytes, "0x%0*" PRIx64,
			 (int)(2 * kt_type_bytes(type)), bits);
	}
}

static void describe(const struct kt_buffer *buffer, const struct kt_arg *arg,
		     const uint8_t *got, size_t i, char *message, size_t bytes)
{
	size_t size = kt_type_bytes(arg->type);
	char want_text[64], got_text[64];

	format_bits(arg->type, got + i * size, got_text, sizeof(got_text));
	if (arg->ulp > 0)
		snprintf(want_text, sizeof(want_text), "%.9g +- %g ULP",
			 ((const double *)buffer->want)[i], arg->ulp);
	else
		format_bits(arg->type, (const uint8_t *)buffer->want + i * size,
			    want_text, sizeof(want_text));
	snprintf(message, bytes, "element %zu of %zu: got %s, want %s", i,
		 arg->count, got_text, want_text);
}

int kt_buffer_compare(const struct kt_buffer *buffer, const struct kt_arg *arg,
		      const void *got, char *message, size_t message_bytes)
{
	size_t i, size = kt_type_bytes(arg->type);
	const uint8_t *bytes = got;
	const uint8_t *want = buffer->want;
	float single;
	bool same;

	for (i = 0; i < arg->count; i++) {
		if (arg->ulp > 0) {
			memcpy(&single, bytes + i * size, 4);
			same = float_close(single,
					   ((const double *)want)[i], arg);
		} else {
			same = bits_equal(arg->type, bytes + i * size,
					  want + i * size);
		}
		if (!same) {
			describe(buffer, arg, got, i, message, message_bytes);
			return -1;
		}
	}
	return 0;
}
