/* SPDX-License-Identifier: MIT */
/*
 * A send instruction as a shared function sees it. The engine fills this in;
 * what each message does is in Documentation/vgt.rst, "Messages".
 */
#ifndef VGT_MESSAGE_H
#define VGT_MESSAGE_H

#include <stdint.h>

struct vgt_eu_thread;

#define VGT_GRF_BYTES 32

enum vgt_sfid {
	VGT_SFID_SAMPLER = 2,
	VGT_SFID_GATEWAY = 3,
	VGT_SFID_THREAD_SPAWNER = 7,
	VGT_SFID_DC0 = 10,
	VGT_SFID_DC1 = 12,
};

/* Descriptor bit: the first GRF of the payload is a header. */
#define VGT_MESSAGE_HEADER (1U << 19)

struct vgt_message {
	uint32_t sfid;
	uint32_t desc, exdesc;
	uint32_t lanes; /* bit i: payload lane i takes part */
	uint32_t exec_size;
	uint32_t mlen, exlen, rlen; /* GRFs */
	const uint8_t *src0; /* mlen GRFs */
	const uint8_t *src1; /* exlen GRFs */
	uint8_t *dst; /* rlen GRFs; NULL: null register, write nothing */
};

/* A shared function: 0, or a negative errno after vgt_eu_fail(). */
typedef int vgt_message_fn(struct vgt_eu_thread *thread,
			   const struct vgt_message *message);

/*
 * Carry out @message for @thread. Returns 0, or a negative errno after
 * vgt_eu_fail(): -ENOSYS for what is not implemented, -EINVAL for a malformed
 * message, -EFAULT for a page fault on a device that stops at faults.
 * End of thread and the barrier are the engine's; they do not come here.
 */
vgt_message_fn vgt_message_execute;

/*
 * Both sources are one payload, src0 first. Fails the thread unless it has
 * @in_grfs GRFs at least and the answer has room for @out_grfs.
 */
int vgt_message_need(struct vgt_eu_thread *thread,
		     const struct vgt_message *message, uint32_t in_grfs,
		     uint32_t out_grfs);

/* GRF @n of the payload. */
static inline const uint8_t *vgt_message_grf(const struct vgt_message *message,
					     uint32_t n)
{
	if (n < message->mlen)
		return message->src0 + n * VGT_GRF_BYTES;
	return message->src1 + (n - message->mlen) * VGT_GRF_BYTES;
}

#endif
