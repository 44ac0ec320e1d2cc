/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Command buffers, as far as needed to learn the instruction base: the address
 * that instruction pointers count from. It is in no register; the program that
 * runs has set it with a command, which is still in its buffers.
 */
#ifndef GTDBG_BATCH_H
#define GTDBG_BATCH_H

#include <linux/types.h>

struct gtdbg_context;
struct gtdbg_gt;

/* The GT's lock is held. -ENOENT: no such command was found. */
int gtdbg_batch_instruction_base(struct gtdbg_gt *gt,
				 struct gtdbg_context *context, u64 *base_out);

#endif
