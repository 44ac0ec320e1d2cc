/* SPDX-License-Identifier: MIT */
/* What i915 says of a Tiger Lake: parameters and queries. */
#ifndef VGT_DRM_QUERY_H
#define VGT_DRM_QUERY_H

#include <stddef.h>
#include <stdint.h>

struct vgt_device;

/* Value of I915_PARAM_* @param. Returns 0 or -EINVAL. */
int vgt_query_param(const struct vgt_device *device, int param, int *value_out);

/*
 * The data of DRM_I915_QUERY_* @id into @data of @room bytes. Returns their
 * length, also if there is no room (then nothing is written), or a negative
 * errno.
 */
int vgt_query(const struct vgt_device *device, uint64_t id, void *data,
	      size_t room);

#endif
