/* SPDX-License-Identifier: MIT */
/*
 * Images with levels: an item's third number is the level that it is about. Each
 * reads the middle of a texel, first by the level and then by gradients.
 */

kernel void plane_levels(read_only image2d_t image, sampler_t sampler,
			 global uint4 *out)
{
	int x = get_global_id(0), y = get_global_id(1), l = get_global_id(2);
	int2 size = max(get_image_dim(image) >> l, 1);
	float2 at = (convert_float2((int2)(x, y)) + 0.5f) / convert_float2(size);
	float2 step = exp2((float)l) / convert_float2(get_image_dim(image));
	int n = (l * get_global_size(1) + y) * get_global_size(0) + x;

	out[2 * n] = read_imageui(image, sampler, at, (float)l);
	out[2 * n + 1] = read_imageui(image, sampler, at, (float2)(step.x, 0),
				      (float2)(0, step.y));
}

kernel void volume_levels(read_only image3d_t image, sampler_t sampler,
			  global uint4 *out)
{
	int x = get_global_id(0), l = get_global_id(2);
	int y = get_global_id(1) % 8, z = get_global_id(1) / 8;
	float4 whole = convert_float4(get_image_dim(image));
	float4 size = convert_float4(max(get_image_dim(image) >> l, 1));
	float4 at = (convert_float4((int4)(x, y, z, 0)) + 0.5f) / size;
	float4 step = exp2((float)l) / whole;
	int n = (l * get_global_size(1) + get_global_id(1)) *
		get_global_size(0) + x;

	out[2 * n] = read_imageui(image, sampler, at, (float)l);
	out[2 * n + 1] = read_imageui(image, sampler, at,
				      (float4)(step.x, 0, 0, 0),
				      (float4)(0, step.y, 0, 0));
}

kernel void planes_levels(read_only image2d_array_t image, sampler_t sampler,
			  global uint4 *out)
{
	int x = get_global_id(0), l = get_global_id(2);
	int y = get_global_id(1) % 8, layer = get_global_id(1) / 8;
	int2 size = max(get_image_dim(image) >> l, 1);
	float2 at = (convert_float2((int2)(x, y)) + 0.5f) / convert_float2(size);
	float2 step = exp2((float)l) / convert_float2(get_image_dim(image));
	float4 place = (float4)(at, layer, 0);
	int n = (l * get_global_size(1) + get_global_id(1)) *
		get_global_size(0) + x;

	out[2 * n] = read_imageui(image, sampler, place, (float)l);
	out[2 * n + 1] = read_imageui(image, sampler, place,
				      (float2)(step.x, 0), (float2)(0, step.y));
}

kernel void rows_levels(read_only image1d_array_t image, sampler_t sampler,
			global uint4 *out)
{
	int x = get_global_id(0), y = get_global_id(1), l = get_global_id(2);
	int width = max(get_image_width(image) >> l, 1);
	float2 at = (float2)((x + 0.5f) / width, y);
	float step = exp2((float)l) / get_image_width(image);
	int n = (l * get_global_size(1) + y) * get_global_size(0) + x;

	out[2 * n] = read_imageui(image, sampler, at, (float)l);
	out[2 * n + 1] = read_imageui(image, sampler, at, step, 0.0f);
}

kernel void plane_write(write_only image2d_t image)
{
	int x = get_global_id(0), y = get_global_id(1), l = get_global_id(2);

	write_imageui(image, (int2)(x, y), l, (uint4)(x, y, l, x * y + l));
}
