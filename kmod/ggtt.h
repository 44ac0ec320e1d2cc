/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The global translation table, through which context images and rings are
 * addressed.
 */
#ifndef GTDBG_GGTT_H
#define GTDBG_GGTT_H

#include <linux/types.h>

struct gtdbg_gt;

/* The GT's lock is held. -EFAULT: not all of it is mapped. */
int gtdbg_ggtt_read(struct gtdbg_gt *gt, u64 address, void *buf, u32 len_bytes);

#endif
