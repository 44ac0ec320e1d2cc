/* SPDX-License-Identifier: MIT */
/*
 * Surfaces: what a binding table index means to a message. A surface state is
 * decoded once per worker and walker, since it lies in memory that a driver
 * rewrites between submissions. CS_DEBUG_MODE2 bit 6 drops what was decoded.
 */
#ifndef VGT_SURFACE_H
#define VGT_SURFACE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct vgt_eu_thread;

enum {
	VGT_BTI_TABLE_LAST = 239,
	VGT_BTI_BINDLESS = 252,
	VGT_BTI_STATELESS_NC = 253,
	VGT_BTI_SLM = 254,
	VGT_BTI_STATELESS = 255,
};

enum vgt_surface_type {
	VGT_SURFACE_1D = 0,
	VGT_SURFACE_2D = 1,
	VGT_SURFACE_3D = 2,
	VGT_SURFACE_CUBE = 3,
	VGT_SURFACE_BUFFER = 4,
	VGT_SURFACE_NULL = 7,
};

enum vgt_surface_tile {
	VGT_TILE_LINEAR = 0,
	VGT_TILE_W = 1,
	VGT_TILE_X = 2,
	VGT_TILE_Y = 3,
};

/* Channel selects: 0 zero, 1 one, 4 to 7 red to alpha. */
struct vgt_surface {
	uint64_t base;
	uint64_t size_bytes; /* of a buffer */
	enum vgt_surface_type type;
	enum vgt_surface_tile tile;
	uint32_t format;
	uint32_t width, height, depth; /* texels; depth is also the layers */
	uint32_t pitch_bytes;
	uint32_t slice_rows; /* from layer to layer; of 1D images, texels */
	uint32_t x_offset, y_offset, first_layer;
	uint32_t first_level, levels; /* levels from the first one on */
	uint32_t align_x, align_y; /* of levels, in texels */
	uint8_t select[4];
	bool array;
};

struct vgt_surface_cache {
	uint64_t serial; /* of the walker that filled it */
	uint64_t epoch; /* of the instruction cache, dropped with it */
	const _Atomic uint64_t *epoch_at; /* where that is, unless @serial is 0 */
	uint64_t valid[4]; /* bit per entry */
	uint32_t bindless; /* extended descriptor of entry 252 */
	struct vgt_surface entry[256];
};

/*
 * Surface of a table index (0..239) or of the bindless index, for which
 * @exdesc holds the state's offset. Never NULL: a state that is not mapped is
 * reported and gives a null surface, where reads are 0 and writes are lost.
 */
const struct vgt_surface *vgt_surface_get(struct vgt_eu_thread *thread,
					  uint32_t bti, uint32_t exdesc);

/* The same of a table index for walker @serial, if it has been decoded; else NULL. */
static inline const struct vgt_surface *
vgt_surface_known(const struct vgt_surface_cache *cache, uint64_t serial,
		  uint32_t bti)
{
	if (!serial || cache->serial != serial ||
	    cache->epoch != atomic_load_explicit(cache->epoch_at,
						 memory_order_relaxed) ||
	    !(cache->valid[bti / 64] >> bti % 64 & 1))
		return NULL;
	return &cache->entry[bti];
}

/* Decode a RENDER_SURFACE_STATE. Unnamed bits may hold anything. */
void vgt_surface_decode(const uint32_t state[16], struct vgt_surface *out);

#endif
