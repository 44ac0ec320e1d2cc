// SPDX-License-Identifier: MIT
/*
 * Images of one and three dimensions, arrays, and buffers read as images. Every
 * texel of the source is a hash of its place, so that one that is taken from
 * another place, layer or channel is a wrong one.
 */
#include "suite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct place {
	int at[3];
};

struct layers_case {
	cl_mem_object_type type;
	cl_channel_order order;
	cl_channel_type channel;
	int size[3];
	int filtered; /* coordinates that are not layers */
	bool write; /* the kernel makes the image; else a buffer of texels */
	/* What the kernel has to see or to make at an item's place. */
	double (*want)(const struct layers_case *image, struct place place,
		       int channel);
	double tolerance;
};

static int channels(const struct layers_case *image)
{
	return image->order == CL_R ? 1 : image->order == CL_RG ? 2 : 4;
}

static int channel_bytes(const struct layers_case *image)
{
	switch (image->channel) {
	case CL_UNSIGNED_INT8:
		return 1;
	case CL_UNSIGNED_INT16:
		return 2;
	default:
		return 4;
	}
}

static int texels(const struct layers_case *image)
{
	return image->size[0] * image->size[1] * image->size[2];
}

static struct place place_of(const struct layers_case *image, int item)
{
	const int *size = image->size;

	return (struct place){ { item % size[0], item / size[0] % size[1],
				 item / size[0] / size[1] } };
}

/* The source's texel: an integer that fits, or a fraction. */
static double source(const struct layers_case *image, struct place place,
		     int channel)
{
	uint32_t n = place.at[0] | place.at[1] << 14 | place.at[2] << 22 |
		     (uint32_t)channel << 30;

	if (channel >= channels(image))
		return channel == 3;
	n = (n ^ n >> 15) * 0x2c1b3c6d;
	n = (n ^ n >> 12) * 0x297a2d39;
	n ^= n >> 15;
	if (image->channel == CL_FLOAT)
		return (n >> 16) / 65536.0;
	return n >> (32 - 8 * channel_bytes(image));
}

static int clamp(int value, int size)
{
	return value < 0 ? 0 : value >= size ? size - 1 : value;
}

static double want_clamp(const struct layers_case *image, struct place place,
			 int channel)
{
	for (int d = 0; d < 3; d++)
		place.at[d] = clamp(2 * place.at[d] - image->size[d] / 2,
				    image->size[d]);
	return source(image, place, channel);
}

/* Between two texels of each coordinate that is filtered. */
static double want_linear(const struct layers_case *image, struct place place,
			  int channel)
{
	double sum = 0;

	for (int corner = 0; corner < 1 << image->filtered; corner++) {
		struct place near = place;
		double weight = 1;

		for (int d = 0; d < image->filtered; d++) {
			double at = place.at[d] * 0.75 - 0.5 - 0.5;
			double part = at - floor(at);
			int upper = corner >> d & 1;

			weight *= upper ? part : 1 - part;
			near.at[d] = clamp((int)floor(at) + upper,
					   image->size[d]);
		}
		sum += weight * source(image, near, channel);
	}
	return sum;
}

static double want_written(const struct layers_case *image, struct place place,
			   int channel)
{
	const int *at = place.at;
	int value[4] = { at[0], at[1] + 100, at[2] * 7,
			 at[0] + at[1] + at[2] };
	double max = pow(256, channel_bytes(image)) - 1;

	return fmin(value[channel], max);
}

static double want_size(const struct layers_case *image, struct place place,
			int channel)
{
	int used = image->type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? 2 :
		   image->filtered == 1 ? 1 : 3;

	(void)place;
	return channel < used ? image->size[channel] : 0;
}

static void fill(const struct layers_case *image, uint8_t *to)
{
	int bytes = channel_bytes(image), item, c;

	for (item = 0; item < texels(image); item++)
		for (c = 0; c < channels(image); c++, to += bytes) {
			double value = source(image, place_of(image, item), c);
			uint32_t whole = (uint32_t)value;
			float part = (float)value;

			if (image->channel == CL_FLOAT)
				memcpy(to, &part, 4);
			else
				memcpy(to, &whole, bytes);
		}
}

/* Channel @c of an item, from the kernel's buffer or from the image. */
static double got(const struct layers_case *image, const uint8_t *from,
		  int item, int c)
{
	int bytes = image->write ? channel_bytes(image) : 4;
	int count = image->write ? channels(image) : 4;
	uint32_t whole = 0;
	float part;

	from += (item * count + c) * bytes;
	memcpy(&whole, from, bytes);
	memcpy(&part, &whole, 4);
	return image->channel == CL_FLOAT ? (double)part : (double)whole;
}

static int compare(struct kt_run *run, const struct layers_case *image,
		   const uint8_t *from)
{
	int item, c, count = image->write ? channels(image) : 4;

	for (item = 0; item < texels(image); item++)
		for (c = 0; c < count; c++) {
			struct place place = place_of(image, item);
			double want = image->want(image, place, c);
			double is = got(image, from, item, c);

			if (!(fabs(is - want) <= image->tolerance))
				return kt_fail(run, "texel %d,%d,%d channel %d:"
					       " got %.9g, want %.9g",
					       place.at[0], place.at[1],
					       place.at[2], c, is, want);
		}
	return 0;
}

/* An image that is a buffer gets one with its contents; others a copy. */
static cl_mem create(struct kt_run *run, const struct layers_case *image,
		     void *data, cl_mem *buffer_out, cl_int *error)
{
	cl_image_format format = { image->order, image->channel };
	cl_mem_flags flags = CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR;
	cl_image_desc desc = {
		.image_type = image->type,
		.image_width = image->size[0],
		.image_height = image->size[1],
		.image_depth = image->size[2],
		.image_array_size = image->size[
			image->type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? 1 : 2],
	};

	*buffer_out = NULL;
	if (image->type != CL_MEM_OBJECT_IMAGE1D_BUFFER)
		return clCreateImage(run->context, flags, &format, &desc, data,
				     error);
	*buffer_out = clCreateBuffer(run->context, flags, texels(image) *
				     channels(image) * channel_bytes(image),
				     data, error);
	desc.buffer = *buffer_out;
	return *error ? NULL : clCreateImage(run->context, CL_MEM_READ_WRITE,
					     &format, &desc, NULL, error);
}

static int launch(struct kt_run *run, const struct layers_case *image,
		  cl_mem object, cl_mem out, void *data)
{
	const size_t origin[3] = {};
	const size_t region[3] = { image->size[0], image->size[1],
				   image->size[2] };

	KT_TRY(run, clSetKernelArg(run->kernel, 0, sizeof(object), &object));
	if (!image->write)
		KT_TRY(run, clSetKernelArg(run->kernel, 1, sizeof(out), &out));
	KT_TRY(run, clEnqueueNDRangeKernel(run->queue, run->kernel, 3, NULL,
					   region, NULL, 0, NULL, NULL));
	if (image->write)
		KT_TRY(run, clEnqueueReadImage(run->queue, object, CL_TRUE,
					       origin, region, 0, 0, data, 0,
					       NULL, NULL));
	else
		KT_TRY(run, clEnqueueReadBuffer(run->queue, out, CL_TRUE, 0,
						texels(image) * 16, data, 0,
						NULL, NULL));
	return compare(run, image, data);
}

static int run_layers(struct kt_run *run)
{
	const struct layers_case *image = run->test->arg[0].value;
	uint8_t *data = calloc(texels(image), 16);
	cl_mem object, buffer = NULL, out = NULL;
	cl_int error;
	int ret;

	if (!data)
		return kt_fail(run, "no memory");
	fill(image, data);
	object = create(run, image, data, &buffer, &error);
	if (!error)
		out = clCreateBuffer(run->context, CL_MEM_READ_WRITE,
				     texels(image) * 16, NULL, &error);
	ret = error ? kt_fail(run, "cannot create the image: %d", error) :
		      launch(run, image, object, out, data);
	if (object)
		clReleaseMemObject(object);
	if (buffer)
		clReleaseMemObject(buffer);
	if (out)
		clReleaseMemObject(out);
	free(data);
	return ret;
}

#define CASE(name, tag, ...) \
	{ .kernel = name, .label = tag, .run = run_layers, \
	  .arg = { { .value = &(const struct layers_case){ __VA_ARGS__ } } } }

#define EXACT(name, tag, ...) CASE(name, tag, __VA_ARGS__, 0)

#define ROW CL_MEM_OBJECT_IMAGE1D, CL_RGBA
#define BUFFER CL_MEM_OBJECT_IMAGE1D_BUFFER, CL_RGBA
#define ROWS CL_MEM_OBJECT_IMAGE1D_ARRAY, CL_RGBA
#define PLANES CL_MEM_OBJECT_IMAGE2D_ARRAY, CL_RGBA
#define VOLUME CL_MEM_OBJECT_IMAGE3D, CL_RGBA
#define U8 CL_UNSIGNED_INT8
#define U32 CL_UNSIGNED_INT32
#define R16(type) type, CL_R, CL_UNSIGNED_INT16

/* Filter weights have eight fraction bits on hardware. */
#define LINEAR(dimensions) dimensions, false, want_linear, 0.004 * (dimensions)

const struct kt_case kt_layers[] = {
	EXACT("row_read", "rgba32ui", ROW, U32, { 333, 1, 1 }, 1, false,
	       source),
	EXACT("row_read", "r16ui", R16(CL_MEM_OBJECT_IMAGE1D), { 333, 1, 1 },
	       1, false, source),
	EXACT("row_clamp", "rgba8ui", ROW, U8, { 50, 1, 1 }, 1, false,
	       want_clamp),
	CASE("row_linear", "rgba32f", ROW, CL_FLOAT, { 50, 1, 1 },
	       LINEAR(1)),
	EXACT("row_write", "rgba32ui", ROW, U32, { 333, 1, 1 }, 1, true,
	       want_written),
	EXACT("row_size", "rgba32ui", ROW, U32, { 333, 1, 1 }, 1, false,
	       want_size),

	EXACT("buffer_read", "rgba32ui", BUFFER, U32, { 5000, 1, 1 }, 1,
	       false, source),
	EXACT("buffer_read", "r16ui", R16(CL_MEM_OBJECT_IMAGE1D_BUFFER),
	       { 5000, 1, 1 }, 1, false, source),
	EXACT("buffer_write", "rgba8ui", BUFFER, U8, { 5000, 1, 1 }, 1, true,
	       want_written),
	EXACT("buffer_size", "rgba32ui", BUFFER, U32, { 5000, 1, 1 }, 1,
	       false, want_size),

	EXACT("rows_read", "rgba32ui", ROWS, U32, { 37, 21, 1 }, 1, false,
	       source),
	EXACT("rows_read", "r16ui", R16(CL_MEM_OBJECT_IMAGE1D_ARRAY),
	       { 37, 21, 1 }, 1, false, source),
	EXACT("rows_clamp", "rgba8ui", ROWS, U8, { 37, 21, 1 }, 1, false,
	       want_clamp),
	CASE("rows_linear", "rgba32f", ROWS, CL_FLOAT, { 37, 21, 1 },
	       LINEAR(1)),
	EXACT("rows_write", "rgba32ui", ROWS, U32, { 37, 21, 1 }, 1, true,
	       want_written),
	EXACT("rows_size", "rgba32ui", ROWS, U32, { 37, 21, 1 }, 1, false,
	       want_size),

	EXACT("planes_read", "rgba32ui", PLANES, U32, { 21, 13, 5 }, 2, false,
	       source),
	EXACT("planes_read", "r16ui", R16(CL_MEM_OBJECT_IMAGE2D_ARRAY),
	       { 70, 13, 5 }, 2, false, source),
	EXACT("planes_clamp", "rgba8ui", PLANES, U8, { 21, 13, 5 }, 2, false,
	       want_clamp),
	CASE("planes_linear", "rgba32f", PLANES, CL_FLOAT, { 21, 13, 5 },
	       LINEAR(2)),
	EXACT("planes_write", "rgba32ui", PLANES, U32, { 21, 13, 5 }, 2, true,
	       want_written),
	EXACT("planes_size", "rgba32ui", PLANES, U32, { 21, 13, 5 }, 2, false,
	       want_size),

	EXACT("volume_read", "rgba32ui", VOLUME, U32, { 21, 13, 5 }, 3, false,
	       source),
	EXACT("volume_read", "r16ui", R16(CL_MEM_OBJECT_IMAGE3D),
	       { 70, 13, 5 }, 3, false, source),
	EXACT("volume_clamp", "rgba8ui", VOLUME, U8, { 21, 13, 5 }, 3, false,
	       want_clamp),
	CASE("volume_linear", "rgba32f", VOLUME, CL_FLOAT, { 21, 13, 5 },
	       LINEAR(3)),
	EXACT("volume_write", "rgba8ui", VOLUME, U8, { 21, 13, 5 }, 3, true,
	       want_written),
	EXACT("volume_size", "rgba32ui", VOLUME, U32, { 21, 13, 5 }, 3, false,
	       want_size),
	{},
};
