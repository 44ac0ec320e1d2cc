/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sites are instructions of a context whose breakpoint bit the module sets: for
 * any number of breakpoints, and for kernel entries. Sites follow from breakpoints
 * and loads by a function that can be repeated at any time. All functions need
 * the GT's lock.
 */
#ifndef GTDBG_SITE_H
#define GTDBG_SITE_H

#include <linux/types.h>

struct gtdbg_context;
struct gtdbg_gt;

/* Make the code of @context as breakpoints and entries ask. */
void gtdbg_sites_sync(struct gtdbg_gt *gt, struct gtdbg_context *context);

/* Is there a breakpoint at @address? Its id, or 0. */
u32 gtdbg_site_breakpoint(struct gtdbg_gt *gt, struct gtdbg_context *context,
			  u64 address);

/* Give all code back as it was. */
void gtdbg_sites_restore(struct gtdbg_gt *gt, struct gtdbg_context *context);
void gtdbg_sites_destroy(struct gtdbg_context *context);

#endif
