// SPDX-License-Identifier: MIT
#include "host/upload.h"

#include "gt/device.h"
#include "gt/memory.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#define ENTRY_BITS 0xfffULL
#define ENTRY_PRESENT 1ULL
#define ENTRY_TABLE 3ULL /* low bits of every entry that the runtime writes */

#define LEAF_BASE 0x100000000ULL

static const struct {
	uint64_t base, len_bytes;
} tables[] = {
	{ VGT_TABLES_BASE, 4096 },
	{ 0x40000000, 2ULL << 20 },
	{ 0x80000000, 1ULL << 30 },
	{ LEAF_BASE, 512ULL << 30 },
};

uint64_t vgt_upload_address(uint64_t phys)
{
	return phys < VGT_TABLES_BASE ? phys : phys + VGT_SHIFTED_BASE;
}

static bool is_table(uint64_t phys, size_t len_bytes, uint64_t value)
{
	if (len_bytes != 8 || phys % 8 || (value & ENTRY_BITS) != ENTRY_TABLE)
		return false;
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		if (phys - tables[i].base < tables[i].len_bytes)
			return true;
	return false;
}

static int table_write(struct vgt_device *device, uint64_t phys, uint64_t value)
{
	_Atomic uint64_t *at = vgt_memory_at(&device->memory, phys, 8);
	uint64_t old;

	if (!at)
		return -EFAULT;
	if (phys >= LEAF_BASE)
		value = vgt_upload_address(value & ~ENTRY_BITS) |
			(value & ENTRY_BITS);
	old = atomic_load_explicit(at, memory_order_relaxed);
	if (old == value)
		return 0;
	atomic_store(at, value);
	/* Nothing caches that an entry is absent. */
	if (old & ENTRY_PRESENT)
		vgt_device_remapped(device);
	return 0;
}

static bool is_zero(const uint8_t *data, size_t len_bytes)
{
	return !data[0] && !memcmp(data, data + 1, len_bytes - 1);
}

/* Write at most to the end of a page. */
static void page_write_locked(struct vgt_device *device, uint64_t phys,
			      const uint8_t *data, size_t len_bytes)
{
	uint8_t *at = device->memory.base + phys;
	uint8_t flags = vgt_memory_flags(&device->memory, phys);

	if (flags & VGT_PAGE_OWNED)
		return;
	if (!(flags & VGT_PAGE_FILLED)) {
		if (is_zero(data, len_bytes))
			return;
		vgt_memory_flag(&device->memory, phys, VGT_PAGE_FILLED);
	}
	if ((flags & VGT_PAGE_CODE) && memcmp(at, data, len_bytes)) {
		memcpy(at, data, len_bytes);
		vgt_device_recoded(device);
		return;
	}
	memcpy(at, data, len_bytes);
}

int vgt_upload(struct vgt_device *device, uint64_t phys, const uint8_t *data,
	       size_t len_bytes)
{
	uint64_t value;
	size_t n;

	if (len_bytes == 8) {
		memcpy(&value, data, 8);
		if (is_table(phys, 8, value))
			return table_write(device, phys, value);
	}
	phys = vgt_upload_address(phys);
	if (phys >= VGT_GGTT_BASE || len_bytes > VGT_GGTT_BASE - phys)
		return -EFAULT;
	device->uploaded_bytes += len_bytes;
	pthread_mutex_lock(&device->upload_lock);
	for (; len_bytes; len_bytes -= n, phys += n, data += n) {
		n = VGT_PAGE_BYTES - phys % VGT_PAGE_BYTES;
		if (n > len_bytes)
			n = len_bytes;
		page_write_locked(device, phys, data, n);
	}
	pthread_mutex_unlock(&device->upload_lock);
	return 0;
}
