/* SPDX-License-Identifier: MIT */
/*
 * Registers around the engines that a driver asks before it uses them: what is fused
 * off, clocks, power wells, the power controller's mailbox. There is no display.
 */
#ifndef VGT_PCI_UNCORE_H
#define VGT_PCI_UNCORE_H

#include <stdbool.h>
#include <stdint.h>

struct vgt_device;

/* Values after power-on. */
void vgt_uncore_init(struct vgt_device *device);

/* False if @offset is no register of these, and plain storage may have it. */
bool vgt_uncore_write(struct vgt_device *device, uint32_t offset,
		      uint32_t value);

#endif
