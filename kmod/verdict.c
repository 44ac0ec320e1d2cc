// SPDX-License-Identifier: GPL-2.0-only
/*
 * A BPF program on a writable tracepoint answers for the debugger: it sees a stop
 * with its registers before the sessions do, in a copy of which nothing but the
 * verdict is looked at again. No program, no cost: the copy is made for one.
 */
#include "verdict.h"

#include <linux/kernel.h>
#include <linux/pid.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "client.h"
#include "context.h"
#include "gt.h"
#include "kernel.h"
#include "register.h"
#include "savearea.h"
#include "thread.h"
#include "trace.h"

/* The general registers, or none of them. */
static void verdict_registers(struct gtdbg_gt *gt, u32 slot,
			      struct gtdbg_stop_verdict *verdict)
{
	const struct gtdbg_savearea *area =
		&gt->threads[slot].context->savearea;
	const struct gtdbg_sip_regset *regset =
		&area->regset[GTDBG_SIP_REGSET_GRF];
	u32 len_bytes = min_t(u64, (u64)regset->count * regset->bytes,
			      sizeof(verdict->grf));

	if (gtdbg_register_copy(gt, slot, GTDBG_REGISTER_GRF, 0, verdict->grf,
				len_bytes))
		memset(verdict->grf, 0, sizeof(verdict->grf));
	else
		verdict->grf_len_bytes = len_bytes;
}

static void verdict_ask(struct gtdbg_stop *stop)
{
	struct gtdbg_stop_verdict *verdict = &stop->verdict;
	struct gtdbg_gt *gt = stop->gt;

	gtdbg_thread_describe(gt, stop->slot, &verdict->thread);
	verdict->pid = pid_nr(gt->client->pid);
	gtdbg_kernel_name_copy(gt->client, verdict->thread.kernel, stop->name,
			       sizeof(stop->name));
	strscpy(verdict->name, stop->name, sizeof(verdict->name));
	verdict_registers(gt, stop->slot, verdict);
	gt->peeking = true;
	trace_gtdbg_stop_verdict(verdict, stop);
	gt->peeking = false;
}

bool gtdbg_verdict_run(struct gtdbg_gt *gt, u32 slot)
{
	struct gtdbg_stop *stop;
	bool run;

	lockdep_assert_held(&gt->lock);
	if (!trace_gtdbg_stop_verdict_enabled() || !gt->client)
		return false;
	stop = kzalloc(sizeof(*stop), GFP_KERNEL);
	if (!stop)
		return false;
	stop->gt = gt;
	stop->slot = slot;
	verdict_ask(stop);
	run = stop->verdict.verdict == GTDBG_VERDICT_RUN;
	kfree(stop);
	return run;
}
