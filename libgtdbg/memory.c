// SPDX-License-Identifier: MIT
/*
 * Memory of a context. Addresses may be in the GPU's canonical form, as
 * programs print them; the module takes them without the copies of the top
 * bit, so these are taken off in a copy of the caller's ranges.
 */
#include "session.h"

#include <errno.h>
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

static int memory_access_one(struct gtdbg_session *session,
			     unsigned long command, uint32_t device,
			     uint32_t context, uint64_t address, uintptr_t buf,
			     size_t len_bytes)
{
	struct gtdbg_memory_range range = {
		.address = gtdbg_session_address(address), .buf = buf,
		.len_bytes = len_bytes,
	};

	return memory_access(session, command, device, context, &range, 1);
}

/* The caller's ranges keep their addresses as they are. */
static int memory_access_ranges(struct gtdbg_session *session,
				unsigned long command, uint32_t device,
				uint32_t context,
				struct gtdbg_memory_range *ranges,
				uint32_t count)
{
	struct gtdbg_memory_range own[GTDBG_MEMORY_RANGES_MAX];
	uint32_t i;
	int ret;

	if (count > GTDBG_MEMORY_RANGES_MAX)
		return -EINVAL;
	for (i = 0; i < count; i++) {
		own[i] = ranges[i];
		own[i].address = gtdbg_session_address(ranges[i].address);
	}
	ret = memory_access(session, command, device, context, own, count);
	for (i = 0; i < count && ret >= 0; i++)
		ranges[i].done_bytes = own[i].done_bytes;
	return ret;
}

int gtdbg_memory_read(struct gtdbg_session *session, uint32_t device,
		      uint32_t context, uint64_t address, void *buf,
		      size_t len_bytes)
{
	return memory_access_one(session, GTDBG_IOC_MEMORY_READ, device,
				 context, address, (uintptr_t)buf, len_bytes);
}

int gtdbg_memory_write(struct gtdbg_session *session, uint32_t device,
		       uint32_t context, uint64_t address, const void *buf,
		       size_t len_bytes)
{
	return memory_access_one(session, GTDBG_IOC_MEMORY_WRITE, device,
				 context, address, (uintptr_t)buf, len_bytes);
}

int gtdbg_memory_read_ranges(struct gtdbg_session *session, uint32_t device,
			     uint32_t context,
			     struct gtdbg_memory_range *ranges, uint32_t count)
{
	return memory_access_ranges(session, GTDBG_IOC_MEMORY_READ, device,
				    context, ranges, count);
}

int gtdbg_memory_write_ranges(struct gtdbg_session *session, uint32_t device,
			      uint32_t context,
			      struct gtdbg_memory_range *ranges,
			      uint32_t count)
{
	return memory_access_ranges(session, GTDBG_IOC_MEMORY_WRITE, device,
				    context, ranges, count);
}

int gtdbg_memory_list(struct gtdbg_session *session, uint32_t device,
		      uint32_t context, uint64_t *address,
		      struct gtdbg_memory_mapping *mappings, uint32_t capacity)
{
	struct gtdbg_memory_list list = {
		.device = device, .context = context, .address = *address,
		.mappings = (uintptr_t)mappings, .count = capacity,
	};
	int ret = gtdbg_session_call(session, GTDBG_IOC_MEMORY_LIST, &list);

	if (ret >= 0)
		*address = list.address;
	return ret;
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
