// SPDX-License-Identifier: MIT
/*
 * A case is a pixel format, a kernel and a function that says which texel an
 * item of the launch has to see or to make. Texels are kept as four doubles.
 */
#include "suite.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define W 21
#define H 13

struct texel {
	double v[4];
};

struct image_case {
	cl_channel_order order;
	cl_channel_type type;
	bool write; /* the kernel makes the image; else a buffer of texels */
	double tolerance;
	struct texel (*want)(const struct image_case *image,
			     const struct texel *texels, int x, int y);
	bool small; /* half of the floats are denormal */
};

static size_t channels(const struct image_case *image)
{
	return image->order == CL_R ? 1 : image->order == CL_RG ? 2 : 4;
}

static size_t channel_bytes(const struct image_case *image)
{
	switch (image->type) {
	case CL_UNORM_INT8:
	case CL_UNSIGNED_INT8:
	case CL_SIGNED_INT8:
		return 1;
	case CL_UNSIGNED_INT16:
	case CL_SIGNED_INT16:
	case CL_UNORM_INT16:
	case CL_HALF_FLOAT:
		return 2;
	default:
		return 4;
	}
}

static bool is_float(const struct image_case *image)
{
	switch (image->type) {
	case CL_FLOAT:
	case CL_HALF_FLOAT:
	case CL_UNORM_INT8:
	case CL_UNORM_INT16:
		return true;
	default:
		return false;
	}
}

static double decode(const struct image_case *image, const void *at)
{
	_Float16 half;
	float single;
	int32_t n = 0;

	switch (image->type) {
	case CL_FLOAT:
		memcpy(&single, at, 4);
		return single;
	case CL_HALF_FLOAT:
		memcpy(&half, at, 2);
		return (double)half;
	case CL_SIGNED_INT8:
		return *(const int8_t *)at;
	case CL_SIGNED_INT16:
		return *(const int16_t *)at;
	case CL_SIGNED_INT32:
		return *(const int32_t *)at;
	case CL_UNORM_INT8:
		return *(const uint8_t *)at / 255.0;
	case CL_UNORM_INT16:
		return *(const uint16_t *)at / 65535.0;
	default:
		memcpy(&n, at, channel_bytes(image));
		return (uint32_t)n;
	}
}

/* One pixel of the image as the kernel sees it: missing channels filled. */
static struct texel decode_texel(const struct image_case *image,
				 const uint8_t *at)
{
	struct texel texel = { { 0, 0, 0, 1 } };
	size_t k;

	for (k = 0; k < channels(image); k++)
		texel.v[k] = decode(image, at + k * channel_bytes(image));
	return texel;
}

static void fill_pixels(const struct image_case *image, uint8_t *pixels)
{
	size_t i, n = W * H * channels(image);
	uint32_t state = 12345;
	_Float16 half;
	float single;

	for (i = 0; i < n; i++) {
		state = state * 1664525 + 1013904223;
		single = (int32_t)state * 0x1p-24f;
		if (image->small)
			single *= i % 2 ? 0x1p-133f : 0x1p-125f;
		half = (_Float16)single;
		switch (image->type) {
		case CL_FLOAT:
			memcpy(pixels + 4 * i, &single, 4);
			break;
		case CL_HALF_FLOAT:
			memcpy(pixels + 2 * i, &half, 2);
			break;
		default:
			memcpy(pixels + i * channel_bytes(image),
			       (uint8_t *)&state + 4 - channel_bytes(image),
			       channel_bytes(image));
		}
	}
}

static struct texel at_edge(const struct texel *texels, int x, int y)
{
	x = x < 0 ? 0 : x >= W ? W - 1 : x;
	y = y < 0 ? 0 : y >= H ? H - 1 : y;
	return texels[y * W + x];
}

static struct texel want_same(const struct image_case *image,
			      const struct texel *texels, int x, int y)
{
	(void)image;
	return texels[y * W + x];
}

static struct texel want_clamp(const struct image_case *image,
			       const struct texel *texels, int x, int y)
{
	(void)image;
	return at_edge(texels, x - 2, y - 3);
}

/* A load's denormals become zeros in code, a sample's in the sampler. */
static struct texel want_flushed(const struct image_case *image,
				 const struct texel *texels, int x, int y)
{
	struct texel texel = texels[y * W + x];

	(void)image;
	for (int k = 0; k < 4; k++)
		if (fabs(texel.v[k]) < FLT_MIN)
			texel.v[k] = 0;
	return texel;
}

static struct texel want_border(const struct image_case *image,
				const struct texel *texels, int x, int y)
{
	struct texel border = { { 0, 0, 0, channels(image) < 4 ? 1 : 0 } };

	if (x < 2 || y < 3)
		return border;
	return texels[(y - 3) * W + x - 2];
}

static struct texel want_linear(const struct image_case *image,
				const struct texel *texels, int x, int y)
{
	double u = x * 0.75 - 1 - 0.5, v = y * 0.5 + 0.25 - 0.5;
	int left = floor(u), top = floor(v), k;
	double a = u - left, b = v - top;
	struct texel t00 = at_edge(texels, left, top);
	struct texel t10 = at_edge(texels, left + 1, top);
	struct texel t01 = at_edge(texels, left, top + 1);
	struct texel t11 = at_edge(texels, left + 1, top + 1);

	(void)image;
	for (k = 0; k < 4; k++)
		t00.v[k] = (1 - b) * ((1 - a) * t00.v[k] + a * t10.v[k]) +
			   b * ((1 - a) * t01.v[k] + a * t11.v[k]);
	return t00;
}

static struct texel want_ramp(const struct image_case *image,
			      const struct texel *texels, int x, int y)
{
	struct texel texel = { { x, y, x * y, x - y } };
	double max = image->type == CL_UNORM_INT8 ? 255 : 65535;
	bool unorm = image->type == CL_UNORM_INT8 ||
		     image->type == CL_UNORM_INT16;
	int k;

	(void)texels;
	for (k = 0; k < 4; k++) {
		texel.v[k] /= 128;
		if (unorm)
			texel.v[k] = rint(fmin(fmax(texel.v[k], 0), 1) * max) /
				     max;
	}
	return texel;
}

static struct texel want_count(const struct image_case *image,
			       const struct texel *texels, int x, int y)
{
	struct texel texel = { { x, y, x * y, x + y + 7 } };

	(void)texels;
	if (image->type == CL_UNSIGNED_INT8)
		texel.v[2] = fmin(texel.v[2], 255);
	return texel;
}

static int check_texel(struct kt_run *run, const struct image_case *image,
		       const struct texel *texels, int at,
		       const struct texel *got)
{
	struct texel want = image->want(image, texels, at % W, at / W);
	size_t k, n = image->write ? channels(image) : 4;

	for (k = 0; k < n; k++) {
		double limit = image->tolerance * fmax(1, fabs(want.v[k]));

		if (!(fabs(got->v[k] - want.v[k]) <= limit))
			return kt_fail(run, "pixel %d,%d channel %zu: got %.9g,"
				       " want %.9g", at % W, at / W, k,
				       got->v[k], want.v[k]);
	}
	return 0;
}

/* What the kernel left in its output buffer, four dwords per item. */
static struct texel buffer_texel(const struct image_case *image,
				 const uint32_t *at)
{
	struct texel texel;
	float single;
	int k;

	for (k = 0; k < 4; k++) {
		memcpy(&single, &at[k], 4);
		if (is_float(image))
			texel.v[k] = single;
		else if (image->type == CL_SIGNED_INT8 ||
			 image->type == CL_SIGNED_INT16 ||
			 image->type == CL_SIGNED_INT32)
			texel.v[k] = (int32_t)at[k];
		else
			texel.v[k] = at[k];
	}
	return texel;
}

static cl_mem create_image(struct kt_run *run, const struct image_case *image,
			   void *pixels, cl_int *error)
{
	cl_image_format format = { image->order, image->type };
	cl_image_desc desc = {
		.image_type = CL_MEM_OBJECT_IMAGE2D,
		.image_width = W,
		.image_height = H,
	};

	return clCreateImage(run->context,
			     CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, &format,
			     &desc, pixels, error);
}

static int compare_all(struct kt_run *run, const struct image_case *image,
		       const uint8_t *pixels, const struct texel *texels,
		       const uint32_t *out)
{
	size_t size = channels(image) * channel_bytes(image);
	struct texel got;
	int i;

	for (i = 0; i < W * H; i++) {
		got = image->write ? decode_texel(image, pixels + i * size) :
				     buffer_texel(image, out + 4 * i);
		if (check_texel(run, image, texels, i, &got))
			return -1;
	}
	return 0;
}

static int launch(struct kt_run *run, const struct image_case *image,
		  cl_mem object, cl_mem buffer, uint8_t *pixels, uint32_t *out)
{
	const size_t origin[3] = {}, region[3] = { W, H, 1 };

	KT_TRY(run, clSetKernelArg(run->kernel, 0, sizeof(object), &object));
	if (!image->write)
		KT_TRY(run, clSetKernelArg(run->kernel, 1, sizeof(buffer),
					   &buffer));
	KT_TRY(run, clEnqueueNDRangeKernel(run->queue, run->kernel, 2, NULL,
					   region, NULL, 0, NULL, NULL));
	KT_TRY(run, clEnqueueReadImage(run->queue, object, CL_TRUE, origin,
				       region, 0, 0, pixels, 0, NULL, NULL));
	KT_TRY(run, clEnqueueReadBuffer(run->queue, buffer, CL_TRUE, 0,
					W * H * 16, out, 0, NULL, NULL));
	return 0;
}

static int run_image(struct kt_run *run)
{
	const struct image_case *image = run->test->arg[0].value;
	size_t i, size = channels(image) * channel_bytes(image);
	static uint8_t pixels[W * H * 16];
	static uint32_t out[W * H * 4];
	static struct texel texels[W * H];
	cl_mem object, buffer;
	cl_int error;
	int ret;

	fill_pixels(image, pixels);
	for (i = 0; i < W * H; i++)
		texels[i] = decode_texel(image, pixels + i * size);
	object = create_image(run, image, pixels, &error);
	if (error)
		return kt_fail(run, "clCreateImage: %d", error);
	buffer = clCreateBuffer(run->context, CL_MEM_READ_WRITE, sizeof(out),
				NULL, &error);
	if (error)
		return kt_fail(run, "clCreateBuffer: %d", error);
	ret = launch(run, image, object, buffer, pixels, out);
	clReleaseMemObject(object);
	clReleaseMemObject(buffer);
	return ret ? ret : compare_all(run, image, pixels, texels, out);
}

#define IMAGE(name, tag, channel_order, channel_type, writes, limit, function) \
	{ .kernel = name, .label = tag, .run = run_image, \
	  .arg = { { .value = &(const struct image_case){ \
			     channel_order, channel_type, writes, limit, \
			     function, false } } } }
#define READ(name, tag, order, type, limit, function) \
	IMAGE(name, tag, order, type, false, limit, function)
#define SMALL(name, tag, order) \
	{ .kernel = name, .label = tag, .run = run_image, \
	  .arg = { { .value = &(const struct image_case){ \
			     order, CL_FLOAT, false, 0, want_flushed, \
			     true } } } }
#define WRITE(name, tag, order, type, limit, function) \
	IMAGE(name, tag, order, type, true, limit, function)

const struct kt_case kt_image[] = {
	READ("image_read_float", "rgba32f", CL_RGBA, CL_FLOAT, 0, want_same),
	READ("image_read_float", "r32f", CL_R, CL_FLOAT, 0, want_same),
	READ("image_read_float", "rgba16f", CL_RGBA, CL_HALF_FLOAT, 0,
	     want_same),
	READ("image_read_float", "rgba8", CL_RGBA, CL_UNORM_INT8, 1e-6,
	     want_same),
	READ("image_read_uint", "rgba32ui", CL_RGBA, CL_UNSIGNED_INT32, 0,
	     want_same),
	READ("image_read_uint", "rgba8ui", CL_RGBA, CL_UNSIGNED_INT8, 0,
	     want_same),
	READ("image_read_uint", "r16ui", CL_R, CL_UNSIGNED_INT16, 0,
	     want_same),
	READ("image_read_int", "rgba32i", CL_RGBA, CL_SIGNED_INT32, 0,
	     want_same),
	READ("image_read_int", "rg16i", CL_RG, CL_SIGNED_INT16, 0, want_same),
	SMALL("image_read_float", "r32f denormal", CL_R),
	SMALL("image_sample_float", "r32f denormal", CL_R),
	SMALL("image_sample_float", "rgba32f denormal", CL_RGBA),
	READ("image_border", "rgba32f", CL_RGBA, CL_FLOAT, 0, want_border),
	READ("image_border", "r32f", CL_R, CL_FLOAT, 0, want_border),
	READ("image_clamp", "rgba32f", CL_RGBA, CL_FLOAT, 0, want_clamp),
	READ("image_clamp", "rgba8", CL_RGBA, CL_UNORM_INT8, 1e-6, want_clamp),
	/* Filter weights have eight fraction bits on hardware. */
	READ("image_linear", "rgba32f", CL_RGBA, CL_FLOAT, 0.5, want_linear),
	READ("image_linear", "rgba8", CL_RGBA, CL_UNORM_INT8, 0.004,
	     want_linear),
	WRITE("image_write_float", "rgba32f", CL_RGBA, CL_FLOAT, 0, want_ramp),
	WRITE("image_write_float", "r32f", CL_R, CL_FLOAT, 0, want_ramp),
	WRITE("image_write_float", "rgba8", CL_RGBA, CL_UNORM_INT8, 0.00393,
	      want_ramp),
	WRITE("image_write_uint", "rgba32ui", CL_RGBA, CL_UNSIGNED_INT32, 0,
	      want_count),
	WRITE("image_write_uint", "rgba8ui", CL_RGBA, CL_UNSIGNED_INT8, 0,
	      want_count),
	WRITE("image_write_uint", "r32ui", CL_R, CL_UNSIGNED_INT32, 0,
	      want_count),
	{},
};
