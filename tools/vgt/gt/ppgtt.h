/* SPDX-License-Identifier: MIT */
/*
 * Per-process page tables: 4 levels of 512 entries, 48-bit addresses, pages of
 * 4 KiB, 2 MiB and 1 GiB. Tables are untrusted: every step is checked against
 * the size of physical memory, and a walk takes four steps at most.
 */
#ifndef VGT_PPGTT_H
#define VGT_PPGTT_H

#include <stdint.h>

struct vgt_memory;

#define VGT_VA_MASK 0xffffffffffffULL

enum vgt_access {
	VGT_ACCESS_READ = 1,
	VGT_ACCESS_WRITE = 2,
	VGT_ACCESS_FETCH = 3,
};

struct vgt_ppgtt {
	const struct vgt_memory *memory;
	uint64_t pml4; /* physical address */
};

/*
 * Physical address of @va (low 48 bits count). Returns 0, or -EFAULT if the
 * address is not mapped, or not for this access.
 */
int vgt_ppgtt_walk(const struct vgt_ppgtt *ppgtt, uint64_t va,
		   enum vgt_access access, uint64_t *phys_out);

#endif
