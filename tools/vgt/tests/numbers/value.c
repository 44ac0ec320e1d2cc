// SPDX-License-Identifier: MIT
#include "numbers.h"

#include <fenv.h>
#include <math.h>
#include <string.h>

const struct type_info types[TYPES] = {
	[UCHAR] = { "uchar", 1, false, false, 0, 0, 0 },
	[CHAR] = { "char", 1, true, false, 0, 0, 0 },
	[USHORT] = { "ushort", 2, false, false, 0, 0, 0 },
	[SHORT] = { "short", 2, true, false, 0, 0, 0 },
	[UINT] = { "uint", 4, false, false, 0, 0, 0 },
	[INT] = { "int", 4, true, false, 0, 0, 0 },
	[ULONG] = { "ulong", 8, false, false, 0, 0, 0 },
	[LONG] = { "long", 8, true, false, 0, 0, 0 },
	[HALF] = { "half", 2, true, true, 11, -14, 15 },
	[FLOAT] = { "float", 4, true, true, 24, -126, 127 },
};

size_t value_samples = 1 << 14;

/* Of bytes more, since where in its register one lies counts as well. */
size_t value_count(enum type type)
{
	if (types[type].bytes <= 2)
		return types[type].bytes == 1 ? 1 << 12 : 1 << 16;
	return value_samples;
}

long double value_load(enum type type, const void *at)
{
	uint32_t bytes = types[type].bytes, shift = 64 - 8 * bytes;
	uint64_t bits = 0;
	_Float16 half;
	float single;

	memcpy(&bits, at, bytes);
	switch (type) {
	case HALF:
		memcpy(&half, at, 2);
		return (long double)half;
	case FLOAT:
		memcpy(&single, at, 4);
		return (long double)single;
	default:
		if (types[type].is_signed)
			return (long double)((int64_t)(bits << shift) >> shift);
		return (long double)bits;
	}
}

static uint64_t next_random(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

/* Powers of two of the bits, and their neighbours, of either sign. */
static uint64_t corner_int(uint64_t random)
{
	uint64_t value = (1ULL << (random & 63)) + (random >> 6 & 7) - 3;

	return random >> 9 & 1 ? -value : value;
}

/* Any power of two there is, some bits before and behind it, or a half more. */
static uint64_t corner_float(const struct type_info *info, uint64_t random)
{
	int fraction = info->digits - 1;
	uint64_t exponents = 1ULL << (8 * info->bytes - 1 - fraction);
	uint64_t bits = (random >> 8) % exponents << fraction;

	bits += (random & 7) - 3;
	if (random >> 3 & 1)
		bits |= 1ULL << (fraction - 1 - (random >> 40) % 9);
	return bits ^ (random >> 4 & 1) << (8 * info->bytes - 1);
}

void value_fill(enum type type, void *at, size_t count, uint64_t seed)
{
	const struct type_info *info = &types[type];
	bool every = info->bytes <= 2 && count >= 1ULL << 8 * info->bytes;
	uint64_t state = seed;

	for (size_t i = 0; i < count; i++) {
		uint64_t bits = next_random(&state);

		if (every && !seed)
			bits = i;
		else if (i % 3 == 0)
			bits = info->is_float ? corner_float(info, bits >> 5) :
			       corner_int(bits >> 5);
		else if (i % 3 == 1 && !info->is_float)
			bits >>= bits & (8 * info->bytes - 1);
		memcpy((uint8_t *)at + i * info->bytes, &bits, info->bytes);
	}
}

/* The value's last place lies at a power of two: so many integers of it. */
static int last_place(const struct type_info *info, long double value)
{
	int exponent;

	frexpl(value, &exponent);
	if (exponent - 1 < info->lowest)
		exponent = info->lowest + 1;
	return exponent - info->digits;
}

long double value_round(enum type type, long double value, int mode)
{
	const struct type_info *info = &types[type];
	long double limit = ldexpl(1, info->highest + 1);
	int place;

	if (!isfinite(value) || value == 0)
		return value;
	place = last_place(info, value);
	fesetround(mode);
	value = ldexpl(rintl(ldexpl(value, -place)), place);
	fesetround(FE_TONEAREST);
	if (fabsl(value) < limit)
		return value;
	if (mode == FE_TOWARDZERO || (mode == FE_UPWARD && value < 0) ||
	    (mode == FE_DOWNWARD && value > 0))
		return copysignl(limit - ldexpl(limit, -info->digits), value);
	return copysignl(INFINITY, value);
}

/* Infinity counts as the first power of two that the type has not. */
long double value_ulps(enum type type, long double got, long double want)
{
	const struct type_info *info = &types[type];
	long double limit = ldexpl(1, info->highest + 1);

	if (isnan(got) || isnan(want))
		return isnan(got) && isnan(want) ? 0 : INFINITY;
	if (fabsl(want) >= limit)
		want = copysignl(limit, want);
	if (isinf(got))
		got = copysignl(limit, got);
	if (got == want)
		return 0;
	return fabsl(got - want) / ldexpl(1, last_place(info, want));
}
