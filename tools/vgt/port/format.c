// SPDX-License-Identifier: MIT
#include "port/format.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#define Z VGT_CHANNEL_ZERO
#define O VGT_CHANNEL_ONE

#define RGBA { 0, 1, 2, 3 }
#define BGRA { 2, 1, 0, 3 }
#define RGBX { 0, 1, 2, O }
#define BGRX { 2, 1, 0, O }
#define RG { 0, 1, Z, O }
#define R { 0, Z, Z, O }
#define A { Z, Z, Z, 0 }
#define L { 0, 0, 0, O }
#define I { 0, 0, 0, 0 }
#define LA { 0, 0, 0, 1 }

#define FOUR(kind, n, order) { VGT_FORMAT_##kind, n / 2, { n, n, n, n }, order }
#define TWO(kind, n, order) { VGT_FORMAT_##kind, n / 4, { n, n }, order }
#define ONE(kind, n, order) { VGT_FORMAT_##kind, n / 8, { n }, order }

/* The numbers are the hardware's SURFACE_FORMAT. */
static const struct vgt_format formats[512] = {
	[0x000] = FOUR(FLOAT, 32, RGBA),
	[0x001] = FOUR(SINT, 32, RGBA),
	[0x002] = FOUR(UINT, 32, RGBA),
	[0x006] = FOUR(FLOAT, 32, RGBX),
	[0x080] = FOUR(UNORM, 16, RGBA),
	[0x081] = FOUR(SNORM, 16, RGBA),
	[0x082] = FOUR(SINT, 16, RGBA),
	[0x083] = FOUR(UINT, 16, RGBA),
	[0x084] = FOUR(FLOAT, 16, RGBA),
	[0x085] = TWO(FLOAT, 32, RG),
	[0x086] = TWO(SINT, 32, RG),
	[0x087] = TWO(UINT, 32, RG),
	[0x08a] = TWO(FLOAT, 32, LA),
	[0x08e] = FOUR(UNORM, 16, RGBX),
	[0x08f] = FOUR(FLOAT, 16, RGBX),
	[0x0c0] = FOUR(UNORM, 8, BGRA),
	[0x0c1] = FOUR(SRGB, 8, BGRA),
	[0x0c2] = { VGT_FORMAT_UNORM, 4, { 10, 10, 10, 2 }, RGBA },
	[0x0c4] = { VGT_FORMAT_UINT, 4, { 10, 10, 10, 2 }, RGBA },
	[0x0c7] = FOUR(UNORM, 8, RGBA),
	[0x0c8] = FOUR(SRGB, 8, RGBA),
	[0x0c9] = FOUR(SNORM, 8, RGBA),
	[0x0ca] = FOUR(SINT, 8, RGBA),
	[0x0cb] = FOUR(UINT, 8, RGBA),
	[0x0cc] = TWO(UNORM, 16, RG),
	[0x0cd] = TWO(SNORM, 16, RG),
	[0x0ce] = TWO(SINT, 16, RG),
	[0x0cf] = TWO(UINT, 16, RG),
	[0x0d0] = TWO(FLOAT, 16, RG),
	[0x0d1] = { VGT_FORMAT_UNORM, 4, { 10, 10, 10, 2 }, BGRA },
	[0x0d6] = ONE(SINT, 32, R),
	[0x0d7] = ONE(UINT, 32, R),
	[0x0d8] = ONE(FLOAT, 32, R),
	[0x0d9] = { VGT_FORMAT_UNORM, 4, { 24 }, R },
	[0x0df] = TWO(UNORM, 16, LA),
	[0x0e3] = ONE(FLOAT, 32, I),
	[0x0e4] = ONE(FLOAT, 32, L),
	[0x0e5] = ONE(FLOAT, 32, A),
	[0x0e9] = FOUR(UNORM, 8, BGRX),
	[0x0eb] = FOUR(UNORM, 8, RGBX),
	[0x0f0] = TWO(FLOAT, 16, LA),
	[0x100] = { VGT_FORMAT_UNORM, 2, { 5, 6, 5 }, BGRX },
	[0x102] = { VGT_FORMAT_UNORM, 2, { 5, 5, 5, 1 }, BGRA },
	[0x104] = FOUR(UNORM, 4, BGRA),
	[0x106] = TWO(UNORM, 8, RG),
	[0x107] = TWO(SNORM, 8, RG),
	[0x108] = TWO(SINT, 8, RG),
	[0x109] = TWO(UINT, 8, RG),
	[0x10a] = ONE(UNORM, 16, R),
	[0x10b] = ONE(SNORM, 16, R),
	[0x10c] = ONE(SINT, 16, R),
	[0x10d] = ONE(UINT, 16, R),
	[0x10e] = ONE(FLOAT, 16, R),
	[0x111] = ONE(UNORM, 16, I),
	[0x112] = ONE(UNORM, 16, L),
	[0x113] = ONE(UNORM, 16, A),
	[0x114] = TWO(UNORM, 8, LA),
	[0x115] = ONE(FLOAT, 16, I),
	[0x116] = ONE(FLOAT, 16, L),
	[0x117] = ONE(FLOAT, 16, A),
	[0x11a] = { VGT_FORMAT_UNORM, 2, { 5, 5, 5, 1 }, BGRX },
	[0x140] = ONE(UNORM, 8, R),
	[0x141] = ONE(SNORM, 8, R),
	[0x142] = ONE(SINT, 8, R),
	[0x143] = ONE(UINT, 8, R),
	[0x144] = ONE(UNORM, 8, A),
	[0x145] = ONE(UNORM, 8, I),
	[0x146] = ONE(UNORM, 8, L),
};

const struct vgt_format *vgt_format_get(uint32_t code)
{
	if (code >= sizeof(formats) / sizeof(formats[0]) ||
	    !formats[code].kind)
		return NULL;
	return &formats[code];
}

bool vgt_format_is_integer(const struct vgt_format *format)
{
	return format->kind == VGT_FORMAT_UINT ||
	       format->kind == VGT_FORMAT_SINT;
}

static uint32_t float_bits(float value)
{
	uint32_t bits;

	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

static float bits_float(uint32_t bits)
{
	float value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

uint32_t vgt_format_one(const struct vgt_format *format)
{
	return vgt_format_is_integer(format) ? 1 : float_bits(1.0f);
}

static float half_to_float(uint32_t half)
{
	uint32_t sign = half >> 15, exponent = (half >> 10) & 31;
	uint32_t fraction = half & 1023;
	float value;

	if (exponent == 31)
		return bits_float(sign << 31 | 0x7f800000 | fraction << 13);
	if (exponent)
		value = ldexpf(1024 + fraction, (int)exponent - 25);
	else
		value = ldexpf(fraction, -24);
	return sign ? -value : value;
}

/* To nearest, ties to even, which is the host's default float mode. */
static uint32_t float_to_half(float value)
{
	uint32_t sign = signbit(value) ? 0x8000 : 0;
	float size = fabsf(value);
	int exponent;

	if (isnan(value))
		return sign | 0x7e00;
	if (size >= 65520.0f)
		return sign | 0x7c00;
	if (size < ldexpf(1, -14))
		return sign | (uint32_t)nearbyintf(ldexpf(size, 24));
	exponent = ilogbf(size);
	/* A fraction that rounds up to 2048 carries into the exponent. */
	return sign | (((uint32_t)(exponent + 15) << 10) +
		       (uint32_t)nearbyintf(ldexpf(size, 10 - exponent)) -
		       1024);
}

static float srgb_to_linear(float value)
{
	if (value <= 0.04045f)
		return value / 12.92f;
	return powf((value + 0.055f) / 1.055f, 2.4f);
}

static float linear_to_srgb(float value)
{
	if (value <= 0.0031308f)
		return value * 12.92f;
	return 1.055f * powf(value, 1 / 2.4f) - 0.055f;
}

static int32_t sign_extend(uint32_t value, uint32_t bits)
{
	return (int32_t)(value << (32 - bits)) >> (32 - bits);
}

static uint32_t field_max(uint32_t bits)
{
	return UINT32_MAX >> (32 - bits);
}

static uint32_t field_decode(const struct vgt_format *format, uint32_t field,
			     uint32_t raw)
{
	uint32_t bits = format->bits[field];
	float value;

	switch (format->kind) {
	case VGT_FORMAT_UNORM:
		return float_bits((float)raw / field_max(bits));
	case VGT_FORMAT_SNORM:
		value = (float)sign_extend(raw, bits) / field_max(bits - 1);
		return float_bits(value < -1 ? -1 : value);
	case VGT_FORMAT_SRGB:
		value = (float)raw / field_max(bits);
		return float_bits(field < 3 ? srgb_to_linear(value) : value);
	case VGT_FORMAT_SINT:
		return sign_extend(raw, bits);
	case VGT_FORMAT_FLOAT:
		return bits == 16 ? float_bits(half_to_float(raw)) : raw;
	default:
		return raw;
	}
}

static float clamp(float value, float low, float high)
{
	if (!(value > low)) /* or not a number */
		return isnan(value) && low < 0 ? 0 : low;
	return value > high ? high : value;
}

static uint32_t field_encode(const struct vgt_format *format, uint32_t field,
			     uint32_t channel)
{
	uint32_t bits = format->bits[field], max = field_max(bits);
	float value = bits_float(channel);
	int32_t low, high;

	switch (format->kind) {
	case VGT_FORMAT_UNORM:
		return nearbyintf(clamp(value, 0, 1) * max);
	case VGT_FORMAT_SNORM:
		max = field_max(bits - 1);
		return (int32_t)nearbyintf(clamp(value, -1, 1) * (int32_t)max);
	case VGT_FORMAT_SRGB:
		value = clamp(value, 0, 1);
		if (field < 3)
			value = linear_to_srgb(value);
		return nearbyintf(value * max);
	case VGT_FORMAT_SINT:
		high = field_max(bits - 1);
		low = -high - 1;
		if ((int32_t)channel < low)
			return low;
		return (int32_t)channel > high ? high : (int32_t)channel;
	case VGT_FORMAT_FLOAT:
		return bits == 16 ? float_to_half(value) : channel;
	default:
		return channel > max ? max : channel;
	}
}

/* The texel as a number of 128 bits, of which a field lies in one half. */
struct raw {
	uint64_t half[2];
};

void vgt_format_decode(const struct vgt_format *format, const uint8_t *texel,
		       uint32_t rgba_out[4])
{
	uint32_t value[6] = { [VGT_CHANNEL_ONE] = vgt_format_one(format) };
	struct raw raw = { { 0 } };
	uint32_t at = 0;

	memcpy(&raw, texel, format->bytes);
	for (uint32_t f = 0; f < 4 && format->bits[f]; f++) {
		uint64_t half = raw.half[at / 64] >> (at % 64);

		value[f] = field_decode(format, f,
					half & field_max(format->bits[f]));
		at += format->bits[f];
	}
	for (int c = 0; c < 4; c++)
		rgba_out[c] = value[format->channel[c]];
}

/* The channel that fills a field: the first that would be read from it. */
static uint32_t field_source(const struct vgt_format *format, uint32_t field,
			     const uint32_t rgba[4])
{
	for (int c = 0; c < 4; c++) {
		if (format->channel[c] == field)
			return rgba[c];
	}
	return 0;
}

void vgt_format_encode(const struct vgt_format *format, const uint32_t rgba[4],
		       uint8_t *texel_out)
{
	struct raw raw = { { 0 } };
	uint32_t at = 0;

	for (uint32_t f = 0; f < 4 && format->bits[f]; f++) {
		uint64_t value = field_encode(format, f,
					      field_source(format, f, rgba));

		value &= field_max(format->bits[f]);
		raw.half[at / 64] |= value << (at % 64);
		at += format->bits[f];
	}
	memcpy(texel_out, &raw, format->bytes);
}

void vgt_format_border(const struct vgt_format *format,
		       const uint32_t border[4], uint32_t rgba_out[4])
{
	uint32_t constant[2] = { 0, vgt_format_one(format) };

	for (int c = 0; c < 4; c++) {
		uint32_t from = format->channel[c];

		rgba_out[c] = from < VGT_CHANNEL_ZERO ?
			border[c] : constant[from - VGT_CHANNEL_ZERO];
	}
}
