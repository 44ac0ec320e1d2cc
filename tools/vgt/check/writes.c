// SPDX-License-Identifier: MIT
/*
 * Nothing is wrong with a write. Who watches memory by other means, as debuggers do, can
 * be compared with this log: each element that a lane is about to write. A thread's are in
 * the order in which it sends messages; those of two are in any.
 */
#include "check/writes.h"

#include "check/access.h"
#include "check/report.h"
#include "eu/eu.h"
#include "eu/inst.h"
#include "gt/device.h"
#include "gt/group.h"
#include "gt/walker.h"

#include <inttypes.h>
#include <stdio.h>

#define LINE_BYTES 160

/* A message's. */
struct lines {
	size_t len;
	char text[VGT_SCATTERED_LANES * VGT_LAYOUT_COMPONENTS * LINE_BYTES];
};

static void element(const struct vgt_eu_thread *thread,
		    const struct vgt_inst *inst,
		    const struct vgt_check_access *access, uint32_t lane,
		    uint64_t offset, struct lines *lines)
{
	int n;

	offset &= access->space.mask;
	/* That is not carried out. */
	if (offset >= access->space.size_bytes)
		return;
	n = snprintf(lines->text + lines->len, LINE_BYTES,
		     "{\"check\":\"writes\",\"address\":\"0x%" PRIx64
		     "\",\"slot\":%u,\"lane\":%u,\"access\":\"%s\",\"bytes\":%u,\"%s\":\"0x%"
		     PRIx64 "\"}\n",
		     thread->group->walker->state.instruction_base + inst->ip,
		     thread->slot, lane,
		     access->atomic ? "atomic operation" : "write",
		     access->layout.element_bytes,
		     access->space.local ? "local" : "to",
		     (uint64_t)((access->space.base + offset) & VGT_VA_MASK));
	lines->len += n;
}

void vgt_check_writes(struct vgt_eu_thread *thread, const struct vgt_inst *inst,
		      const struct vgt_check_access *access)
{
	const struct vgt_layout *layout = &access->layout;
	static _Thread_local struct lines lines;

	lines.len = 0;
	if (!access->write)
		return;
	for (uint32_t left = access->lanes; left; left &= left - 1) {
		uint32_t lane = __builtin_ctz(left);

		for (uint32_t c = 0; c < layout->count; c++)
			element(thread, inst, access, lane,
				access->offset[lane] + layout->at[c], &lines);
	}
	vgt_check_report_lines(lines.text, lines.len);
}
