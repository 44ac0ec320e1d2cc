/* SPDX-License-Identifier: MIT */
/* Sessions on a program of ours, to find out what this machine can do. */
#ifndef GTDBGCTL_TRIAL_H
#define GTDBGCTL_TRIAL_H

#include <stdbool.h>

/*
 * Prints a report: what there is, and one line for each session. @door is
 * "--door=DOOR", or NULL for the one that "run" chooses. False: one went wrong, and
 * those behind it were not tried.
 */
bool trial_all(const char *door);

#endif
