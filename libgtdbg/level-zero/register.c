// SPDX-License-Identifier: MIT
/*
 * Level Zero's register sets are laid out as in the save area. Two are special:
 * the bases of memory, which no register shows, and cr0.1, whose upper bits say
 * why a thread has stopped, and what it is to do when it is resumed.
 */
#include "level_zero.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define SBA_COUNT 9
#define SBA_GENERAL 0
#define SBA_INSTRUCTION 4
#define SBA_SCRATCH 8
#define GRF_BYTES 32
#define SCRATCH_DWORD 5
#define SCRATCH_MASK 0xfffffc00u
#define CAUSE_DWORD 1
#define CR_DWORDS 4	/* of the only one */

static int bases_read(struct ze_session *session,
		      const struct ze_thread *thread, uint32_t start,
		      uint32_t count, void *out)
{
	const struct ze_context *context;
	uint64_t bases[SBA_COUNT] = { 0 };
	uint32_t r0[GRF_BYTES / 4];
	int ret;

	context = gtdbg_ze_context_find(session, thread->info.context);
	if (!context)
		return -ESRCH;
	ret = gtdbg_register_read(session->session, &thread->info,
				  GTDBG_REGISTER_GRF, 0, 1, r0, sizeof(r0));
	if (ret < 0)
		return ret;
	bases[SBA_GENERAL] = context->info.general_base;
	bases[SBA_INSTRUCTION] = context->info.instruction_base;
	bases[SBA_SCRATCH] =
		context->info.general_base + (r0[SCRATCH_DWORD] & SCRATCH_MASK);
	memcpy(out, bases + start, count * sizeof(*bases));
	return 0;
}

static bool is_missing(int ret)
{
	return ret == -EOPNOTSUPP || ret == -EINVAL;
}

/*
 * Which registers are saved depends on the system routine, while sets are
 * announced before one is known; and a server that cannot read a register sends
 * what gdb cannot. So those that are not saved are 0.
 */
static int saved_read(struct ze_session *session,
		      const struct ze_thread *thread,
		      const struct ze_register_set *set, uint32_t start,
		      uint32_t count, void *out)
{
	const size_t len_bytes = set->bits / 8;
	uint32_t i;
	int ret;

	ret = gtdbg_register_read(session->session, &thread->info, set->set,
				  start, count, out, count * len_bytes);
	if (!is_missing(ret))
		return ret;
	memset(out, 0, count * len_bytes);
	for (i = 0; i < count; i++) {
		ret = gtdbg_register_read(session->session, &thread->info,
					  set->set, start + i, 1,
					  (char *)out + i * len_bytes,
					  len_bytes);
		if (is_missing(ret))
			return 0;
		if (ret < 0)
			return ret;
	}
	return 0;
}

static int set_read(struct ze_session *session, const struct ze_thread *thread,
		    const struct ze_register_set *set, uint32_t start,
		    uint32_t count, void *out)
{
	uint32_t *dwords = out;
	int ret;

	if (!set->set)
		return bases_read(session, thread, start, count, out);
	ret = saved_read(session, thread, set, start, count, out);
	if (ret >= 0 && set->set == GTDBG_REGISTER_CR)
		dwords[CAUSE_DWORD] = (dwords[CAUSE_DWORD] & ~ZE_CAUSE_MASK) |
				      thread->causes;
	return ret;
}

static int set_write(struct ze_session *session, struct ze_thread *thread,
		     const struct ze_register_set *set, uint32_t start,
		     uint32_t count, const void *in)
{
	uint32_t dwords[CR_DWORDS], causes = 0;
	int ret;

	if (set->set == GTDBG_REGISTER_CR) {
		memcpy(dwords, in, sizeof(dwords));
		causes = dwords[CAUSE_DWORD] & ZE_CAUSE_MASK;
		dwords[CAUSE_DWORD] &= ~ZE_CAUSE_FAULT;
		in = dwords;
	}
	ret = gtdbg_register_write(session->session, &thread->info, set->set,
				   start, count, in, count * set->bits / 8);
	if (ret >= 0 && set->set == GTDBG_REGISTER_CR) {
		thread->causes = causes;
		thread->has_causes = true;
	}
	return ret;
}

/* Wrong numbers come first, so that they are refused whatever the thread does. */
static ze_result_t check(const struct ze_register_set *set, uint32_t start,
			 uint32_t count, const void *values)
{
	if (!set || start >= set->count || count > set->count - start)
		return ZE_RESULT_ERROR_INVALID_ARGUMENT;
	if (count && !values)
		return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
	return ZE_RESULT_SUCCESS;
}

ze_result_t gtdbg_ze_debug_registers_read(zet_debug_session_handle_t handle,
					  ze_device_thread_t thread,
					  uint32_t type, uint32_t start,
					  uint32_t count, void *out)
{
	const struct ze_register_set *set = gtdbg_ze_register_set_find(type);
	struct ze_session *session = gtdbg_ze_session_lock(handle);
	const struct ze_thread *stopped;
	ze_result_t ret;

	if (!session)
		return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
	ret = check(set, start, count, out);
	stopped = gtdbg_ze_thread_find(session, &thread);
	if (!ret && !stopped)
		ret = ZE_RESULT_ERROR_NOT_AVAILABLE;
	if (!ret && count)
		ret = gtdbg_ze_result(
			set_read(session, stopped, set, start, count, out));
	gtdbg_ze_session_unlock(handle, session);
	return ret;
}

ze_result_t gtdbg_ze_debug_registers_write(zet_debug_session_handle_t handle,
					   ze_device_thread_t thread,
					   uint32_t type, uint32_t start,
					   uint32_t count, void *in)
{
	const struct ze_register_set *set = gtdbg_ze_register_set_find(type);
	struct ze_session *session = gtdbg_ze_session_lock(handle);
	struct ze_thread *stopped;
	ze_result_t ret;

	if (!session)
		return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
	ret = check(set, start, count, in);
	stopped = gtdbg_ze_thread_find(session, &thread);
	if (!ret && !set->is_writable)
		ret = ZE_RESULT_ERROR_INVALID_ARGUMENT;
	if (!ret && !stopped)
		ret = ZE_RESULT_ERROR_NOT_AVAILABLE;
	if (!ret && count)
		ret = gtdbg_ze_result(
			set_write(session, stopped, set, start, count, in));
	gtdbg_ze_session_unlock(handle, session);
	return ret;
}
