// SPDX-License-Identifier: MIT
#include "pci/uncore.h"

#include "gt/device.h"
#include "gt/field.h"
#include "gt/mmio.h"

#include <stddef.h>

#define FUSE_SUBSLICES 0x913c /* dual ones, a bit each */
#define PCODE_MAILBOX 0x138124
#define PCODE_DATA 0x138128

/* Bits of a power well: what is wanted is the upper one of a pair. */
#define WELL_REQUESTS 0xaaaaaaaaU

/* What a driver only reads. */
static const struct {
	uint32_t offset, value;
} fixed[] = {
	{ 0x9118, 0 }, /* execution units that are off: none */
	{ 0x9134, 0 },
	{ 0x9138, 0x1 }, /* slices */
	{ FUSE_SUBSLICES, 0x3f },
	{ 0x9140, 0 }, /* media engines that are off, one bit each */
	{ 0x42000, 0xffffffff }, /* power wells: fuses are distributed */
	{ 0x51000, 0x50600000 }, /* display pipes that are off: all */
	{ 0x145998, 0x041a1a1a }, /* frequencies, in steps of 50 MHz */
	{ 0xc000, 0x1 }, /* GuC: held in reset */
	{ 0x444e8, 0 }, /* interrupts that nothing here has */
	{ 0x444f8, 0 },
};

/* Groups of power wells: who asks for them, four each. */
static const uint32_t wells[] = { 0x45400, 0x45440, 0x45450 };

#define WELLS_BYTES 0x10

void vgt_uncore_init(struct vgt_device *device)
{
	for (size_t i = 0; i < sizeof(fixed) / sizeof(fixed[0]); i++)
		vgt_mmio_set(device->mmio, fixed[i].offset, fixed[i].value);
	vgt_mmio_set(device->mmio, FUSE_SUBSLICES, vgt_device_subslices(device));
}

bool vgt_uncore_write(struct vgt_device *device, uint32_t offset,
		      uint32_t value)
{
	for (size_t i = 0; i < sizeof(fixed) / sizeof(fixed[0]); i++)
		if (fixed[i].offset == offset)
			return true;
	for (size_t i = 0; i < sizeof(wells) / sizeof(wells[0]); i++) {
		if (offset < wells[i] || offset >= wells[i] + WELLS_BYTES)
			continue;
		value &= WELL_REQUESTS;
		vgt_mmio_set(device->mmio, offset, value | value >> 1);
		return true;
	}
	if (offset != PCODE_MAILBOX)
		return false;
	/* Done, without an error; there is nothing to report. */
	vgt_mmio_set(device->mmio, PCODE_DATA, 0);
	vgt_mmio_set(device->mmio, PCODE_MAILBOX, 0);
	return true;
}
