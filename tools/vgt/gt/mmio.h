/* SPDX-License-Identifier: MIT */
/*
 * The registers below 2 MiB: storage, masked writes, and those few whose read
 * or write does something. Debug registers are attention.c's.
 */
#ifndef VGT_MMIO_H
#define VGT_MMIO_H

#include <stdatomic.h>
#include <stdint.h>

#define VGT_MMIO_BYTES 0x200000

/* Offsets on the render engine; Gen12 programmer's names. */
enum {
	VGT_RCS_BASE = 0x2000,
	VGT_RING_HEAD = 0x2034,
	VGT_RING_ACTHD_HIGH = 0x205c,
	VGT_RING_ACTHD = 0x2074,
	VGT_EXECLIST_STATUS = 0x2234,
	VGT_RING_CURRENT_LRCA = 0x2240,
	VGT_RING_TIMESTAMP = 0x2358,
	VGT_RING_TIMESTAMP_HIGH = 0x235c,
	VGT_CTX_TIMESTAMP = 0x23a8,
	VGT_EXECLIST_SQ_LOW = 0x2510,
	VGT_EXECLIST_SQ_HIGH = 0x2514,
	VGT_EXECLIST_CONTROL = 0x2550,
	VGT_CS_GPR = 0x2600, /* 16 of 64 bits */
};

struct vgt_mmio {
	_Atomic uint32_t value[VGT_MMIO_BYTES / 4];
};

struct vgt_mmio *vgt_mmio_create(void);
void vgt_mmio_destroy(struct vgt_mmio *file);

/* The stored value, without side effects. 0 for an offset that is none. */
uint32_t vgt_mmio_get(struct vgt_mmio *file, uint32_t offset);
void vgt_mmio_set(struct vgt_mmio *file, uint32_t offset,
		  uint32_t value);

/* Ticks of 83.333 ns (12 MHz): the timestamp registers and post-sync writes. */
uint64_t vgt_mmio_timestamp(void);

#endif
