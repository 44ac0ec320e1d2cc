/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The table in a save area by which the SIP decides itself whether a breakpoint
 * concerns the host (gtdbg_sip.h has its layout, program.h what it may decide). An
 * instruction that is not in it stops. All functions need the GT's lock.
 */
#ifndef GTDBG_TABLE_H
#define GTDBG_TABLE_H

#include <linux/types.h>

struct gtdbg_context;
struct gtdbg_gt;
struct gtdbg_ignores;
struct gtdbg_load;
struct gtdbg_program;
struct gtdbg_table;
struct gtdbg_windows;

/* Can the context's SIP decide anything, and can that be changed now? */
bool gtdbg_table_usable(struct gtdbg_gt *gt, struct gtdbg_context *context);

/*
 * The program decides at @address from now on, instead of any other. -EOPNOTSUPP:
 * the SIP is another one, -ENOSPC: there is no room.
 */
int gtdbg_table_bind(struct gtdbg_gt *gt, struct gtdbg_context *context,
		     u64 address, const struct gtdbg_program *program);

/* The host decides at @address. */
void gtdbg_table_unbind(struct gtdbg_gt *gt, struct gtdbg_context *context,
			u64 address);

/* Does it? One that has windows only where launches of its kernel are counted. */
bool gtdbg_table_decides(const struct gtdbg_context *context,
			 const struct gtdbg_load *load, u64 address);

/* Of the programs in it; NULL: there is no table. */
struct gtdbg_windows *gtdbg_table_windows(const struct gtdbg_context *context);
struct gtdbg_ignores *gtdbg_table_ignores(const struct gtdbg_context *context);

/*
 * Threads pass the entry at @address @count times from now on, and after that only
 * if they are admitted. What is not counted there stops.
 */
int gtdbg_table_count(struct gtdbg_gt *gt, struct gtdbg_context *context,
		      u64 address, u32 count);
void gtdbg_table_uncount(struct gtdbg_gt *gt, struct gtdbg_context *context,
			 u64 address);
/* Are they? @bucket_out: where, for the command that admits some. */
bool gtdbg_table_counts(const struct gtdbg_context *context, u64 address,
			u32 *bucket_out);

/* Below 0: so many have come that were not admitted yet. False: one cannot tell. */
bool gtdbg_table_left(struct gtdbg_gt *gt, struct gtdbg_context *context,
		      u64 address, s32 *left_out);

/* Make the area's table empty: it is new, or nothing is to be decided there. */
void gtdbg_table_clear(struct gtdbg_gt *gt, struct gtdbg_context *context);

/* What the SIP has decided since the last time, for the tracepoint and ignore counts. */
void gtdbg_tables_tally(struct gtdbg_gt *gt);

/* The area is gone. */
void gtdbg_table_destroy(struct gtdbg_gt *gt, struct gtdbg_context *context);

#endif
