/* SPDX-License-Identifier: MIT */
/*
 * Interrupts of the function. The proxy protocol has none without KVM; a message to
 * the interrupt controller is a write to memory, which QEMU's qtest socket takes. It
 * has a thread of its own: QEMU answers there only when it is not waiting for us.
 */
#ifndef VGT_PCI_MSI_H
#define VGT_PCI_MSI_H

#include <stdint.h>

struct vgt_msi;

/* @path: QEMU's socket, which need not be there yet; NULL: no interrupts. */
int vgt_msi_create(const char *path, struct vgt_msi **msi_out);
void vgt_msi_destroy(struct vgt_msi *msi);

/* Send soon; what was not sent yet and is the same goes as one. Never waits. */
void vgt_msi_send(struct vgt_msi *msi, uint64_t address, uint32_t data);

#endif
