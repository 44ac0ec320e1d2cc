/* SPDX-License-Identifier: MIT */
/*
 * Physical memory of a virtual GT: one sparse memfd, mapped whole, so that a
 * physical address is an offset. Only pages that were written cost memory.
 */
#ifndef VGT_MEMORY_H
#define VGT_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/* 40 address bits of the TBX protocol, and the upper half for data pages that
 * the runtime's allocator lets run into its own page tables (see tbx.c). */
#define VGT_MEMORY_BYTES (1ULL << 41)
#define VGT_PAGE_BYTES 4096ULL

struct vgt_memory {
	uint8_t *base;
	int fd;
};

int vgt_memory_init(struct vgt_memory *memory);
void vgt_memory_fini(struct vgt_memory *memory);

/* Host address of @len_bytes bytes at @phys, or NULL if outside of memory. */
void *vgt_memory_at(const struct vgt_memory *memory, uint64_t phys,
		    size_t len_bytes);

#endif
