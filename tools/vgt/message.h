/* SPDX-License-Identifier: MIT */
/*
 * A send instruction as a shared function sees it. The engine fills this in;
 * what each message does is in Documentation/vgt.rst, "Messages".
 */
#ifndef VGT_MESSAGE_H
#define VGT_MESSAGE_H

#include <stdint.h>

struct vgt_eu_thread;

enum vgt_sfid {
	VGT_SFID_SAMPLER = 2,
	VGT_SFID_GATEWAY = 3,
	VGT_SFID_THREAD_SPAWNER = 7,
	VGT_SFID_DC0 = 10,
	VGT_SFID_DC1 = 12,
};

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

/*
 * Carry out @message for @thread. Returns 0, or -ENOSYS after vgt_eu_fail().
 * End of thread and the barrier are the engine's; they do not come here.
 * Faults are reported and do not stop the thread unless the device says so.
 */
int vgt_message_execute(struct vgt_eu_thread *thread,
			const struct vgt_message *message);

#endif
