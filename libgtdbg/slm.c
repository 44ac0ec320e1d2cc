// SPDX-License-Identifier: MIT
/*
 * Local memory belongs to a work-group that runs, so it is reached through one
 * of its stopped threads; the stop's generation goes with each access.
 */
#include "session.h"

#include <stdint.h>

static int slm_access(struct gtdbg_session *session, unsigned long command,
		      const struct gtdbg_thread_info *thread, uint64_t offset,
		      const void *buf, size_t len_bytes)
{
	struct gtdbg_slm_access access = {
		.device = thread->device,
		.slot = thread->slot,
		.generation = thread->generation,
		.offset = offset,
		.buf = (uintptr_t)buf,
		.len_bytes = len_bytes < UINT32_MAX ? len_bytes : UINT32_MAX,
	};

	return gtdbg_session_call(session, command, &access);
}

int gtdbg_slm_read(struct gtdbg_session *session,
		   const struct gtdbg_thread_info *thread, uint64_t offset,
		   void *buf, size_t len_bytes)
{
	return slm_access(session, GTDBG_IOC_SLM_READ, thread, offset, buf,
			  len_bytes);
}

int gtdbg_slm_write(struct gtdbg_session *session,
		    const struct gtdbg_thread_info *thread, uint64_t offset,
		    const void *buf, size_t len_bytes)
{
	return slm_access(session, GTDBG_IOC_SLM_WRITE, thread, offset, buf,
			  len_bytes);
}
