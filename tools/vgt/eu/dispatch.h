/* SPDX-License-Identifier: MIT */
/* Thread dispatch: what a thread finds in its registers when it starts. */
#ifndef VGT_DISPATCH_H
#define VGT_DISPATCH_H

#include <stdint.h>

struct vgt_eu_thread;
struct vgt_group;

/*
 * Put thread @index of @group into its initial state: r0, payload, masks,
 * sr0, cr0, ip. The payload is read through the worker's TLB.
 */
void vgt_dispatch(struct vgt_eu_thread *thread, struct vgt_group *group,
		  uint32_t index);

#endif
