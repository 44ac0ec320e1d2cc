// SPDX-License-Identifier: MIT
/* Coordinates come as planes, one value per lane; the answer is four planes. */
#include "port/sampler.h"

#include "eu/eu.h"
#include "port/filter.h"
#include "port/image.h"
#include "port/message.h"
#include "port/scattered.h"
#include "port/space.h"
#include "port/surface.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <xmmintrin.h>

enum {
	TYPE_SAMPLE = 0x00,
	TYPE_SAMPLE_L = 0x02,
	TYPE_SAMPLE_D = 0x04,
	TYPE_LOAD = 0x07,
	TYPE_RESOURCE_INFO = 0x0a,
	TYPE_SAMPLE_LZ = 0x18,
	TYPE_LOAD_LZ = 0x1a,
	TYPE_FLUSH = 0x1f,
};

/* What a payload may have behind its header: nine planes of sixteen lanes. */
#define PLANE_GRFS_MAX 18
#define GRF_DWORDS (VGT_GRF_BYTES / 4)

/* The payload of a message, plane behind plane; what is not there is zero. */
struct planes {
	const struct vgt_message *message;
	uint32_t lanes; /* 8 or 16 */
	uint32_t channels; /* of the answer: a short one leaves out the last */
	uint32_t value[PLANE_GRFS_MAX * GRF_DWORDS];
};

static void planes_read(struct planes *planes,
			const struct vgt_message *message, uint32_t lanes)
{
	uint32_t first = message->desc & VGT_MESSAGE_HEADER ? 1 : 0;
	uint32_t grfs = message->mlen + message->exlen;

	planes->message = message;
	planes->lanes = lanes;
	planes->channels = message->rlen * GRF_DWORDS / lanes;
	if (planes->channels > 4)
		planes->channels = 4;
	for (uint32_t n = 0; n < PLANE_GRFS_MAX; n++) {
		uint32_t *to = planes->value + n * GRF_DWORDS;

		if (first + n < grfs)
			memcpy(to, vgt_message_grf(message, first + n),
			       VGT_GRF_BYTES);
		else
			memset(to, 0, VGT_GRF_BYTES);
	}
}

static uint32_t plane_value(const struct planes *planes, uint32_t n,
			    uint32_t lane)
{
	return planes->value[n * planes->lanes + lane];
}

static void plane_answer(const struct planes *planes, uint32_t lane,
			 const uint32_t rgba[4], uint32_t *to)
{
	for (uint32_t c = 0; c < planes->channels; c++)
		to[c * planes->lanes + lane] = rgba[c];
}

/* Where one lane samples. */
struct place {
	float at[3];
	float lod;
};

static float plane_float(const struct planes *planes, uint32_t n, uint32_t lane)
{
	uint32_t bits = plane_value(planes, n, lane);
	float value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

/* Each of the image's own coordinates has two gradients behind it, a layer has none. */
static void place_gradients(const struct planes *planes, uint32_t lane,
			    struct vgt_image *image,
			    const struct vgt_sampler *sampler,
			    struct place *out)
{
	float across[3] = { 0 }, down[3] = { 0 };
	uint32_t n = 0;

	for (uint32_t d = 0; d < 3; d++) {
		out->at[d] = plane_float(planes, n++, lane);
		if (d < image->dimensions) {
			across[d] = plane_float(planes, n++, lane);
			down[d] = plane_float(planes, n++, lane);
		}
	}
	out->lod = vgt_filter_lod(image, sampler, across, down);
}

static void place_get(const struct planes *planes, uint32_t lane,
		      struct vgt_image *image,
		      const struct vgt_sampler *sampler, struct place *out)
{
	uint32_t type = planes->message->desc >> 12 & 31, n = 0;

	out->lod = 0;
	if (type == TYPE_SAMPLE_D) {
		place_gradients(planes, lane, image, sampler, out);
		return;
	}
	if (type == TYPE_SAMPLE_L)
		out->lod = plane_float(planes, n++, lane);
	for (uint32_t d = 0; d < 3; d++)
		out->at[d] = plane_float(planes, n + d, lane);
}

static int do_sample(struct vgt_eu_thread *thread, const struct planes *planes,
		     struct vgt_image *image, uint32_t *to)
{
	const struct vgt_message *message = planes->message;
	struct vgt_sampler sampler;
	int ret;

	ret = vgt_sampler_load(&sampler, thread, message->desc >> 8 & 15);
	if (ret)
		return ret;
	for (uint32_t i = 0; i < planes->lanes; i++) {
		struct place place;
		uint32_t rgba[4];

		if (!(message->lanes & (1U << i)))
			continue;
		place_get(planes, i, image, &sampler, &place);
		if (image->format)
			vgt_filter_sample(image, &sampler, place.at, place.lod,
					  rgba);
		else
			vgt_image_border(image, sampler.border, rgba);
		plane_answer(planes, i, rgba, to);
	}
	return 0;
}

/* The order is u, v, r, with the level in third place if there is one. */
static void do_load(const struct planes *planes, struct vgt_image *image,
		    uint32_t *to, bool has_level)
{
	for (uint32_t i = 0; i < planes->lanes; i++) {
		uint32_t rgba[4];
		int32_t at[3];

		if (!(planes->message->lanes & (1U << i)))
			continue;
		for (uint32_t n = 0; n < 3; n++)
			at[n] = plane_value(planes, n + (has_level && n == 2),
					    i);
		if (has_level)
			vgt_image_level(image, plane_value(planes, 2, i));
		for (uint32_t d = image->coordinates; d < 3; d++)
			at[d] = 0;
		vgt_image_load(image, at, rgba);
		plane_answer(planes, i, rgba, to);
	}
}

static void do_resource_info(const struct planes *planes,
			     struct vgt_image *image, uint32_t *to)
{
	for (uint32_t i = 0; i < planes->lanes; i++) {
		uint32_t info[4];

		if (!(planes->message->lanes & (1U << i)))
			continue;
		vgt_image_level(image, plane_value(planes, 0, i));
		memcpy(info, image->extent, sizeof(image->extent));
		info[3] = image->surface->levels;
		plane_answer(planes, i, info, to);
	}
}

static int sampler_dispatch(struct vgt_eu_thread *thread,
			    const struct planes *planes,
			    struct vgt_image *image, uint32_t *to)
{
	const struct vgt_message *message = planes->message;
	uint32_t type = message->desc >> 12 & 31;

	switch (type) {
	case TYPE_SAMPLE:
	case TYPE_SAMPLE_L:
	case TYPE_SAMPLE_D:
	case TYPE_SAMPLE_LZ:
		return do_sample(thread, planes, image, to);
	case TYPE_LOAD:
	case TYPE_LOAD_LZ:
		do_load(planes, image, to, type == TYPE_LOAD);
		return 0;
	case TYPE_RESOURCE_INFO:
		do_resource_info(planes, image, to);
		return 0;
	}
	vgt_eu_fail(thread, "sampler message 0x%x", message->desc);
	return -ENOSYS;
}

/* The host computes in the thread's float mode, which is not the sampler's. */
static int in_default_mode(vgt_message_fn *fn, struct vgt_eu_thread *thread,
			   const struct vgt_message *message)
{
	uint32_t mode = _mm_getcsr();
	int ret;

	_mm_setcsr(_MM_MASK_MASK);
	ret = fn(thread, message);
	_mm_setcsr(mode);
	return ret;
}

/* Bits 18:17 SIMD mode: 1 is SIMD8, 2 is SIMD16. Bits 31:29: other forms. */
static int sampler_message(struct vgt_eu_thread *thread,
			   const struct vgt_message *message)
{
	uint32_t answer[4 * VGT_SCATTERED_LANES];
	uint32_t mode = message->desc >> 17 & 3;
	struct vgt_image image;
	struct planes planes;
	uint32_t bytes;
	int ret;

	if ((message->desc >> 12 & 31) == TYPE_FLUSH) {
		if (message->dst)
			memset(message->dst, 0, message->rlen * VGT_GRF_BYTES);
		return 0;
	}
	if (mode == 0 || mode == 3 || message->desc >> 29) {
		vgt_eu_fail(thread, "sampler message 0x%x", message->desc);
		return -ENOSYS;
	}
	ret = vgt_image_open(&image, thread, message, VGT_ACCESS_READ);
	if (ret)
		return ret;
	planes_read(&planes, message, mode == 2 ? 16 : 8);
	bytes = planes.channels * planes.lanes * 4;
	if (message->dst)
		memcpy(answer, message->dst, bytes);
	ret = sampler_dispatch(thread, &planes, &image, answer);
	if (ret)
		return ret;
	if (message->dst)
		memcpy(message->dst, answer, bytes);
	return vgt_space_close(&image.space);
}

/*
 * Bits 13:12 slot group (only the low one), bits 11:8 turn channels off. The
 * coordinates are what the payload has besides @data planes.
 */
static int typed_open(struct vgt_eu_thread *thread,
		      const struct vgt_message *message, uint32_t data,
		      struct planes *planes_out, uint32_t *coordinates_out)
{
	uint32_t grfs = message->mlen + message->exlen;
	bool header = message->desc & VGT_MESSAGE_HEADER;

	planes_read(planes_out, message, 8);
	*coordinates_out = grfs - data - header;
	if ((message->desc >> 12 & 3) == 1 && grfs >= data + header + 1 &&
	    grfs <= data + header + 4)
		return 0;
	vgt_eu_fail(thread, "typed message 0x%x of %u GRFs", message->desc,
		    grfs);
	return -ENOSYS;
}

/* A fourth coordinate is the level. */
static void typed_at(const struct planes *planes, struct vgt_image *image,
		     uint32_t coordinates, uint32_t lane, int32_t at_out[3])
{
	for (uint32_t n = 0; n < 3; n++)
		at_out[n] = n < coordinates && n < image->coordinates ?
			(int32_t)plane_value(planes, n, lane) : 0;
	if (coordinates == 4)
		vgt_image_level(image, plane_value(planes, 3, lane));
}

static uint32_t channels_on(uint32_t desc)
{
	return 4 - __builtin_popcount(desc >> 8 & 15);
}

static int typed_write(struct vgt_eu_thread *thread,
		       const struct vgt_message *message)
{
	struct vgt_image image;
	struct planes planes;
	uint32_t coordinates;
	int ret;

	ret = typed_open(thread, message, channels_on(message->desc), &planes,
			 &coordinates);
	if (ret)
		return ret;
	ret = vgt_image_open(&image, thread, message, VGT_ACCESS_WRITE);
	if (ret)
		return ret;
	for (uint32_t i = 0; i < planes.lanes; i++) {
		uint32_t rgba[4] = { 0 }, plane = coordinates;
		int32_t at[3];

		if (!(message->lanes & (1U << i)))
			continue;
		for (uint32_t c = 0; c < 4; c++) {
			if (!(message->desc & (0x100U << c)))
				rgba[c] = plane_value(&planes, plane++, i);
		}
		typed_at(&planes, &image, coordinates, i, at);
		vgt_image_store(&image, at, rgba);
	}
	return vgt_space_close(&image.space);
}

static int typed_read(struct vgt_eu_thread *thread,
		      const struct vgt_message *message)
{
	uint32_t channels = channels_on(message->desc), coordinates;
	uint8_t answer[4 * VGT_GRF_BYTES];
	struct vgt_image image;
	struct planes planes;
	int ret;

	ret = typed_open(thread, message, 0, &planes, &coordinates);
	if (!ret)
		ret = vgt_message_need(thread, message, 1, channels);
	if (!ret)
		ret = vgt_image_open(&image, thread, message, VGT_ACCESS_READ);
	if (ret || !message->dst)
		return ret;
	memcpy(answer, message->dst, channels * VGT_GRF_BYTES);
	for (uint32_t i = 0; i < planes.lanes; i++) {
		uint32_t rgba[4], plane = 0;
		int32_t at[3];

		if (!(message->lanes & (1U << i)))
			continue;
		typed_at(&planes, &image, coordinates, i, at);
		vgt_image_load(&image, at, rgba);
		for (uint32_t c = 0; c < 4; c++) {
			if (!(message->desc & (0x100U << c)))
				memcpy(answer + plane++ * VGT_GRF_BYTES + i * 4,
				       &rgba[c], sizeof(rgba[c]));
		}
	}
	memcpy(message->dst, answer, channels * VGT_GRF_BYTES);
	return vgt_space_close(&image.space);
}

int vgt_sampler_message(struct vgt_eu_thread *thread,
			const struct vgt_message *message)
{
	return in_default_mode(sampler_message, thread, message);
}

int vgt_sampler_typed_write(struct vgt_eu_thread *thread,
			    const struct vgt_message *message)
{
	return in_default_mode(typed_write, thread, message);
}

int vgt_sampler_typed_read(struct vgt_eu_thread *thread,
			   const struct vgt_message *message)
{
	return in_default_mode(typed_read, thread, message);
}
