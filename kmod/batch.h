/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Command buffers, as far as needed to learn two bases: the addresses that
 * instruction pointers and threads' scratch memory count from. They are in no
 * register; the program that runs has set them with a command, which is still
 * in its buffers.
 */
#ifndef GTDBG_BATCH_H
#define GTDBG_BATCH_H

#include <linux/types.h>

struct gtdbg_context;
struct gtdbg_gt;

struct gtdbg_batch_bases {
	u64 instruction;
	u64 general;
};

/*
 * The GT's lock is held. A base that the command leaves as it was is not
 * touched in @bases. -ENOENT: no such command was found.
 */
int gtdbg_batch_find_bases(struct gtdbg_gt *gt, struct gtdbg_context *context,
			   struct gtdbg_batch_bases *bases);

#endif
