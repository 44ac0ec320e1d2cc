// SPDX-License-Identifier: MIT
/*
 * Most messages of real kernels are runs: all lanes enabled, their elements
 * one behind the other, in one page. Those are copied whole. All others go
 * lane by lane, which asks the view once per lane.
 */
#include "dataport.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "eu.h"
#include "message.h"
#include "shape.h"
#include "view.h"

struct batch {
	uint64_t offset[VGT_DATAPORT_LANES];
	uint32_t mask; /* lanes that take part */
};

static bool a32_is_run(const uint8_t *address, uint32_t lanes, uint32_t step)
{
	typedef uint32_t u32x4 __attribute__((vector_size(16)));
	u32x4 expect, at, wrong = { 0 };
	uint32_t first;

	memcpy(&first, address, sizeof(first));
	expect = (u32x4){ first, first + step, first + 2 * step,
			  first + 3 * step };
	for (uint32_t i = 0; i < lanes; i += 4) {
		memcpy(&at, address + 4 * i, sizeof(at));
		wrong |= at ^ expect;
		expect += 4 * step;
	}
	return !(wrong[0] | wrong[1] | wrong[2] | wrong[3]);
}

static bool a64_is_run(const uint8_t *address, uint32_t lanes, uint32_t step)
{
	typedef uint64_t u64x2 __attribute__((vector_size(16)));
	u64x2 expect, at, wrong = { 0 };
	uint64_t first;

	memcpy(&first, address, sizeof(first));
	expect = (u64x2){ first, first + step };
	for (uint32_t i = 0; i < lanes; i += 2) {
		memcpy(&at, address + 8 * i, sizeof(at));
		wrong |= at ^ expect;
		expect += 2 * step;
	}
	return !(wrong[0] | wrong[1]);
}

void vgt_dataport_a32(const struct vgt_view *view,
		      const struct vgt_message *message, uint32_t lanes,
		      uint64_t offset_out[VGT_DATAPORT_LANES])
{
	const uint8_t *address = vgt_message_grf(message, 0);

	for (uint32_t i = 0; i < lanes; i++) {
		uint32_t offset;

		memcpy(&offset, address + 4 * i, sizeof(offset));
		offset_out[i] = offset & view->mask;
	}
}

void vgt_dataport_a64(const struct vgt_view *view,
		      const struct vgt_message *message, uint32_t lanes,
		      uint64_t offset_out[VGT_DATAPORT_LANES])
{
	const uint8_t *address = vgt_message_grf(message, 0);

	for (uint32_t i = 0; i < lanes; i++) {
		uint64_t offset;

		memcpy(&offset, address + 8 * i, sizeof(offset));
		offset_out[i] = offset & view->mask;
	}
}

/* Are all lanes on, and their elements one behind the other? */
static bool is_run(const struct vgt_message *message,
		   const struct vgt_shape *shape)
{
	const uint8_t *address = vgt_message_grf(message, 0);
	uint32_t all = (1U << shape->lanes) - 1, span = shape->span_bytes;

	if ((message->lanes & all) != all ||
	    span != shape->count * shape->element_bytes)
		return false;
	return shape->a64 ? a64_is_run(address, shape->lanes, span) :
			    a32_is_run(address, shape->lanes, span);
}

static void batch_load(struct batch *batch, const struct vgt_view *view,
		       const struct vgt_message *message,
		       const struct vgt_shape *shape)
{
	batch->mask = message->lanes & ((1U << shape->lanes) - 1);
	if (shape->a64)
		vgt_dataport_a64(view, message, shape->lanes, batch->offset);
	else
		vgt_dataport_a32(view, message, shape->lanes, batch->offset);
}

/* Where the run begins in host memory; NULL if it is not all in one page. */
static uint8_t *run_at(struct vgt_view *view, const struct vgt_message *message,
		       const struct vgt_shape *shape)
{
	uint64_t offset = 0;

	if (!is_run(message, shape))
		return NULL;
	memcpy(&offset, vgt_message_grf(message, 0), shape->a64 ? 8 : 4);
	return vgt_view_at(view, offset & view->mask,
			   shape->lanes * shape->span_bytes);
}

/*
 * Memory holds lanes of components, registers components of lanes. Here and
 * below, @n is the element's size as a constant, so that copies are moves.
 */
static inline __attribute__((always_inline)) void
run_read(const uint8_t *from, uint8_t *to, const struct vgt_shape *shape,
	 const uint32_t n)
{
	uint32_t slot = n == 8 ? 8 : 4;

	for (uint32_t c = 0; c < shape->count; c++) {
		for (uint32_t i = 0; i < shape->lanes; i++) {
			uint64_t value = 0;

			memcpy(&value, from + (i * shape->count + c) * n, n);
			memcpy(to, &value, slot);
			to += slot;
		}
	}
}

static inline __attribute__((always_inline)) void
run_write(uint8_t *to, const uint8_t *const plane[],
	  const struct vgt_shape *shape, const uint32_t n)
{
	uint32_t slot = n == 8 ? 8 : 4;

	for (uint32_t c = 0; c < shape->count; c++) {
		for (uint32_t i = 0; i < shape->lanes; i++)
			memcpy(to + (i * shape->count + c) * n,
			       plane[c] + i * slot, n);
	}
}

static void copy_lanes(uint8_t *to, const uint8_t *from, uint32_t lanes)
{
	if (lanes == 16)
		memcpy(to, from, 64);
	else
		memcpy(to, from, 32);
}

static void run_read_sized(const uint8_t *from, uint8_t *to,
			   const struct vgt_shape *shape)
{
	switch (shape->element_bytes) {
	case 1:
		run_read(from, to, shape, 1);
		break;
	case 2:
		run_read(from, to, shape, 2);
		break;
	case 4:
		if (shape->count > 1)
			run_read(from, to, shape, 4);
		else
			copy_lanes(to, from, shape->lanes);
		break;
	default:
		run_read(from, to, shape, 8);
	}
}

static void run_write_sized(uint8_t *to, const uint8_t *const plane[],
			    const struct vgt_shape *shape)
{
	switch (shape->element_bytes) {
	case 1:
		run_write(to, plane, shape, 1);
		break;
	case 2:
		run_write(to, plane, shape, 2);
		break;
	case 4:
		if (shape->count > 1)
			run_write(to, plane, shape, 4);
		else
			copy_lanes(to, plane[0], shape->lanes);
		break;
	default:
		run_write(to, plane, shape, 8);
	}
}

static inline __attribute__((always_inline)) void
read_lanes(struct vgt_view *view, const struct batch *batch,
	   const struct vgt_shape *shape, uint8_t *to, const uint32_t n)
{
	uint32_t slot = n == 8 ? 8 : 4, plane = shape->lanes * slot;

	for (uint32_t left = batch->mask; left; left &= left - 1) {
		uint32_t i = __builtin_ctz(left);
		const uint8_t *from = vgt_view_at(view, batch->offset[i],
						  shape->span_bytes);

		for (uint32_t c = 0; c < shape->count; c++) {
			uint32_t at = shape->at[c];
			uint64_t value = 0;

			if (from)
				memcpy(&value, from + at, n);
			else
				vgt_view_read(view, batch->offset[i] + at,
					      &value, n);
			memcpy(to + c * plane + i * slot, &value, slot);
		}
	}
}

static inline __attribute__((always_inline)) void
write_lanes(struct vgt_view *view, const struct batch *batch,
	    const struct vgt_shape *shape, const uint8_t *const plane[],
	    const uint32_t n)
{
	uint32_t slot = n == 8 ? 8 : 4;

	for (uint32_t left = batch->mask; left; left &= left - 1) {
		uint32_t i = __builtin_ctz(left);
		uint8_t *to = vgt_view_at(view, batch->offset[i],
					  shape->span_bytes);

		for (uint32_t c = 0; c < shape->count; c++) {
			const uint8_t *value = plane[c] + i * slot;
			uint32_t at = shape->at[c];

			if (to)
				memcpy(to + at, value, n);
			else
				vgt_view_write(view, batch->offset[i] + at,
					       value, n);
		}
	}
}

static void read_lanes_sized(struct vgt_view *view, const struct batch *batch,
			     const struct vgt_shape *shape, uint8_t *to)
{
	switch (shape->element_bytes) {
	case 1:
		read_lanes(view, batch, shape, to, 1);
		break;
	case 2:
		read_lanes(view, batch, shape, to, 2);
		break;
	case 4:
		read_lanes(view, batch, shape, to, 4);
		break;
	default:
		read_lanes(view, batch, shape, to, 8);
	}
}

static void write_lanes_sized(struct vgt_view *view, const struct batch *batch,
			      const struct vgt_shape *shape,
			      const uint8_t *const plane[])
{
	switch (shape->element_bytes) {
	case 1:
		write_lanes(view, batch, shape, plane, 1);
		break;
	case 2:
		write_lanes(view, batch, shape, plane, 2);
		break;
	case 4:
		write_lanes(view, batch, shape, plane, 4);
		break;
	default:
		write_lanes(view, batch, shape, plane, 8);
	}
}

/* No compiler puts a header on these: what it would mean is not implemented. */
static int check(struct vgt_eu_thread *thread,
		 const struct vgt_message *message, const struct vgt_shape *shape,
		 bool write)
{
	uint32_t address = vgt_shape_address_grfs(shape);
	uint32_t plane = vgt_shape_plane_grfs(shape);
	uint32_t data = shape->count * plane;

	if (message->desc & VGT_MESSAGE_HEADER) {
		vgt_eu_fail(thread, "scattered message 0x%x with a header",
			    message->desc);
		return -ENOSYS;
	}
	/* Planes have 1, 2 or 4 GRFs. */
	if (message->mlen < address ||
	    (message->mlen - address) & (plane - 1)) {
		vgt_eu_fail(thread, "message 0x%x split after %u GRFs",
			    message->desc, message->mlen);
		return -EINVAL;
	}
	return vgt_message_need(thread, message, address + (write ? data : 0),
				write ? 0 : data);
}

static int view_open(struct vgt_view *view, struct vgt_eu_thread *thread,
		     const struct vgt_message *message,
		     const struct vgt_shape *shape, enum vgt_access access)
{
	if (!shape->a64)
		return vgt_view_table(view, thread, message, access);
	vgt_view_flat(view, thread, access);
	return 0;
}

static int dataport_read(struct vgt_eu_thread *thread,
			 const struct vgt_message *message,
			 const struct vgt_shape *shape)
{
	uint8_t lost[VGT_SHAPE_COMPONENTS * VGT_DATAPORT_LANES * 8];
	uint8_t *to = message->dst ? message->dst : lost;
	const uint8_t *from;
	struct vgt_view view;
	struct batch batch;
	int ret;

	ret = check(thread, message, shape, false);
	if (ret)
		return ret;
	ret = view_open(&view, thread, message, shape, VGT_ACCESS_READ);
	if (ret)
		return ret;
	from = run_at(&view, message, shape);
	if (from) {
		run_read_sized(from, to, shape);
		return 0;
	}
	batch_load(&batch, &view, message, shape);
	read_lanes_sized(&view, &batch, shape, to);
	return vgt_view_close(&view);
}

static int dataport_write(struct vgt_eu_thread *thread,
			  const struct vgt_message *message,
			  const struct vgt_shape *shape)
{
	const uint8_t *plane[VGT_SHAPE_COMPONENTS];
	struct vgt_view view;
	struct batch batch;
	uint8_t *to;
	int ret;

	ret = check(thread, message, shape, true);
	if (ret)
		return ret;
	ret = view_open(&view, thread, message, shape, VGT_ACCESS_WRITE);
	if (ret)
		return ret;
	for (uint32_t c = 0; c < shape->count; c++)
		plane[c] = vgt_message_grf(message, vgt_shape_address_grfs(shape) +
						    c * vgt_shape_plane_grfs(shape));
	to = run_at(&view, message, shape);
	if (to) {
		run_write_sized(to, plane, shape);
		return 0;
	}
	batch_load(&batch, &view, message, shape);
	write_lanes_sized(&view, &batch, shape, plane);
	return vgt_view_close(&view);
}

int vgt_dataport_byte_read(struct vgt_eu_thread *thread,
			   const struct vgt_message *message)
{
	struct vgt_shape shape;
	int ret = vgt_shape_byte(thread, message->desc, &shape);

	return ret ? ret : dataport_read(thread, message, &shape);
}

int vgt_dataport_byte_write(struct vgt_eu_thread *thread,
			    const struct vgt_message *message)
{
	struct vgt_shape shape;
	int ret = vgt_shape_byte(thread, message->desc, &shape);

	return ret ? ret : dataport_write(thread, message, &shape);
}

int vgt_dataport_untyped_read(struct vgt_eu_thread *thread,
			      const struct vgt_message *message)
{
	struct vgt_shape shape;
	int ret = vgt_shape_untyped(thread, message->desc, false, &shape);

	return ret ? ret : dataport_read(thread, message, &shape);
}

int vgt_dataport_untyped_write(struct vgt_eu_thread *thread,
			       const struct vgt_message *message)
{
	struct vgt_shape shape;
	int ret = vgt_shape_untyped(thread, message->desc, false, &shape);

	return ret ? ret : dataport_write(thread, message, &shape);
}

int vgt_dataport_a64_read(struct vgt_eu_thread *thread,
			  const struct vgt_message *message)
{
	struct vgt_shape shape;
	int ret = vgt_shape_a64(thread, message->desc, &shape);

	return ret ? ret : dataport_read(thread, message, &shape);
}

int vgt_dataport_a64_write(struct vgt_eu_thread *thread,
			   const struct vgt_message *message)
{
	struct vgt_shape shape;
	int ret = vgt_shape_a64(thread, message->desc, &shape);

	return ret ? ret : dataport_write(thread, message, &shape);
}

int vgt_dataport_a64_untyped_read(struct vgt_eu_thread *thread,
				  const struct vgt_message *message)
{
	struct vgt_shape shape;
	int ret = vgt_shape_untyped(thread, message->desc, true, &shape);

	return ret ? ret : dataport_read(thread, message, &shape);
}

int vgt_dataport_a64_untyped_write(struct vgt_eu_thread *thread,
				   const struct vgt_message *message)
{
	struct vgt_shape shape;
	int ret = vgt_shape_untyped(thread, message->desc, true, &shape);

	return ret ? ret : dataport_write(thread, message, &shape);
}
