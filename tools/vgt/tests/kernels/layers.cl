/* SPDX-License-Identifier: MIT */
/*
 * Images of one and three dimensions, arrays, and buffers read as images. Items
 * x, y, z of a launch are the texel's coordinates; in an array of rows y is the
 * layer.
 */
#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable

constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE |
			     CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
constant sampler_t linear = CLK_NORMALIZED_COORDS_FALSE |
			    CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;

#define X ((int)get_global_id(0))
#define Y ((int)get_global_id(1))
#define Z ((int)get_global_id(2))
#define W ((int)get_global_size(0))
#define H ((int)get_global_size(1))
#define D ((int)get_global_size(2))
#define ITEM ((Z * H + Y) * W + X)

/* From far below an image to far above it. */
#define FAR(at, size) (2 * (at) - (size) / 2)
/* Between texels, and a little outside. */
#define MIDDLE(at) ((at) * 0.75f - 0.5f)

#define FAR1 FAR(X, W)
#define FAR2 ((int2)(FAR(X, W), FAR(Y, H)))
#define FAR4 ((int4)(FAR(X, W), FAR(Y, H), FAR(Z, D), 0))

#define READ(kind, image_t, at) \
	kernel void kind##_read(read_only image_t image, global uint4 *out) \
	{ \
		out[ITEM] = read_imageui(image, at); \
	}

#define CLAMP(kind, image_t, at) \
	kernel void kind##_clamp(read_only image_t image, global uint4 *out) \
	{ \
		out[ITEM] = read_imageui(image, nearest, at); \
	}

#define LINEAR(kind, image_t, at) \
	kernel void kind##_linear(read_only image_t image, \
				  global float4 *out) \
	{ \
		out[ITEM] = read_imagef(image, linear, at); \
	}

#define WRITE(kind, image_t, at) \
	kernel void kind##_write(write_only image_t image) \
	{ \
		write_imageui(image, at, \
			      (uint4)(X, Y + 100, Z * 7, X + Y + Z)); \
	}

#define SIZE(kind, image_t, size) \
	kernel void kind##_size(read_only image_t image, global int4 *out) \
	{ \
		out[ITEM] = size; \
	}

READ(row, image1d_t, X)
CLAMP(row, image1d_t, FAR1)
LINEAR(row, image1d_t, MIDDLE(X))
WRITE(row, image1d_t, X)
SIZE(row, image1d_t, (int4)(get_image_width(image), 0, 0, 0))

READ(buffer, image1d_buffer_t, X)
WRITE(buffer, image1d_buffer_t, X)
SIZE(buffer, image1d_buffer_t, (int4)(get_image_width(image), 0, 0, 0))

READ(rows, image1d_array_t, (int2)(X, Y))
CLAMP(rows, image1d_array_t, FAR2)
LINEAR(rows, image1d_array_t, (float2)(MIDDLE(X), Y))
WRITE(rows, image1d_array_t, (int2)(X, Y))
SIZE(rows, image1d_array_t, (int4)(get_image_width(image),
				   get_image_array_size(image), 0, 0))

READ(planes, image2d_array_t, (int4)(X, Y, Z, 0))
CLAMP(planes, image2d_array_t, FAR4)
LINEAR(planes, image2d_array_t, (float4)(MIDDLE(X), MIDDLE(Y), Z, 0))
WRITE(planes, image2d_array_t, (int4)(X, Y, Z, 0))
SIZE(planes, image2d_array_t, (int4)(get_image_width(image),
				     get_image_height(image),
				     get_image_array_size(image), 0))

READ(volume, image3d_t, (int4)(X, Y, Z, 0))
CLAMP(volume, image3d_t, FAR4)
LINEAR(volume, image3d_t, (float4)(MIDDLE(X), MIDDLE(Y), MIDDLE(Z), 0))
WRITE(volume, image3d_t, (int4)(X, Y, Z, 0))
SIZE(volume, image3d_t, (int4)(get_image_width(image),
			       get_image_height(image),
			       get_image_depth(image), 0))
