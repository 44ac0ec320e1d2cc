// SPDX-License-Identifier: MIT
/*
 * Threads are named by slot and generation of the stop, as the module has
 * them: the library keeps no list of its own that could be out of date.
 */
#include "session.h"

#include <stdint.h>

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

int gtdbg_thread_resume(struct gtdbg_session *session,
			struct gtdbg_thread_resume *resume)
{
	return gtdbg_session_call(session, GTDBG_IOC_THREAD_RESUME, resume);
}
