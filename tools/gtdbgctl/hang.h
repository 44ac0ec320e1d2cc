/* SPDX-License-Identifier: MIT */
/*
 * The GPU's driver ends what does not go on for some seconds, as a stopped thread
 * does not. For the time of a session that is switched off.
 */
#ifndef GTDBGCTL_HANG_H
#define GTDBGCTL_HANG_H

#include <stdbool.h>

struct hang;

/* May we do so? */
bool hang_is_ours(void);

/*
 * For a session on the machine's GPU, when the driver has ended what one before it
 * has left there. Says so if it cannot be done: the
 * session goes on without. NULL then.
 */
struct hang *hang_disable(void);

/* As it was, unless another session still wants it off. NULL: nothing. */
void hang_restore(struct hang *hang);

#endif
