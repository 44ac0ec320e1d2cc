/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef GTDBG_VERDICT_H
#define GTDBG_VERDICT_H

#include <linux/types.h>

#include <linux/gtdbg.h>

struct gtdbg_gt;

#define GTDBG_STOP_NAME_BYTES 2048

/*
 * A stop that BPF programs are asked about, as long as they are. It has a pointer in
 * it for the kernel's verifier as well: for an argument of numbers alone that takes
 * any memory of a program.
 */
struct gtdbg_stop {
	struct gtdbg_gt *gt;
	u32 slot;
	char name[GTDBG_STOP_NAME_BYTES]; /* of the kernel */
	struct gtdbg_stop_verdict verdict; /* programs may write all of it */
};

/*
 * Does a BPF program let the thread that stopped just now in @slot run on? Needs
 * the GT's lock.
 */
bool gtdbg_verdict_run(struct gtdbg_gt *gt, u32 slot);

#endif
