// SPDX-License-Identifier: GPL-2.0-only
/*
 * Shared local memory of a work-group. Nothing but the group's own threads can
 * address it, so a stopped one copies it for the debugger: its SIP is given a
 * command with a few bytes at a time, does it, and is READY again.
 *
 * No lock is held while the thread is waited for, nor while the caller's pages
 * are touched, so each look at the thread begins with finding it: it may have
 * been resumed, which then takes the place of the command. A command is not taken
 * back: the SIP may be about to do it, and says when it has. Who comes meanwhile,
 * or after a call that did not want to wait any longer, waits for that first.
 */
#include "slm.h"

#include <linux/delay.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/sched/signal.h>
#include <linux/uaccess.h>

#include "context.h"
#include "gt.h"
#include "launch.h"
#include "load.h"
#include "ppgtt.h"
#include "savearea.h"
#include "session.h"
#include "thread.h"
#include "trace.h"

#define SLM_TIMEOUT_MS 5000 /* of a call */
#define SLM_LATE_MS 500 /* of that, for a thread that was waited for before */

/* One call under way. */
struct slm_access {
	struct gtdbg_session *session;
	const struct gtdbg_slm_access *request;
	bool write;
	u64 generation; /* of the stop; 0 until it is known */
	ktime_t begin, deadline;
	u8 bytes[GTDBG_SIP_SLM_BYTES_MAX];
};

/* The stopped thread that is meant, if its SIP can do this. */
static struct gtdbg_thread *slm_thread(struct gtdbg_gt *gt,
				       const struct slm_access *access)
{
	const struct gtdbg_savearea *area;
	struct gtdbg_thread *thread;

	if (access->request->slot >= gt->topology.slots)
		return ERR_PTR(-EINVAL);
	thread = &gt->threads[access->request->slot];
	if (thread->state != GTDBG_THREAD_STOPPED ||
	    (access->generation && access->generation != thread->generation))
		return ERR_PTR(-ESRCH);
	if (gtdbg_savearea_check(gt, thread->context))
		return ERR_PTR(-ESRCH);
	area = &thread->context->savearea;
	if (area->sip != GTDBG_SIP_OWN || area->sip_minor < GTDBG_SIP_MINOR_SLM)
		return ERR_PTR(-EOPNOTSUPP);
	return thread;
}

/*
 * What the group may have, as its launch says; if that is not known, all that
 * can be addressed.
 */
static u32 slm_bytes(struct gtdbg_gt *gt, struct gtdbg_thread *thread)
{
	struct gtdbg_load *load;
	struct gtdbg_launch launch;

	if (thread->slm_known)
		return thread->slm_bytes;
	load = gtdbg_load_find(gt, thread->context, thread->address);
	gtdbg_launch_find(gt, thread->context, load ? load->address : 0,
			  &launch);
	thread->slm_bytes = launch.kernel ? launch.slm_bytes :
					    GTDBG_SIP_SLM_END;
	thread->slm_known = true;
	return thread->slm_bytes;
}

static u64 slm_address(const struct gtdbg_thread *thread,
		       const struct slm_access *access)
{
	return gtdbg_savearea_slot(&thread->context->savearea,
				   access->request->slot) +
	       GTDBG_SIP_SLOT_COMMAND;
}

/* A server that does not answer is no matter of the thread's. */
static int slm_wake(struct gtdbg_gt *gt, const struct slm_access *access)
{
	int ret;

	gtdbg_thread_nudge(gt, access->request->slot);
	ret = gtdbg_threads_flush(gt);
	return gt->lost ? -ENODEV : ret;
}

/*
 * Does the SIP ask for a command? A wake-up may be lost, or meant for another
 * thread, so the thread is woken again each time it does not: -EAGAIN.
 */
static int slm_ready(struct gtdbg_gt *gt, struct gtdbg_thread *thread,
		     const struct slm_access *access)
{
	u32 command;
	int ret;

	ret = gtdbg_ppgtt_read(gt, thread->context, slm_address(thread, access),
			       &command, sizeof(command));
	if (ret)
		return ret == -EFAULT ? -ESRCH : ret;
	if (command == GTDBG_SIP_COMMAND_READY)
		return 0;
	return slm_wake(gt, access) ?: -EAGAIN;
}

/* May it have the thread? -EAGAIN: not yet; -ETIMEDOUT: not in time. */
static int slm_turn(struct gtdbg_gt *gt, struct gtdbg_thread *thread,
		    const struct slm_access *access)
{
	ktime_t now = ktime_get(), end = access->deadline;
	int ret;

	if (ktime_before(now, thread->slm_until)) {
		ret = -EAGAIN;
	} else {
		ret = slm_ready(gt, thread, access);
		if (thread->unsettled)
			end = ktime_add_ms(access->begin, SLM_LATE_MS);
	}
	return ret == -EAGAIN && ktime_after(now, end) ? -ETIMEDOUT : ret;
}

/* The command goes last, to a SIP that does nothing but wait for it. */
static int slm_command(struct gtdbg_gt *gt, struct gtdbg_thread *thread,
		       const struct slm_access *access,
		       const struct gtdbg_sip_command *block)
{
	u64 address = slm_address(thread, access);
	u32 command = access->write ? GTDBG_SIP_COMMAND_SLM_WRITE :
				      GTDBG_SIP_COMMAND_SLM_READ;
	int ret;

	ret = gtdbg_ppgtt_write(gt, thread->context, address, block,
				sizeof(*block)) ?:
	      gtdbg_ppgtt_write(gt, thread->context, address, &command,
				sizeof(command));
	if (ret)
		return ret == -EFAULT ? -ESRCH : ret;
	thread->unsettled = true;
	thread->slm_until = access->deadline;
	return slm_wake(gt, access);
}

/* What the launch leaves of @len_bytes at @offset, or an error if nothing. */
static int slm_clip(u32 slm_bytes, u64 offset, u32 len_bytes)
{
	if (!slm_bytes)
		return -ENXIO;
	if (offset >= slm_bytes)
		return -EFAULT;
	return min_t(u64, len_bytes, slm_bytes - offset);
}

/* Ask for @len_bytes at @offset: how many it will be, once it is done. */
static int slm_ask(struct gtdbg_gt *gt, struct slm_access *access, u64 offset,
		   u32 len_bytes)
{
	struct gtdbg_thread *thread = slm_thread(gt, access);
	struct gtdbg_sip_command block = {
		.command = GTDBG_SIP_COMMAND_READY,
		.offset = offset,
	};
	int ret, len;

	if (IS_ERR(thread))
		return PTR_ERR(thread);
	access->generation = thread->generation;
	len = slm_clip(slm_bytes(gt, thread), offset, len_bytes);
	if (len < 0)
		return len;
	ret = slm_turn(gt, thread, access);
	if (ret)
		return ret;
	block.size_bytes = len;
	if (access->write)
		memcpy(block.buffer, access->bytes, len);
	return slm_command(gt, thread, access, &block) ?: len;
}

/* Is it done? If it is not in time, the next one will wait for it. */
static int slm_done(struct gtdbg_gt *gt, struct slm_access *access, u32 len)
{
	struct gtdbg_thread *thread = slm_thread(gt, access);
	struct gtdbg_sip_command block;
	int ret;

	if (IS_ERR(thread))
		return PTR_ERR(thread);
	ret = slm_ready(gt, thread, access);
	if (ret == -EAGAIN && ktime_after(ktime_get(), access->deadline))
		ret = -ETIMEDOUT;
	if (ret)
		return ret;
	thread->unsettled = false;
	thread->slm_until = 0;
	ret = gtdbg_ppgtt_read(gt, thread->context,
			       slm_address(thread, access), &block,
			       sizeof(block));
	if (ret)
		return ret == -EFAULT ? -ESRCH : ret;
	if (!gtdbg_context_reachable(gt, thread->context, true))
		return -ESRCH;
	if (block.size_bytes != len)
		return -EIO;
	if (!access->write)
		memcpy(access->bytes, block.buffer, len);
	return len;
}

/* One look at the thread, at an @offset, or at what was asked for. */
static int slm_look(struct slm_access *access, u64 offset, u32 len_bytes,
		    bool asked)
{
	struct gtdbg_gt *gt;
	int ret;

	gt = gtdbg_session_gt_lock(access->session, access->request->device);
	/* What was asked is not there any more: it is gone, not unknown. */
	if (asked && gt == ERR_PTR(-ENOENT))
		return -ENODEV;
	if (IS_ERR(gt))
		return PTR_ERR(gt);
	ret = asked ? slm_done(gt, access, len_bytes) :
		      slm_ask(gt, access, offset, len_bytes);
	gtdbg_session_gt_unlock(gt);
	return ret;
}

/* The longer it takes, the less it is a matter of microseconds. */
static int slm_look_until(struct slm_access *access, u64 offset, u32 len_bytes,
			  bool asked)
{
	ktime_t begin = ktime_get();
	u64 passed;
	int ret;

	while ((ret = slm_look(access, offset, len_bytes, asked)) == -EAGAIN) {
		if (fatal_signal_pending(current))
			return -EINTR;
		passed = ktime_us_delta(ktime_get(), begin);
		passed = clamp_t(u64, passed / 16, 20, 2000);
		usleep_range(passed, 2 * passed);
	}
	return ret;
}

/*
 * Copy between the bytes of @access and the memory at @offset: how many, fewer
 * than @len_bytes where the memory ends.
 */
static int slm_piece(struct slm_access *access, u64 offset, u32 len_bytes)
{
	int len = slm_look_until(access, offset, len_bytes, false);

	return len < 0 ? len : slm_look_until(access, offset, len, true);
}

/* As much as there is; an error only if that is nothing. */
static int slm_copy(struct slm_access *access)
{
	const struct gtdbg_slm_access *request = access->request;
	u32 wanted = min_t(u32, request->len_bytes, GTDBG_SIP_SLM_END);
	char __user *buf = u64_to_user_ptr(request->buf);
	u32 total = 0, bytes;
	int ret;

	do {
		bytes = min_t(u32, wanted - total, sizeof(access->bytes));
		if (fatal_signal_pending(current))
			return total ?: -EINTR;
		if (access->write &&
		    copy_from_user(access->bytes, buf + total, bytes))
			return total ?: -EFAULT;
		ret = slm_piece(access, request->offset + total, bytes);
		if (ret < 0)
			return total ?: ret;
		if (!access->write &&
		    copy_to_user(buf + total, access->bytes, ret))
			return total ?: -EFAULT;
		total += ret;
	} while (total < wanted && ret == bytes);
	return total;
}

static int slm_access(struct gtdbg_session *session,
		      const struct gtdbg_slm_access *request, bool write)
{
	struct slm_access access = {
		.session = session,
		.request = request,
		.write = write,
		.generation = request->generation,
		.begin = ktime_get(),
	};
	int ret;

	access.deadline = ktime_add_ms(access.begin, SLM_TIMEOUT_MS);
	if (request->flags || !request->len_bytes)
		return -EINVAL;
	if (write && session->observer)
		return -EPERM;
	if (request->offset >= GTDBG_SIP_SLM_END)
		return -EFAULT;
	ret = slm_copy(&access);
	trace_gtdbg_slm(request->device, request->slot, request->offset,
			max(ret, 0), write);
	return ret;
}

int gtdbg_ioctl_slm_read(struct gtdbg_session *session, void *arg)
{
	return slm_access(session, arg, false);
}

int gtdbg_ioctl_slm_write(struct gtdbg_session *session, void *arg)
{
	return slm_access(session, arg, true);
}
