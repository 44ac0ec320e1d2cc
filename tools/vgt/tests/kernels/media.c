// SPDX-License-Identifier: MIT
/*
 * The reference follows the extension cl_intel_media_block_io: elements of the
 * rectangle, row by row, go to the lanes in turn; texels at the edge stand for
 * those that are read outside, and what is written there is lost. Blocks
 * without a shape are as wide as the sub-group, and stay inside.
 */
#include "suite.h"

#include <string.h>

#define W 48
#define H 37
#define ROOM (W * H * 4) /* of an image with texels of up to four bytes */
#define OUT 1024

struct media {
	cl_channel_order order;
	cl_channel_type type;
	int texel, width, height; /* bytes, bytes, rows */
	int element, lanes, count; /* bytes, lanes, elements of a lane */
	bool shaped;
};

struct images {
	uint8_t from[ROOM], to[ROOM], out[OUT];
};

static int row_bytes(const struct media *media)
{
	return W * media->texel;
}

static int between(int value, int first, int last)
{
	return value < first ? first : value > last ? last : value;
}

/* Byte @x of row @y, or that of the next texel of the image. */
static uint8_t nearest(const struct media *media, const uint8_t *from, int x,
		       int y)
{
	int column = (x + 4 * row_bytes(media)) / media->texel - 4 * W;
	int in_texel = (x + 4 * row_bytes(media)) % media->texel;

	return from[between(y, 0, H - 1) * row_bytes(media) +
		    between(column, 0, W - 1) * media->texel + in_texel];
}

static void model(const struct media *media, const cl_int2 *at,
		  struct images *images)
{
	int elements = media->width / media->element * media->height;

	for (int n = 0; n < elements; n++) {
		int lane = n % media->lanes, k = n / media->lanes;
		int x = at->x + n * media->element % media->width;
		int y = at->y + n * media->element / media->width;

		for (int b = 0; b < media->element; b++) {
			uint8_t byte = nearest(media, images->from, x + b, y);

			images->out[(lane * media->count + k) *
				    media->element + b] = byte;
			if (x >= 0 && x < row_bytes(media) && y >= 0 && y < H)
				images->to[y * row_bytes(media) + x + b] = byte;
		}
	}
}

/* Elements of lanes that the rectangle has none for may be anything. */
static void forget_rest(const struct media *media, struct images *images)
{
	int elements = media->width / media->element * media->height;

	for (int n = elements; n < media->lanes * media->count; n++)
		memset(images->out + (n % media->lanes * media->count +
				      n / media->lanes) * media->element,
		       0xee, media->element);
}

static int launch(struct kt_run *run, const struct media *media, cl_mem mem[3],
		  const cl_int2 *at, struct images *got)
{
	const size_t lanes = media->lanes, origin[3] = {};
	const size_t region[3] = { W, H, 1 };
	cl_command_queue queue = run->queue;

	for (int n = 0; n < 3; n++)
		KT_TRY(run, clSetKernelArg(run->kernel, n, sizeof(mem[n]),
					   &mem[n]));
	KT_TRY(run, clSetKernelArg(run->kernel, 3, sizeof(*at), at));
	KT_TRY(run, clEnqueueWriteImage(queue, mem[1], CL_TRUE, origin, region,
					0, 0, got->to, 0, NULL, NULL));
	KT_TRY(run, clEnqueueWriteBuffer(queue, mem[2], CL_TRUE, 0, OUT,
					 got->out, 0, NULL, NULL));
	KT_TRY(run, clEnqueueNDRangeKernel(queue, run->kernel, 1, NULL, &lanes,
					   &lanes, 0, NULL, NULL));
	KT_TRY(run, clEnqueueReadImage(queue, mem[1], CL_TRUE, origin, region,
				       0, 0, got->to, 0, NULL, NULL));
	KT_TRY(run, clEnqueueReadBuffer(queue, mem[2], CL_TRUE, 0, OUT,
					got->out, 0, NULL, NULL));
	return 0;
}

static int one_place(struct kt_run *run, const struct media *media,
		     cl_mem mem[3], cl_int2 at, const struct images *first)
{
	static struct images want, got;

	want = got = *first;
	model(media, &at, &want);
	if (launch(run, media, mem, &at, &got))
		return -1;
	forget_rest(media, &want);
	forget_rest(media, &got);
	for (size_t n = 0; n < OUT; n++)
		if (got.out[n] != want.out[n])
			return kt_fail(run, "read at %d,%d: byte %zu is %u, not %u",
				       at.x, at.y, n, got.out[n], want.out[n]);
	for (int n = 0; n < H * row_bytes(media); n++)
		if (got.to[n] != want.to[n])
			return kt_fail(run, "written at %d,%d: byte %d of row %d is %u, not %u",
				       at.x, at.y, n % row_bytes(media),
				       n / row_bytes(media), got.to[n],
				       want.to[n]);
	return 0;
}

static int all_places(struct kt_run *run, const struct media *media,
		      cl_mem mem[3], const struct images *first)
{
	int right = row_bytes(media) - 4, below = H - media->height;
	const cl_int2 places[] = {
		{ { 0, 0 } },
		{ { (row_bytes(media) - media->width) / 4 * 4, below } },
		{ { 12, 5 } },
		/* Beyond the edges. */
		{ { -8, -3 } },
		{ { right, below + 2 } },
		{ { right - 4, -1 } },
		{ { -100, 70 } },
		{ { right + 40, -70 } },
	};
	size_t count = media->shaped ? 8 : 3;

	if (media->width > row_bytes(media))
		return kt_fail(run, "the image is too small");
	for (size_t n = 0; n < count; n++)
		if (one_place(run, media, mem, places[n], first))
			return -1;
	return 0;
}

static int run_media(struct kt_run *run)
{
	const struct media *media = run->test->arg[0].value;
	cl_image_format format = { media->order, media->type };
	cl_image_desc desc = { .image_type = CL_MEM_OBJECT_IMAGE2D,
			       .image_width = W, .image_height = H };
	static struct images first;
	cl_int error[3];
	cl_mem mem[3];
	int ret;

	for (int n = 0; n < ROOM; n++) {
		first.from[n] = n * 2654435761U >> 13;
		first.to[n] = n * 2246822519U >> 11;
	}
	mem[0] = clCreateImage(run->context, CL_MEM_COPY_HOST_PTR, &format,
			       &desc, first.from, &error[0]);
	mem[1] = clCreateImage(run->context, 0, &format, &desc, NULL,
			       &error[1]);
	mem[2] = clCreateBuffer(run->context, 0, OUT, NULL, &error[2]);
	if (error[0] || error[1] || error[2])
		return kt_fail(run, "images: %d %d %d", error[0], error[1],
			       error[2]);
	ret = all_places(run, media, mem, &first);
	for (int n = 0; n < 3; n++)
		clReleaseMemObject(mem[n]);
	return ret;
}

#define MEDIA(name, order, type, bytes, ...) \
	{ .kernel = "media_" name, .label = #order " " #type, \
	  .run = run_media, .extension = "cl_intel_media_block_io", \
	  .arg = { { .value = &(const struct media){ \
			     CL_##order, CL_##type, bytes, __VA_ARGS__ } } } }
#define BYTES(name, ...) \
	MEDIA(name, R, UNSIGNED_INT8, 1, __VA_ARGS__)
#define WORDS(name, ...) \
	MEDIA(name, R, UNSIGNED_INT16, 2, __VA_ARGS__)
#define DWORDS(name, ...) \
	MEDIA(name, RGBA, UNSIGNED_INT8, 4, __VA_ARGS__)

/* Width and height, then what each lane gets; see media.cl. */
const struct kt_case kt_media[] = {
	DWORDS("plain_uint", 64, 1, 4, 16, 1, false),
	DWORDS("plain_uint8", 32, 8, 4, 8, 8, false),
	WORDS("plain_uint8", 32, 8, 4, 8, 8, false),
	WORDS("plain_ushort4", 32, 4, 2, 16, 4, false),
	BYTES("plain_uchar4", 16, 4, 1, 16, 4, false),
	BYTES("uint_1x16", 4, 16, 4, 16, 1, true),
	DWORDS("uint8_8x8", 32, 8, 4, 8, 8, true),
	WORDS("ushort2_16x2", 32, 2, 2, 16, 2, true),
	BYTES("uchar16_16x16", 16, 16, 1, 16, 16, true),
	WORDS("uchar4_8x7", 8, 7, 1, 16, 4, false),
	BYTES("uchar4_8x7", 8, 7, 1, 16, 4, true),
	{},
};
