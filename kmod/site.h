/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sites are instructions of a context whose breakpoint bit the module sets: for
 * any number of breakpoints, and for kernel entries. Each follows from breakpoints
 * and loads by a function that can be repeated at any time. All functions need
 * the GT's lock.
 */
#ifndef GTDBG_SITE_H
#define GTDBG_SITE_H

#include <linux/types.h>

#include "breakpoint.h"

struct gtdbg_context;
struct gtdbg_gt;
struct gtdbg_load;

/* A breakpoint was set or cleared. */
struct gtdbg_site_change {
	struct gtdbg_breakpoint_at at;
	u32 cookie; /* of its kernel; 0: it can be loaded nowhere */
	bool skip; /* nothing was changed */
	bool set; /* it is there, unless the client's count is another one */
	u32 removals;

	/* Added to: in how many places it is in the code, and in how many not. */
	u32 planted, failed;
	u32 decided; /* of the former, where the SIP decides */
	int error; /* of the first one that failed */
};

/* Make the code of @context as breakpoints and entries ask, all of it. */
void gtdbg_sites_sync(struct gtdbg_gt *gt, struct gtdbg_context *context);

/* Have breakpoints changed since, or was there something missing for them? */
bool gtdbg_sites_due(const struct gtdbg_gt *gt,
		     const struct gtdbg_context *context);

/* The code of one load, which may have been written anew by the program. */
void gtdbg_sites_load(struct gtdbg_gt *gt, struct gtdbg_load *load);

/* Its first instruction. True: the code had it otherwise. */
bool gtdbg_site_entry(struct gtdbg_gt *gt, struct gtdbg_load *load);

/* The code wherever it is concerned by @count changes, all at one kernel. */
void gtdbg_sites_change(struct gtdbg_gt *gt, struct gtdbg_site_change *changes,
			u32 count);

/* Is there a breakpoint at @address? Its id, or 0. */
u32 gtdbg_site_breakpoint(struct gtdbg_gt *gt, struct gtdbg_context *context,
			  u64 address);

/* Is the bit at @address set on behalf of anyone? */
bool gtdbg_site_is_set(struct gtdbg_context *context, u64 address);

/* The same, where the program has no bit of its own. */
bool gtdbg_site_is_planted(struct gtdbg_context *context, u64 address);

/* What was read from @address is made what it would be without any site. */
void gtdbg_sites_hide(struct gtdbg_gt *gt, struct gtdbg_context *context,
		      u64 address, void *buf, u32 len_bytes);

/* A debugger has written there: sites stay, in what the code is now. */
void gtdbg_sites_written(struct gtdbg_gt *gt, struct gtdbg_context *context,
			 u64 address, u32 len_bytes);

/* Give all code back as it was. */
void gtdbg_sites_restore(struct gtdbg_gt *gt, struct gtdbg_context *context);
void gtdbg_sites_destroy(struct gtdbg_context *context);

#endif
