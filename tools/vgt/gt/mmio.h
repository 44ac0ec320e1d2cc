/* SPDX-License-Identifier: MIT */
/*
 * The registers below 2 MiB: storage, masked writes, and the copy of some that
 * the kernel module reads. Those of drivers are driver.c's and attention.c's.
 */
#ifndef VGT_MMIO_H
#define VGT_MMIO_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#define VGT_MMIO_BYTES 0x200000

/* Offsets on the render engine; Gen12 programmer's names. */
enum {
	VGT_RCS_BASE = 0x2000,
	VGT_RING_HEAD = 0x2034,
	VGT_RING_ACTHD_HIGH = 0x205c,
	VGT_RING_INSTDONE = 0x206c,
	VGT_RING_ACTHD = 0x2074,
	VGT_EXECLIST_STATUS = 0x2234,
	VGT_RING_CURRENT_LRCA = 0x2240,
	VGT_RPM_CONFIG = 0x0d00, /* which crystal, and how it is divided */
	VGT_RING_TIMESTAMP = 0x2358,
	VGT_RING_TIMESTAMP_HIGH = 0x235c,
	VGT_EXECLIST_SQ_LOW = 0x2510,
	VGT_EXECLIST_SQ_HIGH = 0x2514,
	VGT_EXECLIST_CONTROL = 0x2550,
};

struct vgt_mmio {
	_Atomic uint32_t value[VGT_MMIO_BYTES / 4];

	pthread_mutex_t lock;

	/* Protected by @lock. */
	volatile uint32_t *window;
};

struct vgt_mmio *vgt_mmio_create(void);
void vgt_mmio_destroy(struct vgt_mmio *file);

/* Values as after power-on; a window on them is not told. */
void vgt_mmio_reset(struct vgt_mmio *file);

/* The stored value, without side effects. 0 for an offset that is none. */
uint32_t vgt_mmio_get(struct vgt_mmio *file, uint32_t offset);
void vgt_mmio_set(struct vgt_mmio *file, uint32_t offset, uint32_t value);

/* Set the register, and its copy in the window. */
void vgt_mmio_show(struct vgt_mmio *file, uint32_t offset, uint32_t value);

/* Only the copy: @offset is the window's, or the register computes its value. */
void vgt_mmio_publish(struct vgt_mmio *file, uint32_t offset, uint32_t value);

/* Only the copy of the time stamp, which is as new as this. */
void vgt_mmio_publish_time(struct vgt_mmio *file);

/*
 * Keep a copy of what is shown in @window from now on, laid out as
 * linux/gtdbg_vgt.h says; NULL: no longer.
 */
void vgt_mmio_window(struct vgt_mmio *file, volatile uint32_t *window);

/* Ticks of 83.333 ns (12 MHz): the timestamp registers and post-sync writes. */
uint64_t vgt_mmio_timestamp(void);

#endif
