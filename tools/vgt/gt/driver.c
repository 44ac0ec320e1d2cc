// SPDX-License-Identifier: MIT
/*
 * What is asked for is done at once: a forcewake request is acknowledged by the
 * write that makes it, and an invalidation is over when its write returns. So
 * nothing here has a state of its own; it lies in the register file, whose
 * window shows each change to the kernel module.
 */
#include "gt/driver.h"

#include "eu/icache.h"
#include "gt/attention.h"
#include "gt/device.h"
#include "gt/field.h"
#include "gt/mmio.h"

#define DEBUG_MODE2_ENABLE (1U << 5)
#define DEBUG_MODE2_INVALIDATE (1U << 6)

#define LRCA_VALID (1U << 0)
#define RCU_RENDER_DEBUG (1U << 9)
#define INSTDONE_SPAWNER (3U << 16) /* VFE and TSG: no threads are out */
#define FAULT_VALID (1U << 0)
#define FAULT_WRITE (1U << 3) /* lowest bit of the source field */
#define TLB_INVALIDATE (1U << 0)

bool vgt_driver_debugs(struct vgt_device *device)
{
	return vgt_mmio_get(device->mmio, VGT_CS_DEBUG_MODE2) &
	       DEBUG_MODE2_ENABLE;
}

bool vgt_driver_reg_read(struct vgt_device *device, uint32_t offset,
			 uint32_t *value_out)
{
	uint32_t lrca;

	if (offset != VGT_RCU_DEBUG_1)
		return false;
	lrca = vgt_mmio_get(device->mmio, VGT_RING_CURRENT_LRCA);
	*value_out = (lrca & LRCA_VALID) && vgt_driver_debugs(device) ?
		     RCU_RENDER_DEBUG : 0;
	return true;
}

static void debug_mode2_write(struct vgt_device *device, uint32_t value)
{
	uint32_t old = vgt_mmio_get(device->mmio, VGT_CS_DEBUG_MODE2);

	value = vgt_masked(old, value);
	if (value & DEBUG_MODE2_INVALIDATE) {
		vgt_icache_invalidate(device->icache);
		vgt_attention_refetch(device);
	}
	vgt_mmio_show(device->mmio, VGT_CS_DEBUG_MODE2,
		      value & ~DEBUG_MODE2_INVALIDATE);
}

static void forcewake_write(struct vgt_device *device, uint32_t offset,
			    uint32_t ack, uint32_t value)
{
	uint32_t deaf = vgt_mmio_get(device->mmio, VGT_FORCEWAKE_DEAF);

	value = vgt_masked(vgt_mmio_get(device->mmio, offset), value);
	vgt_mmio_set(device->mmio, offset, value);
	vgt_mmio_show(device->mmio, ack, value & ~deaf);
}

/* The media engines have a well each. */
static bool media_forcewake_write(struct vgt_device *device, uint32_t offset,
				  uint32_t value)
{
	static const struct {
		uint32_t first, end, ack;
	} wells[] = {
		{ VGT_FORCEWAKE_MEDIA, VGT_FORCEWAKE_MEDIA + 8 * 4,
		  VGT_FORCEWAKE_ACK_MEDIA },
		{ VGT_FORCEWAKE_ENHANCE, VGT_FORCEWAKE_ENHANCE + 4 * 4,
		  VGT_FORCEWAKE_ACK_ENHANCE },
	};

	for (size_t i = 0; i < sizeof(wells) / sizeof(wells[0]); i++) {
		if (offset < wells[i].first || offset >= wells[i].end)
			continue;
		forcewake_write(device, offset, offset - wells[i].first +
				wells[i].ack, value);
		return true;
	}
	return false;
}

/* Reads as 0: what was asked for is done. */
static bool invalidation_write(struct vgt_device *device, uint32_t offset,
			       uint32_t value)
{
	static const uint32_t tlbs[] = { VGT_TLB_INVALIDATE, 0xcedc, 0xcee0,
					 0xcee4, 0xcf04 };
	/* Of auxiliary tables, which nothing here keeps. */
	static const uint32_t tables[] = { 0x4208, 0x4218, 0x4228, 0x4238,
					   0x4248, 0x4298, 0x42b8 };

	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		if (offset == tables[i])
			return true;
	for (size_t i = 0; i < sizeof(tlbs) / sizeof(tlbs[0]); i++) {
		if (offset != tlbs[i])
			continue;
		if (value & TLB_INVALIDATE)
			vgt_device_remapped(device);
		return true;
	}
	return false;
}

bool vgt_driver_reg_write(struct vgt_device *device, uint32_t offset,
			  uint32_t value)
{
	switch (offset) {
	case VGT_CS_DEBUG_MODE2:
		debug_mode2_write(device, value);
		return true;
	case VGT_FORCEWAKE_RENDER:
		forcewake_write(device, offset, VGT_FORCEWAKE_ACK_RENDER,
				value);
		return true;
	case VGT_FORCEWAKE_GT:
		forcewake_write(device, offset, VGT_FORCEWAKE_ACK_GT, value);
		return true;
	case VGT_FAULT_REG:
		if (!(value & FAULT_VALID))
			vgt_mmio_show(device->mmio, VGT_FAULT_REG, 0);
		return true;
	case VGT_IOMMU_SHIFT:
		atomic_store(&device->memory.shift, value * VGT_PAGE_BYTES);
		vgt_device_remapped(device);
		return false;
	case VGT_L3_INVALIDATE: /* reads as 0 */
	case VGT_RCU_DEBUG_1:
	case VGT_RING_CURRENT_LRCA:
	case VGT_RING_INSTDONE:
	case VGT_FORCEWAKE_ACK_RENDER:
	case VGT_FORCEWAKE_ACK_GT:
	case VGT_FAULT_TLB_DATA0:
	case VGT_FAULT_TLB_DATA1:
		return true;
	default:
		return invalidation_write(device, offset, value) ||
		       media_forcewake_write(device, offset, value);
	}
}

void vgt_driver_context(struct vgt_device *device, uint32_t lrca)
{
	uint32_t last = vgt_mmio_get(device->mmio, VGT_RING_CURRENT_LRCA);

	vgt_mmio_show(device->mmio, VGT_RING_CURRENT_LRCA,
		      lrca ? lrca | LRCA_VALID : last & ~LRCA_VALID);
}

void vgt_driver_position(struct vgt_device *device, uint32_t head,
			 uint64_t address)
{
	vgt_mmio_show(device->mmio, VGT_RING_HEAD, head);
	vgt_mmio_show(device->mmio, VGT_RING_ACTHD_HIGH,
		      (uint32_t)(address >> 32));
	vgt_mmio_show(device->mmio, VGT_RING_ACTHD, (uint32_t)address);
}

void vgt_driver_spawner(struct vgt_device *device, bool busy)
{
	vgt_mmio_show(device->mmio, VGT_RING_INSTDONE,
		      busy ? ~INSTDONE_SPAWNER : UINT32_MAX);
}

void vgt_driver_fault(struct vgt_device *device, uint64_t va,
		      enum vgt_access access)
{
	if (vgt_mmio_get(device->mmio, VGT_FAULT_REG) & FAULT_VALID)
		return;
	vgt_mmio_show(device->mmio, VGT_FAULT_TLB_DATA0, (uint32_t)(va >> 12));
	vgt_mmio_show(device->mmio, VGT_FAULT_TLB_DATA1,
		      (uint32_t)(va >> 44) & 0xf);
	vgt_mmio_show(device->mmio, VGT_FAULT_REG, FAULT_VALID |
		      (access == VGT_ACCESS_WRITE ? FAULT_WRITE : 0));
}
