// SPDX-License-Identifier: MIT
#include "drm/range.h"

#include <errno.h>
#include <stdlib.h>

int vgt_ranges_init(struct vgt_ranges *ranges, uint64_t first, uint64_t end)
{
	ranges->free = calloc(1, sizeof(*ranges->free));
	if (!ranges->free)
		return -ENOMEM;
	ranges->free->first = first;
	ranges->free->end = end;
	return 0;
}

void vgt_ranges_fini(struct vgt_ranges *ranges)
{
	struct vgt_range *range;

	while ((range = ranges->free)) {
		ranges->free = range->next;
		free(range);
	}
}

int vgt_ranges_take(struct vgt_ranges *ranges, uint64_t len_bytes,
		    uint64_t *first_out)
{
	struct vgt_range **link = &ranges->free, *range;

	while (*link && (*link)->end - (*link)->first < len_bytes)
		link = &(*link)->next;
	range = *link;
	if (!range)
		return -ENOSPC;
	*first_out = range->first;
	range->first += len_bytes;
	if (range->first == range->end) {
		*link = range->next;
		free(range);
	}
	return 0;
}

void vgt_ranges_give(struct vgt_ranges *ranges, uint64_t first,
		     uint64_t len_bytes)
{
	struct vgt_range **link = &ranges->free, *before = NULL, *range;
	uint64_t end = first + len_bytes;

	while (*link && (*link)->first < first) {
		before = *link;
		link = &before->next;
	}
	range = *link;
	if (before && before->end == first) {
		before->end = end;
		if (range && range->first == end) {
			before->end = range->end;
			before->next = range->next;
			free(range);
		}
		return;
	}
	if (range && range->first == end) {
		range->first = first;
		return;
	}
	range = calloc(1, sizeof(*range));
	if (!range)
		return;
	range->first = first;
	range->end = end;
	range->next = *link;
	*link = range;
}
