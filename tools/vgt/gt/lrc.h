/* SPDX-License-Identifier: MIT */
/*
 * A context's image in GGTT memory: its registers, as a list of register loads, and
 * under a driver all that its commands leave behind, in pages that only the render
 * engine has and whose layout is the hardware's own matter.
 */
#ifndef VGT_LRC_H
#define VGT_LRC_H

struct vgt_context;
struct vgt_engine;

/* Returns 0, or a negative errno after vgt_engine_fail(). */
int vgt_lrc_load(struct vgt_engine *engine, struct vgt_context *context);
void vgt_lrc_save(struct vgt_engine *engine, struct vgt_context *context);

#endif
