/* SPDX-License-Identifier: MIT */
/*
 * Who has which part of physical memory, as a driver knows it: free ranges in
 * the order of their addresses. It keeps its own books, in no memory that a
 * program can write.
 */
#ifndef VGT_DRM_RANGE_H
#define VGT_DRM_RANGE_H

#include <stdint.h>

struct vgt_range {
	struct vgt_range *next;
	uint64_t first, end;
};

struct vgt_ranges {
	struct vgt_range *free;
};

/* All of @first to @end is free. Returns 0 or -ENOMEM. */
int vgt_ranges_init(struct vgt_ranges *ranges, uint64_t first, uint64_t end);
void vgt_ranges_fini(struct vgt_ranges *ranges);

/* Take @len_bytes in one piece. Returns 0, -ENOMEM or -ENOSPC. */
int vgt_ranges_take(struct vgt_ranges *ranges, uint64_t len_bytes,
		    uint64_t *first_out);

/* Give back what was taken. What cannot be noted stays taken. */
void vgt_ranges_give(struct vgt_ranges *ranges, uint64_t first,
		     uint64_t len_bytes);

#endif
