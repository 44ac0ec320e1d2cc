// SPDX-License-Identifier: MIT
#include "port/format.h"

#include <emmintrin.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#define Z VGT_CHANNEL_ZERO
#define O VGT_CHANNEL_ONE

/*
 * Two initialisers: the field that each channel comes from, and what fills the fields,
 * the first channel that reads one. What no channel reads is written as zero.
 */
#define RGBA { 0, 1, 2, 3 }, { 0, 1, 2, 3 }
#define BGRA { 2, 1, 0, 3 }, { 2, 1, 0, 3 }
#define RGBX { 0, 1, 2, O }, { 0, 1, 2, Z }
#define BGRX { 2, 1, 0, O }, { 2, 1, 0, Z }
#define RG { 0, 1, Z, O }, { 0, 1, Z, Z }
#define R { 0, Z, Z, O }, { 0, Z, Z, Z }
#define A { Z, Z, Z, 0 }, { 3, Z, Z, Z }
#define L { 0, 0, 0, O }, { 0, Z, Z, Z }
#define I { 0, 0, 0, 0 }, { 0, Z, Z, Z }
#define LA { 0, 0, 0, 1 }, { 0, 3, Z, Z }

#define FOUR(kind, n, order) \
	{ VGT_FORMAT_##kind, n / 2, n, { n, n, n, n }, order }
#define TWO(kind, n, order) { VGT_FORMAT_##kind, n / 4, n, { n, n }, order }
#define ONE(kind, n, order) { VGT_FORMAT_##kind, n / 8, n, { n }, order }
#define MIXED(kind, bytes, bits, order) \
	{ VGT_FORMAT_##kind, bytes, 0, bits, order }
#define BITS_10_10_10_2 { 10, 10, 10, 2 }
#define BITS_5_6_5 { 5, 6, 5 }
#define BITS_5_5_5_1 { 5, 5, 5, 1 }
#define BITS_24 { 24 }

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
	[0x0c2] = MIXED(UNORM, 4, BITS_10_10_10_2, RGBA),
	[0x0c4] = MIXED(UINT, 4, BITS_10_10_10_2, RGBA),
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
	[0x0d1] = MIXED(UNORM, 4, BITS_10_10_10_2, BGRA),
	[0x0d6] = ONE(SINT, 32, R),
	[0x0d7] = ONE(UINT, 32, R),
	[0x0d8] = ONE(FLOAT, 32, R),
	[0x0d9] = MIXED(UNORM, 4, BITS_24, R),
	[0x0df] = TWO(UNORM, 16, LA),
	[0x0e3] = ONE(FLOAT, 32, I),
	[0x0e4] = ONE(FLOAT, 32, L),
	[0x0e5] = ONE(FLOAT, 32, A),
	[0x0e9] = FOUR(UNORM, 8, BGRX),
	[0x0eb] = FOUR(UNORM, 8, RGBX),
	[0x0f0] = TWO(FLOAT, 16, LA),
	[0x100] = MIXED(UNORM, 2, BITS_5_6_5, BGRX),
	[0x102] = MIXED(UNORM, 2, BITS_5_5_5_1, BGRA),
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
	[0x11a] = MIXED(UNORM, 2, BITS_5_5_5_1, BGRX),
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

uint32_t vgt_format_one(const struct vgt_format *format)
{
	return vgt_format_is_integer(format) ? 1 : float_bits(1.0f);
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

static uint32_t field_max(uint32_t bits)
{
	return bits ? UINT32_MAX >> (32 - bits) : 1;
}

/* The texel as a number of 128 bits, of which a field lies in one half. */
struct raw {
	uint64_t half[2];
};

/* Copies of a size that the compiler knows: this is part of every texel. */
static struct raw raw_load(const uint8_t *texel, uint32_t bytes)
{
	struct raw raw = { { 0 } };

	switch (bytes) {
	case 1:
		raw.half[0] = *texel;
		break;
	case 2:
		memcpy(&raw, texel, 2);
		break;
	case 4:
		memcpy(&raw, texel, 4);
		break;
	case 8:
		memcpy(&raw, texel, 8);
		break;
	default:
		memcpy(&raw, texel, 16);
	}
	return raw;
}

static void raw_store(const struct raw *raw, uint8_t *texel, uint32_t bytes)
{
	switch (bytes) {
	case 1:
		*texel = raw->half[0];
		break;
	case 2:
		memcpy(texel, raw, 2);
		break;
	case 4:
		memcpy(texel, raw, 4);
		break;
	case 8:
		memcpy(texel, raw, 8);
		break;
	default:
		memcpy(texel, raw, 16);
	}
}

/* All fields of a texel side by side. */
typedef uint32_t fields __attribute__((vector_size(16)));
typedef int32_t signed_fields __attribute__((vector_size(16)));
typedef float float_fields __attribute__((vector_size(16)));

static fields fields_all(uint32_t value)
{
	return (fields){ value, value, value, value };
}

static float_fields floats_all(float value)
{
	return (float_fields){ value, value, value, value };
}

/* Where @mask is all ones @yes, else @no. */
static fields pick(signed_fields mask, fields yes, fields no)
{
	return ((fields)mask & yes) | (~(fields)mask & no);
}

static float_fields limit(float_fields value, float low, float high)
{
	float_fields l = floats_all(low), h = floats_all(high);

	value = (float_fields)pick(value > l, (fields)value, (fields)l);
	return (float_fields)pick(value < h, (fields)value, (fields)h);
}

/* To nearest, ties to even, which is the host's default float mode. */
static fields round_floats(float_fields value)
{
	return (fields)_mm_cvtps_epi32((__m128)value);
}

static float_fields to_floats(fields value)
{
	return __builtin_convertvector((signed_fields)value, float_fields);
}

static fields fields_extract(const struct vgt_format *format,
			     const struct raw *raw)
{
	uint64_t low = raw->half[0], high = raw->half[1];
	fields out = { 0 };
	uint32_t at = 0;

	switch (format->width) {
	case 8:
		return (fields){ low & 0xff, low >> 8 & 0xff, low >> 16 & 0xff,
				 low >> 24 & 0xff };
	case 16:
		return (fields){ low & 0xffff, low >> 16 & 0xffff,
				 low >> 32 & 0xffff, low >> 48 };
	case 32:
		return (fields){ low, low >> 32, high, high >> 32 };
	}
	/* None of the others has more than 64 bits. */
	for (uint32_t f = 0; f < 4 && format->bits[f]; f++) {
		out[f] = low >> at & field_max(format->bits[f]);
		at += format->bits[f];
	}
	return out;
}

/* Each field has no more bits set than it is wide. */
static struct raw fields_pack(const struct vgt_format *format, fields in)
{
	struct raw raw = { { 0 } };
	uint32_t at = 0;

	if (format->width == 32) {
		raw.half[0] = in[0] | (uint64_t)in[1] << 32;
		raw.half[1] = in[2] | (uint64_t)in[3] << 32;
		return raw;
	}
	for (uint32_t f = 0; f < 4 && format->bits[f]; f++) {
		raw.half[0] |= (uint64_t)in[f] << at;
		at += format->bits[f];
	}
	return raw;
}

/* The largest number of each field; those that are not there have 1. */
static fields fields_max(const struct vgt_format *format)
{
	if (format->width)
		return fields_all(field_max(format->width));
	return (fields){ field_max(format->bits[0]), field_max(format->bits[1]),
			 field_max(format->bits[2]),
			 field_max(format->bits[3]) };
}

/* Of signed formats, whose fields are all as wide. */
static signed_fields sign_extend(const struct vgt_format *format, fields in)
{
	int32_t shift = 32 - format->width;

	return (signed_fields)(in << shift) >> shift;
}

#define HALF_INFINITY 0x7c00
#define FLOAT_INFINITY 0x7f800000

static fields halves_decode(fields half)
{
	fields size = half & 0x7fff, value;

	/* As a float of 112 binary orders less it has the same bits, further up. */
	value = (fields)((float_fields)(size << 13) * 0x1p112f);
	value |= (fields)(size >= HALF_INFINITY) & FLOAT_INFINITY;
	return value | (half & 0x8000) << 16;
}

static fields halves_encode(fields bits)
{
	signed_fields size = (signed_fields)(bits & 0x7fffffff);
	fields small, normal, large;

	small = round_floats((float_fields)size * 0x1p24f);
	/* A fraction that rounds up to 2048 carries into the exponent. */
	normal = (fields)size - (112U << 23);
	normal = (normal + 0xfff + (normal >> 13 & 1)) >> 13;
	large = pick(size > FLOAT_INFINITY, fields_all(0x7e00),
		     fields_all(HALF_INFINITY));
	normal = pick(size >= 0x477ff000, large, normal); /* 65520 */
	normal = pick(size < 0x38800000, small, normal); /* 2 ** -14 */
	return normal | (bits >> 16 & 0x8000);
}

static fields srgb_decode(float_fields value)
{
	for (uint32_t f = 0; f < 3; f++)
		value[f] = srgb_to_linear(value[f]);
	return (fields)value;
}

static float_fields srgb_encode(float_fields value)
{
	for (uint32_t f = 0; f < 3; f++)
		value[f] = linear_to_srgb(value[f]);
	return value;
}

static fields fields_decode(const struct vgt_format *format, fields in)
{
	float_fields max;

	switch (format->kind) {
	case VGT_FORMAT_UNORM:
		return (fields)(to_floats(in) / to_floats(fields_max(format)));
	case VGT_FORMAT_SNORM:
		max = to_floats(fields_all(field_max(format->width - 1)));
		max = to_floats((fields)sign_extend(format, in)) / max;
		return (fields)limit(max, -1, 1);
	case VGT_FORMAT_SRGB:
		return srgb_decode(to_floats(in) /
				   to_floats(fields_max(format)));
	case VGT_FORMAT_SINT:
		return (fields)sign_extend(format, in);
	case VGT_FORMAT_FLOAT:
		return format->width == 16 ? halves_decode(in) : in;
	default:
		return in;
	}
}

static fields fields_encode(const struct vgt_format *format, fields in)
{
	float_fields value = (float_fields)in, max;
	signed_fields high;
	fields all;

	switch (format->kind) {
	case VGT_FORMAT_UNORM:
		max = to_floats(fields_max(format));
		return round_floats(limit(value, 0, 1) * max);
	case VGT_FORMAT_SNORM:
		max = to_floats(fields_all(field_max(format->width - 1)));
		/* What is not a number is zero. */
		in &= (fields)(value == value);
		return round_floats(limit((float_fields)in, -1, 1) * max) &
		       fields_max(format);
	case VGT_FORMAT_SRGB:
		max = to_floats(fields_max(format));
		return round_floats(srgb_encode(limit(value, 0, 1)) * max);
	case VGT_FORMAT_SINT:
		all = fields_all(field_max(format->width - 1));
		high = (signed_fields)all;
		in = pick((signed_fields)in > high, all, in);
		return pick((signed_fields)in < ~high, ~all, in) &
		       fields_max(format);
	case VGT_FORMAT_FLOAT:
		return format->width == 16 ? halves_encode(in) : in;
	default:
		all = fields_max(format);
		return pick((signed_fields)(in > all), all, in);
	}
}

void vgt_format_decode(const struct vgt_format *format, const uint8_t from[4],
		       const uint8_t *texel, uint32_t rgba_out[4])
{
	struct raw raw = raw_load(texel, format->bytes);
	uint32_t value[6] = { [VGT_CHANNEL_ONE] = vgt_format_one(format) };
	fields decoded = fields_decode(format, fields_extract(format, &raw));

	memcpy(value, &decoded, sizeof(decoded));
	for (int c = 0; c < 4; c++)
		rgba_out[c] = value[from[c]];
}

void vgt_format_encode(const struct vgt_format *format, const uint32_t rgba[4],
		       uint8_t *texel_out)
{
	const uint8_t *fill = format->fill;
	uint32_t value[5] = { rgba[0], rgba[1], rgba[2], rgba[3], 0 };
	struct raw raw;

	raw = fields_pack(format, fields_encode(format, (fields){
		value[fill[0]], value[fill[1]], value[fill[2]],
		value[fill[3]] }));
	raw_store(&raw, texel_out, format->bytes);
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
