/* SPDX-License-Identifier: MIT */
/*
 * The core of the library, bottom up. symbols/ has a map of its own, in
 * symbols.h; gtdbg.h and gtdbg_symbols.h are the public headers.
 *
 * device.c	/dev/gtdbg, and what the module can do
 * client.c	finding a debuggee's descriptor in its process
 * savearea.c	telling the system routine in a process's memory of its session
 * module.c	the debuggee's side: what its runtime registers
 * session.c	a session, and what it remembers between calls
 * core_file.c	what is in a core file, and what is missing
 * core.c		a session whose answers come from one
 * event.c	reading events, one at a time
 * clock.c	a device's time as CLOCK_MONOTONIC
 * register.c	registers of stopped threads, and their names
 * memory.c	memory of a context
 * slm.c	local memory of a work-group
 * breakpoint.c	setting and clearing breakpoints
 * thread.c	listing, stopping and resuming threads
 * stop.c	a stopped thread as the reader of symbols sees it
 */
/*
 * A session owns its descriptor and a buffer of events that one read() may fill
 * with many; an event stays valid until the next is asked for, because the
 * buffer is used again then. What later calls need of an event (where a
 * context's scratch memory begins) is copied when the event is handed out, not
 * when it is read: so the library knows exactly what its caller knows.
 *
 * Who answers is the session's peer: the module, or a core file. Both are asked
 * by the module's commands, so that all above this is the same for both.
 */
#ifndef LIBGTDBG_SESSION_H
#define LIBGTDBG_SESSION_H

#include "gtdbg.h"

#include <stddef.h>
#include <stdint.h>

struct core;

/* Room for events read at once; more than the longest record. */
#define SESSION_BUFFER_BYTES 65536

/* What events have reported of a context. */
struct session_context {
	struct session_context *next;
	uint32_t device;
	uint32_t context;
	uint64_t general_base;	/* 0: unknown */
};

struct session_peer {
	/* What the ioctl @command does, or a negative errno. */
	int (*call)(struct gtdbg_session *session, unsigned long command,
		    void *argument);
	/* Fills the buffer with whole events: 1; 0 behind the last one. */
	int (*events_read)(struct gtdbg_session *session, int timeout_ms);
	void (*close)(struct gtdbg_session *session);
};

struct gtdbg_session {
	const struct session_peer *peer;
	int fd;
	struct core *core;	/* NULL: it is the module's */
	struct session_context *contexts;
	/* Events that were read and not handed out yet. */
	size_t at;
	size_t end;
	_Alignas(8) char buffer[SESSION_BUFFER_BYTES];
};

/* The module, behind the session's descriptor. */
extern const struct session_peer gtdbg_session_module;

/* Returns what the ioctl does, or a negative errno. */
int gtdbg_session_call(struct gtdbg_session *session, unsigned long command,
		       void *argument);

/*
 * Pointers in programs have upper bits that repeat bit 47, which the module does
 * not take. Any other upper bits are left for it to refuse.
 */
uint64_t gtdbg_session_address(uint64_t address);

/* Remembers what later calls need of an event that is handed out. */
void gtdbg_session_note(struct gtdbg_session *session,
			const struct gtdbg_event *event);

/* Where a context's scratch memory counts from; 0: not known. */
uint64_t gtdbg_session_general_base(const struct gtdbg_session *session,
				    uint32_t device, uint32_t context);

#endif
