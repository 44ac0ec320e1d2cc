// SPDX-License-Identifier: MIT
/* Sampling at level of detail 0, the only level that OpenCL 1.2 images have. */
#include "port/filter.h"

#include "eu/eu.h"
#include "gt/group.h"
#include "gt/walker.h"
#include "port/format.h"
#include "port/image.h"
#include "port/space.h"

#include <math.h>
#include <string.h>

enum address_mode {
	ADDRESS_WRAP = 0,
	ADDRESS_MIRROR = 1,
	ADDRESS_CLAMP = 2,
	ADDRESS_BORDER = 4,
	ADDRESS_MIRROR_ONCE = 5,
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
	out->linear = (state[0] >> 17 & 7) == 1;
	out->normalized = !(state[3] & (1U << 10));
	for (int d = 0; d < 3; d++)
		out->address[d] = state[3] >> (6 - 3 * d) & 7;
	return vgt_space_close(&space);
}

/* Texel index as the address mode has it; false: the border's color. */
static bool texel_wrap(enum address_mode mode, int64_t *index, int64_t extent)
{
	int64_t i = *index;

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
		if (i < 0 || i >= extent)
			return false;
		break;
	default:
		i = i < 0 ? 0 : i;
		i = i < extent ? i : extent - 1;
	}
	*index = i;
	return true;
}

static void texel_fetch(struct vgt_image *image,
			const struct vgt_sampler *sampler,
			const int64_t where[3], uint32_t rgba_out[4])
{
	int32_t at[3] = { where[0], where[1], where[2] };

	for (uint32_t d = 0; d < image->dimensions; d++) {
		int64_t index = where[d];

		if (!texel_wrap(sampler->address[d], &index,
				image->extent[d])) {
			vgt_image_border(image, sampler->border, rgba_out);
			return;
		}
		at[d] = index;
	}
	vgt_image_load(image, at, rgba_out);
}

/* So large a coordinate is out of any image, and still fits an integer. */
#define COORDINATE_MAX 1e9f

static float coordinate(float value)
{
	if (isnan(value))
		return 0;
	return fmaxf(-COORDINATE_MAX, fminf(COORDINATE_MAX, value));
}

struct tap {
	int64_t index[2]; /* of the texels on either side */
	float weight; /* of the second one */
};

static struct tap tap_at(float texels, bool linear)
{
	struct tap tap = { { 0 }, 0 };
	float low;

	if (!linear) {
		tap.index[0] = floorf(texels);
		return tap;
	}
	low = floorf(texels - 0.5f);
	tap.index[0] = low;
	tap.index[1] = tap.index[0] + 1;
	tap.weight = texels - 0.5f - low;
	return tap;
}

static void sample_linear(struct vgt_image *image,
			  const struct vgt_sampler *sampler,
			  const struct tap tap[3], int64_t layer,
			  uint32_t rgba_out[4])
{
	uint32_t dimensions = image->dimensions;
	float sum[4] = { 0 };

	for (uint32_t corner = 0; corner < 1U << dimensions; corner++) {
		int64_t where[3] = { 0 };
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

/*
 * A filter gives no denormals, not even of one texel. A load does: the compiler
 * makes zeros of them itself where it loads what a program wants sampled.
 */
static void flush_denormals(uint32_t rgba[4])
{
	for (uint32_t c = 0; c < 4; c++) {
		if (!(rgba[c] & 0x7f800000))
			rgba[c] &= 0x80000000;
	}
}

void vgt_filter_sample(struct vgt_image *image,
		       const struct vgt_sampler *sampler, const float at[3],
		       uint32_t rgba_out[4])
{
	bool linear = sampler->linear && !vgt_format_is_integer(image->format);
	uint32_t dimensions = image->dimensions;
	struct tap tap[3] = { { { 0 }, 0 } };
	int64_t where[3] = { 0 }, layer = 0;

	for (uint32_t d = 0; d < dimensions; d++) {
		float value = at[d];

		if (sampler->normalized)
			value *= image->extent[d];
		tap[d] = tap_at(coordinate(value), linear);
		where[d] = tap[d].index[0];
	}
	if (dimensions < 3) {
		/* A layer is rounded, and held inside. */
		layer = nearbyintf(coordinate(at[dimensions]));
		texel_wrap(ADDRESS_CLAMP, &layer, image->extent[dimensions]);
		where[dimensions] = layer;
	}
	if (linear)
		sample_linear(image, sampler, tap, layer, rgba_out);
	else
		texel_fetch(image, sampler, where, rgba_out);
	if (!vgt_format_is_integer(image->format))
		flush_denormals(rgba_out);
}
