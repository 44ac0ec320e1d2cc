/* SPDX-License-Identifier: MIT */
/*
 * Software TLB of one worker (host thread): GPU page to host address. Entries
 * are dropped when the context changes or its generation moved, which a write
 * over a present page-table entry does.
 */
#ifndef VGT_TLB_H
#define VGT_TLB_H

#include "gt/ppgtt.h"

#include <stdint.h>

#define VGT_TLB_ENTRIES 1024

/* Low bits of a tag. Code pages are filled in as readable ones. */
#define VGT_TLB_READ 1ULL
#define VGT_TLB_WRITE 2ULL

struct vgt_tlb_entry {
	uint64_t tag; /* page number << 2 | 1 readable | 2 writable; 0 empty */
	uint8_t *host; /* host address of the 4 KiB page */
};

struct vgt_tlb {
	struct vgt_ppgtt ppgtt;
	uint64_t generation;
	struct vgt_tlb_entry entry[VGT_TLB_ENTRIES];
};

/* Point the TLB at @ppgtt; keeps entries if nothing changed. */
void vgt_tlb_use(struct vgt_tlb *tlb, const struct vgt_ppgtt *ppgtt,
		 uint64_t generation);

/* What vgt_tlb_host() does when its first look fails. */
uint8_t *vgt_tlb_miss(struct vgt_tlb *tlb, uint64_t va,
		      enum vgt_access access);

/*
 * Host address of @va, good up to the end of its 4 KiB page, or NULL if it is
 * not mapped for @access. Does not report the fault. A fetch always walks: it
 * also notes that the page holds code.
 */
static inline uint8_t *vgt_tlb_host(struct vgt_tlb *tlb, uint64_t va,
				    enum vgt_access access)
{
	uint64_t page = (va & VGT_VA_MASK) >> 12;
	struct vgt_tlb_entry *entry = &tlb->entry[page % VGT_TLB_ENTRIES];
	uint64_t tag = page << 2 | VGT_TLB_READ | VGT_TLB_WRITE;

	return entry->tag == tag && access != VGT_ACCESS_FETCH ?
		entry->host + va % 4096 : vgt_tlb_miss(tlb, va, access);
}

#endif
