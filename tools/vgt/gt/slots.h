/* SPDX-License-Identifier: MIT */
/* Which hardware thread slots are free. All slots of a group are in one DSS. */
#ifndef VGT_SLOTS_H
#define VGT_SLOTS_H

#include "gt/device.h"

#include <stdint.h>

struct vgt_slots {
	uint64_t free[VGT_DSS][2]; /* bit per slot of a DSS */
	uint32_t next; /* DSS to look at first */
};

/* Of the sub-slices in mask @subslices. */
void vgt_slots_init(struct vgt_slots *slots, uint32_t subslices);

/* Take @count slots of one DSS, or none and -ENOSPC. */
int vgt_slots_get(struct vgt_slots *slots, uint32_t count, uint16_t *slot_out,
		  uint32_t *dss_out);
void vgt_slots_put(struct vgt_slots *slots, const uint16_t *slot,
		   uint32_t count, uint32_t dss);

#endif
