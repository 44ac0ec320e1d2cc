/* SPDX-License-Identifier: MIT */
/*
 * A context's image in GGTT memory: its registers, as a list of register loads, and
 * under a driver all that its commands leave behind, in pages that only the render
 * engine has and whose layout is the hardware's own matter.
 */
#ifndef VGT_LRC_H
#define VGT_LRC_H

#include <stdint.h>

struct vgt_context;
struct vgt_engine;

/* What the driver would have written there before it submits the context. */
void vgt_lrc_tail_set(const struct vgt_context *context, uint32_t tail);

/* Returns 0, or a negative errno after vgt_engine_fail(). */
int vgt_lrc_load(struct vgt_engine *engine, struct vgt_context *context);
/* Read the ring's tail again, which the driver may have moved. Returns likewise. */
int vgt_lrc_tail_load(struct vgt_engine *engine, struct vgt_context *context);
void vgt_lrc_save(struct vgt_engine *engine, struct vgt_context *context);

#endif
