// SPDX-License-Identifier: MIT
/*
 * Images: formats by texels written down by hand, tilings by their address
 * bits, and sampling of a row of four texels.
 */
#include "message_rig.h"
#include "tap.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define BTI 5
#define LOAD_LZ_SIMD8 0x0243a000 /* one to three coordinates */
#define SAMPLE_LZ_SIMD8 0x02438000
#define TYPED_WRITE 0x02035000 /* mlen 1, no answer: coordinates vary */

#define ONES 0x3f800000 /* 1.0f */
#define SELECT_RGBA (4 << 25 | 5 << 22 | 6 << 19 | 7 << 16)

struct shape {
	uint32_t type, array, tile, format, width, height, depth, pitch, rows;
};

static void make_image(struct rig *rig, const struct shape *shape)
{
	uint32_t state[16] = {
		shape->type << 29 | shape->array << 28 | shape->format << 18 |
			shape->tile << 12,
		shape->rows / 4,
		(shape->width - 1) | (shape->height - 1) << 16,
		(shape->pitch - 1) | (shape->depth - 1) << 21,
		(shape->depth - 1) << 7,
		0, 0, SELECT_RGBA, RIG_VA, RIG_VA >> 32,
	};

	rig_surface(rig, BTI, state);
}

/* Coordinates of lane 0; how many there are, the message's length says. */
static int load(struct rig *rig, uint32_t x, uint32_t y, uint32_t z)
{
	rig_put(rig, 0, 0, x);
	rig_put(rig, 1, 0, y);
	rig_put(rig, 2, 0, z);
	return rig_send(rig, VGT_SFID_SAMPLER, LOAD_LZ_SIMD8 | 2 << 26 | BTI,
			0, 1);
}

static int store(struct rig *rig, const uint32_t *at, uint32_t coordinates,
		 const uint32_t rgba[4])
{
	for (uint32_t n = 0; n < coordinates; n++)
		rig_put(rig, n, 0, at[n]);
	for (uint32_t c = 0; c < 4; c++)
		rig_put(rig, coordinates + c, 0, rgba[c]);
	return rig_send(rig, VGT_SFID_DC1, TYPED_WRITE | BTI, coordinates + 3,
			1);
}

static bool answer_is(const struct rig *rig, const uint32_t rgba[4])
{
	for (uint32_t c = 0; c < 4; c++) {
		if (rig_get(rig, c, 0) != rgba[c])
			return false;
	}
	return true;
}

enum direction { BOTH = 0, READ_ONLY = 1 };

#define F(x) { .value = x }
#define U(x) { .bits = x }
union channel {
	float value;
	uint32_t bits;
};

static const struct {
	const char *name;
	uint32_t code, bytes;
	uint8_t texel[16];
	union channel rgba[4];
	enum direction direction;
} formats[] = {
	{ "RGBA32F", 0x000, 16,
	  { 0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0, 0, 0, 0, 0, 1, 0, 0, 0 },
	  { F(1), F(-2), F(0), U(1) }, BOTH },
	{ "RGBA32I", 0x001, 16,
	  { 1, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0x80, 4, 3, 2, 1 },
	  { U(1), U(-1), U(0x80000000), U(0x01020304) }, BOTH },
	{ "RGBA32U", 0x002, 16,
	  { 1, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0x80, 4, 3, 2, 1 },
	  { U(1), U(0xffffffff), U(0x80000000), U(0x01020304) }, BOTH },
	{ "RGBA16 unorm", 0x080, 8, { 0xff, 0xff, 0, 0, 0x33, 0x33, 0, 0 },
	  { F(1), F(0), F(0.2f), F(0) }, BOTH },
	{ "RGBA16 snorm", 0x081, 8, { 0xff, 0x7f, 1, 0x80, 0, 0, 0xff, 0x7f },
	  { F(1), F(-1), F(0), F(1) }, BOTH },
	{ "RGBA16I", 0x082, 8, { 0xff, 0xff, 0, 0x80, 2, 1, 0, 0 },
	  { U(-1), U(-32768), U(258), U(0) }, BOTH },
	{ "RGBA16U", 0x083, 8, { 0xff, 0xff, 0, 0x80, 2, 1, 0, 0 },
	  { U(65535), U(32768), U(258), U(0) }, BOTH },
	{ "RGBA16F", 0x084, 8, { 0, 0x3c, 0, 0xc0, 1, 0, 0, 0x7c },
	  { F(1), F(-2), F(0x1p-24f), U(0x7f800000) }, BOTH },
	{ "RG32F", 0x085, 8, { 0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0 },
	  { F(1), F(-2), F(0), F(1) }, BOTH },
	{ "RG32U", 0x087, 8, { 7, 0, 0, 0, 0, 0, 0, 0x80 },
	  { U(7), U(0x80000000), U(0), U(1) }, BOTH },
	{ "BGRA8 unorm", 0x0c0, 4, { 51, 102, 255, 0 },
	  { F(1), F(0.4f), F(0.2f), F(0) }, BOTH },
	{ "RGB10A2 unorm", 0x0c2, 4, { 0xff, 0x03, 0, 0xc0 },
	  { F(1), F(0), F(0), F(1) }, BOTH },
	{ "RGBA8 unorm", 0x0c7, 4, { 255, 102, 51, 0 },
	  { F(1), F(0.4f), F(0.2f), F(0) }, BOTH },
	{ "RGBA8 sRGB", 0x0c8, 4, { 255, 0, 255, 51 },
	  { F(1), F(0), F(1), F(0.2f) }, BOTH },
	{ "RGBA8 snorm", 0x0c9, 4, { 127, 0x81, 0x80, 0 },
	  { F(1), F(-1), F(-1), F(0) }, READ_ONLY },
	{ "RGBA8I", 0x0ca, 4, { 127, 0x80, 0xff, 5 },
	  { U(127), U(-128), U(-1), U(5) }, BOTH },
	{ "RGBA8U", 0x0cb, 4, { 127, 0x80, 0xff, 5 },
	  { U(127), U(128), U(255), U(5) }, BOTH },
	{ "RG16U", 0x0cf, 4, { 1, 2, 3, 4 },
	  { U(0x201), U(0x403), U(0), U(1) }, BOTH },
	{ "RG16F", 0x0d0, 4, { 0, 0x38, 0, 0x80 },
	  { F(0.5f), F(-0.0f), F(0), F(1) }, BOTH },
	{ "R32I", 0x0d6, 4, { 0xfe, 0xff, 0xff, 0xff },
	  { U(-2), U(0), U(0), U(1) }, BOTH },
	{ "R32U", 0x0d7, 4, { 4, 3, 2, 1 },
	  { U(0x01020304), U(0), U(0), U(1) }, BOTH },
	{ "R32F", 0x0d8, 4, { 0, 0, 0, 0xc0 },
	  { F(-2), F(0), F(0), F(1) }, BOTH },
	{ "I32F", 0x0e3, 4, { 0, 0, 0, 0xc0 },
	  { F(-2), F(-2), F(-2), F(-2) }, READ_ONLY },
	{ "B5G6R5", 0x100, 2, { 0xe0, 0x07 },
	  { F(0), F(1), F(0), F(1) }, BOTH },
	{ "RG8 unorm", 0x106, 2, { 255, 51 },
	  { F(1), F(0.2f), F(0), F(1) }, BOTH },
	{ "RG8I", 0x108, 2, { 0xff, 3 }, { U(-1), U(3), U(0), U(1) }, BOTH },
	{ "R16 unorm", 0x10a, 2, { 0x33, 0x33 },
	  { F(0.2f), F(0), F(0), F(1) }, BOTH },
	{ "R16I", 0x10c, 2, { 0, 0x80 }, { U(-32768), U(0), U(0), U(1) },
	  BOTH },
	{ "R16F", 0x10e, 2, { 0x55, 0x35 },
	  { F(0x1.554p-2f), F(0), F(0), F(1) }, BOTH },
	{ "A16 unorm", 0x113, 2, { 0xff, 0xff },
	  { F(0), F(0), F(0), F(1) }, BOTH },
	{ "R8 unorm", 0x140, 1, { 51 }, { F(0.2f), F(0), F(0), F(1) }, BOTH },
	{ "R8 snorm", 0x141, 1, { 0x81 }, { F(-1), F(0), F(0), F(1) }, BOTH },
	{ "R8I", 0x142, 1, { 0x80 }, { U(-128), U(0), U(0), U(1) }, BOTH },
	{ "R8U", 0x143, 1, { 0x80 }, { U(128), U(0), U(0), U(1) }, BOTH },
	{ "A8 unorm", 0x144, 1, { 51 }, { F(0), F(0), F(0), F(0.2f) }, BOTH },
	{ "L8 unorm", 0x146, 1, { 51 },
	  { F(0.2f), F(0.2f), F(0.2f), F(1) }, READ_ONLY },
};

static void test_formats(struct rig *rig)
{
	const uint32_t at[3] = { 1, 1, 0 };
	char name[64];

	for (size_t n = 0; n < sizeof(formats) / sizeof(formats[0]); n++) {
		uint32_t bytes = formats[n].bytes, rgba[4];
		struct shape shape = { 1, 0, RIG_LINEAR, formats[n].code, 3, 2, 1,
				       128, 0 };
		uint8_t *texel = rig->model + 128 + bytes;
		bool ok;

		rig_fill(rig);
		make_image(rig, &shape);
		memcpy(rgba, formats[n].rgba, sizeof(rgba));
		memcpy(rig_at(rig, RIG_VA + 128 + bytes), formats[n].texel,
		       bytes);
		memcpy(texel, formats[n].texel, bytes);
		ok = !load(rig, 1, 1, 0) && answer_is(rig, rgba);
		if (formats[n].direction == BOTH) {
			memset(rig_at(rig, RIG_VA + 128 + bytes), 0x5a, bytes);
			ok &= !store(rig, at, 2, rgba);
		}
		snprintf(name, sizeof(name), "format %s", formats[n].name);
		rig_ok(ok && rig_memory_matches(rig), name);
	}
}

/* Values that do not fit are held at the format's ends; ties go to even. */
static void test_conversions(struct rig *rig)
{
	const uint32_t at[3] = { 0 };
	union channel wild[4] = { F(7), F(-3), F(NAN), F(2.5f / 255) };
	uint32_t rgba[4], big[4] = { 300, -300, 0x80000000, 70000 };
	struct shape shape = { 1, 0, RIG_LINEAR, 0x0c7, 1, 1, 1, 128, 0 };
	uint8_t *texel = rig_at(rig, RIG_VA);

	memcpy(rgba, wild, sizeof(rgba));
	make_image(rig, &shape);
	rig_ok(!store(rig, at, 2, rgba) && !memcmp(texel, "\377\0\0\2", 4),
	       "unorm write clamps, and rounds to even");
	shape.format = 0x0ca;
	make_image(rig, &shape);
	rig_ok(!store(rig, at, 2, big) && !memcmp(texel, "\177\200\200\177", 4),
	       "signed integer write clamps");
	shape.format = 0x0cb;
	make_image(rig, &shape);
	rig_ok(!store(rig, at, 2, big) && !memcmp(texel, "\377\377\377\377", 4),
	       "unsigned integer write clamps");
	shape.format = 0x084;
	make_image(rig, &shape);
	rgba[0] = 0x477fefff; /* just below 65520 */
	rgba[1] = 0x477ff000;
	rgba[2] = 0x3f801000; /* 1 + 2^-11, a tie */
	rgba[3] = 0x33000001; /* just above 2^-25 */
	rig_ok(!store(rig, at, 2, rgba) &&
	       !memcmp(texel, "\377\173\0\174\0\074\1\0", 8),
	       "half write rounds to nearest even");
}

static uint32_t bits_of(float value)
{
	uint32_t bits;

	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

static void put_float(struct rig *rig, uint32_t grf, uint32_t lane, float value)
{
	rig_put(rig, grf, lane, bits_of(value));
}

static float get_float(const struct rig *rig, uint32_t grf, uint32_t lane)
{
	uint32_t bits = rig_get(rig, grf, lane);
	float value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

static uint16_t half_of(float value)
{
	_Float16 half = value;
	uint16_t bits;

	memcpy(&bits, &half, sizeof(bits));
	return bits;
}

/* Is @value written as the compiler's own conversion has it? */
static bool half_written(struct rig *rig, float value)
{
	const uint32_t at[3] = { 0 }, rgba[4] = { bits_of(value) };
	uint16_t half;

	if (store(rig, at, 2, rgba))
		return false;
	memcpy(&half, rig_at(rig, RIG_VA), sizeof(half));
	return half == half_of(value);
}

/* Each half is read; it, the middle between it and the next, and beside that are written. */
static void test_halves(struct rig *rig)
{
	struct shape shape = { 1, 0, RIG_LINEAR, 0x10e, 1, 1, 1, 128, 0 };
	bool read = true, written = true;

	make_image(rig, &shape);
	for (uint32_t n = 0; n < 65536; n++) {
		uint16_t bits = n, next_bits = n + 1;
		_Float16 half, next;
		float value, middle, got;

		memcpy(&half, &bits, sizeof(half));
		memcpy(&next, &next_bits, sizeof(next));
		memcpy(rig_at(rig, RIG_VA), &bits, sizeof(bits));
		value = half;
		read &= !load(rig, 0, 0, 0);
		got = get_float(rig, 0, 0);
		if (isnan(value)) {
			read &= isnan(got) && signbit(got) == signbit(value);
			continue;
		}
		read &= bits_of(got) == bits_of(value);
		written &= half_written(rig, value);
		middle = ((float)half + (float)next) / 2;
		if (isinf(value) || isinf((float)next))
			middle = copysignf(65520, value);
		written &= half_written(rig, middle) &&
			   half_written(rig, nextafterf(middle, 0)) &&
			   half_written(rig, nextafterf(middle, 2 * middle));
	}
	rig_ok(read, "each half is read");
	rig_ok(written, "halves are written to nearest even");
}

/* A number of eight bits and what it means, by the rule in numbers of twice the size. */
static bool eight_bits_right(struct rig *rig, uint32_t code, uint8_t n)
{
	double steps = code == 0x141 ? 127 : 255, value;
	uint8_t *texel = rig_at(rig, RIG_VA), clamped = n;
	const uint32_t at[3] = { 0 };
	uint32_t rgba[4] = { 0 };

	if (code == 0x141 && n == 0x80)
		clamped = 0x81;
	value = (code == 0x141 ? (int8_t)clamped : n) / steps;
	*texel = n;
	if (load(rig, 0, 0, 0) || get_float(rig, 0, 0) != (float)value)
		return false;
	for (int beside = -4; beside <= 4; beside++) {
		rgba[0] = bits_of(value + beside / 9.0 / steps);
		*texel = n ^ 0x55;
		if (store(rig, at, 2, rgba) || *texel != clamped)
			return false;
	}
	return true;
}

static void test_eight_bits(struct rig *rig)
{
	struct shape shape = { 1, 0, RIG_LINEAR, 0x140, 1, 1, 1, 128, 0 };
	bool ok = true;

	make_image(rig, &shape);
	for (uint32_t n = 0; n < 256; n++)
		ok &= eight_bits_right(rig, shape.format, n);
	rig_ok(ok, "each unorm of eight bits is read and written");
	shape.format = 0x141;
	make_image(rig, &shape);
	for (uint32_t n = 0; n < 256; n++)
		ok &= eight_bits_right(rig, shape.format, n);
	rig_ok(ok, "each snorm of eight bits is read and written");
}

static void test_tiling(struct rig *rig, enum rig_tile tile, const char *name)
{
	struct shape shape = { 1, 0, tile, 0x0d7, 1024 / 4, 50, 1, 1024, 0 };
	bool ok = true;

	rig_fill(rig);
	make_image(rig, &shape);
	for (uint32_t i = 0; i < 2000; i++) {
		uint32_t rgba[4] = { rig_random() };
		uint32_t at[3] = { rig_below(256), rig_below(50) };

		memcpy(rig->model + rig_tile_offset(tile, 1024, at[0] * 4,
						    at[1]), rgba, 4);
		ok &= !store(rig, at, 2, rgba) && !load(rig, at[0], at[1], 0);
		ok &= rig_get(rig, 0, 0) == rgba[0];
	}
	rig_ok(ok && rig_memory_matches(rig), name);
}

/* Layers and slices are slice_rows apart. */
static void test_layers(struct rig *rig)
{
	struct shape array = { 1, 1, RIG_LINEAR, 0x0d7, 8, 4, 5, 128, 8 };
	struct shape volume = { 2, 0, RIG_LINEAR, 0x0d7, 8, 4, 5, 128, 8 };
	uint32_t rgba[4] = { 0x12345678 }, at[3] = { 3, 2, 4 };
	bool ok;

	rig_fill(rig);
	make_image(rig, &array);
	ok = !store(rig, at, 3, rgba);
	memcpy(rig->model + (4 * 8 + 2) * 128 + 12, rgba, 4);
	rig_ok(ok && rig_memory_matches(rig), "layer of an array");
	at[2] = 5;
	ok = !store(rig, at, 3, rgba) && !load(rig, 3, 2, 5);
	rig_ok(ok && rig_memory_matches(rig) && !rig_get(rig, 0, 0),
	       "no layer beyond the last");
	make_image(rig, &volume);
	ok = !load(rig, 3, 2, 4);
	rig_ok(ok && rig_get(rig, 0, 0) == rgba[0], "slice of a volume");
}

/* Fields that no channel reads are written as zero. */
static void test_unread(struct rig *rig)
{
	static const struct {
		uint32_t code, bytes;
		uint8_t texel[16];
	} rows[] = {
		{ 0x006, 16, { 0, 0, 0x80, 0x3f } },
		{ 0x08e, 8, { 0xff, 0xff } },
		{ 0x08f, 8, { 0, 0x3c } },
		{ 0x0e9, 4, { 0, 0, 0xff } },
		{ 0x0eb, 4, { 0xff } },
		{ 0x11a, 2, { 0, 0x7c } },
	};
	struct shape shape = { 1, 0, RIG_LINEAR, 0, 1, 1, 1, 128, 0 };
	const uint32_t at[3] = { 0 }, red[4] = { ONES };
	bool ok = true;

	for (size_t n = 0; n < sizeof(rows) / sizeof(rows[0]); n++) {
		shape.format = rows[n].code;
		make_image(rig, &shape);
		memset(rig_at(rig, RIG_VA), 0x5a, 16);
		ok &= !store(rig, at, 2, red) &&
		      !memcmp(rig_at(rig, RIG_VA), rows[n].texel,
			      rows[n].bytes);
	}
	rig_ok(ok, "what no channel reads is written as zero");
}

/* Here the surface state counts the distance in texels. */
static void test_row_layers(struct rig *rig)
{
	struct shape rows = { 0, 1, RIG_LINEAR, 0x0d7, 37, 1, 21, 256, 64 };
	uint32_t rgba[4] = { 0x12345678 }, at[3] = { 36, 20 };
	bool ok;

	rig_fill(rig);
	make_image(rig, &rows);
	ok = !store(rig, at, 2, rgba);
	memcpy(rig->model + 20 * 64 * 4 + 36 * 4, rgba, 4);
	rig_ok(ok && rig_memory_matches(rig), "layer of an array of rows");
	at[1] = 21;
	ok = !store(rig, at, 2, rgba);
	rig_ok(ok && rig_memory_matches(rig), "no row beyond the last");
}

static void test_buffer_image(struct rig *rig)
{
	uint32_t state[16] = { 4U << 29 | 0x0d7 << 18, 0, 99 | 1 << 16, 3, 0,
			       0, 0, SELECT_RGBA, RIG_VA + 4, 0 };
	bool ok;

	rig_fill(rig);
	rig_surface(rig, BTI, state);
	ok = !load(rig, 227, 0, 0);
	rig_ok(ok && !memcmp(rig->answer, rig->model + 4 + 227 * 4, 4),
	       "last texel of a buffer image");
	ok = !load(rig, 228, 0, 0);
	rig_ok(ok && !rig_get(rig, 0, 0) && rig_get(rig, 3, 0) == 1,
	       "texel behind a buffer image");
}

static void test_outside(struct rig *rig)
{
	struct shape shape = { 1, 0, RIG_LINEAR, 0x0d8, 4, 4, 1, 128, 0 };
	uint32_t one[4] = { 0, 0, 0, ONES }, zero[4] = { 0 };
	uint32_t at[3] = { 4, 0, 0 };
	bool ok;

	rig_fill(rig);
	make_image(rig, &shape);
	ok = !load(rig, -1, 0, 0) && answer_is(rig, one);
	ok &= !load(rig, 0, 4, 0) && answer_is(rig, one);
	rig_ok(ok, "outside of an image without alpha: opaque");
	ok = !store(rig, at, 2, one);
	rig_ok(ok && rig_memory_matches(rig), "write outside is dropped");
	shape.format = 0x000;
	make_image(rig, &shape);
	rig_ok(!load(rig, 4, 0, 0) && answer_is(rig, zero),
	       "outside of an image with alpha: transparent");
}

enum wrap { WRAP = 0, MIRROR = 1, CLAMP = 2, BORDER = 4, MIRROR_ONCE = 5 };

/* The image's texels are 10, 20, 30, 40; the border is 1000. */
static const struct {
	const char *name;
	enum wrap wrap;
	bool linear, normalized;
	float u, red;
} samples[] = {
	{ "nearest", CLAMP, false, false, 2.9f, 30 },
	{ "nearest, normalized", CLAMP, false, true, 0.5f, 30 },
	{ "clamp below", CLAMP, false, false, -7, 10 },
	{ "clamp above", CLAMP, false, false, 4, 40 },
	{ "clamp far above", CLAMP, false, false, 1e30f, 40 },
	{ "not a number", CLAMP, false, false, NAN, 10 },
	{ "border below", BORDER, false, false, -0.1f, 1000 },
	{ "border above", BORDER, false, true, 1, 1000 },
	{ "wrap below", WRAP, false, true, -0.1f, 40 },
	{ "wrap above", WRAP, false, true, 1.3f, 20 },
	{ "mirror below", MIRROR, false, true, -0.3f, 20 },
	{ "mirror above", MIRROR, false, true, 1.1f, 40 },
	{ "mirror twice above", MIRROR, false, true, 2.3f, 20 },
	{ "mirror once", MIRROR_ONCE, false, true, -0.6f, 30 },
	{ "linear on a texel", CLAMP, true, false, 1.5f, 20 },
	{ "linear between texels", CLAMP, true, false, 2.25f, 27.5f },
	{ "linear at the edge, clamp", CLAMP, true, false, 0.25f, 10 },
	{ "linear at the edge, border", BORDER, true, false, 0.25f, 257.5f },
	{ "linear at the edge, wrap", WRAP, true, true, 0.0f, 25 },
	{ "linear at the edge, mirror", MIRROR, true, true, 0.0f, 10 },
};

/* Of a sampler's last dword: coordinates are rounded, in all directions. */
#define ROUNDED (0x3f << 13)

static void make_sampler(struct rig *rig, uint32_t index, enum wrap wrap,
			 bool linear, bool normalized)
{
	uint64_t at = RIG_HEAP_VA + RIG_SAMPLERS + 16 * index;
	float border[4] = { 1000, 0, 0, 0 };
	uint32_t state[4] = {
		(linear ? 1 << 17 | 1 << 14 : 0) | 0x10100000, 0x000e0001,
		0x80, wrap << 6 | wrap << 3 | wrap | !normalized << 10 |
			      (linear ? ROUNDED : 0),
	};

	memcpy(rig_at(rig, at), state, sizeof(state));
	memcpy(rig_at(rig, RIG_HEAP_VA + 0x80), border, sizeof(border));
}

static void test_samples(struct rig *rig)
{
	const float row[4] = { 10, 20, 30, 40 };
	struct shape shape = { 1, 0, RIG_LINEAR, 0x0d8, 4, 1, 1, 128, 0 };
	char name[64];

	for (size_t n = 0; n < sizeof(samples) / sizeof(samples[0]); n++) {
		uint32_t index = n % 16;
		bool ok;

		make_image(rig, &shape);
		memcpy(rig_at(rig, RIG_VA), row, sizeof(row));
		make_sampler(rig, index, samples[n].wrap, samples[n].linear,
			     samples[n].normalized);
		put_float(rig, 0, 0, samples[n].u);
		put_float(rig, 1, 0, 0.5f);
		ok = !rig_send(rig, VGT_SFID_SAMPLER,
			       SAMPLE_LZ_SIMD8 | 1 << 26 | index << 8 | BTI, 0,
			       1);
		snprintf(name, sizeof(name), "sample: %s", samples[n].name);
		rig_ok(ok && fabsf(get_float(rig, 0, 0) - samples[n].red) <
			     0.01f && get_float(rig, 3, 0) == 1, name);
	}
}

static void test_sample_plane(struct rig *rig)
{
	const float texel[2][2] = { { 1, 2 }, { 5, 10 } };
	struct shape shape = { 1, 0, RIG_LINEAR, 0x0d8, 2, 2, 1, 128, 0 };
	bool ok = true;

	make_image(rig, &shape);
	memcpy(rig_at(rig, RIG_VA), texel[0], 8);
	memcpy(rig_at(rig, RIG_VA + 128), texel[1], 8);
	make_sampler(rig, 0, CLAMP, true, false);
	memset(rig->answer, 0xa5, sizeof(rig->answer));
	for (uint32_t i = 0; i < 16; i++) {
		put_float(rig, i / 8, i % 8, 0.5f + i / 16.0f);
		put_float(rig, 2 + i / 8, i % 8, 1);
	}
	ok &= !rig_send(rig, VGT_SFID_SAMPLER, 0x08858000 | BTI, 0,
			0x7fff);
	for (uint32_t i = 0; i < 15; i++)
		ok &= fabsf(get_float(rig, i / 8, i % 8) - (3 + i * 3 / 16.0f))
		      < 0.001f;
	rig_ok(ok, "bilinear, SIMD16");
	rig_ok(rig_get(rig, 1, 7) == 0xa5a5a5a5 &&
	       rig_get(rig, 7, 7) == 0xa5a5a5a5 && rig_get(rig, 7, 6) == ONES,
	       "disabled lane of a sampler message is left alone");
}

/*
 * A coordinate is rounded or truncated to 1/256 of a texel: the runtime asks for the
 * first, and one that is a float's last bit off a texel is the texel, whatever the next.
 */
static void test_parts(struct rig *rig)
{
	static const struct {
		float u, rounded, truncated;
	} parts[] = {
		{ 0x1.8p0f, 4, 4 },
		{ 0x1.800002p0f, 4, 4 },
		{ 0x1.7ffffep0f, 4, 0x1p60f },
		{ 0x1.804p0f, 4, 4 },
		{ 0x1.80cp0f, 4 + 0x1p52f, 4 },
		{ 0x1.81p0f, 4 + 0x1p52f, 4 + 0x1p52f },
	};
	const float row[3] = { 0x1p68f, 4, 0x1p60f };
	struct shape shape = { 1, 0, RIG_LINEAR, 0x0d8, 3, 1, 1, 128, 0 };
	uint32_t *last =
		(void *)rig_at(rig, RIG_HEAP_VA + RIG_SAMPLERS + 12);
	bool rounded = true, truncated = true;

	make_image(rig, &shape);
	memcpy(rig_at(rig, RIG_VA), row, sizeof(row));
	for (size_t n = 0; n < sizeof(parts) / sizeof(parts[0]); n++) {
		make_sampler(rig, 0, CLAMP, true, false);
		put_float(rig, 0, 0, parts[n].u);
		put_float(rig, 1, 0, 0x1.000002p-1f);
		rounded &= !rig_send(rig, VGT_SFID_SAMPLER,
				     SAMPLE_LZ_SIMD8 | 1 << 26 | BTI, 0, 1) &&
			   get_float(rig, 0, 0) == parts[n].rounded;
		*last &= ~ROUNDED;
		put_float(rig, 0, 0, parts[n].u);
		put_float(rig, 1, 0, 0x1.000002p-1f);
		truncated &= !rig_send(rig, VGT_SFID_SAMPLER,
				       SAMPLE_LZ_SIMD8 | 1 << 26 | BTI, 0, 1) &&
			     get_float(rig, 0, 0) == parts[n].truncated;
	}
	rig_ok(rounded, "linear, rounded to 1/256 of a texel");
	rig_ok(truncated, "linear, truncated to 1/256 of a texel");
}

/* Of denormals a sample has the sign alone, and a load everything. */
static void test_denormals(struct rig *rig)
{
	static const uint32_t texel[4] = { 0x80400000, 1, 0x00800000, ONES };
	static const uint32_t small[4] = { 0x80000000, 0, 0x00800000, ONES };
	struct shape shape = { 1, 0, RIG_LINEAR, 0x000, 1, 1, 1, 128, 0 };
	bool ok = true;

	make_image(rig, &shape);
	memcpy(rig_at(rig, RIG_VA), texel, sizeof(texel));
	rig_ok(!load(rig, 0, 0, 0) && answer_is(rig, texel),
	       "load of denormals");
	for (int linear = 0; linear < 2; linear++) {
		make_sampler(rig, 0, CLAMP, linear, false);
		put_float(rig, 0, 0, 0.5f);
		put_float(rig, 1, 0, 0.5f);
		ok &= !rig_send(rig, VGT_SFID_SAMPLER,
				SAMPLE_LZ_SIMD8 | 2 << 25 | BTI, 0, 1);
		ok &= answer_is(rig, small);
	}
	rig_ok(ok, "sample of denormals");
	shape.format = 0x002;
	make_image(rig, &shape);
	make_sampler(rig, 0, CLAMP, false, false);
	ok = !rig_send(rig, VGT_SFID_SAMPLER,
		       SAMPLE_LZ_SIMD8 | 2 << 25 | BTI, 0, 1);
	rig_ok(ok && answer_is(rig, texel), "sample of small integers");
}

/* What a filter makes of others may be one. */
static void test_denormal_sum(struct rig *rig)
{
	static const struct {
		uint32_t texel[2], red; /* in the middle between both */
	} sums[] = {
		{ { 0x01000000, 0x80800000 }, 0x00400000 },
		{ { 0x01000000, 0x00400000 }, 0x00800000 },
	};
	struct shape shape = { 1, 0, RIG_LINEAR, 0x0d8, 2, 1, 1, 128, 0 };
	bool ok = true;

	for (size_t n = 0; n < sizeof(sums) / sizeof(sums[0]); n++) {
		make_image(rig, &shape);
		memcpy(rig_at(rig, RIG_VA), sums[n].texel, 8);
		make_sampler(rig, 0, CLAMP, true, false);
		put_float(rig, 0, 0, 1);
		put_float(rig, 1, 0, 0.5f);
		ok &= !rig_send(rig, VGT_SFID_SAMPLER,
				SAMPLE_LZ_SIMD8 | 1 << 26 | BTI, 0, 1) &&
		      rig_get(rig, 0, 0) == sums[n].red;
	}
	rig_ok(ok, "sample between denormals");
}

/* Of a volume whose state has the array's bit as well a sample is the same. */
static void test_array_of_volumes(struct rig *rig)
{
	struct shape shape = { 2, 1, RIG_LINEAR, 0x0d8, 4, 2, 3, 128, 4 };
	float texel = 7;
	bool ok = true;

	rig_fill(rig);
	make_image(rig, &shape);
	memcpy(rig_at(rig, RIG_VA + (2 * 4 + 1) * 128 + 4), &texel,
	       sizeof(texel));
	for (int linear = 0; linear < 2; linear++) {
		make_sampler(rig, 0, CLAMP, linear, false);
		put_float(rig, 0, 0, 1.5f);
		put_float(rig, 1, 0, 1.5f);
		put_float(rig, 2, 0, 2.5f);
		ok &= !rig_send(rig, VGT_SFID_SAMPLER,
				SAMPLE_LZ_SIMD8 | 3 << 25 | BTI, 0, 1) &&
		      get_float(rig, 0, 0) == texel;
	}
	rig_ok(ok, "a volume is no array");
}

static void test_refused(struct rig *rig)
{
	struct shape shape = { 1, 0, RIG_LINEAR, 0x1b0, 4, 4, 1, 128, 0 };

	make_image(rig, &shape);
	rig_ok(load(rig, 0, 0, 0) < 0 && rig->thread->status == VGT_EU_ERROR,
	       "unknown format is refused");
	rig->thread->status = 0;
	rig_ok(rig_send(rig, VGT_SFID_SAMPLER, 0x02428000 | BTI, 0, 1) < 0,
	       "unknown sampler message is refused");
}

int main(void)
{
	struct rig *rig = rig_create();

	if (!rig)
		return 1;
	test_formats(rig);
	test_conversions(rig);
	test_halves(rig);
	test_eight_bits(rig);
	test_unread(rig);
	test_tiling(rig, RIG_TILE_X, "tiling X");
	test_tiling(rig, RIG_TILE_Y, "tiling Y");
	test_layers(rig);
	test_row_layers(rig);
	test_buffer_image(rig);
	test_outside(rig);
	test_samples(rig);
	test_sample_plane(rig);
	test_parts(rig);
	test_denormals(rig);
	test_denormal_sum(rig);
	test_array_of_volumes(rig);
	test_refused(rig);
	rig_destroy(rig);
	return tap_finish();
}
