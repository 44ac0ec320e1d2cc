/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Surface states: what a program says of a buffer that its kernels use. They are data of
 * the target and not trusted. All functions need the GT's lock.
 */
#ifndef GTDBG_SURFACE_H
#define GTDBG_SURFACE_H

#include <linux/types.h>

struct gtdbg_context;
struct gtdbg_gt;

#define GTDBG_SURFACE_STATE_BYTES 64

struct gtdbg_surface {
	u64 address;
	u64 len_bytes;
};

/* The buffer whose state is at @at; -ENOENT: there is none. */
int gtdbg_surface_read(struct gtdbg_gt *gt, struct gtdbg_context *context,
		       u64 at, struct gtdbg_surface *surface);

#endif
