// SPDX-License-Identifier: MIT
#include "port/image.h"

#include "eu/eu.h"
#include "port/format.h"
#include "port/message.h"
#include "port/space.h"
#include "port/surface.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

/* A tile is one page: Y is 32 rows of 128 bytes, X 8 rows of 512. */
#define TILE_BYTES 4096

static uint64_t tiled_y(uint32_t pitch_bytes, uint32_t x_bytes, uint32_t row)
{
	uint64_t tile = row / 32 * (uint64_t)(pitch_bytes / 128) +
			x_bytes / 128;

	/* Inside, columns of 16 bytes stand next to each other. */
	return tile * TILE_BYTES + x_bytes % 128 / 16 * 512 + row % 32 * 16 +
	       x_bytes % 16;
}

static uint64_t tiled_x(uint32_t pitch_bytes, uint32_t x_bytes, uint32_t row)
{
	uint64_t tile = row / 8 * (uint64_t)(pitch_bytes / 512) +
			x_bytes / 512;

	return tile * TILE_BYTES + row % 8 * 512 + x_bytes % 512;
}

/* Rows are counted from the first one of the first layer. */
static uint64_t plane_offset(const struct vgt_surface *surface,
			     uint32_t x_bytes, uint32_t row)
{
	switch (surface->tile) {
	case VGT_TILE_Y:
		return tiled_y(surface->pitch_bytes, x_bytes, row);
	case VGT_TILE_X:
		return tiled_x(surface->pitch_bytes, x_bytes, row);
	default:
		return (uint64_t)row * surface->pitch_bytes + x_bytes;
	}
}

static uint64_t texel_offset(const struct vgt_image *image, const int32_t at[3])
{
	const struct vgt_surface *surface = image->surface;
	uint32_t bytes = image->format->bytes, x;
	uint32_t layer = at[image->dimensions < 2 ? 1 : 2];

	if (surface->type == VGT_SURFACE_BUFFER)
		return (uint64_t)at[0] * surface->pitch_bytes;
	x = (at[0] + surface->x_offset + image->level_x) * bytes;
	layer += surface->first_layer;
	/* Layers of one row are as many texels apart, not rows. */
	if (surface->type == VGT_SURFACE_1D)
		return x + (uint64_t)layer * surface->slice_rows * bytes;
	return plane_offset(surface, x, at[1] + surface->y_offset +
			    image->level_y + layer * surface->slice_rows);
}

uint64_t vgt_image_byte(const struct vgt_image *image, uint32_t x_bytes,
			uint32_t y)
{
	const struct vgt_surface *surface = image->surface;

	return plane_offset(surface, x_bytes +
			    (surface->x_offset + image->level_x) *
			    image->format->bytes,
			    y + surface->y_offset + image->level_y +
			    surface->first_layer * surface->slice_rows);
}

static void image_shape(struct vgt_image *image)
{
	const struct vgt_surface *surface = image->surface;

	switch (surface->type) {
	case VGT_SURFACE_BUFFER:
	case VGT_SURFACE_1D:
		image->dimensions = 1;
		break;
	case VGT_SURFACE_3D:
		image->dimensions = 3;
		break;
	default:
		image->dimensions = 2;
	}
	image->coordinates = image->dimensions;
	/* A volume is no array, whatever its state says. */
	if (surface->array && image->dimensions < 3)
		image->coordinates++;
}

/* What the surface selects of the format's channels. */
static void image_channels(struct vgt_image *image)
{
	for (int c = 0; c < 4; c++) {
		uint32_t select = image->surface->select[c];

		image->from[c] = select >= 4 ?
			image->format->channel[select - 4] :
			select == 1 ? VGT_CHANNEL_ONE : VGT_CHANNEL_ZERO;
	}
}

static uint32_t at_level(uint32_t texels, uint32_t level)
{
	return texels >> level ? texels >> level : 1;
}

/* A level's number of texels, up to where the next one may begin. */
static uint32_t at_level_aligned(uint32_t texels, uint32_t level,
				 uint32_t align)
{
	return (at_level(texels, level) + align - 1) / align * align;
}

#define ALIGN_1D 64

/*
 * Levels of a row follow each other. Of a plane, level 1 lies below level 0, level 2
 * to the right of level 1, and the others below that.
 */
static void level_place(struct vgt_image *image, uint32_t level)
{
	const struct vgt_surface *surface = image->surface;

	image->level_x = 0;
	image->level_y = 0;
	for (uint32_t l = 0; l < level; l++) {
		if (surface->type == VGT_SURFACE_1D)
			image->level_x += at_level_aligned(surface->width, l,
							   ALIGN_1D);
		else if (l == 1)
			image->level_x = at_level_aligned(surface->width, l,
							  surface->align_x);
		else
			image->level_y += at_level_aligned(surface->height, l,
							   surface->align_y);
	}
}

static void level_open(struct vgt_image *image, uint32_t level)
{
	const struct vgt_surface *surface = image->surface;
	bool layers = surface->array || surface->type == VGT_SURFACE_3D;
	uint32_t depth = layers ? surface->depth : 1;
	uint32_t from_top = surface->first_level + level;

	image->level = level;
	memset(image->extent, 0, sizeof(image->extent));
	if (!image->format || level >= surface->levels)
		return;
	image->extent[1] = 1;
	image->extent[2] = 1;
	level_place(image, from_top);
	image->extent[0] = at_level(surface->width, from_top);
	if (image->dimensions > 1)
		image->extent[1] = at_level(surface->height, from_top);
	if (image->dimensions > 2)
		image->extent[2] = at_level(depth, from_top);
	else
		image->extent[image->dimensions] = depth;
}

void vgt_image_level(struct vgt_image *image, uint32_t level)
{
	if (level != image->level)
		level_open(image, level);
}

int vgt_image_open(struct vgt_image *image, struct vgt_eu_thread *thread,
		   const struct vgt_message *message, enum vgt_access access)
{
	uint32_t bti = message->desc & 0xff;
	const struct vgt_surface *surface;

	if (bti > VGT_BTI_TABLE_LAST && bti != VGT_BTI_BINDLESS) {
		vgt_eu_fail(thread, "image at binding table index %u", bti);
		return -ENOSYS;
	}
	surface = vgt_surface_get(thread, bti, message->exdesc);
	memset(image, 0, sizeof(*image));
	image->surface = surface;
	vgt_space_surface(&image->space, thread, surface, access);
	if (surface->type == VGT_SURFACE_NULL)
		return 0;
	image->format = vgt_format_get(surface->format);
	if (!image->format || surface->tile == VGT_TILE_W ||
	    surface->type == VGT_SURFACE_CUBE) {
		vgt_eu_fail(thread, "image of type %u, format 0x%x, tiling %u",
			    surface->type, surface->format, surface->tile);
		return -ENOSYS;
	}
	image_shape(image);
	image_channels(image);
	level_open(image, 0);
	return 0;
}

/* Null surfaces have no extent. */
static bool image_inside(const struct vgt_image *image, const int32_t at[3])
{
	for (int d = 0; d < 3; d++) {
		if ((uint32_t)at[d] >= image->extent[d])
			return false;
	}
	return true;
}

void vgt_image_border(const struct vgt_image *image, const uint32_t border[4],
		      uint32_t rgba_out[4])
{
	uint32_t value[8] = { 0 };

	if (image->format) {
		value[1] = vgt_format_one(image->format);
		vgt_format_border(image->format, border, value + 4);
	}
	for (int c = 0; c < 4; c++)
		rgba_out[c] = value[image->surface->select[c]];
}

void vgt_image_load(struct vgt_image *image, const int32_t at[3],
		    uint32_t rgba_out[4])
{
	static const uint32_t zero[4];
	uint8_t copy[VGT_TEXEL_BYTES_MAX];
	const uint8_t *texel;
	uint64_t offset;

	if (!image_inside(image, at)) {
		vgt_image_border(image, zero, rgba_out);
		return;
	}
	offset = texel_offset(image, at);
	texel = vgt_space_at(&image->space, offset, image->format->bytes);
	if (!texel) {
		vgt_space_read(&image->space, offset, copy,
			       image->format->bytes);
		texel = copy;
	}
	vgt_format_decode(image->format, image->from, texel, rgba_out);
}

void vgt_image_store(struct vgt_image *image, const int32_t at[3],
		     const uint32_t rgba[4])
{
	uint8_t copy[VGT_TEXEL_BYTES_MAX], *texel;
	uint64_t offset;

	if (!image_inside(image, at))
		return;
	offset = texel_offset(image, at);
	texel = vgt_space_at(&image->space, offset, image->format->bytes);
	if (texel) {
		vgt_format_encode(image->format, rgba, texel);
		return;
	}
	vgt_format_encode(image->format, rgba, copy);
	vgt_space_write(&image->space, offset, copy, image->format->bytes);
}
