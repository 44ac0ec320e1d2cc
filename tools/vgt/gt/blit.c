// SPDX-License-Identifier: MIT
/*
 * The copy engine's commands: rectangles of memory that are filled or copied, row by
 * row; what a row goes through ends with the engine's reset, as a rectangle may be larger
 * than anybody waits for. Memory is linear, and for fast copies it may lie in tiles: pages
 * one behind the other, each with a rectangle of its own. An X tile has 8 rows of 512
 * bytes. A Y tile has 32 rows of 128, and in it columns of 16 bytes, one behind the other.
 */
#include "gt/command.h"
#include "gt/engine.h"

#include <errno.h>
#include <string.h>

#define FAST_FROM_TILES(dw) ((dw) >> 20 & 3)
#define FAST_TO_TILES(dw) ((dw) >> 13 & 3)
#define FAST_OTHER_TILES (1U << 31 | 1U << 30) /* in dword 1: those of Yf */
#define TILING (1U << 15 | 1U << 11)
#define MASK_32 (3U << 20) /* all of four bytes are written */

#define DEPTH(dw) ((dw) >> 24 & 7)
#define CLIPPING (1U << 30)
#define ROP(dw) ((dw) >> 16 & 0xff)
#define ROP_PATTERN 0xf0U
#define ROP_SOURCE 0xccU

#define PIECE_BYTES 4096

/* As fast copies number them. */
enum tiles { TILES_NONE, TILES_X, TILES_Y };

#define TILE_BYTES 4096
#define X_ROW_BYTES 512
#define X_ROWS 8
#define Y_ROW_BYTES 128
#define Y_ROWS 32
#define Y_COLUMN_BYTES 16

struct rectangle {
	uint64_t surface; /* where what it is a part of begins */
	enum tiles tiles;
	int32_t pitch; /* bytes from row to row, also upwards if there are no tiles */
	uint32_t x, y; /* its corner, in bytes and rows */
	uint32_t row_bytes, rows;
};

/* Bytes of a pixel by the depth of the command; 0: none of its. */
static uint32_t pixel_bytes(uint32_t depth, bool fast)
{
	static const uint8_t bytes[8] = { 1, 2, 0, 4, 8, 16 };

	return fast || depth < 4 ? bytes[depth] : 0;
}

/* Corner and surface are in these dwords, the pitch in @pitch. */
static bool surface_read(const struct vgt_command_stream *stream,
			 uint32_t corner, uint32_t address, uint32_t pitch,
			 uint32_t bytes, struct rectangle *out)
{
	uint32_t width = out->tiles == TILES_X ? X_ROW_BYTES : Y_ROW_BYTES;

	out->x = (stream->dw[corner] & 0xffff) * bytes;
	out->y = stream->dw[corner] >> 16;
	out->surface = vgt_command_address(stream, address);
	out->pitch = (int16_t)pitch;
	if (out->tiles == TILES_NONE)
		return true;
	out->pitch *= 4;
	return out->pitch > 0 && out->pitch % width == 0 &&
	       out->surface % TILE_BYTES == 0;
}

/* What dwords 1 to 5 say is written. */
static bool target_read(const struct vgt_command_stream *stream, uint32_t bytes,
			struct rectangle *out)
{
	uint32_t x1 = stream->dw[2] & 0xffff, x2 = stream->dw[3] & 0xffff;
	uint32_t y1 = stream->dw[2] >> 16, y2 = stream->dw[3] >> 16;

	if (x2 < x1 || y2 < y1)
		return false;
	out->row_bytes = (x2 - x1) * bytes;
	out->rows = y2 - y1;
	return surface_read(stream, 2, 4, stream->dw[1], bytes, out);
}

/* Of the byte @x of row @y, and how many lie behind it that belong to the same row. */
static uint64_t place(const struct rectangle *in, uint32_t x, uint32_t y,
		      uint32_t *run_out)
{
	uint64_t pitch = (uint32_t)in->pitch;

	x += in->x;
	y += in->y;
	switch (in->tiles) {
	case TILES_X:
		*run_out = X_ROW_BYTES - x % X_ROW_BYTES;
		return in->surface + y / X_ROWS * X_ROWS * pitch +
		       (uint64_t)(x / X_ROW_BYTES) * TILE_BYTES +
		       y % X_ROWS * X_ROW_BYTES + x % X_ROW_BYTES;
	case TILES_Y:
		*run_out = Y_COLUMN_BYTES - x % Y_COLUMN_BYTES;
		return in->surface + y / Y_ROWS * Y_ROWS * pitch +
		       (uint64_t)(x / Y_ROW_BYTES) * TILE_BYTES +
		       x % Y_ROW_BYTES / Y_COLUMN_BYTES *
			       (Y_ROWS * Y_COLUMN_BYTES) +
		       y % Y_ROWS * Y_COLUMN_BYTES + x % Y_COLUMN_BYTES;
	default:
		*run_out = PIECE_BYTES;
		return in->surface + x + (uint64_t)((int64_t)y * in->pitch);
	}
}

static uint32_t smallest(uint32_t a, uint32_t b, uint32_t c)
{
	uint32_t least = a < b ? a : b;

	return least < c ? least : c;
}

/* Each row of @to is @pattern, again and again, or (NULL) that of @from. */
static int rows_write(struct vgt_command_stream *stream,
		      const struct rectangle *to, const struct rectangle *from,
		      const uint8_t *pattern)
{
	uint32_t done, n, run_to, run_from = PIECE_BYTES;
	uint8_t piece[PIECE_BYTES];
	uint64_t at, source = 0;

	if (pattern)
		memcpy(piece, pattern, sizeof(piece));
	for (uint32_t row = 0; row < to->rows; row++) {
		for (done = 0; done < to->row_bytes; done += n) {
			if (vgt_engine_stopped(stream->engine))
				return -ECANCELED;
			at = place(to, done, row, &run_to);
			if (from)
				source = place(from, done, row, &run_from);
			n = smallest(to->row_bytes - done, run_to, run_from);
			if (from)
				vgt_command_read(stream, source, false, piece, n);
			vgt_command_write(stream, at, false, piece, n);
		}
	}
	return 0;
}

/* All of each pixel is what the operation says, as it lies in memory. */
static bool is_plain(const struct vgt_command_stream *stream, uint32_t bytes,
		     uint32_t rop)
{
	return bytes && !(stream->dw[1] & CLIPPING) &&
	       ROP(stream->dw[1]) == rop && !(stream->dw[0] & TILING) &&
	       (bytes != 4 || (stream->dw[0] & MASK_32) == MASK_32);
}

int vgt_blit_fill(struct vgt_command_stream *stream)
{
	uint32_t bytes = pixel_bytes(DEPTH(stream->dw[1]), false);
	struct rectangle to = { .tiles = TILES_NONE };
	uint8_t pattern[PIECE_BYTES];

	if (!is_plain(stream, bytes, ROP_PATTERN) ||
	    !target_read(stream, bytes, &to))
		return vgt_command_refuse(stream, "form not supported");
	for (uint32_t i = 0; i < sizeof(pattern); i += bytes)
		memcpy(pattern + i, &stream->dw[6], bytes);
	return rows_write(stream, &to, NULL, pattern);
}

static int copy(struct vgt_command_stream *stream, uint32_t bytes,
		enum tiles to_tiles, enum tiles from_tiles)
{
	struct rectangle to = { .tiles = to_tiles }, from;

	if (!bytes || !target_read(stream, bytes, &to))
		return vgt_command_refuse(stream, "form not supported");
	from = to;
	from.tiles = from_tiles;
	if (!surface_read(stream, 6, 8, stream->dw[7], bytes, &from))
		return vgt_command_refuse(stream, "form not supported");
	return rows_write(stream, &to, &from, NULL);
}

int vgt_blit_copy(struct vgt_command_stream *stream)
{
	uint32_t bytes = pixel_bytes(DEPTH(stream->dw[1]), false);

	if (!is_plain(stream, bytes, ROP_SOURCE))
		return vgt_command_refuse(stream, "form not supported");
	return copy(stream, bytes, TILES_NONE, TILES_NONE);
}

int vgt_blit_fast_copy(struct vgt_command_stream *stream)
{
	uint32_t to = FAST_TO_TILES(stream->dw[0]);
	uint32_t from = FAST_FROM_TILES(stream->dw[0]);

	if (to > TILES_Y || from > TILES_Y || stream->dw[1] & FAST_OTHER_TILES)
		return vgt_command_refuse(stream, "tiles not supported");
	return copy(stream, pixel_bytes(DEPTH(stream->dw[1]), true),
		    (enum tiles)to, (enum tiles)from);
}
