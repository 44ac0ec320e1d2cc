// SPDX-License-Identifier: MIT
/*
 * The compiler makes these of sub-group block reads and writes of images. They
 * know nothing of a texel's format but its size, which the edge repeats.
 */
#include "port/media.h"

#include "eu/eu.h"
#include "port/format.h"
#include "port/image.h"
#include "port/message.h"
#include "port/space.h"
#include "port/surface.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#define BLOCK_BYTES_MAX 256

struct rectangle {
	int32_t x, y; /* bytes, rows */
	uint32_t width_bytes, height;
	uint32_t pitch_bytes; /* from row to row in the GRFs */
};

/* Rows begin at multiples of the width, rounded up to a power of two from 4. */
static uint32_t row_pitch(uint32_t width_bytes)
{
	uint32_t pitch = 4;

	while (pitch < width_bytes)
		pitch *= 2;
	return pitch;
}

/*
 * Header: dwords 0 and 1 x in bytes and y, dword 2 width (bits 5:0) and height
 * (21:16), each less one. Nothing else is done: other modes and row pitches in
 * dword 2, and rows of one field only in descriptor bits 10:8.
 */
static int rectangle_read(struct vgt_eu_thread *thread,
			  const struct vgt_message *message,
			  struct rectangle *out)
{
	uint32_t dword[3];

	memcpy(dword, vgt_message_grf(message, 0), sizeof(dword));
	*out = (struct rectangle){
		.x = dword[0],
		.y = dword[1],
		.width_bytes = (dword[2] & 63) + 1,
		.height = (dword[2] >> 16 & 63) + 1,
	};
	out->pitch_bytes = row_pitch(out->width_bytes);
	if (message->desc & VGT_MESSAGE_HEADER && !(message->desc & 0x700) &&
	    !(dword[2] & ~0x3f003fU) && !((out->x | out->width_bytes) & 3) &&
	    out->pitch_bytes * out->height <= BLOCK_BYTES_MAX)
		return 0;
	vgt_eu_fail(thread, "media block message 0x%x: %d,%d size 0x%x",
		    message->desc, out->x, out->y, dword[2]);
	return -ENOSYS;
}

/* The surface state of an image for these messages counts dwords, not texels. */
static int64_t row_bytes(const struct vgt_image *image)
{
	return (int64_t)image->extent[0] * 4;
}

static int media_open(struct vgt_image *image, struct vgt_eu_thread *thread,
		      const struct vgt_message *message,
		      enum vgt_access access, struct rectangle *rectangle_out)
{
	int ret = vgt_message_need(thread, message, 1, 0);

	if (!ret)
		ret = rectangle_read(thread, message, rectangle_out);
	if (!ret)
		ret = vgt_image_open(image, thread, message, access);
	if (ret || !image->format || image->dimensions == 2)
		return ret;
	vgt_eu_fail(thread, "media block message 0x%x: no plane",
		    message->desc);
	return -ENOSYS;
}

static uint32_t rectangle_grfs(const struct rectangle *rectangle)
{
	return (rectangle->pitch_bytes * rectangle->height +
		VGT_GRF_BYTES - 1) / VGT_GRF_BYTES;
}

/*
 * The byte of the row's first or last texel that stands for byte @x outside of
 * the row. A dword is the largest texel that is repeated as a whole.
 */
static uint32_t edge_byte(const struct vgt_image *image, int64_t x)
{
	int64_t texel = image->format->bytes < 4 ? image->format->bytes : 4;

	return (x < 0 ? 0 : row_bytes(image) - texel) + (x & (texel - 1));
}

static void load_dword(struct vgt_image *image, int64_t x, uint32_t y,
		       uint8_t *to)
{
	if (x >= 0 && x < row_bytes(image)) {
		vgt_space_read(&image->space, vgt_image_byte(image, x, y), to,
			       4);
		return;
	}
	for (int b = 0; b < 4; b++)
		vgt_space_read(&image->space,
			       vgt_image_byte(image, edge_byte(image, x + b),
					      y), to + b, 1);
}

static void load_row(struct vgt_image *image,
		     const struct rectangle *rectangle, uint32_t n,
		     uint8_t *to)
{
	int64_t y = (int64_t)rectangle->y + n, last;

	if (!image->format) {
		memset(to, 0, rectangle->width_bytes);
		return;
	}
	last = image->extent[1] - 1;
	y = y < 0 ? 0 : y > last ? last : y;
	for (uint32_t b = 0; b < rectangle->width_bytes; b += 4)
		load_dword(image, (int64_t)rectangle->x + b, y, to + b);
}

int vgt_media_block_read(struct vgt_eu_thread *thread,
			 const struct vgt_message *message)
{
	struct rectangle rectangle;
	struct vgt_image image;
	int ret;

	ret = media_open(&image, thread, message, VGT_ACCESS_READ, &rectangle);
	if (!ret)
		ret = vgt_message_need(thread, message, 1,
				       rectangle_grfs(&rectangle));
	if (ret || !message->dst)
		return ret;
	for (uint32_t n = 0; n < rectangle.height; n++)
		load_row(&image, &rectangle, n,
			 message->dst + n * rectangle.pitch_bytes);
	return vgt_space_close(&image.space);
}

/* What lies outside is lost. */
static void store_dword(struct vgt_image *image, int64_t x, int64_t y,
			const uint8_t *from)
{
	if (!image->format || x < 0 || x >= row_bytes(image) || y < 0 ||
	    y >= image->extent[1])
		return;
	vgt_space_write(&image->space, vgt_image_byte(image, x, y), from, 4);
}

int vgt_media_block_write(struct vgt_eu_thread *thread,
			  const struct vgt_message *message)
{
	struct rectangle rectangle;
	struct vgt_image image;
	int ret;

	ret = media_open(&image, thread, message, VGT_ACCESS_WRITE,
			 &rectangle);
	if (!ret)
		ret = vgt_message_need(thread, message,
				       1 + rectangle_grfs(&rectangle), 0);
	if (ret)
		return ret;
	for (uint32_t n = 0; n < rectangle.height; n++) {
		for (uint32_t b = 0; b < rectangle.width_bytes; b += 4) {
			uint32_t at = n * rectangle.pitch_bytes + b;
			const uint8_t *grf = vgt_message_grf(message, 1 + at /
							     VGT_GRF_BYTES);

			store_dword(&image, (int64_t)rectangle.x + b,
				    (int64_t)rectangle.y + n,
				    grf + at % VGT_GRF_BYTES);
		}
	}
	return vgt_space_close(&image.space);
}
