/* SPDX-License-Identifier: MIT */
/*
 * The global graphics translation table: one level, entries of 8 bytes. It
 * lies in physical memory at VGT_GGTT_BASE, where a driver can read it.
 */
#ifndef VGT_GGTT_H
#define VGT_GGTT_H

#include <stdint.h>

struct vgt_memory;

/* Returns 0, or -EINVAL if there is no entry @index. */
int vgt_ggtt_set(const struct vgt_memory *memory, uint32_t index,
		 uint64_t entry);

/* 0 if there is no entry @index. */
uint64_t vgt_ggtt_get(const struct vgt_memory *memory, uint32_t index);

/* Host address of @address, good up to the end of its page; NULL: unmapped. */
void *vgt_ggtt_host(const struct vgt_memory *memory, uint32_t address);

#endif
