// SPDX-License-Identifier: MIT
#include "gt/slots.h"

#include <errno.h>
#include <string.h>

void vgt_slots_init(struct vgt_slots *slots, uint32_t subslices)
{
	memset(slots, 0, sizeof(*slots));
	for (int dss = 0; dss < VGT_DSS; dss++) {
		if (!(subslices >> dss & 1))
			continue;
		slots->free[dss][0] = UINT64_MAX;
		slots->free[dss][1] = (1ULL << (VGT_DSS_THREADS - 64)) - 1;
	}
}

static uint32_t count_free(const struct vgt_slots *slots, uint32_t dss)
{
	return __builtin_popcountll(slots->free[dss][0]) +
	       __builtin_popcountll(slots->free[dss][1]);
}

static uint32_t take_lowest(uint64_t *free_bits)
{
	uint32_t half = free_bits[0] ? 0 : 1;
	uint32_t bit = __builtin_ctzll(free_bits[half]);

	free_bits[half] &= free_bits[half] - 1;
	return half * 64 + bit;
}

int vgt_slots_get(struct vgt_slots *slots, uint32_t count, uint16_t *slot_out,
		  uint32_t *dss_out)
{
	uint32_t dss;

	for (uint32_t i = 0; i < VGT_DSS; i++) {
		dss = (slots->next + i) % VGT_DSS;
		if (count_free(slots, dss) < count)
			continue;
		slots->next = (dss + 1) % VGT_DSS;
		*dss_out = dss;
		/* A stack: the lowest slot is used first. */
		while (count--)
			slot_out[count] = dss * VGT_DSS_THREADS +
					  take_lowest(slots->free[dss]);
		return 0;
	}
	return -ENOSPC;
}

void vgt_slots_put(struct vgt_slots *slots, const uint16_t *slot,
		   uint32_t count, uint32_t dss)
{
	uint32_t index;

	for (uint32_t i = 0; i < count; i++) {
		index = slot[i] - dss * VGT_DSS_THREADS;
		slots->free[dss][index / 64] |= 1ULL << (index % 64);
	}
}
