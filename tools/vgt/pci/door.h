/* SPDX-License-Identifier: MIT */
/*
 * The door of a machine that QEMU emulates: the device is a PCI function there, and
 * the machine's own graphics driver drives it. One device for one machine.
 */
#ifndef VGT_PCI_DOOR_H
#define VGT_PCI_DOOR_H

struct vgt_door;

extern const struct vgt_door vgt_pci_door;

#endif
