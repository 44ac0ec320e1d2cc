/* SPDX-License-Identifier: MIT */
/*
 * Physical memory of a virtual GT: one sparse memfd, mapped whole, so that a
 * physical address is an offset. Only pages that were written cost memory.
 *
 * The map, from the bottom: data pages of the runtime; from VGT_TABLES_BASE its
 * page tables, at the places that it gives them; from VGT_SHIFTED_BASE the data
 * pages that its allocator lets run into its own tables (upload.c moves
 * them); at the top the entries of the GGTT.
 *
 * As a device of another machine it has that machine's memory in place of its own
 * (vgt_memory_share()): files of somebody else's, mapped where their addresses are.
 * Everything else is no memory then, but the GGTT. That machine may have an IOMMU
 * before its device, of the simplest kind.
 */
#ifndef VGT_MEMORY_H
#define VGT_MEMORY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define VGT_PAGE_BYTES 4096ULL
#define VGT_TABLES_BASE 0x20000000ULL
/*
 * ThreadSanitizer leaves room for a terabyte and a half: there the tables end
 * where those of addresses below 2^47 do, and several devices fit.
 */
#ifdef __SANITIZE_THREAD__
#define VGT_SHIFTED_BASE 0x4100000000ULL
#define VGT_MEMORY_BYTES 0x4500000000ULL
#else
#define VGT_SHIFTED_BASE 0x8200000000ULL /* + what was asked for */
#define VGT_MEMORY_BYTES 0x9000000000ULL /* 576 GiB */
#endif
#define VGT_GGTT_BASE (VGT_MEMORY_BYTES - VGT_GGTT_BYTES)
#define VGT_GGTT_BYTES (8ULL << 20) /* 4 GiB of 4 KiB pages, 8 bytes each */

/* What is known of a page. */
enum {
	VGT_PAGE_CODE = 1 << 0, /* instructions were fetched from it */
	VGT_PAGE_FILLED = 1 << 1, /* may hold something but zeros */
	VGT_PAGE_OWNED = 1 << 2, /* the device's: uploads are ignored */
};

/* A part of a file that is memory from @phys on. */
struct vgt_memory_part {
	uint64_t phys, len_bytes;
	uint64_t offset; /* in the file */
	uint64_t device, inode; /* the file's */
	int fd; /* only while it is mapped */
};

#define VGT_MEMORY_PARTS 8

struct vgt_memory {
	uint8_t *base;
	_Atomic uint8_t *flags; /* one per page */
	int fd;

	bool shared; /* only @range is memory */
	/* Of a machine with an IOMMU: what addresses are more than the memory's. */
	_Atomic uint64_t shift;
	/*
	 * Read at any time, changed one field after the other: @base is mapped
	 * everywhere, so who reads two fields that do not belong together does no harm.
	 */
	struct {
		_Atomic uint64_t first, end;
	} range[VGT_MEMORY_PARTS];
	struct vgt_memory_part part[VGT_MEMORY_PARTS];
};

int vgt_memory_init(struct vgt_memory *memory);
void vgt_memory_fini(struct vgt_memory *memory);

/* Host address of @len_bytes bytes at @phys, or NULL if outside of memory. */
void *vgt_memory_at(const struct vgt_memory *memory, uint64_t phys,
		    size_t len_bytes);

/* Copy out without giving pages to places that were never written. */
int vgt_memory_read(const struct vgt_memory *memory, uint64_t phys, void *out,
		    size_t len_bytes);

/* Bytes that it costs at the moment. */
uint64_t vgt_memory_used(const struct vgt_memory *memory);

/* Flags of the page at @phys, which must be inside of memory. */
static inline uint8_t vgt_memory_flags(const struct vgt_memory *memory,
				       uint64_t phys)
{
	return atomic_load_explicit(&memory->flags[phys / VGT_PAGE_BYTES],
				    memory_order_relaxed);
}

void vgt_memory_flag(const struct vgt_memory *memory, uint64_t phys,
		     uint8_t flags);

/* These pages are as if they had never been written. */
void vgt_memory_forget(const struct vgt_memory *memory, uint64_t phys,
		       uint64_t len_bytes);

/*
 * Have @part, of which nothing is believed, as memory from now on, and nothing else.
 * The caller keeps the descriptors. Returns 0 or a negative errno: -EINVAL for
 * addresses, -EPERM for a file that its owner can make shorter.
 */
int vgt_memory_share(struct vgt_memory *memory, struct vgt_memory_part *part,
		     uint32_t count);

#endif
