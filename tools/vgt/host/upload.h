/* SPDX-License-Identifier: MIT */
/*
 * What the host writes into physical memory over TBX.
 *
 * The runtime lays out its page tables as four linear arrays at fixed physical
 * addresses, and gives data pages out from 0x1000 upward without end: after
 * 512 MiB of data the two meet. Here they do not: a write of eight bytes into
 * one of the arrays whose value ends in 3 (present, writable) is a table
 * entry; all other data at VGT_TABLES_BASE or above goes to VGT_SHIFTED_BASE
 * higher, and page-table entries that point there are changed to fit.
 */
#ifndef VGT_UPLOAD_H
#define VGT_UPLOAD_H

#include <stddef.h>
#include <stdint.h>

struct vgt_device;

/* Physical address of the data that the host calls @phys. */
uint64_t vgt_upload_address(uint64_t phys);

/* Returns 0, or -EFAULT if the data do not fit in memory. */
int vgt_upload(struct vgt_device *device, uint64_t phys, const uint8_t *data,
	       size_t len_bytes);

#endif
