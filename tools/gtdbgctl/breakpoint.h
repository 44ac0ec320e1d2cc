/* SPDX-License-Identifier: MIT */
#ifndef GTDBGCTL_BREAKPOINT_H
#define GTDBGCTL_BREAKPOINT_H

struct breakpoint;

/* Drops its places, which the module has lifted already. */
void breakpoint_forget(struct breakpoint *breakpoint);

#endif
