// SPDX-License-Identifier: GPL-2.0-only
/*
 * Shared local memory of a work-group. Nothing but the group's own threads can
 * address it, so a stopped one copies it for the debugger: its SIP is given a
 * command with a few bytes at a time, does it, and is READY again. The GT's lock
 * is held for each piece, so that nobody resumes the thread in between; the
 * data waits in a buffer of the module, as no lock is held while the caller's
 * pages are touched.
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

#define SLM_TIMEOUT_MS 5000

/* One call under way. */
struct slm_access {
	struct gtdbg_session *session;
	const struct gtdbg_slm_access *request;
	bool write;
	u64 generation; /* of the stop; 0 until it is known */
	ktime_t deadline;
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

/*
 * Until the SIP asks for a command. A wake-up may be lost, or meant for another
 * thread, so the thread is woken again and again.
 */
static int slm_wait(struct gtdbg_gt *gt, struct gtdbg_thread *thread,
		    u64 address, const struct slm_access *access)
{
	u32 command;
	int ret;

	for (;;) {
		ret = gtdbg_ppgtt_read(gt, thread->context, address, &command,
				       sizeof(command));
		if (ret || command == GTDBG_SIP_COMMAND_READY)
			return ret;
		if (fatal_signal_pending(current))
			return -EINTR;
		if (ktime_after(ktime_get(), access->deadline))
			return -ETIMEDOUT;
		gtdbg_thread_nudge(gt, access->request->slot);
		ret = gtdbg_threads_flush(gt);
		if (ret)
			return ret;
		usleep_range(20, 50);
	}
}

/*
 * The command goes last, to a SIP that does nothing but wait for it. If it is
 * not done in time, it is taken back; as the SIP may be about to do it all the
 * same, the thread is given no other in this stop but to leave.
 */
static int slm_command(struct gtdbg_gt *gt, struct gtdbg_thread *thread,
		       u64 address, const struct slm_access *access,
		       struct gtdbg_sip_command *block)
{
	u32 command = access->write ? GTDBG_SIP_COMMAND_SLM_WRITE :
				      GTDBG_SIP_COMMAND_SLM_READ;
	u32 ready = GTDBG_SIP_COMMAND_READY;
	int ret;

	ret = slm_wait(gt, thread, address, access) ?:
	      gtdbg_ppgtt_write(gt, thread->context, address, block,
				sizeof(*block)) ?:
	      gtdbg_ppgtt_write(gt, thread->context, address, &command,
				sizeof(command));
	if (ret)
		return ret;
	ret = slm_wait(gt, thread, address, access);
	if (ret) {
		gtdbg_ppgtt_write(gt, thread->context, address, &ready,
				  sizeof(ready));
		thread->unsettled = true;
		return ret;
	}
	return gtdbg_ppgtt_read(gt, thread->context, address, block,
				sizeof(*block));
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

/*
 * Copy between the bytes of @access and the memory at @offset: how many, fewer
 * than @len_bytes where the memory ends.
 */
static int slm_piece(struct gtdbg_gt *gt, struct slm_access *access, u64 offset,
		     u32 len_bytes)
{
	struct gtdbg_thread *thread = slm_thread(gt, access);
	struct gtdbg_sip_command block = {
		.command = GTDBG_SIP_COMMAND_READY,
		.offset = offset,
	};
	u64 address;
	int ret, len;

	if (IS_ERR(thread))
		return PTR_ERR(thread);
	if (thread->unsettled)
		return -ETIMEDOUT;
	len = slm_clip(slm_bytes(gt, thread), offset, len_bytes);
	if (len < 0)
		return len;
	access->generation = thread->generation;
	address = gtdbg_savearea_slot(&thread->context->savearea,
				      access->request->slot) +
		  GTDBG_SIP_SLOT_COMMAND;
	block.size_bytes = len;
	if (access->write)
		memcpy(block.buffer, access->bytes, len);
	ret = slm_command(gt, thread, address, access, &block);
	if (ret)
		return ret == -EFAULT ? -ESRCH : ret;
	if (block.size_bytes != len)
		return -EIO;
	if (!access->write)
		memcpy(access->bytes, block.buffer, len);
	return len;
}

static int slm_piece_locked(struct slm_access *access, u64 offset,
			    u32 len_bytes)
{
	struct gtdbg_gt *gt;
	int ret;

	gt = gtdbg_session_gt_lock(access->session, access->request->device);
	if (IS_ERR(gt))
		return PTR_ERR(gt);
	ret = slm_piece(gt, access, offset, len_bytes);
	gtdbg_session_gt_unlock(gt);
	return ret;
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
		ret = slm_piece_locked(access, request->offset + total, bytes);
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
		.deadline = ktime_add_ms(ktime_get(), SLM_TIMEOUT_MS),
	};
	int ret;

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
