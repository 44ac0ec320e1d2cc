// SPDX-License-Identifier: MIT
#include "eu/half.h"

#include <stdbool.h>
#include <string.h>

#define HALF_INF 0x7c00

static double from_bits(uint64_t bits)
{
	double value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

double vgt_half_to_double(uint16_t half)
{
	uint64_t sign = (uint64_t)(half & 0x8000) << 48;
	uint32_t exponent = half >> 10 & 31;
	uint64_t fraction = half & 0x3ff;

	if (exponent == 31)
		return from_bits(sign | 0x7ffULL << 52 | fraction << 42);
	if (exponent)
		return from_bits(sign | (uint64_t)(exponent + 1008) << 52 |
				 fraction << 42);
	/* 2^-24 is a denormal's unit */
	return (sign ? -1.0 : 1.0) * (double)fraction * 0x1p-24;
}

/* Does @rest, the part below the last place (@half_unit its half), round up? */
static bool rounds_up(uint64_t rest, uint64_t half_unit, bool odd, bool sign,
		      enum vgt_round round)
{
	switch (round) {
	case VGT_ROUND_UP:
		return rest && !sign;
	case VGT_ROUND_DOWN:
		return rest && sign;
	case VGT_ROUND_ZERO:
		return false;
	default:
		return rest > half_unit || (rest == half_unit && odd);
	}
}

uint16_t vgt_half_from_double(double value, enum vgt_round round)
{
	uint64_t bits, fraction;
	uint16_t sign, result;
	uint32_t drop = 42;
	int exponent;

	memcpy(&bits, &value, sizeof(bits));
	sign = bits >> 48 & 0x8000;
	exponent = (int)(bits >> 52 & 0x7ff) - 1023;
	fraction = bits & (~0ULL >> 12);
	if (exponent == 1024)
		return sign | HALF_INF |
		       (fraction ? 0x200 | fraction >> 42 : 0);
	if (exponent == -1023 && !fraction)
		return sign;
	fraction |= 1ULL << 52;
	if (exponent < -14)
		drop = -14 - exponent > 20 ? 62 : 42 + (-14 - exponent);
	result = fraction >> drop;
	if (exponent >= -14)
		result += (exponent + 14) << 10;
	if (exponent > 15)
		result = HALF_INF - 1;
	if (rounds_up(exponent > 15 ? 3 : fraction & ((1ULL << drop) - 1),
		      exponent > 15 ? 2 : 1ULL << (drop - 1), result & 1, sign,
		      round))
		result++;
	return sign | result;
}
