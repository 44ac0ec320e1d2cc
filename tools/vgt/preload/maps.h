/* SPDX-License-Identifier: MIT */
/* What the kernel says is mapped where in this process. */
#ifndef VGT_MAPS_H
#define VGT_MAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct vgt_map {
	uintptr_t first, end;
	int prot;
	bool is_shared;
	bool is_file;
	bool is_node; /* of the device's memory */
	uint64_t offset;
};

/*
 * The parts of @first to @end, in order, cut at its ends: at most @max. Returns
 * how many, or -EFAULT if there are holes, -E2BIG if there are more, or another
 * negative errno.
 */
int vgt_maps_find(uintptr_t first, uintptr_t end, struct vgt_map *out,
		  int max);

/*
 * Wherever the device's memory from @phys to @end is mapped, from address @from on:
 * @max of them, or all that there are. Returns how many, or a negative errno.
 */
int vgt_maps_node(uint64_t phys, uint64_t end, uintptr_t from,
		  struct vgt_map *out, int max);

#endif
