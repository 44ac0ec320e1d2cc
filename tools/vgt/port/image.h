/* SPDX-License-Identifier: MIT */
/*
 * Images: texels of a surface by level and coordinates. Layers of arrays count like
 * the coordinate after the last one of the image's own.
 */
#ifndef VGT_IMAGE_H
#define VGT_IMAGE_H

#include "port/space.h"

#include <stdint.h>

struct vgt_eu_thread;
struct vgt_format;
struct vgt_message;
struct vgt_surface;

struct vgt_image {
	const struct vgt_surface *surface;
	const struct vgt_format *format; /* NULL: null surface */
	struct vgt_space space;
	uint32_t dimensions; /* without the layer */
	uint32_t coordinates; /* with it; others are ignored */
	uint8_t from[4]; /* what makes the channels of an answer, of the format's */
	/* Of the level that is looked at: */
	uint32_t level; /* from the surface's first one */
	uint32_t extent[3]; /* 1 beyond the last coordinate */
	uint32_t level_x, level_y; /* where it lies in its layer, in texels */
};

/* What the table index of @message names. May fail the thread. */
int vgt_image_open(struct vgt_image *image, struct vgt_eu_thread *thread,
		   const struct vgt_message *message, enum vgt_access access);

/*
 * Look at level @level, counted from the surface's first one, as all functions below
 * then do. An image is opened at level 0. Beyond the last level nothing is inside.
 */
void vgt_image_level(struct vgt_image *image, uint32_t level);

/* A texel; outside of the image reads are zero and writes are lost. */
void vgt_image_load(struct vgt_image *image, const int32_t at[3],
		    uint32_t rgba_out[4]);
void vgt_image_store(struct vgt_image *image, const int32_t at[3],
		     const uint32_t rgba[4]);

/* Where byte @x_bytes of row @y of a plane lies, in the image's space. */
uint64_t vgt_image_byte(const struct vgt_image *image, uint32_t x_bytes,
			uint32_t y);

/* A texel outside of the image that has color @border. */
void vgt_image_border(const struct vgt_image *image, const uint32_t border[4],
		      uint32_t rgba_out[4]);

#endif
