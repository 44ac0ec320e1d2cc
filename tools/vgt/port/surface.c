// SPDX-License-Identifier: MIT
/*
 * What was decoded holds for one walker, by its serial number, which is never used
 * twice; and until cached code is dropped, when a driver may have written states
 * as well. The cache is the worker's, so there is no lock.
 */
#include "port/surface.h"

#include "eu/eu.h"
#include "eu/icache.h"
#include "gt/device.h"
#include "gt/group.h"
#include "gt/walker.h"
#include "port/message.h"
#include "port/space.h"

#include <string.h>

/* Bits @high:@low of @value. */
static uint32_t bits(uint32_t value, uint32_t high, uint32_t low)
{
	return (value >> low) & (UINT32_MAX >> (31 - (high - low)));
}

#define FORMAT_RAW 0x1ff

static void decode_buffer(const uint32_t state[16], struct vgt_surface *out)
{
	uint64_t entries = (uint64_t)bits(state[2], 6, 0) |
			   (uint64_t)bits(state[2], 29, 16) << 7 |
			   (uint64_t)bits(state[3], 31, 21) << 21;

	entries++;
	out->pitch_bytes = 1;
	if (out->format != FORMAT_RAW)
		out->pitch_bytes = bits(state[3], 17, 0) + 1;
	out->size_bytes = entries * out->pitch_bytes;
	out->levels = 1;
	out->width = entries;
	out->height = 1;
	out->depth = 1;
}

static void decode_image(const uint32_t state[16], struct vgt_surface *out)
{
	out->tile = bits(state[0], 13, 12);
	out->array = bits(state[0], 28, 28);
	out->slice_rows = bits(state[1], 14, 0) << 2;
	out->width = bits(state[2], 13, 0) + 1;
	out->height = bits(state[2], 29, 16) + 1;
	out->depth = bits(state[3], 31, 21) + 1;
	out->pitch_bytes = bits(state[3], 17, 0) + 1;
	out->first_layer = bits(state[4], 28, 18);
	out->x_offset = bits(state[5], 31, 25) << 2;
	out->y_offset = bits(state[5], 23, 21) << 2;
	out->first_level = bits(state[5], 7, 4);
	out->levels = bits(state[5], 3, 0) + 1;
	/* 1 to 3 are 4 to 16 texels. */
	out->align_x = 2 << bits(state[0], 15, 14);
	out->align_y = 2 << bits(state[0], 17, 16);
}

void vgt_surface_decode(const uint32_t state[16], struct vgt_surface *out)
{
	memset(out, 0, sizeof(*out));
	out->type = bits(state[0], 31, 29);
	out->format = bits(state[0], 26, 18);
	out->base = (state[8] | (uint64_t)state[9] << 32) & VGT_SPACE_VA_MASK;
	for (int c = 0; c < 4; c++)
		out->select[c] = bits(state[7], 27 - 3 * c, 25 - 3 * c);
	if (out->type == VGT_SURFACE_BUFFER)
		decode_buffer(state, out);
	else if (out->type != VGT_SURFACE_NULL)
		decode_image(state, out);
}

static void surface_load(struct vgt_eu_thread *thread, uint32_t bti,
			 uint32_t exdesc, struct vgt_surface *out)
{
	const struct vgt_walker *walker = thread->group->walker;
	uint64_t at = walker->state.surface_base;
	uint32_t state[16], entry = 0;
	struct vgt_space space;

	vgt_space_flat(&space, thread, VGT_ACCESS_READ);
	if (bti == VGT_BTI_BINDLESS) {
		at = walker->state.bindless_base;
		entry = bits(exdesc, 31, 12) << 6;
	} else {
		vgt_space_read(&space, at + walker->binding_table + 4 * bti,
			       &entry, sizeof(entry));
		entry &= ~63U;
	}
	vgt_space_read_run(&space, at + entry, state, sizeof(state));
	vgt_surface_decode(state, out);
	if (space.bad_page != UINT64_MAX)
		out->type = VGT_SURFACE_NULL;
	vgt_space_close(&space);
}

const struct vgt_surface *vgt_surface_get(struct vgt_eu_thread *thread,
					  uint32_t bti, uint32_t exdesc)
{
	struct vgt_surface_cache *cache = &thread->worker->surfaces;
	const struct vgt_walker *walker = thread->group->walker;
	uint64_t serial = walker->serial;
	uint64_t epoch = serial ? vgt_icache_epoch(walker->icache) : 0;
	uint64_t *valid = &cache->valid[bti / 64], bit = 1ULL << (bti % 64);

	if (cache->serial != serial || cache->epoch != epoch) {
		memset(cache->valid, 0, sizeof(cache->valid));
		cache->serial = serial;
		cache->epoch = epoch;
		cache->epoch_at = vgt_icache_epoch_place(walker->icache);
	}
	if (bti == VGT_BTI_BINDLESS && cache->bindless != exdesc) {
		*valid &= ~bit;
		cache->bindless = exdesc;
	}
	if (!(*valid & bit) || !serial) {
		surface_load(thread, bti, exdesc, &cache->entry[bti]);
		*valid |= bit;
	}
	return &cache->entry[bti];
}
