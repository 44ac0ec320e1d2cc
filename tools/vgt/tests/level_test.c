// SPDX-License-Identifier: MIT
/*
 * Images with levels: where each lies in its surface is written down by hand, from
 * the figures of the manual's chapter on memory layouts (Mesa's ISL has them, too).
 */
#include "message_rig.h"
#include "tap.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define BTI 5
#define PITCH 128
#define LOAD_SIMD8 0x08427000 /* u, v, level, r */
#define INFO_SIMD8 0x0242a000 /* level */
#define TYPED_WRITE 0x02035000 /* mlen 1, no answer: coordinates vary */
#define LEVELS 4

enum { R32U = 0x0d7, R32F = 0x0d8 };
enum mips { NEAREST = 1, BETWEEN = 3 };

struct place {
	uint32_t x, y, width, height; /* in texels; of a row, y is a layer */
};

static const struct mipmap {
	const char *name;
	uint32_t type, array, tile, align, layers, rows;
	struct place level[LEVELS];
} mipmaps[] = {
	{ "plane", 1, 0, RIG_LINEAR, 1, 1, 0,
	  { { 0, 0, 11, 7 }, { 0, 8, 5, 3 }, { 8, 8, 2, 1 }, { 8, 12, 1, 1 } } },
	{ "plane in tiles", 1, 0, RIG_TILE_Y, 1, 1, 0,
	  { { 0, 0, 8, 5 }, { 0, 8, 4, 2 }, { 4, 8, 2, 1 }, { 4, 12, 1, 1 } } },
	{ "plane, aligned to 8", 1, 0, RIG_LINEAR, 2, 1, 0,
	  { { 0, 0, 11, 7 }, { 0, 8, 5, 3 }, { 8, 8, 2, 1 }, { 8, 16, 1, 1 } } },
	{ "layers of planes", 1, 1, RIG_TILE_Y, 1, 3, 20,
	  { { 0, 0, 11, 7 }, { 0, 8, 5, 3 }, { 8, 8, 2, 1 }, { 8, 12, 1, 1 } } },
	{ "volume", 2, 0, RIG_LINEAR, 1, 5, 16,
	  { { 0, 0, 11, 7 }, { 0, 8, 5, 3 }, { 8, 8, 2, 1 }, { 8, 12, 1, 1 } } },
	{ "row", 0, 0, RIG_LINEAR, 1, 1, 0,
	  { { 0, 0, 70, 1 }, { 128, 0, 35, 1 }, { 192, 0, 17, 1 },
	    { 256, 0, 8, 1 } } },
	{ "layers of rows", 0, 1, RIG_LINEAR, 1, 2, 512,
	  { { 0, 0, 70, 1 }, { 128, 0, 35, 1 }, { 192, 0, 17, 1 },
	    { 256, 0, 8, 1 } } },
};

/* What the surface says has @levels from level @first on. */
static void make_image(struct rig *rig, const struct mipmap *mipmap,
		       uint32_t format, uint32_t first, uint32_t levels)
{
	uint32_t state[16] = {
		mipmap->type << 29 | mipmap->array << 28 | format << 18 |
			mipmap->align << 16 | mipmap->align << 14 |
			mipmap->tile << 12,
		mipmap->rows / 4,
		(mipmap->level[0].width - 1) |
			(mipmap->level[0].height - 1) << 16,
		(PITCH - 1) | (mipmap->layers - 1) << 21,
		(mipmap->layers - 1) << 7,
		first << 4 | (levels - 1), 0,
		4 << 25 | 5 << 22 | 6 << 19 | 7 << 16, RIG_VA, RIG_VA >> 32,
	};

	rig_surface(rig, BTI, state);
}

/* The last texel of a level and layer: its offset in memory. */
static uint32_t last_texel(const struct mipmap *mipmap, uint32_t level,
			   uint32_t layer)
{
	const struct place *place = &mipmap->level[level];
	uint32_t x = place->x + place->width - 1;

	if (mipmap->type == 0)
		return 4 * (x + layer * mipmap->rows);
	return rig_tile_offset(mipmap->tile, PITCH, 4 * x,
			       place->y + place->height - 1 +
			       layer * mipmap->rows);
}

static uint32_t layers_at(const struct mipmap *mipmap, uint32_t level)
{
	uint32_t depth = mipmap->layers;

	if (mipmap->type == 2)
		depth = depth >> level ? depth >> level : 1;
	return depth;
}

/* The last texel's coordinates, of which rows have no second one. */
static void put_last(struct rig *rig, const struct mipmap *mipmap,
		     uint32_t level, uint32_t layer, const uint32_t grf[3])
{
	const struct place *place = &mipmap->level[level];
	uint32_t row = mipmap->type == 0;

	rig_put(rig, grf[0], 0, place->width - 1);
	rig_put(rig, grf[1], 0, row ? layer : place->height - 1);
	rig_put(rig, grf[2], 0, row ? 0 : layer);
}

static bool load_is(struct rig *rig, const struct mipmap *mipmap,
		    uint32_t level, uint32_t layer, uint32_t from)
{
	static const uint32_t grf[3] = { 0, 1, 3 };
	uint32_t want;

	memcpy(&want, rig->model + last_texel(mipmap, level, layer), 4);
	put_last(rig, mipmap, level, layer, grf);
	rig_put(rig, 2, 0, level - from);
	return !rig_send(rig, VGT_SFID_SAMPLER, LOAD_SIMD8 | BTI, 0, 1) &&
	       rig_get(rig, 0, 0) == want && rig_get(rig, 3, 0) == 1;
}

static bool store_is(struct rig *rig, const struct mipmap *mipmap,
		     uint32_t level, uint32_t layer, uint32_t from)
{
	static const uint32_t grf[3] = { 0, 1, 2 };
	uint32_t value = rig_random();

	put_last(rig, mipmap, level, layer, grf);
	rig_put(rig, 3, 0, level - from);
	for (uint32_t c = 0; c < 4; c++)
		rig_put(rig, 4 + c, 0, c ? 0 : value);
	memcpy(rig->model + last_texel(mipmap, level, layer), &value, 4);
	return !rig_send(rig, VGT_SFID_DC1, TYPED_WRITE | BTI, 7, 1) &&
	       rig_memory_matches(rig);
}

static void test_places(struct rig *rig, const struct mipmap *mipmap)
{
	bool loads = true, stores = true;
	char name[64];

	for (uint32_t n = 0; n < LEVELS * LEVELS; n++) {
		uint32_t level = n % LEVELS, from = n / LEVELS;

		if (level < from)
			continue;
		for (uint32_t k = 0; k < layers_at(mipmap, level); k++) {
			rig_fill(rig);
			make_image(rig, mipmap, R32U, from, LEVELS - from);
			loads &= load_is(rig, mipmap, level, k, from);
			stores &= store_is(rig, mipmap, level, k, from);
		}
	}
	snprintf(name, sizeof(name), "loads from levels: %s", mipmap->name);
	rig_ok(loads, name);
	snprintf(name, sizeof(name), "stores to levels: %s", mipmap->name);
	rig_ok(stores, name);
}

/* Levels that are not there are outside of the image. */
static void test_outside(struct rig *rig)
{
	bool ok;

	rig_fill(rig);
	make_image(rig, &mipmaps[0], R32U, 1, 2);
	memset(rig->payload, 0, sizeof(rig->payload));
	rig_put(rig, 2, 0, 2);
	ok = !rig_send(rig, VGT_SFID_SAMPLER, LOAD_SIMD8 | BTI, 0, 1);
	rig_ok(ok && !rig_get(rig, 0, 0), "load from beyond the last level");
	rig_put(rig, 2, 0, 0xffffffff);
	ok = !rig_send(rig, VGT_SFID_SAMPLER, LOAD_SIMD8 | BTI, 0, 1);
	rig_ok(ok && !rig_get(rig, 0, 0), "load from level -1");
	rig_put(rig, 3, 0, 2);
	ok = !rig_send(rig, VGT_SFID_DC1, TYPED_WRITE | BTI, 7, 1);
	rig_ok(ok && rig_memory_matches(rig), "store beyond the last level");
}

/* A runtime's copies of planes have the level as their third coordinate. */
static void test_no_layers(struct rig *rig)
{
	uint32_t value = 0x1234567, at = last_texel(&mipmaps[0], 1, 0);
	const struct place *place = &mipmaps[0].level[1];
	bool ok;

	rig_fill(rig);
	make_image(rig, &mipmaps[0], R32U, 1, 1);
	memset(rig->payload, 0, sizeof(rig->payload));
	rig_put(rig, 0, 0, place->width - 1);
	rig_put(rig, 1, 0, place->height - 1);
	rig_put(rig, 2, 0, 1);
	rig_put(rig, 3, 0, value);
	ok = !rig_send(rig, VGT_SFID_DC1, TYPED_WRITE | BTI, 6, 1);
	memcpy(rig->model + at, &value, sizeof(value));
	rig_ok(ok && rig_memory_matches(rig), "store to a layer where none is");
	rig_put(rig, 2, 0, 0);
	rig_put(rig, 3, 0, 1);
	ok = !rig_send(rig, VGT_SFID_SAMPLER, LOAD_SIMD8 | BTI, 0, 1);
	rig_ok(ok && rig_get(rig, 0, 0) == value, "load from a layer where none is");
}

static void test_sizes(struct rig *rig)
{
	bool ok = true;

	make_image(rig, &mipmaps[4], R32U, 1, 3);
	rig_put(rig, 0, 0, 1);
	ok &= !rig_send(rig, VGT_SFID_SAMPLER, INFO_SIMD8 | BTI, 0, 1);
	ok &= rig_get(rig, 0, 0) == 2 && rig_get(rig, 1, 0) == 1 &&
	      rig_get(rig, 2, 0) == 1 && rig_get(rig, 3, 0) == 3;
	rig_ok(ok, "size of a level, and how many there are");
}

static void make_sampler(struct rig *rig, enum mips mips, float first,
			 float last)
{
	uint32_t state[4] = {
		mips << 20,
		(uint32_t)(first * 256) << 20 | (uint32_t)(last * 256) << 8,
		0x80, 2 << 6 | 2 << 3 | 2,
	};

	memcpy(rig_at(rig, RIG_HEAP_VA + RIG_SAMPLERS), state, sizeof(state));
}

static void put_float(struct rig *rig, uint32_t grf, float value)
{
	uint32_t bits;

	memcpy(&bits, &value, sizeof(bits));
	rig_put(rig, grf, 0, bits);
}

/* Each level's last texel is ten times its number, plus ten. */
static void make_tens(struct rig *rig)
{
	for (uint32_t level = 0; level < LEVELS; level++) {
		float value = 10 + 10 * level;
		uint32_t at = last_texel(&mipmaps[1], level, 0);

		memcpy(rig_at(rig, RIG_VA + at), &value, sizeof(value));
	}
	make_image(rig, &mipmaps[1], R32F, 0, LEVELS);
}

static float answer(const struct rig *rig)
{
	uint32_t bits = rig_get(rig, 0, 0);
	float value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

static const struct {
	const char *name;
	enum mips mips;
	float first, last, lod, red;
} samples[] = {
	{ "level 0", NEAREST, 0, 14, 0, 10 },
	{ "before the first level", BETWEEN, 0, 14, -3, 10 },
	{ "next to level 0", NEAREST, 0, 14, 0.4f, 10 },
	{ "next to level 1", NEAREST, 0, 14, 0.6f, 20 },
	{ "level 2", BETWEEN, 0, 14, 2, 30 },
	{ "between two levels", BETWEEN, 0, 14, 1.25f, 22.5f },
	{ "beyond the last level", BETWEEN, 0, 14, 99, 40 },
	{ "beyond the sampler's last", BETWEEN, 0, 1.5f, 3, 25 },
	{ "before the sampler's first", NEAREST, 2, 14, 0, 30 },
	{ "not a number", NEAREST, 0, 14, NAN, 10 },
	{ "no levels wanted", 0, 0, 14, 2, 10 },
};

static void test_samples(struct rig *rig)
{
	char name[64];

	make_tens(rig);
	for (size_t n = 0; n < sizeof(samples) / sizeof(samples[0]); n++) {
		bool ok;

		make_sampler(rig, samples[n].mips, samples[n].first,
			     samples[n].last);
		put_float(rig, 0, samples[n].lod);
		put_float(rig, 1, 0.99f);
		put_float(rig, 2, 0.99f);
		ok = !rig_send(rig, VGT_SFID_SAMPLER, 0x06422000 | BTI, 0, 1);
		snprintf(name, sizeof(name), "sample: %s", samples[n].name);
		rig_ok(ok && fabsf(answer(rig) - samples[n].red) < 0.01f, name);
	}
}

/*
 * The image has 8 by 5 texels: as many texels as the longer of the two changes has
 * are one at the level of their logarithm.
 */
static const struct {
	float across[2], down[2], red;
} changes[] = {
	{ { 1 / 8.0f, 0 }, { 0, 1 / 5.0f }, 10 },
	{ { 2 / 8.0f, 0 }, { 0, 1 / 5.0f }, 20 },
	{ { 0, 0 }, { 0, 4 / 5.0f }, 30 },
	{ { 0, -1.6f }, { 0, 0 }, 40 },
	{ { 0, 0 }, { 0, 0 }, 10 },
	/* The root of two texels: half a level. */
	{ { 1 / 8.0f, 1 / 5.0f }, { 0, 0 }, 15 },
};

static void test_gradients(struct rig *rig)
{
	char name[64];

	make_tens(rig);
	make_sampler(rig, BETWEEN, 0, 14);
	for (size_t n = 0; n < sizeof(changes) / sizeof(changes[0]); n++) {
		bool ok;

		for (uint32_t d = 0; d < 2; d++) {
			put_float(rig, 3 * d, 0.99f);
			put_float(rig, 3 * d + 1, changes[n].across[d]);
			put_float(rig, 3 * d + 2, changes[n].down[d]);
		}
		ok = !rig_send(rig, VGT_SFID_SAMPLER, 0x0c424000 | BTI, 0, 1);
		snprintf(name, sizeof(name), "sample by gradients, %zu", n);
		rig_ok(ok && fabsf(answer(rig) - changes[n].red) < 0.01f, name);
	}
}

int main(void)
{
	struct rig *rig = rig_create();

	if (!rig)
		return 1;
	for (size_t n = 0; n < sizeof(mipmaps) / sizeof(mipmaps[0]); n++)
		test_places(rig, &mipmaps[n]);
	test_outside(rig);
	test_no_layers(rig);
	test_sizes(rig);
	test_samples(rig);
	test_gradients(rig);
	rig_destroy(rig);
	return tap_finish();
}
