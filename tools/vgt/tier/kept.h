/* SPDX-License-Identifier: MIT */
/*
 * Inner loops keep units in registers of the host: what their instructions use is
 * loaded where a loop is entered, and stored where it is left. Only loops do of which no
 * instruction calls its handler, but branches: those use no units.
 */
#ifndef VGT_TIER_KEPT_H
#define VGT_TIER_KEPT_H

#include "tier/emit.h"

/* Find the loops, and give them their variables; the builder is in the entry block. */
void vgt_kept_find(struct vgt_emit *e);

/* How many there were, in all that was compiled; for tests. */
uint32_t vgt_kept_loops(void);

/* The builder's next instructions are those of a block that @node leads. */
void vgt_kept_begin(struct vgt_emit *e, const struct vgt_node *node);

/* The builder is where the way to @target leaves its block. */
void vgt_kept_edge(struct vgt_emit *e, const struct vgt_node *target);

/* The ways from loops to the region's way out. */
void vgt_kept_leave(struct vgt_emit *e);

/* Units that @inst's handler may read or write. */
void vgt_kept_touched(const struct vgt_inst *inst, bool *units);

#endif
