// SPDX-License-Identifier: MIT
#include "pci/config.h"

#include "gt/field.h"

#include <errno.h>
#include <linux/pci_regs.h>
#include <string.h>

#define VENDOR_INTEL 0x8086
#define DEVICE_TGL_GT2 0x9a49
#define REVISION 3
#define CLASS_DISPLAY 0x038000 /* no VGA: it has no outputs */

#define MSI 0x90
#define PM 0xd0
#define INTERRUPT_PIN_A 1

/* Graphics control: 8 MiB of GGTT entries, no stolen memory. */
#define GGC 0x50
#define GGC_GTT_8M VGT_PUT(VGT_MASK(7, 6), 3)

#define PM_VERSION 3

static void put(struct vgt_config *config, uint32_t offset, uint32_t value,
		uint32_t writable, uint32_t len_bytes)
{
	memcpy(&config->value[offset], &value, len_bytes);
	memcpy(&config->writable[offset], &writable, len_bytes);
}

static uint32_t get(const struct vgt_config *config, uint32_t offset,
		    uint32_t len_bytes)
{
	uint32_t value = 0;

	memcpy(&value, &config->value[offset], len_bytes);
	return value;
}

/* The upper half reads as zero: QEMU then keeps it below 4 GiB. */
static void bar_init(struct vgt_config *config, uint32_t offset,
		     uint64_t bytes, uint32_t flags)
{
	put(config, offset, PCI_BASE_ADDRESS_MEM_TYPE_64 | flags,
	    (uint32_t)-bytes, 4);
}

static void capabilities_init(struct vgt_config *config)
{
	put(config, PCI_CAPABILITY_LIST, MSI, 0, 1);
	put(config, MSI, PCI_CAP_ID_MSI | PM << 8, 0, 2);
	put(config, MSI + PCI_MSI_FLAGS, PCI_MSI_FLAGS_64BIT,
	    PCI_MSI_FLAGS_ENABLE, 2);
	put(config, MSI + PCI_MSI_ADDRESS_LO, 0, ~3U, 4);
	put(config, MSI + PCI_MSI_ADDRESS_HI, 0, ~0U, 4);
	put(config, MSI + PCI_MSI_DATA_64, 0, 0xffff, 2);
	put(config, PM, PCI_CAP_ID_PM, 0, 2);
	put(config, PM + PCI_PM_PMC, PM_VERSION, 0, 2);
	/* Registers keep their values while it sleeps. */
	put(config, PM + PCI_PM_CTRL, PCI_PM_CTRL_NO_SOFT_RESET,
	    PCI_PM_CTRL_STATE_MASK, 2);
}

void vgt_config_init(struct vgt_config *config)
{
	memset(config, 0, sizeof(*config));
	put(config, PCI_VENDOR_ID, VENDOR_INTEL, 0, 2);
	put(config, PCI_DEVICE_ID, DEVICE_TGL_GT2, 0, 2);
	put(config, PCI_COMMAND, 0, PCI_COMMAND_MEMORY | PCI_COMMAND_MASTER |
	    PCI_COMMAND_INTX_DISABLE, 2);
	put(config, PCI_STATUS, PCI_STATUS_CAP_LIST, 0, 2);
	put(config, PCI_CLASS_REVISION, CLASS_DISPLAY << 8 | REVISION, 0, 4);
	put(config, PCI_CACHE_LINE_SIZE, 0, 0xff, 1);
	put(config, PCI_SUBSYSTEM_VENDOR_ID, VENDOR_INTEL, 0, 2);
	put(config, PCI_SUBSYSTEM_ID, DEVICE_TGL_GT2, 0, 2);
	put(config, PCI_INTERRUPT_LINE, 0, 0xff, 1);
	put(config, PCI_INTERRUPT_PIN, INTERRUPT_PIN_A, 0, 1);
	put(config, GGC, GGC_GTT_8M, 0, 2);
	bar_init(config, PCI_BASE_ADDRESS_0, VGT_BAR0_BYTES, 0);
	bar_init(config, PCI_BASE_ADDRESS_2, VGT_BAR2_BYTES,
		 PCI_BASE_ADDRESS_MEM_PREFETCH);
	capabilities_init(config);
}

static bool valid(uint32_t offset, uint32_t len_bytes)
{
	return (len_bytes == 1 || len_bytes == 2 || len_bytes == 4) &&
	       offset <= VGT_CONFIG_BYTES - len_bytes;
}

int vgt_config_read(const struct vgt_config *config, uint32_t offset,
		    uint32_t len_bytes, uint32_t *value_out)
{
	if (!valid(offset, len_bytes))
		return -EINVAL;
	*value_out = get(config, offset, len_bytes);
	return 0;
}

int vgt_config_write(struct vgt_config *config, uint32_t offset,
		     uint32_t len_bytes, uint32_t value)
{
	uint8_t mask;

	if (!valid(offset, len_bytes))
		return -EINVAL;
	for (uint32_t i = 0; i < len_bytes; i++) {
		mask = config->writable[offset + i];
		config->value[offset + i] &= ~mask;
		config->value[offset + i] |= value >> 8 * i & mask;
	}
	return 0;
}

static bool bar_has(const struct vgt_config *config, uint32_t offset,
		    uint64_t bytes, uint64_t address, uint32_t len_bytes,
		    uint64_t *offset_out)
{
	uint64_t base = get(config, offset, 4) & PCI_BASE_ADDRESS_MEM_MASK;

	if (!base || address < base || address - base > bytes - len_bytes)
		return false;
	*offset_out = address - base;
	return true;
}

int vgt_config_bar(const struct vgt_config *config, uint64_t address,
		   uint32_t len_bytes, uint64_t *offset_out)
{
	if (bar_has(config, PCI_BASE_ADDRESS_0, VGT_BAR0_BYTES, address,
		    len_bytes, offset_out))
		return 0;
	if (bar_has(config, PCI_BASE_ADDRESS_2, VGT_BAR2_BYTES, address,
		    len_bytes, offset_out))
		return 2;
	return -1;
}

bool vgt_config_awake(const struct vgt_config *config)
{
	return !(get(config, PM + PCI_PM_CTRL, 2) & PCI_PM_CTRL_STATE_MASK);
}

bool vgt_config_msi(const struct vgt_config *config, uint64_t *address_out,
		    uint32_t *data_out)
{
	*address_out = get(config, MSI + PCI_MSI_ADDRESS_LO, 4) |
		       (uint64_t)get(config, MSI + PCI_MSI_ADDRESS_HI, 4) << 32;
	*data_out = get(config, MSI + PCI_MSI_DATA_64, 2);
	return get(config, MSI + PCI_MSI_FLAGS, 2) & PCI_MSI_FLAGS_ENABLE;
}
