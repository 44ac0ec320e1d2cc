/* SPDX-License-Identifier: MIT */
/* A compiled region: from a graph to code that runs, and its end. */
#ifndef VGT_TIER_UNIT_H
#define VGT_TIER_UNIT_H

#include "tier/emit.h"

/* Leaves as a handler does: with the next instruction, or NULL. */
typedef const struct vgt_inst *(*vgt_unit_run)(struct vgt_eu_thread *thread,
					       struct vgt_unit_call *call);

struct vgt_unit {
	vgt_unit_run run;
	uint32_t count; /* of instructions: as many have to be left */
	uint32_t need; /* channels that have to be enabled; 0: with masks, too */

	/* Of some entries: how many, and what they executed. */
	_Atomic uint32_t seen;
	_Atomic uint64_t executed;

	/* Of the page; see tier.c. */
	struct vgt_unit *next;
	struct vgt_code_page *page;
	uint32_t labels; /* marks of the page when it was compiled */
	struct vgt_graph *graph; /* of a turn: its instructions */

	struct llvm_context *context;
	struct llvm_engine *engine;
};

/*
 * NULL if LLVM does not want it, which should not happen, or for want of memory.
 * Without @masks it is half the work, and for threads with all channels enabled.
 */
struct vgt_unit *vgt_unit_create(const struct vgt_llvm *llvm,
				 const struct vgt_graph *graph, bool masks);
void vgt_unit_destroy(struct vgt_unit *unit);

#endif
