/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Traps: for a short time every instruction of the known kernels is a breakpoint,
 * so that their threads stop and no others do. All functions need the GT's lock.
 */
#ifndef GTDBG_TRAP_H
#define GTDBG_TRAP_H

struct gtdbg_context;
struct gtdbg_gt;
struct list_head;

/* Remember the code of all kernels in @context, and set its breakpoints. */
int gtdbg_traps_create(struct gtdbg_gt *gt, struct gtdbg_context *context,
		       struct list_head *traps);

/* Clear those that the code did not have before. */
void gtdbg_traps_destroy(struct gtdbg_gt *gt, struct gtdbg_context *context,
			 struct list_head *traps);

#endif
