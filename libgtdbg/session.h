/* SPDX-License-Identifier: MIT */
#ifndef LIBGTDBG_SESSION_H
#define LIBGTDBG_SESSION_H

#include <stddef.h>
#include <stdint.h>

#include "gtdbg.h"

/* Room for events read at once; more than the longest record. */
#define SESSION_BUFFER_BYTES 65536

/* What events have reported of a context. */
struct session_context {
	struct session_context *next;
	uint32_t device;
	uint32_t context;
	uint64_t general_base;	/* 0: unknown */
};

struct gtdbg_session {
	int fd;
	struct session_context *contexts;
	/* Events that were read and not handed out yet. */
	size_t at;
	size_t end;
	_Alignas(8) char buffer[SESSION_BUFFER_BYTES];
};

/* Returns what the ioctl does, or a negative errno. */
int gtdbg_session_call(struct gtdbg_session *session, unsigned long command,
		       void *argument);

/* Remembers what later calls need of an event that is handed out. */
void gtdbg_session_note(struct gtdbg_session *session,
			const struct gtdbg_event *event);

/* Where a context's scratch memory counts from; 0: not known. */
uint64_t gtdbg_session_general_base(const struct gtdbg_session *session,
				    uint32_t device, uint32_t context);

#endif
