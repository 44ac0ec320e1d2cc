// SPDX-License-Identifier: MIT
#include "session.h"

int gtdbg_breakpoint_set(struct gtdbg_session *session, uint32_t kernel,
			 uint64_t offset)
{
	struct gtdbg_breakpoint_set request = {
		.kernel = kernel, .offset = offset,
	};

	return gtdbg_session_call(session, GTDBG_IOC_BREAKPOINT_SET, &request);
}

int gtdbg_breakpoint_set_address(struct gtdbg_session *session,
				 uint32_t device, uint32_t context,
				 uint64_t address)
{
	struct gtdbg_breakpoint_set request = {
		.device = device, .context = context,
		.offset = gtdbg_session_address(address),
	};

	return gtdbg_session_call(session, GTDBG_IOC_BREAKPOINT_SET, &request);
}

int gtdbg_breakpoint_set_many(struct gtdbg_session *session,
			      struct gtdbg_breakpoint_place *places,
			      size_t count)
{
	int done = 0, first = 0, ret;

	for (size_t at = 0; at < count; at += GTDBG_BREAKPOINT_PLACES_MAX) {
		size_t left = count - at;
		struct gtdbg_breakpoint_set_many request = {
			.places = (uintptr_t)(places + at),
			.count = left < GTDBG_BREAKPOINT_PLACES_MAX ?
					 (uint32_t)left :
					 GTDBG_BREAKPOINT_PLACES_MAX,
		};

		ret = gtdbg_session_call(session,
					 GTDBG_IOC_BREAKPOINT_SET_MANY,
					 &request);
		if (ret > 0)
			done += ret;
		else if (!first)
			first = ret;
	}
	return done ? done : first;
}

int gtdbg_breakpoint_clear_many(struct gtdbg_session *session,
				const uint32_t *breakpoints, size_t count)
{
	int done = 0, first = 0, ret;

	for (size_t at = 0; at < count; at += GTDBG_BREAKPOINT_PLACES_MAX) {
		size_t left = count - at;
		struct gtdbg_breakpoint_clear_many request = {
			.breakpoints = (uintptr_t)(breakpoints + at),
			.count = left < GTDBG_BREAKPOINT_PLACES_MAX ?
					 (uint32_t)left :
					 GTDBG_BREAKPOINT_PLACES_MAX,
		};

		ret = gtdbg_session_call(session,
					 GTDBG_IOC_BREAKPOINT_CLEAR_MANY,
					 &request);
		if (ret > 0)
			done += ret;
		else if (!first)
			first = ret;
	}
	return done ? done : first;
}

int gtdbg_breakpoint_clear(struct gtdbg_session *session, uint32_t breakpoint)
{
	struct gtdbg_breakpoint_clear request = { .breakpoint = breakpoint };

	return gtdbg_session_call(session, GTDBG_IOC_BREAKPOINT_CLEAR,
				  &request);
}
