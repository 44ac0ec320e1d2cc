/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef GTDBG_VERDICT_H
#define GTDBG_VERDICT_H

#include <linux/types.h>

struct gtdbg_gt;

/*
 * Does a BPF program let the thread that stopped just now in @slot run on? Needs
 * the GT's lock.
 */
bool gtdbg_verdict_run(struct gtdbg_gt *gt, u32 slot);

#endif
