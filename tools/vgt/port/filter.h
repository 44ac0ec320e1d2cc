/* SPDX-License-Identifier: MIT */
/* What samplers make of the texels of an image. */
#ifndef VGT_FILTER_H
#define VGT_FILTER_H

#include <stdbool.h>
#include <stdint.h>

struct vgt_eu_thread;
struct vgt_image;

struct vgt_sampler {
	bool linear[2], normalized; /* of level 0, of the others */
	bool rounded[2][3]; /* a linear filter's coordinates are not truncated */
	uint32_t address[3], mip; /* modes, of SAMPLER_STATE */
	float lod_first, lod_last;
	uint32_t border[4];
};

/* The state of sampler @index of the thread's kernel. May fail the thread. */
int vgt_sampler_load(struct vgt_sampler *out, struct vgt_eu_thread *thread,
		     uint32_t index);

/*
 * A sample of level of detail @lod, in the host's default float mode. The image looks
 * at any of its levels afterwards.
 */
void vgt_filter_sample(struct vgt_image *image,
		       const struct vgt_sampler *sampler, const float at[3],
		       float lod, uint32_t rgba_out[4]);

/* The level of detail where coordinates change by @across and @down per pixel. */
float vgt_filter_lod(struct vgt_image *image, const struct vgt_sampler *sampler,
		     const float across[3], const float down[3]);

#endif
