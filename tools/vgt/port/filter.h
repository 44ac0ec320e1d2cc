/* SPDX-License-Identifier: MIT */
/* What samplers make of the texels of an image. */
#ifndef VGT_FILTER_H
#define VGT_FILTER_H

#include <stdbool.h>
#include <stdint.h>

struct vgt_eu_thread;
struct vgt_image;

struct vgt_sampler {
	bool linear, normalized;
	uint32_t address[3]; /* modes, of SAMPLER_STATE */
	uint32_t border[4];
};

/* The state of sampler @index of the thread's kernel. May fail the thread. */
int vgt_sampler_load(struct vgt_sampler *out, struct vgt_eu_thread *thread,
		     uint32_t index);

/* A sample, in the host's default float mode. */
void vgt_filter_sample(struct vgt_image *image,
		       const struct vgt_sampler *sampler, const float at[3],
		       uint32_t rgba_out[4]);

#endif
