// SPDX-License-Identifier: MIT
#include "gt/mmio.h"

#include "gt/attention.h"
#include "gt/device.h"
#include "gt/driver.h"
#include "gt/engine.h"
#include "gt/execlist.h"
#include "gt/field.h"
#include "gt/interrupt.h"

#include <stdlib.h>
#include <time.h>

#define TIMESTAMP_HZ 12000000ULL
#define TIMESTAMP_BITS 36
#define RPM_CONFIG_12_MHZ (2U << 1) /* half of a crystal of 24 MHz */
#define EXECLIST_CONTROL_LOAD (1U << 0)

/* Bits 31:16 of a write to these select which of bits 15:0 change. */
static const uint32_t masked[] = {
	0x7000, 0x7004, 0x2090, 0x20e0, 0x20e4, 0x20ec, 0x20d8, 0x2244,
	0x229c, 0x2580, 0xe194,
};

/* What the window has a copy of, beside what attention.c puts there. */
static const uint32_t shown[] = {
	VGT_FORCEWAKE_ACK_RENDER, VGT_FORCEWAKE_ACK_GT, VGT_RING_CURRENT_LRCA,
	VGT_CS_DEBUG_MODE2, VGT_FAULT_TLB_DATA0, VGT_FAULT_TLB_DATA1,
	VGT_FAULT_REG, VGT_RING_HEAD, VGT_RING_ACTHD_HIGH, VGT_RING_ACTHD,
	VGT_RPM_CONFIG, VGT_RING_INSTDONE,
};

/* All others are zero. */
static void power_on(struct vgt_mmio *file)
{
	atomic_store(&file->value[VGT_RPM_CONFIG / 4], RPM_CONFIG_12_MHZ);
	atomic_store(&file->value[VGT_RING_INSTDONE / 4], UINT32_MAX);
}

/* Most were never written: they take no memory and get none here. */
void vgt_mmio_reset(struct vgt_mmio *file)
{
	for (uint32_t i = 0; i < VGT_MMIO_BYTES / 4; i++)
		if (atomic_load_explicit(&file->value[i], memory_order_relaxed))
			atomic_store(&file->value[i], 0);
	power_on(file);
}

struct vgt_mmio *vgt_mmio_create(void)
{
	struct vgt_mmio *file = calloc(1, sizeof(*file));

	if (!file)
		return NULL;
	pthread_mutex_init(&file->lock, NULL);
	power_on(file);
	return file;
}

void vgt_mmio_destroy(struct vgt_mmio *file)
{
	if (!file)
		return;
	pthread_mutex_destroy(&file->lock);
	free(file);
}

static _Atomic uint32_t *at(struct vgt_mmio *file, uint32_t offset)
{
	if (offset >= VGT_MMIO_BYTES || offset % 4)
		return NULL;
	return &file->value[offset / 4];
}

uint32_t vgt_mmio_get(struct vgt_mmio *file, uint32_t offset)
{
	_Atomic uint32_t *reg = at(file, offset);

	return reg ? atomic_load(reg) : 0;
}

void vgt_mmio_set(struct vgt_mmio *file, uint32_t offset, uint32_t value)
{
	_Atomic uint32_t *reg = at(file, offset);

	if (reg)
		atomic_store(reg, value);
}

static void publish_locked(struct vgt_mmio *file, uint32_t offset,
			   uint32_t value)
{
	if (file->window)
		file->window[offset / 4] = value;
}

void vgt_mmio_publish(struct vgt_mmio *file, uint32_t offset, uint32_t value)
{
	pthread_mutex_lock(&file->lock);
	publish_locked(file, offset, value);
	pthread_mutex_unlock(&file->lock);
}

/* Under the lock, so that the last value set is also the last one copied. */
void vgt_mmio_show(struct vgt_mmio *file, uint32_t offset, uint32_t value)
{
	pthread_mutex_lock(&file->lock);
	vgt_mmio_set(file, offset, value);
	publish_locked(file, offset, value);
	pthread_mutex_unlock(&file->lock);
}

void vgt_mmio_window(struct vgt_mmio *file, volatile uint32_t *window)
{
	pthread_mutex_lock(&file->lock);
	file->window = window;
	for (size_t i = 0; i < sizeof(shown) / sizeof(shown[0]); i++)
		publish_locked(file, shown[i], vgt_mmio_get(file, shown[i]));
	pthread_mutex_unlock(&file->lock);
}

uint64_t vgt_mmio_timestamp(void)
{
	struct timespec now;
	uint64_t ticks;

	clock_gettime(CLOCK_MONOTONIC, &now);
	ticks = (uint64_t)now.tv_sec * TIMESTAMP_HZ +
		(uint64_t)now.tv_nsec * (TIMESTAMP_HZ / 1000000) / 1000;
	return ticks & ((1ULL << TIMESTAMP_BITS) - 1);
}

/* Under the lock, so that it never goes back. */
void vgt_mmio_publish_time(struct vgt_mmio *file)
{
	uint64_t now;

	pthread_mutex_lock(&file->lock);
	now = vgt_mmio_timestamp();
	publish_locked(file, VGT_RING_TIMESTAMP, (uint32_t)now);
	publish_locked(file, VGT_RING_TIMESTAMP_HIGH, (uint32_t)(now >> 32));
	pthread_mutex_unlock(&file->lock);
}

/* Time stamps of all engines are one clock. */
static bool time_read(struct vgt_device *device, uint32_t offset,
		      uint32_t *value_out)
{
	struct vgt_engine *engine = vgt_engine_find(device, offset);

	if (!engine)
		return false;
	switch (offset - engine->kind->base) {
	case VGT_ENGINE_TIMESTAMP:
	case VGT_ENGINE_CTX_TIMESTAMP:
		*value_out = (uint32_t)vgt_mmio_timestamp();
		return true;
	case VGT_ENGINE_TIMESTAMP_HIGH:
		*value_out = (uint32_t)(vgt_mmio_timestamp() >> 32);
		return true;
	default:
		return false;
	}
}

uint32_t vgt_device_reg_read(struct vgt_device *device, uint32_t offset)
{
	uint32_t value;

	if (vgt_attention_reg_read(device, offset, &value) ||
	    vgt_driver_reg_read(device, offset, &value) ||
	    vgt_execlist_reg_read(device, offset, &value) ||
	    vgt_interrupt_reg_read(device, offset, &value) ||
	    time_read(device, offset, &value))
		return value;
	if (offset == VGT_EXECLIST_STATUS)
		return 0;
	return vgt_mmio_get(device->mmio, offset);
}

static uint32_t mask_apply(struct vgt_device *device, uint32_t offset,
			   uint32_t value)
{
	for (size_t i = 0; i < sizeof(masked) / sizeof(masked[0]); i++)
		if (masked[i] == offset)
			return vgt_masked(vgt_mmio_get(device->mmio, offset),
					  value);
	return value;
}

void vgt_device_reg_store(struct vgt_device *device, uint32_t offset,
			  uint32_t value)
{
	if (!vgt_driver_reg_write(device, offset, value))
		vgt_mmio_set(device->mmio, offset,
			     mask_apply(device, offset, value));
}

static void submit(struct vgt_device *device)
{
	struct vgt_mmio *file = device->mmio;
	struct vgt_submission submission = {
		.descriptor = vgt_mmio_get(file, VGT_EXECLIST_SQ_LOW) |
			(uint64_t)vgt_mmio_get(file, VGT_EXECLIST_SQ_HIGH)
			<< 32,
		.tail = VGT_TAIL_OF_IMAGE,
	};

	vgt_device_submit(device, &submission);
}

void vgt_device_reg_write(struct vgt_device *device, uint32_t offset,
			  uint32_t value)
{
	if (vgt_attention_reg_write(device, offset, value) ||
	    vgt_execlist_reg_write(device, offset, value) ||
	    vgt_interrupt_reg_write(device, offset, value))
		return;
	vgt_device_reg_store(device, offset, value);
	if (offset == VGT_EXECLIST_CONTROL && (value & EXECLIST_CONTROL_LOAD))
		submit(device);
}
