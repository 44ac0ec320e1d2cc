// SPDX-License-Identifier: MIT
/* Breakpoints where the module refuses some of the calls that many of them take. */
#include "../session.h"
#include "support/tap.h"

#include <errno.h>

#define CHUNK GTDBG_BREAKPOINT_PLACES_MAX
#define COUNT (2 * CHUNK + 1)

static int refused;	/* which call, from 1; 0: all */
static int calls;

static int call(struct gtdbg_session *session, unsigned long command,
		void *argument)
{
	const struct gtdbg_breakpoint_set_many *request = argument;
	struct gtdbg_breakpoint_place *places =
		(void *)(uintptr_t)request->places;
	uint32_t i;

	(void)session;
	calls++;
	if (command != GTDBG_IOC_BREAKPOINT_SET_MANY || !refused ||
	    calls == refused)
		return -EINTR;
	for (i = 0; i < request->count; i++)
		places[i].breakpoint = 1;
	return (int)request->count;
}

/* How many have failed, -1: others than those of the calls that have. */
static int count_failed(const struct gtdbg_breakpoint_place *places)
{
	int i, failed = 0;

	for (i = 0; i < COUNT; i++) {
		bool fails = !refused || i / CHUNK == refused - 1;

		if (places[i].breakpoint != (fails ? -EINTR : 1))
			return -1;
		failed += fails;
	}
	return failed;
}

/* A call none of whose places can have one says why of each. */
static int call_bad(struct gtdbg_session *session, unsigned long command,
		    void *argument)
{
	const struct gtdbg_breakpoint_set_many *request = argument;
	struct gtdbg_breakpoint_place *places =
		(void *)(uintptr_t)request->places;

	(void)session;
	(void)command;
	places[0].breakpoint = -ENOENT;
	places[1].breakpoint = -EINVAL;
	return -ENOENT;
}

int main(void)
{
	static const struct session_peer peer = { .call = call };
	static const struct session_peer peer_bad = { .call = call_bad };
	static struct gtdbg_session session = { .peer = &peer };
	static struct gtdbg_breakpoint_place places[COUNT];

	puts("TAP version 13");
	refused = 2;
	tap_check(gtdbg_breakpoint_set_many(&session, places, COUNT) ==
		  COUNT - CHUNK && count_failed(places) == CHUNK,
		  "those of a call that fails are said to have failed");
	refused = 0;
	tap_check(gtdbg_breakpoint_set_many(&session, places, COUNT) ==
		  -EINTR && count_failed(places) == COUNT,
		  "so are all if all calls do");
	session.peer = &peer_bad;
	tap_check(gtdbg_breakpoint_set_many(&session, places, 2) == -ENOENT &&
		  places[0].breakpoint == -ENOENT &&
		  places[1].breakpoint == -EINVAL,
		  "what a place itself is refused for is kept");
	return tap_end();
}
