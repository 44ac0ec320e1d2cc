/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Windows: what programs in the table may load of memory that pointers lead to. All
 * functions need the GT's lock.
 */
#ifndef GTDBG_WINDOW_H
#define GTDBG_WINDOW_H

#include <linux/gtdbg_sip.h>
#include <linux/types.h>

struct gtdbg_context;
struct gtdbg_gt;
struct gtdbg_launch;
struct gtdbg_load;

/* Those of an area, zeroed at first. */
struct gtdbg_windows {
	bool open; /* one or more */
	u64 address[GTDBG_SIP_WINDOWS_MAX]; /* of its program's instruction; 0: of none */
	u8 tries[GTDBG_SIP_WINDOWS_MAX]; /* in vain, of this launch */
	/* Of the launch's buffers, the one that it was last, counted from 1; 0: none. */
	u8 surface[GTDBG_SIP_WINDOWS_MAX];
};

/*
 * The program at @address has @count windows in a row, and no others: the first one.
 * False: there is no room. The context has a table.
 */
bool gtdbg_windows_take(struct gtdbg_gt *gt, struct gtdbg_context *context,
			u64 address, u32 count, u32 *first_out);
void gtdbg_windows_leave(struct gtdbg_gt *gt, struct gtdbg_context *context,
			 u64 address);
bool gtdbg_windows_has(const struct gtdbg_context *context, u64 address);

/*
 * Thread @slot has stopped, and may have found no window where it had to look: those that
 * follow in this launch are to find one.
 */
void gtdbg_window_open(struct gtdbg_gt *gt, u32 slot);

/*
 * There may be another launch: none is open any more. If it is @launch, whose threads all
 * wait at their entry, @load, those are open that lead to the same of its buffers.
 */
void gtdbg_windows_close(struct gtdbg_gt *gt, struct gtdbg_context *context);
void gtdbg_windows_follow(struct gtdbg_gt *gt, const struct gtdbg_load *load,
			  const struct gtdbg_launch *launch);

/* The area is new, or nothing is to be decided there: 0 or an error. */
int gtdbg_windows_clear(struct gtdbg_gt *gt, struct gtdbg_context *context);

#endif
