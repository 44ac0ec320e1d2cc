/* SPDX-License-Identifier: MIT */
/*
 * Texel formats. A texel is up to four fields, lowest bits first; channels
 * (red, green, blue, alpha) are taken from fields or are constant.
 */
#ifndef VGT_FORMAT_H
#define VGT_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

#define VGT_TEXEL_BYTES_MAX 16

enum vgt_format_kind {
	VGT_FORMAT_UNORM = 1,
	VGT_FORMAT_SNORM = 2,
	VGT_FORMAT_UINT = 3,
	VGT_FORMAT_SINT = 4,
	VGT_FORMAT_FLOAT = 5,
	VGT_FORMAT_SRGB = 6, /* alpha is linear */
};

/* Where a channel comes from, if not from a field 0..3. */
enum {
	VGT_CHANNEL_ZERO = 4,
	VGT_CHANNEL_ONE = 5,
};

struct vgt_format {
	enum vgt_format_kind kind;
	uint8_t bytes; /* a power of two, 16 at most */
	uint8_t width; /* of all fields, or 0 if they differ */
	uint8_t bits[4]; /* per field; 0: there is none */
	uint8_t channel[4];
	uint8_t fill[4]; /* the channel that a field is written from, or ..._ZERO */
};

/* Format of a surface state's code, or NULL. */
const struct vgt_format *vgt_format_get(uint32_t code);

/*
 * Channels are 32-bit floats or integers, as the format has it; @from says where each
 * one of an answer comes from, and is the format's own or one made of it.
 */
void vgt_format_decode(const struct vgt_format *format, const uint8_t from[4],
		       const uint8_t *texel, uint32_t rgba_out[4]);
void vgt_format_encode(const struct vgt_format *format, const uint32_t rgba[4],
		       uint8_t *texel_out);

/* A border's color: of channels that the format lacks, what they always are. */
void vgt_format_border(const struct vgt_format *format,
		       const uint32_t border[4], uint32_t rgba_out[4]);

/* One as this format's channels write it. */
uint32_t vgt_format_one(const struct vgt_format *format);

bool vgt_format_is_integer(const struct vgt_format *format);

#endif
