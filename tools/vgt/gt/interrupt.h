/* SPDX-License-Identifier: MIT */
/*
 * Interrupts of the engines, in the two levels that a driver asks: a bit for each
 * engine says that it has something, and an identity says what. A message goes out
 * when there is something and the driver has enabled the whole; enabling it again
 * asks for the next one.
 */
#ifndef VGT_INTERRUPT_H
#define VGT_INTERRUPT_H

#include <stdbool.h>
#include <stdint.h>

struct vgt_device;
struct vgt_engine;

/* Registers by their hardware offsets; two banks, 4 bytes apart. */
enum {
	VGT_INTERRUPT_MASTER = 0x190010,
	VGT_INTERRUPT_PENDING = 0x190018,
	VGT_INTERRUPT_RENDER_COPY = 0x190030, /* enables */
	VGT_INTERRUPT_VIDEO = 0x190034,
	VGT_INTERRUPT_IDENTITY = 0x190060,
	VGT_INTERRUPT_SELECTOR = 0x190070,
};

/* What an engine reports. */
enum {
	VGT_INTERRUPT_USER = 1 << 0,
	VGT_INTERRUPT_SWITCH = 1 << 8,
};

/* @message is called by any thread, and must not wait. */
int vgt_interrupts_create(struct vgt_device *device,
			  void (*message)(void *context), void *context);
void vgt_interrupts_destroy(struct vgt_device *device);

/* Nothing is pending, nothing enabled. */
void vgt_interrupts_reset(struct vgt_device *device);

/* Does nothing where no driver is. */
void vgt_interrupt_raise(const struct vgt_engine *engine, uint32_t bits);

/* Return false if @offset is no register of these. */
bool vgt_interrupt_reg_read(struct vgt_device *device, uint32_t offset,
			    uint32_t *value_out);
bool vgt_interrupt_reg_write(struct vgt_device *device, uint32_t offset,
			     uint32_t value);

#endif
