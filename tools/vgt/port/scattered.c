// SPDX-License-Identifier: MIT
/*
 * Most messages of real kernels are runs: all lanes enabled, their elements
 * one behind the other, in one page. Those are copied whole; where all lanes load
 * the same dwords, those are asked for once. All others go lane by lane, which asks
 * the space once per lane.
 */
#include "port/scattered.h"

#include "eu/eu.h"
#include "port/layout.h"
#include "port/message.h"
#include "port/space.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

struct batch {
	uint64_t offset[VGT_SCATTERED_LANES];
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

void vgt_scattered_a32(const struct vgt_space *space,
		       const struct vgt_message *message, uint32_t lanes,
		       uint64_t offset_out[VGT_SCATTERED_LANES])
{
	const uint8_t *address = vgt_message_grf(message, 0);

	for (uint32_t i = 0; i < lanes; i++) {
		uint32_t offset;

		memcpy(&offset, address + 4 * i, sizeof(offset));
		offset_out[i] = offset & space->mask;
	}
}

void vgt_scattered_a64(const struct vgt_space *space,
		       const struct vgt_message *message, uint32_t lanes,
		       uint64_t offset_out[VGT_SCATTERED_LANES])
{
	const uint8_t *address = vgt_message_grf(message, 0);

	for (uint32_t i = 0; i < lanes; i++) {
		uint64_t offset;

		memcpy(&offset, address + 8 * i, sizeof(offset));
		offset_out[i] = offset & space->mask;
	}
}

/* Are all lanes on, and their addresses @step bytes apart? */
static bool is_run(const struct vgt_message *message,
		   const struct vgt_layout *layout, uint32_t step)
{
	const uint8_t *address = vgt_message_grf(message, 0);
	uint32_t all = (1U << layout->lanes) - 1;

	if ((message->lanes & all) != all)
		return false;
	return layout->a64 ? a64_is_run(address, layout->lanes, step) :
			     a32_is_run(address, layout->lanes, step);
}

static void batch_load(struct batch *batch, const struct vgt_space *space,
		       const struct vgt_message *message,
		       const struct vgt_layout *layout)
{
	batch->mask = message->lanes & ((1U << layout->lanes) - 1);
	if (layout->a64)
		vgt_scattered_a64(space, message, layout->lanes, batch->offset);
	else
		vgt_scattered_a32(space, message, layout->lanes, batch->offset);
}

/* Where @len_bytes from the first lane's address on are; NULL: not all in one page. */
static uint8_t *first_at(struct vgt_space *space,
			 const struct vgt_message *message,
			 const struct vgt_layout *layout, uint32_t len_bytes)
{
	uint64_t offset = 0;

	memcpy(&offset, vgt_message_grf(message, 0), layout->a64 ? 8 : 4);
	/* Lanes that follow begin anew at 0, buffers go on. */
	if (!layout->a64 && offset + len_bytes > 1ULL << 32)
		return NULL;
	return vgt_space_at(space, offset & space->mask, len_bytes);
}

/* Where a run of elements, one behind the other, begins in host memory; or NULL. */
static uint8_t *run_at(struct vgt_space *space,
		       const struct vgt_message *message,
		       const struct vgt_layout *layout)
{
	if (layout->span_bytes != layout->count * layout->element_bytes ||
	    !is_run(message, layout, layout->span_bytes))
		return NULL;
	return first_at(space, message, layout,
			layout->lanes * layout->span_bytes);
}

/* The dwords that all lanes load, or NULL. */
static uint8_t *same_at(struct vgt_space *space,
			const struct vgt_message *message,
			const struct vgt_layout *layout)
{
	if (layout->element_bytes != 4 || !is_run(message, layout, 0))
		return NULL;
	return first_at(space, message, layout, layout->span_bytes);
}

static void same_read(const uint8_t *from, uint8_t *to,
		      const struct vgt_layout *layout)
{
	uint32_t value[VGT_LAYOUT_COMPONENTS];

	for (uint32_t c = 0; c < layout->count; c++)
		memcpy(&value[c], from + layout->at[c], 4);
	for (uint32_t c = 0; c < layout->count; c++) {
		for (uint32_t i = 0; i < layout->lanes; i++, to += 4)
			memcpy(to, &value[c], 4);
	}
}

/*
 * Memory holds lanes of components, registers components of lanes. Here and
 * below, @n is the element's size as a constant, so that copies are moves.
 */
static inline __attribute__((always_inline)) void
run_read(const uint8_t *from, uint8_t *to, const struct vgt_layout *layout,
	 const uint32_t n)
{
	uint32_t lane_bytes = n == 8 ? 8 : 4;

	for (uint32_t c = 0; c < layout->count; c++) {
		for (uint32_t i = 0; i < layout->lanes; i++) {
			uint64_t value = 0;

			memcpy(&value, from + (i * layout->count + c) * n, n);
			memcpy(to, &value, lane_bytes);
			to += lane_bytes;
		}
	}
}

static inline __attribute__((always_inline)) void
run_write(uint8_t *to, const uint8_t *const plane[],
	  const struct vgt_layout *layout, const uint32_t n)
{
	uint32_t lane_bytes = n == 8 ? 8 : 4;

	for (uint32_t c = 0; c < layout->count; c++) {
		for (uint32_t i = 0; i < layout->lanes; i++)
			memcpy(to + (i * layout->count + c) * n,
			       plane[c] + i * lane_bytes, n);
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
			   const struct vgt_layout *layout)
{
	switch (layout->element_bytes) {
	case 1:
		run_read(from, to, layout, 1);
		break;
	case 2:
		run_read(from, to, layout, 2);
		break;
	case 4:
		if (layout->count > 1)
			run_read(from, to, layout, 4);
		else
			copy_lanes(to, from, layout->lanes);
		break;
	default:
		run_read(from, to, layout, 8);
	}
}

static void run_write_sized(uint8_t *to, const uint8_t *const plane[],
			    const struct vgt_layout *layout)
{
	switch (layout->element_bytes) {
	case 1:
		run_write(to, plane, layout, 1);
		break;
	case 2:
		run_write(to, plane, layout, 2);
		break;
	case 4:
		if (layout->count > 1)
			run_write(to, plane, layout, 4);
		else
			copy_lanes(to, plane[0], layout->lanes);
		break;
	default:
		run_write(to, plane, layout, 8);
	}
}

static inline __attribute__((always_inline)) void
read_lanes(struct vgt_space *space, const struct batch *batch,
	   const struct vgt_layout *layout, uint8_t *to, const uint32_t n)
{
	uint32_t lane_bytes = n == 8 ? 8 : 4;
	uint32_t plane = layout->lanes * lane_bytes;

	for (uint32_t left = batch->mask; left; left &= left - 1) {
		uint32_t i = __builtin_ctz(left);
		const uint8_t *from = vgt_space_at(space, batch->offset[i],
						   layout->span_bytes);

		for (uint32_t c = 0; c < layout->count; c++) {
			uint32_t at = layout->at[c];
			uint64_t value = 0;

			if (from)
				memcpy(&value, from + at, n);
			else
				vgt_space_read(space, batch->offset[i] + at,
					       &value, n);
			memcpy(to + c * plane + i * lane_bytes, &value,
			       lane_bytes);
		}
	}
}

static inline __attribute__((always_inline)) void
write_lanes(struct vgt_space *space, const struct batch *batch,
	    const struct vgt_layout *layout, const uint8_t *const plane[],
	    const uint32_t n)
{
	uint32_t lane_bytes = n == 8 ? 8 : 4;

	for (uint32_t left = batch->mask; left; left &= left - 1) {
		uint32_t i = __builtin_ctz(left);
		uint8_t *to = vgt_space_at(space, batch->offset[i],
					   layout->span_bytes);

		for (uint32_t c = 0; c < layout->count; c++) {
			const uint8_t *value = plane[c] + i * lane_bytes;
			uint32_t at = layout->at[c];

			if (to)
				memcpy(to + at, value, n);
			else
				vgt_space_write(space, batch->offset[i] + at,
						value, n);
		}
	}
}

static void read_lanes_sized(struct vgt_space *space, const struct batch *batch,
			     const struct vgt_layout *layout, uint8_t *to)
{
	switch (layout->element_bytes) {
	case 1:
		read_lanes(space, batch, layout, to, 1);
		break;
	case 2:
		read_lanes(space, batch, layout, to, 2);
		break;
	case 4:
		read_lanes(space, batch, layout, to, 4);
		break;
	default:
		read_lanes(space, batch, layout, to, 8);
	}
}

static void write_lanes_sized(struct vgt_space *space,
			      const struct batch *batch,
			      const struct vgt_layout *layout,
			      const uint8_t *const plane[])
{
	switch (layout->element_bytes) {
	case 1:
		write_lanes(space, batch, layout, plane, 1);
		break;
	case 2:
		write_lanes(space, batch, layout, plane, 2);
		break;
	case 4:
		write_lanes(space, batch, layout, plane, 4);
		break;
	default:
		write_lanes(space, batch, layout, plane, 8);
	}
}

/* No compiler puts a header on these: what it would mean is not implemented. */
static int check(struct vgt_eu_thread *thread,
		 const struct vgt_message *message,
		 const struct vgt_layout *layout, bool write)
{
	uint32_t address = vgt_layout_address_grfs(layout);
	uint32_t plane = vgt_layout_plane_grfs(layout);
	uint32_t data = layout->count * plane;

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

static int space_open(struct vgt_space *space, struct vgt_eu_thread *thread,
		      const struct vgt_message *message,
		      const struct vgt_layout *layout, enum vgt_access access)
{
	if (!layout->a64)
		return vgt_space_table(space, thread, message, access);
	vgt_space_flat(space, thread, access);
	return 0;
}

static int scattered_read(struct vgt_eu_thread *thread,
			  const struct vgt_message *message,
			  const struct vgt_layout *layout)
{
	uint8_t lost[VGT_LAYOUT_COMPONENTS * VGT_SCATTERED_LANES * 8];
	uint8_t *to = message->dst ? message->dst : lost;
	const uint8_t *from;
	struct vgt_space space;
	struct batch batch;
	int ret;

	ret = check(thread, message, layout, false);
	if (ret)
		return ret;
	ret = space_open(&space, thread, message, layout, VGT_ACCESS_READ);
	if (ret)
		return ret;
	from = run_at(&space, message, layout);
	if (from) {
		run_read_sized(from, to, layout);
		return 0;
	}
	from = same_at(&space, message, layout);
	if (from) {
		same_read(from, to, layout);
		return 0;
	}
	batch_load(&batch, &space, message, layout);
	read_lanes_sized(&space, &batch, layout, to);
	return vgt_space_close(&space);
}

static int scattered_write(struct vgt_eu_thread *thread,
			   const struct vgt_message *message,
			   const struct vgt_layout *layout)
{
	const uint8_t *plane[VGT_LAYOUT_COMPONENTS];
	struct vgt_space space;
	struct batch batch;
	uint8_t *to;
	int ret;

	ret = check(thread, message, layout, true);
	if (ret)
		return ret;
	ret = space_open(&space, thread, message, layout, VGT_ACCESS_WRITE);
	if (ret)
		return ret;
	for (uint32_t c = 0; c < layout->count; c++)
		plane[c] = vgt_message_grf(message,
					   vgt_layout_address_grfs(layout) +
					   c * vgt_layout_plane_grfs(layout));
	to = run_at(&space, message, layout);
	if (to) {
		run_write_sized(to, plane, layout);
		return 0;
	}
	batch_load(&batch, &space, message, layout);
	write_lanes_sized(&space, &batch, layout, plane);
	return vgt_space_close(&space);
}

int vgt_scattered_byte_read(struct vgt_eu_thread *thread,
			    const struct vgt_message *message)
{
	struct vgt_layout layout;
	int ret = vgt_layout_byte(thread, message->desc, &layout);

	return ret ? ret : scattered_read(thread, message, &layout);
}

int vgt_scattered_byte_write(struct vgt_eu_thread *thread,
			     const struct vgt_message *message)
{
	struct vgt_layout layout;
	int ret = vgt_layout_byte(thread, message->desc, &layout);

	return ret ? ret : scattered_write(thread, message, &layout);
}

int vgt_scattered_untyped_read(struct vgt_eu_thread *thread,
			       const struct vgt_message *message)
{
	struct vgt_layout layout;
	int ret = vgt_layout_untyped(thread, message->desc, false, &layout);

	return ret ? ret : scattered_read(thread, message, &layout);
}

int vgt_scattered_untyped_write(struct vgt_eu_thread *thread,
				const struct vgt_message *message)
{
	struct vgt_layout layout;
	int ret = vgt_layout_untyped(thread, message->desc, false, &layout);

	return ret ? ret : scattered_write(thread, message, &layout);
}

int vgt_scattered_a64_read(struct vgt_eu_thread *thread,
			   const struct vgt_message *message)
{
	struct vgt_layout layout;
	int ret = vgt_layout_a64(thread, message->desc, &layout);

	return ret ? ret : scattered_read(thread, message, &layout);
}

int vgt_scattered_a64_write(struct vgt_eu_thread *thread,
			    const struct vgt_message *message)
{
	struct vgt_layout layout;
	int ret = vgt_layout_a64(thread, message->desc, &layout);

	return ret ? ret : scattered_write(thread, message, &layout);
}

int vgt_scattered_a64_untyped_read(struct vgt_eu_thread *thread,
				   const struct vgt_message *message)
{
	struct vgt_layout layout;
	int ret = vgt_layout_untyped(thread, message->desc, true, &layout);

	return ret ? ret : scattered_read(thread, message, &layout);
}

int vgt_scattered_a64_untyped_write(struct vgt_eu_thread *thread,
				    const struct vgt_message *message)
{
	struct vgt_layout layout;
	int ret = vgt_layout_untyped(thread, message->desc, true, &layout);

	return ret ? ret : scattered_write(thread, message, &layout);
}
