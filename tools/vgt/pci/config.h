/* SPDX-License-Identifier: MIT */
/* Configuration space of the PCI function: what a Tiger Lake GT shows there. */
#ifndef VGT_PCI_CONFIG_H
#define VGT_PCI_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#define VGT_CONFIG_BYTES 256

/* BAR 0: registers, then from its middle the GGTT. */
#define VGT_BAR0_BYTES (16ULL << 20)
#define VGT_BAR0_GGTT (8ULL << 20)
/* BAR 2: a window on the first addresses of the GGTT. */
#define VGT_BAR2_BYTES (256ULL << 20)

struct vgt_config {
	uint8_t value[VGT_CONFIG_BYTES];
	uint8_t writable[VGT_CONFIG_BYTES]; /* bits that the machine can change */
};

/* As after power-on. */
void vgt_config_init(struct vgt_config *config);

/* Return 0, or -EINVAL for a place or a length that no access has. */
int vgt_config_read(const struct vgt_config *config, uint32_t offset,
		    uint32_t len_bytes, uint32_t *value_out);
int vgt_config_write(struct vgt_config *config, uint32_t offset,
		     uint32_t len_bytes, uint32_t value);

/* BAR 0 or 2 that has @len_bytes bytes at @address of the machine; -1: none. */
int vgt_config_bar(const struct vgt_config *config, uint64_t address,
		   uint32_t len_bytes, uint64_t *offset_out);

/* Is the function in D0? Else its registers are not there. */
bool vgt_config_awake(const struct vgt_config *config);

/* The message that is an interrupt. False: the machine wants none. */
bool vgt_config_msi(const struct vgt_config *config, uint64_t *address_out,
		    uint32_t *data_out);

#endif
