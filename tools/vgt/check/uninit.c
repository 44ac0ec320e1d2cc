// SPDX-License-Identifier: MIT
/*
 * Local memory is whatever the last group has left, but for vgt, which clears it: so
 * the programs that rely on that are right here alone. Of buffers it is not known what
 * the host has written.
 */
#include "check/uninit.h"

#include "check/access.h"
#include "check/check.h"
#include "check/order.h"
#include "check/report.h"
#include "eu/eu.h"
#include "eu/inst.h"
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
static bool may_be_read(const struct vgt_check_group *group, uint32_t offset,
			uint32_t bytes)
{
	uint32_t there = 0;

	for (uint32_t i = 0; i < bytes; i++)
		there += is_written(group, offset + i);
	return bytes < 4 ? there == bytes : there;
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

void vgt_check_uninit(struct vgt_eu_thread *thread, const struct vgt_inst *inst,
		      const struct vgt_check_access *access)
{
	const struct vgt_layout *layout = &access->layout;

	if (!access->space.local || !vgt_check_group_get(thread))
		return;
	for (uint32_t left = access->lanes; left; left &= left - 1) {
		uint32_t lane = __builtin_ctz(left);

		for (uint32_t c = 0; c < layout->count; c++)
			element(thread, inst, access, lane,
				access->offset[lane] + layout->at[c]);
	}
}
