/* SPDX-License-Identifier: MIT */
/*
 * One virtual GT: memory, registers, contexts, EU threads. Each runtime
 * connection has one of its own. What a driver can do to it goes through
 * vgt_device_reg_read(), vgt_device_reg_write() and its memory, nothing else.
 */
#ifndef VGT_DEVICE_H
#define VGT_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "memory.h"
#include "surface.h"
#include "tlb.h"

struct vgt_eu_thread;

#define VGT_DSS 6 /* dual sub-slices */
#define VGT_THREADS (VGT_DSS * 112) /* 16 EUs of 7 threads each */

/* A host thread of the pool, and what it keeps from one EU thread to the next. */
struct vgt_worker {
	struct vgt_tlb tlb;
	struct vgt_surface_cache surfaces;
	struct vgt_eu_thread *current;
};

struct vgt_device;

/*
 * 32-bit registers. A steered register (0xE400 to 0xE49F) goes to the sub-slice
 * that MCR selector 0xFDC names; a multicast write goes to all.
 */
uint32_t vgt_device_reg_read(struct vgt_device *device, uint32_t offset);
void vgt_device_reg_write(struct vgt_device *device, uint32_t offset,
			  uint32_t value);

struct vgt_memory *vgt_device_memory(struct vgt_device *device);

/*
 * Report a GPU page fault of @thread (NULL: of a command). Returns true if the
 * device stops on faults, so that the thread must not go on.
 */
bool vgt_device_fault(struct vgt_device *device, struct vgt_eu_thread *thread,
		      uint64_t va, enum vgt_access access);

#endif
