/* SPDX-License-Identifier: MIT */
/*
 * The GPU's driver ends what does not go on for some seconds, as a stopped thread
 * does not. For the time of a session that is switched off.
 */
#ifndef GTDBGCTL_HANG_H
#define GTDBGCTL_HANG_H

#include <stdbool.h>
#include <sys/types.h>

struct hang;

/* May we do so? */
bool hang_is_ours(void);

/*
 * For a session on the machine's GPU, when the driver has ended what one before it
 * has left there. Says so if it cannot be done: the
 * session goes on without. NULL then.
 */
struct hang *hang_disable(void);

/* That for a session with @pid, which is noted. NULL, too, where no GPU may be debugged. */
struct hang *hang_disable_for(pid_t pid);

/*
 * Process @pid is the session's. If it is gone, what it has left on an engine is ended,
 * also while another session wants hang detection off. @hang may be NULL.
 */
void hang_note(struct hang *hang, pid_t pid);

/* All of these are being killed, so that goes for them when the session has ended, too. */
void hang_note_kill(struct hang *hang);

/* As it was, unless another session still wants it off. NULL: nothing. */
void hang_restore(struct hang *hang);

#endif
