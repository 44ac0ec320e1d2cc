/* SPDX-License-Identifier: MIT */
/*
 * A logical ring context: its register state in GGTT memory, its ring, and what
 * its commands leave behind.
 */
#ifndef VGT_CONTEXT_H
#define VGT_CONTEXT_H

#include "gt/ppgtt.h"
#include "gt/walker.h"

#include <stdbool.h>
#include <stdint.h>

struct vgt_device;

struct vgt_context {
	struct vgt_device *device;
	uint32_t lrca; /* GGTT address of the register state */

	/* From the register state. */
	uint32_t ring_start; /* GGTT address */
	uint32_t ring_bytes;
	uint32_t ring_tail;
	/* Ours from the first run on; written back to it. */
	uint32_t ring_head;
	bool loaded;

	struct vgt_ppgtt ppgtt;
	struct vgt_state state;

	/* What the device has taken as its own; 0: nothing. */
	uint64_t save_area, save_area_bytes;
};

/*
 * Run what stands in the ring of the context that @descriptor names. An error
 * ends in vgt_device_fail().
 */
void vgt_context_run(struct vgt_device *device, uint64_t descriptor);

#endif
