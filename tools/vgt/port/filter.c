// SPDX-License-Identifier: MIT
/*
 * A level of detail (LOD) is a number of levels from the first one on, with a fraction;
 * a sample is of the level next to it, or between two levels.
 *
 * Where a filter is linear, the place between two texels or levels is known to 1/256,
 * as it is to the hardware: a coordinate that is computed to lie on a texel, but for
 * the last bits of a float, gets nothing of the next one, however large that is.
 */
#include "port/filter.h"

#include "eu/eu.h"
#include "gt/group.h"
#include "gt/walker.h"
#include "port/format.h"
#include "port/image.h"
#include "port/space.h"
#include "port/surface.h"

#include <math.h>
#include <string.h>

enum address_mode {
	ADDRESS_WRAP = 0,
	ADDRESS_MIRROR = 1,
	ADDRESS_CLAMP = 2,
	ADDRESS_BORDER = 4,
	ADDRESS_MIRROR_ONCE = 5,
};

enum mip_mode {
	MIP_NONE = 0,
	MIP_NEAREST = 1,
	MIP_LINEAR = 3,
};

int vgt_sampler_load(struct vgt_sampler *out, struct vgt_eu_thread *thread,
		     uint32_t index)
{
	const struct vgt_walker *walker = thread->group->walker;
	uint64_t base = walker->state.dynamic_base;
	struct vgt_space space;
	uint32_t state[4];

	vgt_space_flat(&space, thread, VGT_ACCESS_READ);
	vgt_space_read_run(&space, base + walker->sampler_offset + 16 * index,
			   state, sizeof(state));
	vgt_space_read_run(&space, base + (state[2] & 0xffffc0), out->border,
			   sizeof(out->border));
	out->linear[0] = (state[0] >> 17 & 7) == 1;
	out->linear[1] = (state[0] >> 14 & 7) == 1;
	out->mip = state[0] >> 20 & 3;
	out->lod_first = (state[1] >> 20) / 256.0f;
	out->lod_last = (state[1] >> 8 & 0xfff) / 256.0f;
	out->normalized = !(state[3] & (1U << 10));
	for (int d = 0; d < 3; d++) {
		out->address[d] = state[3] >> (6 - 3 * d) & 7;
		out->rounded[0][d] = state[3] >> (18 - 2 * d) & 1;
		out->rounded[1][d] = state[3] >> (17 - 2 * d) & 1;
	}
	return vgt_space_close(&space);
}

/* Texel index as the address mode has it; false: the border's color. */
static bool texel_wrap(enum address_mode mode, int32_t *index, int64_t extent)
{
	int64_t i = *index;

	if (i >= 0 && i < extent)
		return true;

	switch (mode) {
	case ADDRESS_WRAP:
		i %= extent;
		i += i < 0 ? extent : 0;
		break;
	case ADDRESS_MIRROR:
		i %= 2 * extent;
		i += i < 0 ? 2 * extent : 0;
		i = i < extent ? i : 2 * extent - 1 - i;
		break;
	case ADDRESS_MIRROR_ONCE:
		i = i < 0 ? -1 - i : i;
		i = i < extent ? i : extent - 1;
		break;
	case ADDRESS_BORDER:
		return false;
	default:
		i = i < 0 ? 0 : i;
		i = i < extent ? i : extent - 1;
	}
	*index = i;
	return true;
}

/*
 * A filter sees no denormals, not even the one that takes a single texel. A load gives
 * them: the compiler makes zeros of them itself where it loads what a program wants
 * sampled.
 */
static void flush_denormals(uint32_t rgba[4])
{
	for (uint32_t c = 0; c < 4; c++) {
		if (!(rgba[c] & 0x7f800000))
			rgba[c] &= 0x80000000;
	}
}

static void texel_fetch(struct vgt_image *image,
			const struct vgt_sampler *sampler,
			const int32_t where[3], uint32_t rgba_out[4])
{
	int32_t at[3] = { where[0], where[1], where[2] };
	bool inside = true;

	for (uint32_t d = 0; d < image->dimensions && inside; d++)
		inside = texel_wrap(sampler->address[d], &at[d],
				    image->extent[d]);
	if (inside)
		vgt_image_load(image, at, rgba_out);
	else
		vgt_image_border(image, sampler->border, rgba_out);
	if (!vgt_format_is_integer(image->format))
		flush_denormals(rgba_out);
}

/* The limit, if @value is no number. The library's functions would be called. */
static float at_least(float value, float low)
{
	return value > low ? value : low;
}

static float at_most(float value, float high)
{
	return value < high ? value : high;
}

/* So large a coordinate is out of any image, and still fits an integer. */
#define COORDINATE_MAX 1e9f

static float coordinate(float value)
{
	if (isnan(value))
		return 0;
	return at_most(at_least(value, -COORDINATE_MAX), COORDINATE_MAX);
}

/* Of a coordinate. */
static int64_t floor_int(float value)
{
	int64_t truncated = value;

	return truncated - (truncated > value);
}

struct tap {
	int32_t index[2]; /* of the texels on either side */
	float weight; /* of the second one */
};

/* Parts of a texel, or of a level, that a linear filter tells apart. */
#define PARTS 256

static struct tap tap_at(float texels, bool linear, bool rounded)
{
	struct tap tap = { { 0 }, 0 };
	int64_t parts;

	if (!linear) {
		tap.index[0] = floor_int(texels);
		return tap;
	}
	parts = floor_int(texels * PARTS + (rounded ? 0.5f : 0)) - PARTS / 2;
	tap.index[0] = parts >> 8;
	tap.index[1] = tap.index[0] + 1;
	tap.weight = (float)(parts & (PARTS - 1)) / PARTS;
	return tap;
}

static void sample_linear(struct vgt_image *image,
			  const struct vgt_sampler *sampler,
			  const struct tap tap[3], int32_t layer,
			  uint32_t rgba_out[4])
{
	uint32_t dimensions = image->dimensions;
	float sum[4] = { -0.0f, -0.0f, -0.0f, -0.0f };

	for (uint32_t corner = 0; corner < 1U << dimensions; corner++) {
		int32_t where[3] = { 0 };
		uint32_t rgba[4];
		float weight = 1;

		if (dimensions < 3)
			where[dimensions] = layer;
		for (uint32_t d = 0; d < dimensions; d++) {
			uint32_t side = corner >> d & 1;

			where[d] = tap[d].index[side];
			weight *= side ? tap[d].weight : 1 - tap[d].weight;
		}
		if (weight == 0)
			continue;
		texel_fetch(image, sampler, where, rgba);
		for (int c = 0; c < 4; c++) {
			float value;

			memcpy(&value, &rgba[c], sizeof(value));
			sum[c] += weight * value;
		}
	}
	memcpy(rgba_out, sum, sizeof(sum));
}

/* One level's part of a sample, by the filter for level 0 or for @smaller images. */
static void sample_level(struct vgt_image *image,
			 const struct vgt_sampler *sampler, bool smaller,
			 const float at[3], uint32_t level,
			 uint32_t rgba_out[4])
{
	bool linear = sampler->linear[smaller] &&
		      !vgt_format_is_integer(image->format);
	uint32_t dimensions = image->dimensions;
	struct tap tap[3] = { { { 0 }, 0 } };
	int32_t where[3] = { 0 }, layer = 0;

	vgt_image_level(image, level);
	for (uint32_t d = 0; d < dimensions; d++) {
		float value = at[d];

		if (sampler->normalized)
			value *= image->extent[d];
		tap[d] = tap_at(coordinate(value), linear,
				sampler->rounded[smaller][d]);
		where[d] = tap[d].index[0];
	}
	if (dimensions < image->coordinates) {
		/* A layer is rounded, and held inside. */
		layer = nearbyintf(coordinate(at[dimensions]));
		texel_wrap(ADDRESS_CLAMP, &layer, image->extent[dimensions]);
		where[dimensions] = layer;
	}
	if (linear)
		sample_linear(image, sampler, tap, layer, rgba_out);
	else
		texel_fetch(image, sampler, where, rgba_out);
}

/* @rgba becomes what lies at @weight between it and @next. */
static void mix(uint32_t rgba[4], const uint32_t next[4], float weight)
{
	float a[4], b[4];

	memcpy(a, rgba, sizeof(a));
	memcpy(b, next, sizeof(b));
	for (int c = 0; c < 4; c++)
		a[c] = a[c] * (1 - weight) + b[c] * weight;
	memcpy(rgba, a, sizeof(a));
}

void vgt_filter_sample(struct vgt_image *image,
		       const struct vgt_sampler *sampler, const float at[3],
		       float lod, uint32_t rgba_out[4])
{
	bool integer = vgt_format_is_integer(image->format), smaller;
	uint32_t last = image->surface->levels - 1, level, next[4];
	float part;

	lod = at_least(lod, sampler->lod_first);
	lod = at_most(lod, at_most(sampler->lod_last, last));
	smaller = lod > 0;
	if (sampler->mip == MIP_NONE || !smaller)
		lod = 0;
	if (sampler->mip != MIP_LINEAR || integer)
		lod = floor_int(lod + 0.5f);
	else
		lod = (float)floor_int(lod * PARTS + 0.5f) / PARTS;
	level = lod;
	part = lod - level;
	sample_level(image, sampler, smaller, at, level, rgba_out);
	if (part > 0) {
		sample_level(image, sampler, smaller, at, level + 1, next);
		mix(rgba_out, next, part);
	}
}

float vgt_filter_lod(struct vgt_image *image, const struct vgt_sampler *sampler,
		     const float across[3], const float down[3])
{
	float x = 0, y = 0;

	vgt_image_level(image, 0);
	for (uint32_t d = 0; d < image->dimensions; d++) {
		float scale = sampler->normalized ? image->extent[d] : 1;

		x += across[d] * scale * across[d] * scale;
		y += down[d] * scale * down[d] * scale;
	}
	return 0.5f * log2f(fmaxf(x, y));
}
