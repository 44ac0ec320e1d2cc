/* SPDX-License-Identifier: MIT */
/* A compiled region: from a graph to code that runs, and its end. */
#ifndef VGT_TIER_UNIT_H
#define VGT_TIER_UNIT_H

#include "tier/emit.h"

/* Leaves as a handler does: with the next instruction, or NULL. */
typedef const struct vgt_inst *(*vgt_unit_run)(struct vgt_eu_thread *thread,
					       struct vgt_unit_call *call);

/* To compile well takes three times as long, for code up to twice as fast. */
enum vgt_unit_level {
	VGT_UNIT_QUICK = 1,
	VGT_UNIT_GOOD = 2,
};

struct vgt_content;

struct vgt_unit {
	vgt_unit_run run;
	uint32_t count; /* of instructions: as many have to be left */
	uint32_t need; /* channels that have to be enabled; 0: with masks, too */
	enum vgt_unit_level level;

	/* Of some entries: how many, and what they executed. */
	_Atomic uint32_t seen;
	_Atomic uint64_t executed;
	_Atomic bool asked; /* for a better one */
	_Atomic uint64_t left_at; /* era in which threads found it last; 0: they do */

	/* Of the page; see job.c. */
	struct vgt_unit *next;
	struct vgt_code_page *page;
	uint32_t labels; /* marks of the page when it was compiled */
	struct vgt_graph *graph; /* of a turn: its instructions */

	struct vgt_content *content;
	uint32_t ip; /* of the head */
	const struct vgt_inst *origin[]; /* of all nodes */
};

/*
 * With code that there is of the same instructions, here or, if *@stored_out says so,
 * from an earlier process; NULL if there is none. Without @masks it is for threads with
 * all channels enabled.
 */
struct vgt_unit *vgt_unit_find(const struct vgt_graph *graph, bool masks,
			       enum vgt_unit_level level, bool *stored_out);

/*
 * With code of its own, half the work without @masks. NULL if LLVM does not want it,
 * which should not happen, or for want of memory.
 */
struct vgt_unit *vgt_unit_compile(const struct vgt_llvm *llvm,
				  const struct vgt_graph *graph, bool masks,
				  enum vgt_unit_level level);
void vgt_unit_destroy(struct vgt_unit *unit);

/* Is it compiled for the channels that are enabled? */
static inline bool vgt_unit_fits(const struct vgt_unit *unit, uint32_t enabled)
{
	return !(unit->need & ~enabled);
}

/* Is it one of its instructions? */
bool vgt_unit_has(const struct vgt_unit *unit, const struct vgt_inst *inst);

#endif
