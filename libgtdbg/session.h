/* SPDX-License-Identifier: MIT */
#ifndef LIBGTDBG_SESSION_H
#define LIBGTDBG_SESSION_H

#include <stddef.h>

#include "gtdbg.h"

/* Room for events read at once; more than the longest record. */
#define SESSION_BUFFER_BYTES 65536

struct gtdbg_session {
	int fd;
	/* Events that were read and not handed out yet. */
	size_t at;
	size_t end;
	_Alignas(8) char buffer[SESSION_BUFFER_BYTES];
};

/* Returns what the ioctl does, or a negative errno. */
int gtdbg_session_call(struct gtdbg_session *session, unsigned long command,
		       void *argument);

#endif
