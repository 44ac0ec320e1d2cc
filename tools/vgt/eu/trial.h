/* SPDX-License-Identifier: MIT */
/* Whether a loop divides, found by running its turns. */
#ifndef VGT_TRIAL_H
#define VGT_TRIAL_H

#include <stdbool.h>

struct vgt_division;
struct vgt_eu_thread;
struct vgt_loop;

/*
 * Run turns of @loop with the channels that @thread has enabled: false if it is
 * no division. Else all of @division about what it does is filled in. Leaves
 * random numbers in the thread's registers.
 */
bool vgt_trial(struct vgt_eu_thread *thread, const struct vgt_loop *loop,
	       struct vgt_division *division);

#endif
