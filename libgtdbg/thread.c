// SPDX-License-Identifier: MIT
/*
 * Threads are named by slot and generation of the stop, as the module has
 * them: the library keeps no list of its own that could be out of date.
 */
#include "session.h"

#include <errno.h>
#include <stdint.h>

#define SLOTS_MAX 4096 /* more than devices have */

int gtdbg_thread_list(struct gtdbg_session *session, uint32_t device,
		      struct gtdbg_thread_info *infos, size_t capacity)
{
	struct gtdbg_thread_list list = {
		.device = device, .infos = (uintptr_t)infos, .count = capacity,
	};

	return gtdbg_session_call(session, GTDBG_IOC_THREAD_LIST, &list);
}

int gtdbg_thread_interrupt(struct gtdbg_session *session, uint32_t device,
			   uint32_t timeout_ms, uint32_t *refusal_out)
{
	struct gtdbg_thread_interrupt request = {
		.device = device, .timeout_ns = timeout_ms * 1000000ull,
	};
	int ret = gtdbg_session_call(session, GTDBG_IOC_THREAD_INTERRUPT,
				     &request);

	if (refusal_out)
		*refusal_out = request.refusal;
	return ret < 0 ? ret : (int)request.stopped;
}

const char *gtdbg_interrupt_text(uint32_t refusal)
{
	static const char *const texts[] = {
		[GTDBG_INTERRUPT_DONE] = "not refused",
		[GTDBG_INTERRUPT_IDLE] = "nothing of the program runs",
		[GTDBG_INTERRUPT_NO_SAVE_AREA] =
			"where its threads save their state is not known",
		[GTDBG_INTERRUPT_SWITCHED] = "other work came in between",
		[GTDBG_INTERRUPT_BUSY] = "another interrupt is under way",
	};

	if (refusal >= sizeof(texts) / sizeof(texts[0]))
		return "refused";
	return texts[refusal];
}

int gtdbg_thread_step_range(struct gtdbg_session *session,
			    const struct gtdbg_thread_info *thread,
			    uint64_t ip_first, uint64_t ip_end, uint32_t steps,
			    uint32_t flags)
{
	uint8_t mask[SLOTS_MAX / 8] = { 0 };
	struct gtdbg_thread_resume resume = {
		.device = thread->device,
		.flags = flags,
		.command = GTDBG_RESUME_STEP_RANGE,
		.slots = thread->slot + 1,
		.mask = (uintptr_t)mask,
		.generation = thread->generation,
		.ip_first = ip_first,
		.ip_end = ip_end,
		.steps = steps,
	};

	if (thread->slot >= SLOTS_MAX)
		return -EINVAL;
	mask[thread->slot / 8] = 1U << thread->slot % 8;
	return gtdbg_thread_resume(session, &resume);
}

int gtdbg_thread_resume(struct gtdbg_session *session,
			struct gtdbg_thread_resume *resume)
{
	return gtdbg_session_call(session, GTDBG_IOC_THREAD_RESUME, resume);
}
