/* SPDX-License-Identifier: MIT */
/*
 * What a driver sees of a device and does to it, but for its EU threads:
 * forcewake, CS_DEBUG_MODE2, invalidation of the TLBs, what the command streamer
 * runs, and the page fault that was reported last.
 */
#ifndef VGT_DRIVER_H
#define VGT_DRIVER_H

#include "gt/ppgtt.h"

#include <stdbool.h>
#include <stdint.h>

struct vgt_device;

/* Registers by their hardware offsets. */
enum {
	VGT_FORCEWAKE_ACK_MEDIA = 0x0d50, /* 8 */
	VGT_FORCEWAKE_ACK_ENHANCE = 0x0d70, /* 4 */
	VGT_FORCEWAKE_ACK_RENDER = 0x0d84,
	VGT_CS_DEBUG_MODE2 = 0x20d8,
	VGT_FORCEWAKE_GT = 0xa188,
	VGT_FORCEWAKE_RENDER = 0xa278,
	VGT_FORCEWAKE_MEDIA = 0xa540,
	VGT_FORCEWAKE_ENHANCE = 0xa560,
	VGT_L3_INVALIDATE = 0xb404,
	VGT_FAULT_TLB_DATA0 = 0xceb8,
	VGT_FAULT_TLB_DATA1 = 0xcebc,
	VGT_FAULT_REG = 0xcec4,
	VGT_TLB_INVALIDATE = 0xced8,
	VGT_RCU_DEBUG_1 = 0x14a00,
	VGT_FORCEWAKE_ACK_GT = 0x130044,
	/* Not in hardware: for tests of who meets hardware that is broken. */
	VGT_IOMMU_SHIFT = 0x1ffff8, /* pages that all addresses are more than memory's */
	VGT_FORCEWAKE_DEAF = 0x1ffffc, /* bits of requests that nothing answers */
};

/* Return false if @offset is no register of these. */
bool vgt_driver_reg_read(struct vgt_device *device, uint32_t offset,
			 uint32_t *value_out);
bool vgt_driver_reg_write(struct vgt_device *device, uint32_t offset,
			  uint32_t value);

/* EU debugging is on: the save area belongs to the device. */
bool vgt_driver_debugs(struct vgt_device *device);

/* The command streamer runs the context at @lrca; 0: it is idle. */
void vgt_driver_context(struct vgt_device *device, uint32_t lrca);

/*
 * The command streamer executes the command at @address of a batch; the ring goes
 * on at @head behind it.
 */
void vgt_driver_position(struct vgt_device *device, uint32_t head,
			 uint64_t address);

/* A launch has threads, or may still start some. */
void vgt_driver_spawner(struct vgt_device *device, bool busy);

/* Latch the first page fault until the driver takes it back. */
void vgt_driver_fault(struct vgt_device *device, uint64_t va,
		      enum vgt_access access);

#endif
