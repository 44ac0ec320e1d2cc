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

int gtdbg_breakpoint_clear(struct gtdbg_session *session, uint32_t breakpoint)
{
	struct gtdbg_breakpoint_clear request = { .breakpoint = breakpoint };

	return gtdbg_session_call(session, GTDBG_IOC_BREAKPOINT_CLEAR,
				  &request);
}
