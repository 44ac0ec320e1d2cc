/* SPDX-License-Identifier: MIT */
/* Images: reads with and without a sampler, filtering, writes. */

constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE |
			     CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
constant sampler_t border = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP |
			    CLK_FILTER_NEAREST;
constant sampler_t linear = CLK_NORMALIZED_COORDS_FALSE |
			    CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;

kernel void image_read_float(read_only image2d_t image, global float4 *out)
{
	int x = get_global_id(0), y = get_global_id(1);

	out[y * get_global_size(0) + x] = read_imagef(image, (int2)(x, y));
}

kernel void image_sample_float(read_only image2d_t image, global float4 *out)
{
	int x = get_global_id(0), y = get_global_id(1);

	out[y * get_global_size(0) + x] =
		read_imagef(image, nearest, (float2)(x + 0.5f, y + 0.5f));
}

kernel void image_read_uint(read_only image2d_t image, global uint4 *out)
{
	int x = get_global_id(0), y = get_global_id(1);

	out[y * get_global_size(0) + x] =
		read_imageui(image, nearest, (int2)(x, y));
}

kernel void image_read_int(read_only image2d_t image, global int4 *out)
{
	int x = get_global_id(0), y = get_global_id(1);

	out[y * get_global_size(0) + x] = read_imagei(image, (int2)(x, y));
}

kernel void image_border(read_only image2d_t image, global float4 *out)
{
	int x = get_global_id(0), y = get_global_id(1);

	out[y * get_global_size(0) + x] =
		read_imagef(image, border, (int2)(x - 2, y - 3));
}

kernel void image_clamp(read_only image2d_t image, global float4 *out)
{
	int x = get_global_id(0), y = get_global_id(1);

	out[y * get_global_size(0) + x] =
		read_imagef(image, nearest, (float2)(x - 2.0f, y - 3.0f));
}

kernel void image_linear(read_only image2d_t image, global float4 *out)
{
	int x = get_global_id(0), y = get_global_id(1);

	out[y * get_global_size(0) + x] = read_imagef(
		image, linear, (float2)(x * 0.75f - 1.0f, y * 0.5f + 0.25f));
}

kernel void image_write_float(write_only image2d_t image)
{
	int x = get_global_id(0), y = get_global_id(1);

	write_imagef(image, (int2)(x, y),
		     (float4)(x, y, x * y, x - y) * 0.0078125f);
}

kernel void image_write_uint(write_only image2d_t image)
{
	int x = get_global_id(0), y = get_global_id(1);

	write_imageui(image, (int2)(x, y),
		      (uint4)(x, y, x * y, x + y + 7));
}
