// SPDX-License-Identifier: MIT
#include "gt/ggtt.h"

#include "gt/memory.h"

#include <errno.h>
#include <stdatomic.h>

#define ENTRY_PRESENT (1ULL << 0)
#define ENTRY_ADDRESS 0x7ffffffff000ULL

static _Atomic uint64_t *entry_at(const struct vgt_memory *memory,
				  uint32_t index)
{
	return (_Atomic uint64_t *)(memory->base + VGT_GGTT_BASE) + index;
}

int vgt_ggtt_set(const struct vgt_memory *memory, uint32_t index,
		 uint64_t entry)
{
	if (index >= VGT_GGTT_BYTES / 8)
		return -EINVAL;
	atomic_store(entry_at(memory, index), entry);
	return 0;
}

uint64_t vgt_ggtt_get(const struct vgt_memory *memory, uint32_t index)
{
	return index < VGT_GGTT_BYTES / 8 ?
	       atomic_load(entry_at(memory, index)) : 0;
}

void *vgt_ggtt_host(const struct vgt_memory *memory, uint32_t address)
{
	uint64_t entry = atomic_load(entry_at(memory, address >> 12));

	if (!(entry & ENTRY_PRESENT))
		return NULL;
	return vgt_memory_at(memory, (entry & ENTRY_ADDRESS) + address % 4096,
			     4096 - address % 4096);
}
