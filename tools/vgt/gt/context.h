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
struct vgt_engine;
struct vgt_submission;

#define VGT_CONTEXT_VALID 1ULL /* of a descriptor */

/* The ring, then batch buffers that call each other. */
#define VGT_LEVELS 4

struct vgt_level {
	uint64_t ip; /* next command; ring: offset from its start */
	bool ggtt;
};

/* Where a context goes on that was taken off inside of a batch. */
struct vgt_position {
	struct vgt_level level[VGT_LEVELS];
	uint32_t depth; /* 0: in the ring */
	uint64_t groups; /* of the walker there, that ran already */
};

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
	uint32_t time, since; /* that it ran before; of this run's start */
	bool arbitration; /* the ring lets others have the engine */
	/* Batches of the driver's in the GGTT before it goes on; 0: none. */
	uint32_t indirect, indirect_bytes;
	uint32_t per_context;

	struct vgt_ppgtt ppgtt;
	struct vgt_state state;
	struct vgt_position position;

	/* What the device has taken as its own; 0: nothing. */
	uint64_t save_area, save_area_bytes;
};

/*
 * Run what stands in the ring of the context that @submission names, on the render
 * engine. The runtime's doors: what a context has beyond its image stays with the
 * device. An error ends in vgt_device_fail().
 */
void vgt_context_run(struct vgt_device *device,
		     const struct vgt_submission *submission);

/*
 * The same under a driver, whose memory has all of a context between two runs;
 * @context is room for it meanwhile. Returns 0 at the end of the ring, -EAGAIN if
 * others are to run first, or another negative errno after vgt_engine_fail().
 */
int vgt_context_execute(struct vgt_engine *engine, struct vgt_context *context,
			uint64_t descriptor);

#endif
