// SPDX-License-Identifier: MIT
#include "session.h"

#include <errno.h>

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
		uint32_t i;
		struct gtdbg_breakpoint_set_many request = {
			.places = (uintptr_t)(places + at),
			.count = left < GTDBG_BREAKPOINT_PLACES_MAX ?
					 (uint32_t)left :
					 GTDBG_BREAKPOINT_PLACES_MAX,
		};

		for (i = 0; i < request.count; i++)
			places[at + i].breakpoint = 0;
		ret = gtdbg_session_call(session,
					 GTDBG_IOC_BREAKPOINT_SET_MANY,
					 &request);
		if (ret > 0)
			done += ret;
		else if (!first)
			first = ret;
		/* Of a call that is refused as a whole no place was looked at. */
		for (i = 0; ret < 0 && i < request.count; i++)
			if (!places[at + i].breakpoint)
				places[at + i].breakpoint = ret;
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

static int program_call(struct gtdbg_session *session,
			struct gtdbg_breakpoint_program *request,
			uint32_t *planted_out, uint32_t *decided_out)
{
	int ret = gtdbg_session_call(session, GTDBG_IOC_BREAKPOINT_PROGRAM,
				     request);

	if (ret)
		return ret;
	if (planted_out)
		*planted_out = request->planted;
	if (decided_out)
		*decided_out = request->decided;
	return 0;
}

int gtdbg_breakpoint_program(struct gtdbg_session *session,
			     uint32_t breakpoint, const void *program,
			     size_t len_bytes, uint32_t ignore,
			     uint32_t *planted_out, uint32_t *decided_out)
{
	struct gtdbg_breakpoint_program request = {
		.breakpoint = breakpoint,
		.program = len_bytes ? (uintptr_t)program : 0,
		.len_bytes = (uint32_t)len_bytes,
		.version = len_bytes ? GTDBG_PROGRAM_VERSION : 0,
		.ignore = ignore,
	};

	if (len_bytes > UINT32_MAX)
		return -EINVAL;
	return program_call(session, &request, planted_out, decided_out);
}

int gtdbg_breakpoint_decided(struct gtdbg_session *session,
			     uint32_t breakpoint, uint32_t *planted_out,
			     uint32_t *decided_out, uint64_t *ignored_out)
{
	struct gtdbg_breakpoint_program request = {
		.breakpoint = breakpoint,
		.flags = GTDBG_BREAKPOINT_PROGRAM_F_QUERY,
	};
	int ret = program_call(session, &request, planted_out, decided_out);

	if (!ret && ignored_out)
		*ignored_out = request.ignored;
	return ret;
}

int gtdbg_breakpoint_ignore(struct gtdbg_session *session, uint32_t breakpoint,
			    uint64_t *ignored_out)
{
	struct gtdbg_breakpoint_program request = {
		.breakpoint = breakpoint,
		.flags = GTDBG_BREAKPOINT_PROGRAM_F_TAKE,
	};
	int ret = program_call(session, &request, NULL, NULL);

	if (ret)
		return ret;
	if (ignored_out)
		*ignored_out = request.ignored;
	return request.taken == 1;
}
