// SPDX-License-Identifier: MIT
/*
 * Dispatch. Data ports choose by descriptor bits 18:14 (with bit 18 set, data
 * port 0 holds the scratch messages), the sampler by bits 16:12 in sampler.c.
 */
#include "port/message.h"

#include "eu/eu.h"
#include "port/atomic.h"
#include "port/block.h"
#include "port/media.h"
#include "port/sampler.h"
#include "port/scattered.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

/*
 * Workers share host memory, which is coherent: only the order of a thread's
 * own stores and later loads needs care. Nothing reads what comes back.
 */
static int message_fence(struct vgt_eu_thread *thread,
			 const struct vgt_message *message)
{
	(void)thread;
	atomic_thread_fence(memory_order_seq_cst);
	if (message->dst)
		memset(message->dst, 0, message->rlen * VGT_GRF_BYTES);
	return 0;
}

static vgt_message_fn *const dc0[32] = {
	[0x00] = vgt_block_oword_read,
	[0x01] = vgt_block_oword_read,
	[0x04] = vgt_scattered_byte_read,
	[0x07] = message_fence,
	[0x08] = vgt_block_oword_write,
	[0x0c] = vgt_scattered_byte_write,
	[0x10 ... 0x1f] = vgt_block_scratch,
};

static vgt_message_fn *const dc1[32] = {
	[0x01] = vgt_scattered_untyped_read,
	[0x02] = vgt_atomic_untyped,
	[0x04] = vgt_media_block_read,
	[0x05] = vgt_sampler_typed_read,
	[0x09] = vgt_scattered_untyped_write,
	[0x0a] = vgt_media_block_write,
	[0x0d] = vgt_sampler_typed_write,
	[0x10] = vgt_scattered_a64_read,
	[0x11] = vgt_scattered_a64_untyped_read,
	[0x12] = vgt_atomic_a64,
	[0x14] = vgt_block_a64_read,
	[0x15] = vgt_block_a64_write,
	[0x19] = vgt_scattered_a64_untyped_write,
	[0x1a] = vgt_scattered_a64_write,
	[0x1b] = vgt_atomic_untyped_float,
	[0x1d] = vgt_atomic_a64_float,
};

int vgt_message_need(struct vgt_eu_thread *thread,
		     const struct vgt_message *message, uint32_t in_grfs,
		     uint32_t out_grfs)
{
	if (message->mlen + message->exlen >= in_grfs &&
	    (!message->dst || message->rlen >= out_grfs))
		return 0;
	vgt_eu_fail(thread, "message 0x%x of %u+%u GRFs, %u back: too short",
		    message->desc, message->mlen, message->exlen,
		    message->rlen);
	return -EINVAL;
}

int vgt_message_execute(struct vgt_eu_thread *thread,
			const struct vgt_message *message)
{
	uint32_t type = (message->desc >> 14) & 31;
	vgt_message_fn *fn = NULL;

	if (message->sfid == VGT_SFID_DC1)
		fn = dc1[type];
	else if (message->sfid == VGT_SFID_DC0)
		fn = dc0[type];
	else if (message->sfid == VGT_SFID_SAMPLER)
		fn = vgt_sampler_message;
	if (fn)
		return fn(thread, message);
	vgt_eu_fail(thread, "message 0x%x to shared function %u",
		    message->desc, message->sfid);
	return -ENOSYS;
}
