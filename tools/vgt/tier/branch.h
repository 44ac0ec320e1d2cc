/* SPDX-License-Identifier: MIT */
/*
 * Edges between blocks, and instructions that part channels. If all enabled
 * channels go the same way, nothing is left behind and a branch is a branch;
 * else the handler of flow.c is called, and the region goes on where it says.
 */
#ifndef VGT_TIER_BRANCH_H
#define VGT_TIER_BRANCH_H

#include <stdint.h>

struct vgt_emit;
struct vgt_node;

/* On to @ip from an instruction at @from. Backwards: if nobody needs a look. */
void vgt_branch_go(struct vgt_emit *e, uint32_t from, uint32_t ip);

/* Channels that wait at @node join those that come along. */
void vgt_branch_label(struct vgt_emit *e, const struct vgt_node *node);

void vgt_branch_jump(struct vgt_emit *e, const struct vgt_node *node);
void vgt_branch_part(struct vgt_emit *e, const struct vgt_node *node);

#endif
