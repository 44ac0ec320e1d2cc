// SPDX-License-Identifier: MIT
/*
 * A worker asks for the generation when it takes a group, and when a thread enters
 * the system routine, and keeps translations until it has moved: as on hardware,
 * a running thread does not see at once what is mapped anew. That an entry is
 * absent is not kept, so new pages need no invalidation.
 */
#include "gt/tlb.h"

#include "gt/memory.h"

#include <string.h>

void vgt_tlb_use(struct vgt_tlb *tlb, const struct vgt_ppgtt *ppgtt,
		 uint64_t generation)
{
	if (tlb->ppgtt.memory == ppgtt->memory &&
	    tlb->ppgtt.pml4 == ppgtt->pml4 && tlb->generation == generation)
		return;
	tlb->ppgtt = *ppgtt;
	tlb->generation = generation;
	memset(tlb->entry, 0, sizeof(tlb->entry));
}

uint8_t *vgt_tlb_miss(struct vgt_tlb *tlb, uint64_t va,
		      enum vgt_access access)
{
	const struct vgt_memory *memory = tlb->ppgtt.memory;
	uint64_t page = (va & VGT_VA_MASK) >> 12;
	struct vgt_tlb_entry *entry = &tlb->entry[page % VGT_TLB_ENTRIES];
	uint64_t rights = VGT_TLB_READ | VGT_TLB_WRITE;
	uint64_t phys;
	uint8_t *host;

	if (access == VGT_ACCESS_READ && entry->tag == (page << 2 | VGT_TLB_READ))
		return entry->host + va % VGT_PAGE_BYTES;
	if (vgt_ppgtt_walk(&tlb->ppgtt, va, VGT_ACCESS_WRITE, &phys)) {
		rights = VGT_TLB_READ;
		if (vgt_ppgtt_walk(&tlb->ppgtt, va, access, &phys))
			return NULL;
	}
	host = vgt_memory_at(memory, phys & ~(VGT_PAGE_BYTES - 1),
			     VGT_PAGE_BYTES);
	if (!host)
		return NULL;
	if (access == VGT_ACCESS_FETCH)
		vgt_memory_flag(memory, phys, VGT_PAGE_CODE);
	/* Later writes go to the host address and are not seen here. */
	if (rights & VGT_TLB_WRITE)
		vgt_memory_flag(memory, phys, VGT_PAGE_FILLED);
	entry->tag = page << 2 | rights;
	entry->host = host;
	return entry->host + va % VGT_PAGE_BYTES;
}
