// SPDX-License-Identifier: MIT
/*
 * Three kinds of memory: local memory, of which a group has as much as its launch
 * says; surfaces, which say what buffer is meant, so that all outside of that is
 * wrong; and plain addresses. Of these only that is wrong which is in no buffer but
 * in the rest of one's last page, or where nothing is mapped: an address in another
 * buffer may be meant.
 */
#include "check/bounds.h"

#include "check/access.h"
#include "check/answer.h"
#include "check/check.h"
#include "check/report.h"
#include "check/table.h"
#include "eu/eu.h"
#include "eu/inst.h"
#include "gt/device.h"
#include "gt/group.h"
#include "gt/walker.h"

/*
 * The compiler's pointers into local memory have a tag in bit 28. The hardware has 16 bits
 * of an offset; what is larger is inside again, and not meant.
 */
#define LOCAL_MASK ((1U << 28) - 1)

/* What a surface, or local memory, is to accesses. */
struct limit {
	enum vgt_check_memory memory;
	uint32_t number;
	uint64_t bytes; /* that may be accessed */
	uint64_t whole_bytes;
	uint64_t offset; /* of the first of them in the whole */
	uint64_t mask; /* applies to offsets */
};

/* A message that is looked at. */
struct look {
	struct vgt_eu_thread *thread;
	const struct vgt_inst *inst;
	const struct vgt_message *message;
	const struct vgt_check_access *access;
};

static void report(struct vgt_eu_thread *thread, const struct vgt_inst *inst,
		   const struct vgt_check_access *access, uint32_t lane,
		   const struct limit *limit, int64_t offset)
{
	struct vgt_check_report report;

	vgt_check_report_init(&report, VGT_CHECK_BOUNDS, thread, inst, access,
			      lane);
	report.memory = limit->memory;
	report.number = limit->number;
	report.whole_bytes = limit->whole_bytes;
	report.offset = offset;
	vgt_check_report_print(&report, thread);
}

static void local_limit(const struct vgt_eu_thread *thread, struct limit *out)
{
	*out = (struct limit){
		.memory = VGT_CHECK_LOCAL,
		.bytes = thread->group->walker->slm_bytes,
		.whole_bytes = thread->group->walker->slm_bytes,
		.mask = LOCAL_MASK,
	};
}

/* Surfaces are whole dwords, buffers are what the program has asked for. */
static void surface_limit(struct vgt_eu_thread *thread,
			  struct vgt_check_table *table,
			  const struct vgt_check_access *access,
			  struct limit *out)
{
	uint64_t bytes = access->space.size_bytes, phys, left;
	const struct vgt_check_piece *piece;

	*out = (struct limit){
		.memory = bytes ? VGT_CHECK_SURFACE : VGT_CHECK_NULL,
		.bytes = bytes, .whole_bytes = bytes,
		.mask = VGT_SPACE_VA_MASK,
	};
	if (!bytes || !vgt_check_phys_find(thread, access->space.base, &phys) ||
	    vgt_check_table_find(table, phys, &piece) != VGT_CHECK_INSIDE)
		return;
	out->memory = piece->svm ? VGT_CHECK_SVM : VGT_CHECK_BUFFER;
	out->number = piece->number;
	out->whole_bytes = piece->whole_bytes;
	out->offset = piece->offset + (phys - piece->phys);
	left = piece->whole_bytes - out->offset;
	if (out->bytes > left)
		out->bytes = left;
}

/* Of offsets of 28 or 32 bits a large one is one below zero. */
static int64_t as_signed(const struct limit *limit, uint64_t offset)
{
	if (limit->memory == VGT_CHECK_LOCAL)
		return (int32_t)(offset << 4) >> 4;
	return offset <= UINT32_MAX ? (int32_t)offset : (int64_t)offset;
}

/*
 * Compilers read less than a dword as one, and so what lies behind a buffer's last
 * byte in its dword. Nothing is written that the program does not write.
 */
static bool may_be_widened(const struct vgt_check_access *access)
{
	return !access->write && access->layout.element_bytes >= 4;
}

static uint64_t limit_bytes(const struct vgt_check_access *access,
			    const struct limit *limit)
{
	uint64_t end = access->space.base + limit->bytes;

	return limit->bytes + (may_be_widened(access) ? -end % 4 : 0);
}

/* What nobody reads may be outside, if anything is read at all. */
static uint64_t wanted_find(const struct look *look)
{
	return vgt_check_answer_wanted(look->thread, look->inst, look->message,
				       look->access);
}

static bool is_inside(uint64_t offset, uint32_t bytes, uint64_t end)
{
	return offset < end && end - offset >= bytes;
}

/* The component @c at @offset, or what is wanted of a block. */
static bool wanted_is_inside(const struct look *look,
			     const struct limit *limit, uint64_t wanted,
			     uint32_t c, uint64_t offset, uint64_t end)
{
	uint32_t bytes = look->access->layout.element_bytes;

	if (is_inside(offset, bytes, end))
		return true;
	if (!look->access->block)
		return !(wanted >> c & 1);
	for (uint32_t done = 0; done < bytes; done += 4)
		if (wanted >> done / 4 & 1 &&
		    !is_inside((offset + done) & limit->mask, 4, end))
			return false;
	return true;
}

static void limit_check(const struct look *look, const struct limit *limit)
{
	const struct vgt_check_access *access = look->access;
	const struct vgt_layout *layout = &access->layout;
	uint64_t end = limit_bytes(access, limit), wanted = 0;

	for (uint32_t left = access->lanes; left; left &= left - 1) {
		uint32_t lane = __builtin_ctz(left);
		uint64_t offset = access->offset[lane] & limit->mask;

		if (is_inside(offset, layout->span_bytes, end))
			continue;
		if (!wanted)
			wanted = wanted_find(look);
		/* Not all components of the span need be accessed. */
		for (uint32_t c = 0; c < layout->count; c++) {
			uint64_t at = (offset + layout->at[c]) & limit->mask;

			if (wanted_is_inside(look, limit, wanted, c, at, end))
				continue;
			report(look->thread, look->inst, access, lane, limit,
			       (int64_t)limit->offset +
				       as_signed(limit, at));
			return;
		}
	}
}

/* Is the byte at @va one that must not be accessed? */
static bool flat_is_wrong(struct vgt_eu_thread *thread,
			  struct vgt_check_table *table, uint64_t va,
			  struct limit *limit, int64_t *offset_out)
{
	const struct vgt_check_piece *piece;
	uint64_t phys;

	*limit = (struct limit){ .memory = VGT_CHECK_NOWHERE };
	*offset_out = va;
	if (!vgt_check_phys_find(thread, va, &phys))
		return true;
	if (vgt_check_table_find(table, phys, &piece) != VGT_CHECK_PADDING)
		return false;
	limit->memory = piece->svm ? VGT_CHECK_SVM : VGT_CHECK_BUFFER;
	limit->number = piece->number;
	limit->whole_bytes = piece->whole_bytes;
	*offset_out = piece->offset + (phys - piece->phys);
	return true;
}

/* The last byte that must be there of @bytes at @va. */
static uint64_t last_byte(const struct vgt_check_access *access, uint64_t va,
			  uint32_t bytes)
{
	uint64_t last = va + bytes - 1;

	if (!may_be_widened(access))
		return last;
	return last % 4 > last - va ? va : last - last % 4;
}

static bool any_is_wrong(const struct look *look, struct vgt_check_table *table,
			 uint64_t va, uint32_t bytes, struct limit *limit,
			 int64_t *offset_out)
{
	uint64_t last = last_byte(look->access, va, bytes);
	uint32_t here = VGT_PAGE_BYTES - va % VGT_PAGE_BYTES;

	if (flat_is_wrong(look->thread, table, va & VGT_VA_MASK, limit,
			  offset_out) ||
	    flat_is_wrong(look->thread, table, last & VGT_VA_MASK, limit,
			  offset_out))
		return true;
	/* Between them may be the end of a buffer, and of its page. */
	last = last_byte(look->access, va, here);
	return here < bytes && flat_is_wrong(look->thread, table,
					     last & VGT_VA_MASK, limit,
					     offset_out);
}

/* Does nobody want the dwords of a block that are wrong, or the component? */
static bool is_unwanted(const struct look *look, struct vgt_check_table *table,
			uint32_t c, uint64_t va)
{
	uint32_t bytes = look->access->layout.element_bytes;
	struct limit limit;
	uint64_t wanted;
	int64_t offset;

	/* Whatever is written is meant. */
	if (look->access->write)
		return false;
	wanted = wanted_find(look);
	if (!look->access->block)
		return !(wanted >> c & 1);
	for (uint32_t done = 0; done < bytes; done += 4)
		if (wanted >> done / 4 & 1 &&
		    any_is_wrong(look, table, va + done, 4, &limit, &offset))
			return false;
	return true;
}

static void flat_check(const struct look *look, struct vgt_check_table *table)
{
	const struct vgt_check_access *access = look->access;
	const struct vgt_layout *layout = &access->layout;
	struct limit limit;
	int64_t offset;

	for (uint32_t left = access->lanes; left; left &= left - 1) {
		uint32_t lane = __builtin_ctz(left);
		uint64_t va = access->space.base + access->offset[lane];

		for (uint32_t c = 0; c < layout->count; c++) {
			uint64_t at = va + layout->at[c];

			if (!any_is_wrong(look, table, at, layout->element_bytes,
					  &limit, &offset))
				continue;
			/* Nothing may be loaded where nothing is mapped. */
			if (limit.memory != VGT_CHECK_NOWHERE &&
			    is_unwanted(look, table, c, at))
				continue;
			report(look->thread, look->inst, access, lane, &limit,
			       offset);
			return;
		}
	}
}

void vgt_check_bounds(struct vgt_eu_thread *thread, const struct vgt_inst *inst,
		      const struct vgt_message *message,
		      const struct vgt_check_access *access)
{
	struct vgt_check_table *table = vgt_check_table_get(thread->worker);
	struct look look = {
		.thread = thread, .inst = inst, .message = message,
		.access = access,
	};
	struct limit limit;

	if (!table || !vgt_check_report_wanted(VGT_CHECK_BOUNDS, thread,
					       inst->ip))
		return;
	if (access->flat) {
		flat_check(&look, table);
		return;
	}
	if (access->space.local)
		local_limit(thread, &limit);
	else
		surface_limit(thread, table, access, &limit);
	limit_check(&look, &limit);
}
