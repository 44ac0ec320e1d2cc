// SPDX-License-Identifier: MIT
/*
 * Images with levels, which host calls fill or read one by one. Every texel is a hash
 * of its place, so that one from another place or level is a wrong one.
 */
#include "suite.h"

#include <CL/cl_ext.h>
#include <stdlib.h>
#include <string.h>

#define LEVELS 4

/* Texels; rows and layers of a launch are one after the other in its second number. */
struct levels_case {
	cl_mem_object_type type;
	size_t size[3];
	cl_channel_order order;
	cl_channel_type channel;
	bool write;
};

static size_t texel_bytes(const struct levels_case *image)
{
	return (image->order == CL_R ? 1 : 4) *
	       (image->channel == CL_UNSIGNED_INT8 ? 1 : 4);
}

/* Layers are as many at each level. */
static void level_size(const struct levels_case *image, int level,
		       size_t size[3])
{
	size_t own = image->type == CL_MEM_OBJECT_IMAGE3D ? 3 :
		     image->type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? 1 : 2;

	for (size_t d = 0; d < 3; d++) {
		size[d] = d < own ? image->size[d] >> level : image->size[d];
		if (!size[d])
			size[d] = 1;
	}
}

static uint32_t hash(const size_t at[3], int level, int channel)
{
	uint32_t n = at[0] | at[1] << 8 | at[2] << 16 | level << 24 |
		     (uint32_t)channel << 28;

	n = (n ^ n >> 15) * 0x2c1b3c6d;
	n = (n ^ n >> 12) * 0x297a2d39;
	return n ^ n >> 15;
}

/* What a channel of a texel holds, as kernels see it. */
static uint32_t source(const struct levels_case *image, const size_t at[3],
		       int level, int channel)
{
	const uint32_t made[4] = { at[0], at[1], level, at[0] * at[1] + level };
	uint32_t value = image->write ? made[channel] :
					hash(at, level, channel);

	if (image->order == CL_R && channel)
		return channel == 3;
	return image->channel == CL_UNSIGNED_INT8 ? (uint8_t)value : value;
}

static void fill_level(const struct levels_case *image, int level, uint8_t *to)
{
	int channels = image->order == CL_R ? 1 : 4;
	size_t bytes = texel_bytes(image) / channels, size[3], at[3];

	level_size(image, level, size);
	for (at[2] = 0; at[2] < size[2]; at[2]++)
		for (at[1] = 0; at[1] < size[1]; at[1]++)
			for (at[0] = 0; at[0] < size[0]; at[0]++)
				for (int c = 0; c < channels; c++) {
					uint32_t value = source(image, at,
								level, c);

					memcpy(to, &value, bytes);
					to += bytes;
				}
}

/* Levels are the last number of an origin, behind those that the image has. */
static int transfer(struct kt_run *run, cl_mem object, int level, uint8_t *data,
		    bool write)
{
	const struct levels_case *image = run->test->arg[0].value;
	int numbers = image->type == CL_MEM_OBJECT_IMAGE2D ||
		      image->type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? 2 : 3;
	size_t origin[4] = { 0 }, region[3];

	level_size(image, level, region);
	origin[numbers] = level;
	if (write)
		KT_TRY(run, clEnqueueWriteImage(run->queue, object, CL_TRUE,
						origin, region, 0, 0, data, 0,
						NULL, NULL));
	else
		KT_TRY(run, clEnqueueReadImage(run->queue, object, CL_TRUE,
					       origin, region, 0, 0, data, 0,
					       NULL, NULL));
	return 0;
}

static size_t image_bytes(const struct levels_case *image)
{
	return image->size[0] * image->size[1] * image->size[2] *
	       texel_bytes(image);
}

/* All levels are written before the first one is read: none lies upon another. */
static int check_transfers(struct kt_run *run, cl_mem object)
{
	const struct levels_case *image = run->test->arg[0].value;
	size_t bytes = image_bytes(image);
	uint8_t *data = calloc(2, bytes);
	int ret = data ? 0 : kt_fail(run, "no memory");

	for (int l = 0; l < LEVELS && !ret && !image->write; l++) {
		fill_level(image, l, data);
		ret = transfer(run, object, l, data, true);
	}
	for (int l = 0; l < LEVELS && !ret; l++) {
		memset(data, 0, 2 * bytes);
		fill_level(image, l, data);
		ret = transfer(run, object, l, data + bytes, false);
		if (!ret && memcmp(data, data + bytes, bytes))
			ret = kt_fail(run, "level %d is another one", l);
	}
	free(data);
	return ret;
}

static int check_texel(struct kt_run *run, const size_t at[3], int level,
		       const uint32_t got[8])
{
	const struct levels_case *image = run->test->arg[0].value;

	for (int k = 0; k < 8; k++) {
		uint32_t want = source(image, at, level, k % 4);

		if (got[k] != want)
			return kt_fail(run, "level %d texel %zu,%zu,%zu by %s"
				       " channel %d: got %u, want %u", level,
				       at[0], at[1], at[2],
				       k < 4 ? "level" : "gradients", k % 4,
				       got[k], want);
	}
	return 0;
}

static int check_read(struct kt_run *run, const uint32_t *out)
{
	const struct levels_case *image = run->test->arg[0].value;
	size_t rows = image->size[1] * image->size[2], size[3], at[3];

	for (int l = 0; l < LEVELS; l++) {
		level_size(image, l, size);
		for (size_t n = 0; n < image->size[0] * rows; n++) {
			at[0] = n % image->size[0];
			at[1] = n / image->size[0] % image->size[1];
			at[2] = n / image->size[0] / image->size[1];
			if (at[0] >= size[0] || at[1] >= size[1] ||
			    at[2] >= size[2])
				continue;
			if (check_texel(run, at, l, out +
					8 * (l * image->size[0] * rows + n)))
				return -1;
		}
	}
	return 0;
}

static int launch(struct kt_run *run)
{
	const struct levels_case *image = run->test->arg[0].value;
	const size_t global[3] = { image->size[0],
				   image->size[1] * image->size[2], LEVELS };

	KT_TRY(run, clEnqueueNDRangeKernel(run->queue, run->kernel, 3, NULL,
					   global, NULL, 0, NULL, NULL));
	KT_TRY(run, clFinish(run->queue));
	return 0;
}

static int read_levels(struct kt_run *run, cl_sampler sampler)
{
	const struct levels_case *image = run->test->arg[0].value;
	size_t bytes = image->size[0] * image->size[1] * image->size[2] *
		       LEVELS * 32;
	uint32_t *data = malloc(bytes);
	cl_int error = CL_OUT_OF_HOST_MEMORY;
	cl_mem out = data ? clCreateBuffer(run->context, CL_MEM_READ_WRITE,
					   bytes, NULL, &error) : NULL;
	int ret = error ? kt_fail(run, "clCreateBuffer: %d", error) : 0;

	if (!ret && (clSetKernelArg(run->kernel, 1, sizeof(sampler), &sampler) ||
		     clSetKernelArg(run->kernel, 2, sizeof(out), &out)))
		ret = kt_fail(run, "clSetKernelArg");
	if (!ret)
		ret = launch(run);
	if (!ret && clEnqueueReadBuffer(run->queue, out, CL_TRUE, 0, bytes,
					data, 0, NULL, NULL))
		ret = kt_fail(run, "clEnqueueReadBuffer");
	if (!ret)
		ret = check_read(run, data);
	if (out)
		clReleaseMemObject(out);
	free(data);
	return ret;
}

static int check_kernel(struct kt_run *run)
{
	static const cl_sampler_properties list[] = {
		CL_SAMPLER_NORMALIZED_COORDS, CL_TRUE,
		CL_SAMPLER_ADDRESSING_MODE, CL_ADDRESS_CLAMP_TO_EDGE,
		CL_SAMPLER_FILTER_MODE, CL_FILTER_NEAREST,
		CL_SAMPLER_MIP_FILTER_MODE_KHR, CL_FILTER_NEAREST, 0,
	};
	cl_sampler sampler;
	cl_int error;
	int ret;

	sampler = clCreateSamplerWithProperties(run->context, list, &error);
	if (error)
		return kt_fail(run, "clCreateSamplerWithProperties: %d", error);
	ret = read_levels(run, sampler);
	clReleaseSampler(sampler);
	return ret;
}

static int run_levels(struct kt_run *run)
{
	const struct levels_case *image = run->test->arg[0].value;
	cl_image_format format = { image->order, image->channel };
	cl_image_desc desc = {
		.image_type = image->type,
		.image_width = image->size[0],
		.image_height = image->size[1],
		.image_depth = image->size[2],
		.image_array_size = image->size[
			image->type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? 1 : 2],
		.num_mip_levels = LEVELS,
	};
	cl_int error;
	cl_mem object = clCreateImage(run->context, CL_MEM_READ_WRITE, &format,
				      &desc, NULL, &error);
	int ret;

	if (error)
		return kt_fail(run, "clCreateImage: %d", error);
	if (clSetKernelArg(run->kernel, 0, sizeof(object), &object))
		ret = kt_fail(run, "clSetKernelArg");
	else if (image->write)
		ret = launch(run) ? -1 : check_transfers(run, object);
	else
		ret = check_transfers(run, object) ? -1 :
						     check_kernel(run);
	clReleaseMemObject(object);
	return ret;
}

#define CASE(name, tag, ...) \
	{ .kernel = name, .label = tag, .run = run_levels, \
	  .extension = "cl_khr_mipmap_image_writes", \
	  .arg = { { .value = &(const struct levels_case){ __VA_ARGS__ } } } }

#define RGBA32 CL_RGBA, CL_UNSIGNED_INT32
#define R8 CL_R, CL_UNSIGNED_INT8

const struct kt_case kt_levels[] = {
	CASE("plane_levels", "rgba32ui", CL_MEM_OBJECT_IMAGE2D, { 21, 13, 1 },
	     RGBA32, false),
	CASE("plane_levels", "r8ui", CL_MEM_OBJECT_IMAGE2D, { 37, 20, 1 }, R8,
	     false),
	CASE("volume_levels", "rgba32ui", CL_MEM_OBJECT_IMAGE3D, { 9, 8, 6 },
	     RGBA32, false),
	CASE("planes_levels", "rgba32ui", CL_MEM_OBJECT_IMAGE2D_ARRAY,
	     { 9, 8, 3 }, RGBA32, false),
	CASE("rows_levels", "rgba32ui", CL_MEM_OBJECT_IMAGE1D_ARRAY,
	     { 70, 3, 1 }, RGBA32, false),
	CASE("plane_write", "rgba32ui", CL_MEM_OBJECT_IMAGE2D, { 21, 13, 1 },
	     RGBA32, true),
	{},
};
