/* SPDX-License-Identifier: MIT */
/* An EU thread with code in its instruction cache and nothing else around it. */
#ifndef VGT_TESTS_ENGINE_RIG_H
#define VGT_TESTS_ENGINE_RIG_H

#include "eu/eu.h"
#include "gt/device.h"
#include "gt/group.h"
#include "gt/walker.h"
#include "model.h"

#include <stdbool.h>
#include <stddef.h>

struct engine_rig {
	struct vgt_walker walker;
	struct vgt_group group;
	struct vgt_worker worker;
	struct vgt_eu_thread thread;
};

/*
 * Assemble the instructions of @text with iga64, option @option. Returns the
 * bytes, which the caller frees, or NULL after the assembler's complaint.
 */
uint8_t *engine_assemble(const char *text, const char *option,
			 size_t *bytes_out);

/* @slow: without the engine's fast handlers. Code lies at 0. */
struct engine_rig *engine_rig_create(const uint8_t *code, size_t bytes,
				     bool slow);
void engine_rig_destroy(struct engine_rig *rig);

/* Registers from @state, everything else as at the start of a thread. */
void engine_thread_load(struct vgt_eu_thread *thread,
			const struct model_state *state, uint32_t ip);
void engine_rig_load(struct engine_rig *rig, const struct model_state *state,
		     uint32_t ip);

#endif
