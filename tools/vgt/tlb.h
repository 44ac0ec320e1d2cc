/* SPDX-License-Identifier: MIT */
/*
 * Software TLB of one worker (host thread): GPU page to host address. Entries
 * are dropped when the context changes or its generation moved, which a write
 * to a page table does.
 */
#ifndef VGT_TLB_H
#define VGT_TLB_H

#include <stdint.h>

#include "ppgtt.h"

#define VGT_TLB_ENTRIES 1024

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

/*
 * Host address of @va, good up to the end of its 4 KiB page, or NULL if it is
 * not mapped for @access. Does not report the fault.
 */
uint8_t *vgt_tlb_host(struct vgt_tlb *tlb, uint64_t va,
		      enum vgt_access access);

#endif
