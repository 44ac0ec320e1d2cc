// SPDX-License-Identifier: MIT
#include "gt/ppgtt.h"

#include "gt/memory.h"

#include <errno.h>
#include <stdatomic.h>

#define ENTRY_PRESENT (1ULL << 0)
#define ENTRY_WRITABLE (1ULL << 1)
#define ENTRY_PAGE (1ULL << 7) /* of PDPE and PDE: maps a large page */
#define ENTRY_ADDRESS 0xfffffffff000ULL

#define TOP_SHIFT 39
#define PAGE_SHIFT 12

int vgt_ppgtt_walk(const struct vgt_ppgtt *ppgtt, uint64_t va,
		   enum vgt_access access, uint64_t *phys_out)
{
	uint64_t table = ppgtt->pml4 & ENTRY_ADDRESS;
	uint64_t entry, offset_mask;
	_Atomic uint64_t *at;
	int shift;

	va &= VGT_VA_MASK;
	for (shift = TOP_SHIFT;; shift -= 9) {
		at = vgt_memory_at(ppgtt->memory,
				   table + ((va >> shift) & 511) * 8, 8);
		if (!at)
			return -EFAULT;
		/* The runtime may be writing tables at this moment. */
		entry = atomic_load_explicit(at, memory_order_relaxed);
		if (!(entry & ENTRY_PRESENT))
			return -EFAULT;
		if (access == VGT_ACCESS_WRITE && !(entry & ENTRY_WRITABLE))
			return -EFAULT;
		table = entry & ENTRY_ADDRESS;
		if (shift == PAGE_SHIFT)
			break;
		if (shift != TOP_SHIFT && (entry & ENTRY_PAGE))
			break;
	}
	offset_mask = (1ULL << shift) - 1;
	table = (table & ~offset_mask) | (va & offset_mask);
	if (!vgt_memory_at(ppgtt->memory, table, 1))
		return -EFAULT;
	*phys_out = table;
	return 0;
}
