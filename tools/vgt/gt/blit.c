// SPDX-License-Identifier: MIT
/*
 * The copy engine's commands: rectangles of memory that are filled or copied, row by
 * row. Memory is linear; what a row goes through ends with the engine's reset, as a
 * rectangle may be larger than anybody waits for.
 */
#include "gt/command.h"
#include "gt/engine.h"

#include <errno.h>
#include <string.h>

#define FAST_TILING (3U << 20 | 3U << 13)
#define TILING (1U << 15 | 1U << 11)
#define MASK_32 (3U << 20) /* all of four bytes are written */

#define DEPTH(dw) ((dw) >> 24 & 7)
#define CLIPPING (1U << 30)
#define ROP(dw) ((dw) >> 16 & 0xff)
#define ROP_PATTERN 0xf0U
#define ROP_SOURCE 0xccU

#define PIECE_BYTES 4096

struct rectangle {
	uint64_t at; /* of its first row */
	int32_t pitch; /* bytes from row to row, also upwards */
	uint32_t row_bytes, rows;
};

/* Bytes of a pixel by the depth of the command; 0: none of its. */
static uint32_t pixel_bytes(uint32_t depth, bool fast)
{
	static const uint8_t bytes[8] = { 1, 2, 0, 4, 8, 16 };

	return fast || depth < 4 ? bytes[depth] : 0;
}

static uint64_t place(const struct vgt_command_stream *stream, uint32_t corner,
		      uint32_t address, int32_t pitch, uint32_t bytes)
{
	uint32_t x = stream->dw[corner] & 0xffff, y = stream->dw[corner] >> 16;

	return vgt_command_address(stream, address) +
	       (uint64_t)((int64_t)y * pitch) + (uint64_t)x * bytes;
}

/* What dwords 1 to 5 say is written. */
static bool target_read(const struct vgt_command_stream *stream, uint32_t bytes,
			struct rectangle *out)
{
	uint32_t x1 = stream->dw[2] & 0xffff, x2 = stream->dw[3] & 0xffff;
	uint32_t y1 = stream->dw[2] >> 16, y2 = stream->dw[3] >> 16;

	if (x2 < x1 || y2 < y1)
		return false;
	out->pitch = (int16_t)stream->dw[1];
	out->at = place(stream, 2, 4, out->pitch, bytes);
	out->row_bytes = (x2 - x1) * bytes;
	out->rows = y2 - y1;
	return true;
}

/* Each row of @to is @pattern, again and again, or (NULL) that of @from. */
static int rows_write(struct vgt_command_stream *stream,
		      const struct rectangle *to, const struct rectangle *from,
		      const uint8_t *pattern)
{
	uint8_t piece[PIECE_BYTES];
	uint32_t done, n;

	if (pattern)
		memcpy(piece, pattern, sizeof(piece));
	for (uint32_t row = 0; row < to->rows; row++) {
		uint64_t at = to->at + (uint64_t)((int64_t)row * to->pitch);

		for (done = 0; done < to->row_bytes; done += n) {
			if (vgt_engine_stopped(stream->engine))
				return -ECANCELED;
			n = to->row_bytes - done;
			if (n > sizeof(piece))
				n = sizeof(piece);
			if (from)
				vgt_command_read(stream, from->at + done +
						 (uint64_t)((int64_t)row *
							    from->pitch),
						 false, piece, n);
			vgt_command_write(stream, at + done, false, piece, n);
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
	uint8_t pattern[PIECE_BYTES];
	struct rectangle to;

	if (!is_plain(stream, bytes, ROP_PATTERN) ||
	    !target_read(stream, bytes, &to))
		return vgt_command_refuse(stream, "form not supported");
	for (uint32_t i = 0; i < sizeof(pattern); i += bytes)
		memcpy(pattern + i, &stream->dw[6], bytes);
	return rows_write(stream, &to, NULL, pattern);
}

static int copy(struct vgt_command_stream *stream, uint32_t bytes)
{
	struct rectangle to, from;

	if (!bytes || !target_read(stream, bytes, &to))
		return vgt_command_refuse(stream, "form not supported");
	from = to;
	from.pitch = (int16_t)stream->dw[7];
	from.at = place(stream, 6, 8, from.pitch, bytes);
	return rows_write(stream, &to, &from, NULL);
}

int vgt_blit_copy(struct vgt_command_stream *stream)
{
	uint32_t bytes = pixel_bytes(DEPTH(stream->dw[1]), false);

	if (!is_plain(stream, bytes, ROP_SOURCE))
		return vgt_command_refuse(stream, "form not supported");
	return copy(stream, bytes);
}

int vgt_blit_fast_copy(struct vgt_command_stream *stream)
{
	if (stream->dw[0] & FAST_TILING)
		return vgt_command_refuse(stream, "tiles not supported");
	return copy(stream, pixel_bytes(DEPTH(stream->dw[1]), true));
}
