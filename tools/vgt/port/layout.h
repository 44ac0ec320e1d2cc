/* SPDX-License-Identifier: MIT */
/* What a scattered message moves for each lane, as its descriptor says. */
#ifndef VGT_LAYOUT_H
#define VGT_LAYOUT_H

#include "port/message.h"

#include <stdbool.h>
#include <stdint.h>

struct vgt_eu_thread;

#define VGT_LAYOUT_COMPONENTS 8

struct vgt_layout {
	uint32_t lanes; /* of the payload: 8 or 16 */
	uint32_t element_bytes; /* in memory */
	uint32_t lane_bytes; /* per lane in a plane: 4 or 8 */
	uint32_t count; /* planes */
	uint32_t at[VGT_LAYOUT_COMPONENTS]; /* of a component in memory */
	uint32_t span_bytes; /* that all components of a lane cover */
	bool a64;
};

/* Decode a descriptor: 0, or -ENOSYS after failing the thread. */
int vgt_layout_untyped(struct vgt_eu_thread *thread, uint32_t desc, bool a64,
		       struct vgt_layout *out);
int vgt_layout_byte(struct vgt_eu_thread *thread, uint32_t desc,
		    struct vgt_layout *out);
int vgt_layout_a64(struct vgt_eu_thread *thread, uint32_t desc,
		   struct vgt_layout *out);

/* GRFs of one plane of data, and of the addresses before them. */
static inline uint32_t vgt_layout_plane_grfs(const struct vgt_layout *layout)
{
	return layout->lanes * layout->lane_bytes / VGT_GRF_BYTES;
}

static inline uint32_t vgt_layout_address_grfs(const struct vgt_layout *layout)
{
	return layout->lanes * (layout->a64 ? 8 : 4) / VGT_GRF_BYTES;
}

#endif
