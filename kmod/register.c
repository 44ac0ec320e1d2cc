// SPDX-License-Identifier: GPL-2.0-only
/*
 * Registers of a stopped thread are memory: its slot of the save area. The sets
 * are those of the area's header, by the same numbers plus one, and one more
 * that gtdbg's SIP adds.
 */
#include "register.h"

#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "bindful.h"
#include "context.h"
#include "gt.h"
#include "ppgtt.h"
#include "savearea.h"
#include "session.h"
#include "thread.h"

#define REGISTER_BYTES_MAX 4096 /* of one access: all of the GRF */
#define REGISTER_SETS_MAX 17

/* Sets that a debugger may change; what the SIP restores of them counts. */
static const u32 register_writable =
	1U << GTDBG_REGISTER_GRF | 1U << GTDBG_REGISTER_ADDR |
	1U << GTDBG_REGISTER_FLAG | 1U << GTDBG_REGISTER_SR |
	1U << GTDBG_REGISTER_CR | 1U << GTDBG_REGISTER_ACC |
	1U << GTDBG_REGISTER_SP;

struct register_place {
	struct gtdbg_register_set set;
	u32 offset; /* in the slot */
};

static void register_identity(struct register_place *place)
{
	place->offset = GTDBG_SIP_SLOT_IDENTITY;
	place->set = (struct gtdbg_register_set){
		.set = GTDBG_REGISTER_IDENTITY,
		.count = 1,
		.bits = 8 * sizeof(struct gtdbg_sip_identity),
		.bytes = sizeof(struct gtdbg_sip_identity),
	};
}

/* Where set @id lies; -EOPNOTSUPP: this SIP saves no such set. */
static int register_find(const struct gtdbg_savearea *area, u32 id,
			 struct register_place *place)
{
	const struct gtdbg_sip_regset *regset;

	if (id == GTDBG_REGISTER_IDENTITY && area->sip == GTDBG_SIP_OWN) {
		register_identity(place);
		return 0;
	}
	if (!id || id > GTDBG_SIP_REGSETS ||
	    id == GTDBG_SIP_REGSET_COMMAND + 1)
		return -EOPNOTSUPP;
	regset = &area->regset[id - 1];
	if (!regset->count || !regset->bytes)
		return -EOPNOTSUPP;
	place->offset = regset->offset;
	place->set = (struct gtdbg_register_set){
		.set = id,
		.flags = register_writable >> id & 1 ?
				 GTDBG_REGISTER_F_WRITABLE : 0,
		.count = regset->count,
		.bits = regset->bits,
		.bytes = regset->bytes,
	};
	return 0;
}

static int register_sets(const struct gtdbg_savearea *area,
			 struct gtdbg_register_set *sets)
{
	struct register_place place;
	u32 id, count = 0;

	for (id = 1; id <= REGISTER_SETS_MAX; id++)
		if (!register_find(area, id, &place))
			sets[count++] = place.set;
	return count;
}

int gtdbg_ioctl_register_list(struct gtdbg_session *session, void *arg)
{
	struct gtdbg_register_set sets[REGISTER_SETS_MAX];
	struct gtdbg_register_list *request = arg;
	struct gtdbg_context *context;
	struct gtdbg_gt *gt;
	int count = -ENOENT, room;

	if (request->flags)
		return -EINVAL;
	gt = gtdbg_session_gt_lock(session, request->device);
	if (IS_ERR(gt))
		return PTR_ERR(gt);
	context = gtdbg_context_find(gt, request->context);
	if (context && !gtdbg_savearea_check(gt, context))
		count = register_sets(&context->savearea, sets);
	gtdbg_session_gt_unlock(gt);
	if (count < 0)
		return count;
	room = min_t(u32, request->count, count);
	if (copy_to_user(u64_to_user_ptr(request->sets), sets,
			 room * sizeof(*sets)))
		return -EFAULT;
	request->count = count;
	return room;
}

/* The stopped thread that is meant, its save area checked. */
static struct gtdbg_thread *
register_thread(struct gtdbg_gt *gt, const struct gtdbg_register_access *request)
{
	struct gtdbg_thread *thread;

	if (request->slot >= gt->topology.slots)
		return ERR_PTR(-EINVAL);
	thread = &gt->threads[request->slot];
	if (thread->state != GTDBG_THREAD_STOPPED ||
	    (request->generation && request->generation != thread->generation))
		return ERR_PTR(-ESRCH);
	if (gtdbg_savearea_check(gt, thread->context))
		return ERR_PTR(-ESRCH);
	return thread;
}

static int register_locate(struct gtdbg_gt *gt, struct gtdbg_thread *thread,
			   const struct gtdbg_register_access *request,
			   bool write, u64 *address_out)
{
	const struct gtdbg_savearea *area = &thread->context->savearea;
	struct register_place place;
	int ret;

	ret = register_find(area, request->set, &place);
	if (ret)
		return ret;
	if (write && !(place.set.flags & GTDBG_REGISTER_F_WRITABLE))
		return -EPERM;
	if (request->first >= place.set.count ||
	    request->count > place.set.count - request->first ||
	    request->len_bytes != (u64)request->count * place.set.bytes)
		return -EINVAL;
	*address_out = gtdbg_savearea_slot(area, request->slot) +
		       place.offset + request->first * place.set.bytes;
	return 0;
}

/* Would the SIP take what replaces @old for a command, in the place of r0.4? */
static bool register_held(const struct gtdbg_context *context,
			  const struct gtdbg_register_access *request,
			  const u8 *old, const u8 *new)
{
	return context->savearea.sip == GTDBG_SIP_BINDFUL &&
	       request->set == GTDBG_REGISTER_GRF && !request->first &&
	       memcmp(old + GTDBG_BINDFUL_COMMAND, new + GTDBG_BINDFUL_COMMAND,
		      sizeof(u32));
}

static int register_write(struct gtdbg_gt *gt, struct gtdbg_context *context,
			  const struct gtdbg_register_access *request,
			  u64 address, const void *buf)
{
	u32 len_bytes = request->len_bytes;
	u8 *check;
	int ret;

	check = kmalloc(len_bytes, GFP_KERNEL);
	if (!check)
		return -ENOMEM;
	ret = gtdbg_ppgtt_read(gt, context, address, check, len_bytes);
	if (!ret && register_held(context, request, check, buf))
		ret = -EPERM;
	if (!ret)
		ret = gtdbg_ppgtt_write(gt, context, address, buf, len_bytes) ?:
		      gtdbg_ppgtt_read(gt, context, address, check, len_bytes);
	if (!ret && memcmp(check, buf, len_bytes))
		ret = -EIO;
	kfree(check);
	return ret;
}

static int register_access(struct gtdbg_session *session,
			   const struct gtdbg_register_access *request,
			   void *buf, bool write)
{
	struct gtdbg_thread *thread;
	struct gtdbg_gt *gt;
	u64 address;
	int ret;

	gt = gtdbg_session_gt_lock(session, request->device);
	if (IS_ERR(gt))
		return PTR_ERR(gt);
	thread = register_thread(gt, request);
	ret = PTR_ERR_OR_ZERO(thread);
	if (!ret)
		ret = register_locate(gt, thread, request, write, &address);
	if (!ret)
		ret = write ? register_write(gt, thread->context, request,
					     address, buf) :
			      gtdbg_ppgtt_read(gt, thread->context, address, buf,
					       request->len_bytes);
	/* What was read may have become someone else's meanwhile. */
	if (!ret && !gtdbg_context_reachable(gt, thread->context, true))
		ret = -ESRCH;
	gtdbg_session_gt_unlock(gt);
	return ret;
}

int gtdbg_register_copy(struct gtdbg_gt *gt, u32 slot, u32 set,
			u32 offset_bytes, void *buf, u32 len_bytes)
{
	struct gtdbg_context *context = gt->threads[slot].context;
	const struct gtdbg_savearea *area = &context->savearea;
	struct register_place place;
	u32 bytes;
	int ret;

	lockdep_assert_held(&gt->lock);
	ret = register_find(area, set, &place);
	if (ret)
		return ret;
	bytes = place.set.count * place.set.bytes;
	if (offset_bytes > bytes || len_bytes > bytes - offset_bytes)
		return -EINVAL;
	return gtdbg_ppgtt_read(gt, context,
				gtdbg_savearea_slot(area, slot) + place.offset +
					offset_bytes,
				buf, len_bytes);
}

static int register_check(const struct gtdbg_register_access *request)
{
	if (request->flags || !request->count || !request->len_bytes ||
	    request->len_bytes > REGISTER_BYTES_MAX)
		return -EINVAL;
	return 0;
}

int gtdbg_ioctl_register_read(struct gtdbg_session *session, void *arg)
{
	const struct gtdbg_register_access *request = arg;
	void *buf;
	int ret;

	ret = register_check(request);
	if (ret)
		return ret;
	buf = kmalloc(request->len_bytes, GFP_KERNEL);
	if (!buf)
		return -ENOMEM;
	ret = register_access(session, request, buf, false);
	if (!ret && copy_to_user(u64_to_user_ptr(request->buf), buf,
				 request->len_bytes))
		ret = -EFAULT;
	kfree(buf);
	return ret;
}

int gtdbg_ioctl_register_write(struct gtdbg_session *session, void *arg)
{
	const struct gtdbg_register_access *request = arg;
	void *buf;
	int ret;

	ret = register_check(request);
	if (ret)
		return ret;
	if (session->observer)
		return -EPERM;
	buf = memdup_user(u64_to_user_ptr(request->buf), request->len_bytes);
	if (IS_ERR(buf))
		return PTR_ERR(buf);
	ret = register_access(session, request, buf, true);
	kfree(buf);
	return ret;
}
