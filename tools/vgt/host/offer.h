/* SPDX-License-Identifier: MIT */
/*
 * A device's offer to the kernel module, through /dev/gtdbg-vgt: the module
 * sees its physical memory and a window of registers, and sends it the writes
 * that do something (linux/gtdbg_vgt.h).
 */
#ifndef VGT_OFFER_H
#define VGT_OFFER_H

#include <stdbool.h>

struct vgt_device;
struct vgt_offer;

/* Is there a module to offer to? */
bool vgt_offer_possible(void);

/* Offer @device, which has its memory. Returns 0 or a negative errno. */
int vgt_offer_create(struct vgt_device *device, struct vgt_offer **offer_out);

/* The module then reports a lost device. */
void vgt_offer_destroy(struct vgt_offer *offer);

#endif
