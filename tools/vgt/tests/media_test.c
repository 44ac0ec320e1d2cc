// SPDX-License-Identifier: MIT
/*
 * Media block messages against a model of an image, byte by byte. What happens
 * at the edges is as the OpenCL extension cl_intel_media_block_io says; its
 * table of heights gives the distance of rows in registers.
 */
#include "message_rig.h"
#include "tap.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define DC1 VGT_SFID_DC1
#define BTI 5
#define READ (0x04 << 14 | 1 << 25 | 1 << 19 | BTI)
#define WRITE (0x0a << 14 | 1 << 25 | 1 << 19 | BTI)
#define ROUNDS 400
#define PITCH 512

struct plane {
	enum rig_tile tile;
	uint32_t texel_bytes, row_bytes, rows;
};

struct block {
	int32_t x, y;
	uint32_t width, height;
};

/* The width of such a surface is in dwords, whatever its format. */
static void plane_make(struct rig *rig, const struct plane *plane)
{
	static const uint32_t formats[] = {
		[1] = 0x143, [2] = 0x10d, [4] = 0x0c7, [8] = 0x087,
	};
	uint32_t state[16] = {
		1 << 29 | formats[plane->texel_bytes] << 18 |
			(uint32_t)plane->tile << 12,
		0, (plane->row_bytes / 4 - 1) | (plane->rows - 1) << 16,
		PITCH - 1, 0, 0, 0, 4 << 25 | 5 << 22 | 6 << 19 | 7 << 16,
		RIG_VA, RIG_VA >> 32,
	};

	rig_surface(rig, BTI, state);
}

/* As high as the extension allows it to be. */
static uint32_t most_rows(uint32_t width)
{
	return width <= 4 ? 64 : width <= 8 ? 32 : width <= 16 ? 16 : 8;
}

static struct block block_make(const struct plane *plane)
{
	struct block block = { .width = 4 + 4 * rig_below(8) };

	block.height = 1 + rig_below(most_rows(block.width));
	if (rig_below(2)) { /* inside, if it fits */
		block.x = rig_below(plane->row_bytes) & ~3U;
		block.y = rig_below(plane->rows);
	} else {
		block.x = ((int32_t)rig_below(plane->row_bytes + 144) & ~3) -
			  72;
		block.y = (int32_t)rig_below(plane->rows + 140) - 70;
	}
	return block;
}

static void header_put(struct rig *rig, const struct block *block)
{
	rig_put(rig, 0, 0, block->x);
	rig_put(rig, 0, 1, block->y);
	rig_put(rig, 0, 2, (block->width - 1) | (block->height - 1) << 16);
}

/* Eight registers hold as many rows as there may be. */
static uint32_t in_registers(const struct block *block, uint32_t x, uint32_t y)
{
	return y * (256 / most_rows(block->width)) + x;
}

static uint32_t grfs(const struct block *block)
{
	return in_registers(block, block->width - 1, block->height - 1) /
		VGT_GRF_BYTES + 1;
}

static bool inside(const struct plane *plane, int32_t x, int32_t y)
{
	return x >= 0 && x < (int32_t)plane->row_bytes && y >= 0 &&
	       y < (int32_t)plane->rows;
}

/* Texels are repeated; of one that is longer, its dword at the edge. */
static uint8_t model_at(struct rig *rig, const struct plane *plane, int32_t x,
			int32_t y)
{
	int32_t step = plane->texel_bytes < 4 ? plane->texel_bytes : 4;

	while (x < 0)
		x += step;
	while (x >= (int32_t)plane->row_bytes)
		x -= step;
	while (y < 0)
		y++;
	while (y >= (int32_t)plane->rows)
		y--;
	return rig->model[rig_tile_offset(plane->tile, PITCH, x, y)];
}

static bool read_round(struct rig *rig, const struct plane *plane)
{
	struct block block = block_make(plane);
	bool same = true;

	rig_garble(rig);
	header_put(rig, &block);
	if (rig_send(rig, DC1, READ | grfs(&block) << 20, 0, rig_random()))
		return false;
	for (uint32_t y = 0; y < block.height; y++)
		for (uint32_t x = 0; x < block.width; x++)
			same &= rig->answer[in_registers(&block, x, y)] ==
				model_at(rig, plane, block.x + x, block.y + y);
	return same;
}

static bool write_round(struct rig *rig, const struct plane *plane)
{
	const uint8_t *data = rig->payload + VGT_GRF_BYTES;
	struct block block = block_make(plane);

	rig_garble(rig);
	header_put(rig, &block);
	for (uint32_t y = 0; y < block.height; y++) {
		for (uint32_t x = 0; x < block.width; x++) {
			int32_t to_x = block.x + x, to_y = block.y + y;

			if (inside(plane, to_x, to_y))
				rig->model[rig_tile_offset(plane->tile, PITCH,
							   to_x, to_y)] =
					data[in_registers(&block, x, y)];
		}
	}
	return !rig_send(rig, DC1, WRITE, grfs(&block), rig_random());
}

static void plane_run(struct rig *rig, enum rig_tile tile,
		      uint32_t texel_bytes)
{
	static const char *const names[] = { "linear", "", "tiled X",
					     "tiled Y" };
	struct plane plane = { .tile = tile, .texel_bytes = texel_bytes };
	bool reads = true, writes = true;
	char name[64];

	rig_fill(rig);
	for (int i = 0; i < ROUNDS; i++) {
		plane.row_bytes = 8 + 8 * rig_below(PITCH / 8);
		plane.rows = 1 + rig_below(RIG_BYTES / PITCH);
		plane_make(rig, &plane);
		writes &= write_round(rig, &plane);
		reads &= read_round(rig, &plane);
	}
	snprintf(name, sizeof(name), "media block read, %s, texels of %u",
		 names[tile], texel_bytes);
	rig_ok(reads, name);
	snprintf(name, sizeof(name), "media block write, %s, texels of %u",
		 names[tile], texel_bytes);
	rig_ok(writes && rig_memory_matches(rig), name);
}

static void test_null_surface(struct rig *rig)
{
	uint32_t state[16] = { 7U << 29 };
	struct block block = { 0, 0, 32, 2 };
	uint8_t zero[64] = { 0 };
	bool ok;

	rig_fill(rig);
	rig_surface(rig, BTI, state);
	header_put(rig, &block);
	ok = !rig_send(rig, DC1, READ | 2 << 20, 0, 0xff);
	ok &= !memcmp(rig->answer, zero, 64);
	ok &= !rig_send(rig, DC1, WRITE, 2, 0xff);
	rig_ok(ok && rig_memory_matches(rig), "media blocks of a null surface");
}

static void test_refused(struct rig *rig)
{
	static const struct {
		const char *name;
		struct block block;
		uint32_t desc;
		int error;
	} row[] = {
		{ "more than eight registers", { 0, 0, 32, 9 }, READ | 8 << 20,
		  -ENOSYS },
		{ "rows of a field", { 0, 0, 32, 1 }, READ | 0x400 | 1 << 20,
		  -ENOSYS },
		{ "a place within a dword", { 2, 0, 32, 1 }, READ | 1 << 20,
		  -ENOSYS },
		{ "no header", { 0, 0, 32, 1 }, (READ & ~(1 << 19)) | 1 << 20,
		  -ENOSYS },
		{ "too short an answer", { 0, 0, 32, 2 }, READ | 1 << 20,
		  -EINVAL },
		{ "too little data", { 0, 0, 32, 1 }, WRITE, -EINVAL },
	};
	struct plane plane = { RIG_LINEAR, 4, 64, 16 };
	char name[64];

	plane_make(rig, &plane);
	for (size_t n = 0; n < sizeof(row) / sizeof(row[0]); n++) {
		header_put(rig, &row[n].block);
		snprintf(name, sizeof(name), "refused: %s", row[n].name);
		rig_ok(rig_message(rig, DC1, row[n].desc, 0, 0xff) ==
		       row[n].error && rig->thread->status == VGT_EU_ERROR,
		       name);
		rig->thread->status = 0;
	}
}

int main(void)
{
	struct rig *rig = rig_create();

	if (!rig)
		return 1;
	for (uint32_t bytes = 1; bytes <= 8; bytes *= 2) {
		plane_run(rig, RIG_LINEAR, bytes);
		plane_run(rig, RIG_TILE_X, bytes);
		plane_run(rig, RIG_TILE_Y, bytes);
	}
	test_null_surface(rig);
	test_refused(rig);
	rig_destroy(rig);
	return tap_finish();
}
