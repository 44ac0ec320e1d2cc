// SPDX-License-Identifier: MIT
/*
 * Local memory is whatever the last group has left, but for vgt, which clears it: so
 * the programs that rely on that are right here alone. Of buffers it is known what the
 * host writes by OpenCL's calls (preload/written.c).
 */
#include "check/uninit.h"

#include "check/access.h"
#include "check/check.h"
#include "check/live.h"
#include "check/order.h"
#include "check/report.h"
#include "check/table.h"
#include "check/written.h"
#include "eu/eu.h"
#include "eu/inst.h"
#include "gt/device.h"
#include "gt/walker.h"

static bool is_written(const struct vgt_check_group *group, uint32_t offset)
{
	offset &= VGT_SPACE_SLM_MASK;
	return group->written[offset / 8] >> offset % 8 & 1;
}

static void written_set(struct vgt_check_group *group, uint32_t offset,
			uint32_t bytes)
{
	for (uint32_t i = 0; i < bytes; i++) {
		uint32_t at = (offset + i) & VGT_SPACE_SLM_MASK;

		group->written[at / 8] |= 1U << at % 8;
	}
}

/*
 * Of less than a dword all bytes must be there. More may be less that the compiler
 * has widened: what is not there at all is wrong.
 */
static bool is_enough(uint32_t there, uint32_t bytes)
{
	return bytes < 4 ? there == bytes : there;
}

static bool may_be_read(const struct vgt_check_group *group, uint32_t offset,
			uint32_t bytes)
{
	uint32_t there = 0;

	for (uint32_t i = 0; i < bytes; i++)
		there += is_written(group, offset + i);
	return is_enough(there, bytes);
}

static void report(struct vgt_eu_thread *thread, const struct vgt_inst *inst,
		   const struct vgt_check_access *access, uint32_t lane,
		   uint32_t offset)
{
	struct vgt_check_report report;

	vgt_check_report_init(&report, VGT_CHECK_UNINIT, thread, inst, access,
			      lane);
	report.memory = VGT_CHECK_LOCAL;
	report.whole_bytes = thread->group->walker->slm_bytes;
	report.offset = offset & VGT_SPACE_SLM_MASK;
	vgt_check_report_print(&report, thread);
}

static void element(struct vgt_eu_thread *thread, const struct vgt_inst *inst,
		    const struct vgt_check_access *access, uint32_t lane,
		    uint32_t offset)
{
	struct vgt_check_group *group = thread->group->check;
	uint32_t bytes = access->layout.element_bytes;

	if ((!access->write || access->atomic) &&
	    !may_be_read(group, offset, bytes) &&
	    vgt_check_report_wanted(VGT_CHECK_UNINIT, thread, inst->ip))
		report(thread, inst, access, lane, offset);
	if (access->write)
		written_set(group, offset, bytes);
}

static void buffer_report(struct vgt_eu_thread *thread,
			  const struct vgt_inst *inst,
			  const struct vgt_check_access *access, uint32_t lane,
			  const struct vgt_check_piece *piece, uint64_t phys)
{
	struct vgt_check_report report;

	vgt_check_report_init(&report, VGT_CHECK_UNINIT, thread, inst, access,
			      lane);
	report.memory = VGT_CHECK_BUFFER;
	report.number = piece->number;
	report.whole_bytes = piece->whole_bytes;
	report.offset = piece->offset + (phys - piece->phys);
	vgt_check_report_print(&report, thread);
}

/* @bytes at @va, which are in one page. */
static void buffer_part(struct vgt_eu_thread *thread,
			const struct vgt_inst *inst,
			struct vgt_check_table *table,
			const struct vgt_check_access *access, uint32_t lane,
			uint64_t va, uint32_t bytes)
{
	struct vgt_check_written *written = thread->worker->device->check->written;
	const struct vgt_check_piece *piece;
	uint64_t phys;

	if (!vgt_check_phys_find(thread, va, &phys) ||
	    vgt_check_table_find(table, phys, &piece) != VGT_CHECK_INSIDE ||
	    !piece->fresh)
		return;
	/* Of several components a store of one may load the others. */
	if ((!access->write || access->atomic) && access->layout.count == 1 &&
	    !is_enough(vgt_check_written_count(written, phys, bytes), bytes) &&
	    vgt_check_report_wanted(VGT_CHECK_UNINIT, thread, inst->ip))
		buffer_report(thread, inst, access, lane, piece, phys);
	if (access->write)
		vgt_check_written_set(written, phys, bytes);
}

static void buffer_element(struct vgt_eu_thread *thread,
			   const struct vgt_inst *inst,
			   struct vgt_check_table *table,
			   const struct vgt_check_access *access, uint32_t lane,
			   uint64_t offset)
{
	uint32_t bytes = access->layout.element_bytes, part;
	uint64_t va;

	offset &= access->space.mask;
	if (offset >= access->space.size_bytes)
		return;
	for (va = access->space.base + offset; bytes; bytes -= part) {
		part = VGT_PAGE_BYTES - va % VGT_PAGE_BYTES;
		if (part > bytes)
			part = bytes;
		buffer_part(thread, inst, table, access, lane,
			    va & VGT_VA_MASK, part);
		va += part;
	}
}

static void buffer_check(struct vgt_eu_thread *thread,
			 const struct vgt_inst *inst,
			 const struct vgt_check_access *access)
{
	struct vgt_check_table *table = vgt_check_table_get(thread->worker);
	const struct vgt_layout *layout = &access->layout;

	if (!table || !table->fresh)
		return;
	for (uint32_t left = access->lanes; left; left &= left - 1) {
		uint32_t lane = __builtin_ctz(left);

		for (uint32_t c = 0; c < layout->count; c++)
			buffer_element(thread, inst, table, access, lane,
				       access->offset[lane] + layout->at[c]);
	}
}

/* An exchange whose result nobody wants is a store. */
static bool is_store(struct vgt_eu_thread *thread, const struct vgt_inst *inst,
		     const struct vgt_message *message,
		     const struct vgt_check_access *access)
{
	return access->exchange &&
	       !vgt_check_live(thread, inst, message, access);
}

void vgt_check_uninit(struct vgt_eu_thread *thread, const struct vgt_inst *inst,
		      const struct vgt_message *message,
		      const struct vgt_check_access *access)
{
	const struct vgt_layout *layout = &access->layout;
	struct vgt_check_access store;

	if (is_store(thread, inst, message, access)) {
		store = *access;
		store.atomic = false;
		access = &store;
	}
	if (!access->space.local) {
		buffer_check(thread, inst, access);
		return;
	}
	if (!vgt_check_group_get(thread))
		return;
	for (uint32_t left = access->lanes; left; left &= left - 1) {
		uint32_t lane = __builtin_ctz(left);

		for (uint32_t c = 0; c < layout->count; c++)
			element(thread, inst, access, lane,
				access->offset[lane] + layout->at[c]);
	}
}
