/* SPDX-License-Identifier: MIT */
/* What is known of a GPU: its platform, and how many of each part it has. */
#ifndef GTDBGCTL_GPU_H
#define GTDBGCTL_GPU_H

#include <stdbool.h>
#include <stdint.h>

#define GPU_MODULE "/dev/gtdbg-pci"

/* Of GTDBG_PLATFORM_*. */
const char *gpu_platform_name(uint32_t platform);

/* Of a PCI device, by its ids; "unknown" if no platform of ours. */
const char *gpu_pci_platform_name(uint16_t vendor, uint16_t device);

#define GPU_SLOT_BYTES 16

/* Where it is, as the kernel writes that; @address is GTDBG_EVENT_DEVICE_ADD's. */
void gpu_slot_format(char slot[GPU_SLOT_BYTES], uint32_t address);

/* Does the machine have one that the module for it knows? */
bool gpu_is_known(void);

/* And may we use both? */
bool gpu_is_debuggable(void);

/*
 * Waits until the driver has let each that we may use take new work, for @timeout_s at most
 * each.
 */
void gpu_await_all(unsigned int timeout_s);

/* Sums over the whole GPU. */
struct gpu_topology {
	unsigned int slices;
	unsigned int subslices;
	unsigned int eus;
};

/* Asks the driver i915 behind @fd; a negative errno if it does not say. */
int gpu_topology_read(int fd, struct gpu_topology *out);

#endif
