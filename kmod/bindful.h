/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The SIP that the runtime installs by itself, and its save area, which has no
 * header. All functions need the GT's lock.
 */
#ifndef GTDBG_BINDFUL_H
#define GTDBG_BINDFUL_H

#include <linux/types.h>

struct gtdbg_context;
struct gtdbg_gt;

/* Where it keeps a thread's command: in the place of r0.4. */
#define GTDBG_BINDFUL_COMMAND 16

/* Take the area for the context's if it runs that SIP. -ENOENT: it does not. */
int gtdbg_bindful_find(struct gtdbg_gt *gt, struct gtdbg_context *context);

/* Where the surface is that the runtime makes for the save area of any SIP. */
int gtdbg_bindful_surface(struct gtdbg_gt *gt, struct gtdbg_context *context,
			  u64 *address_out);

/* Is the memory that was found still at its address? */
bool gtdbg_bindful_present(struct gtdbg_gt *gt, struct gtdbg_context *context);

/* As gtdbg_savearea_look() and gtdbg_savearea_command(). */
int gtdbg_bindful_look(struct gtdbg_gt *gt, struct gtdbg_context *context,
		       u32 slot);
int gtdbg_bindful_command(struct gtdbg_gt *gt, struct gtdbg_context *context,
			  u32 slot, bool step);

#endif
