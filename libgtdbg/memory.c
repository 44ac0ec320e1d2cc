// SPDX-License-Identifier: MIT
#include "session.h"

#include <stdint.h>

static int memory_access(struct gtdbg_session *session, unsigned long command,
			 uint32_t device, uint32_t context,
			 struct gtdbg_memory_range *ranges, uint32_t count)
{
	struct gtdbg_memory_access access = {
		.device = device, .context = context,
		.ranges = (uintptr_t)ranges, .count = count,
	};

	return gtdbg_session_call(session, command, &access);
}

int gtdbg_memory_read(struct gtdbg_session *session, uint32_t device,
		      uint32_t context, uint64_t address, void *buf,
		      size_t len_bytes)
{
	struct gtdbg_memory_range range = {
		.address = address, .buf = (uintptr_t)buf,
		.len_bytes = len_bytes,
	};

	return memory_access(session, GTDBG_IOC_MEMORY_READ, device, context,
			     &range, 1);
}

int gtdbg_memory_write(struct gtdbg_session *session, uint32_t device,
		       uint32_t context, uint64_t address, const void *buf,
		       size_t len_bytes)
{
	struct gtdbg_memory_range range = {
		.address = address, .buf = (uintptr_t)buf,
		.len_bytes = len_bytes,
	};

	return memory_access(session, GTDBG_IOC_MEMORY_WRITE, device, context,
			     &range, 1);
}

int gtdbg_memory_read_ranges(struct gtdbg_session *session, uint32_t device,
			     uint32_t context,
			     struct gtdbg_memory_range *ranges, uint32_t count)
{
	return memory_access(session, GTDBG_IOC_MEMORY_READ, device, context,
			     ranges, count);
}

int gtdbg_memory_write_ranges(struct gtdbg_session *session, uint32_t device,
			      uint32_t context,
			      struct gtdbg_memory_range *ranges,
			      uint32_t count)
{
	return memory_access(session, GTDBG_IOC_MEMORY_WRITE, device, context,
			     ranges, count);
}

int gtdbg_memory_open(struct gtdbg_session *session, uint32_t device,
		      uint32_t context, int flags, int *fd_out)
{
	struct gtdbg_memory_open request = {
		.device = device, .context = context, .flags = flags,
	};
	int ret = gtdbg_session_call(session, GTDBG_IOC_MEMORY_OPEN, &request);

	if (ret < 0)
		return ret;
	*fd_out = ret;
	return 0;
}
