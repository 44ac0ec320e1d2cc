// SPDX-License-Identifier: MIT
#include "port/layout.h"

#include "eu/eu.h"

#include <errno.h>

/* Dwords x, y, z, w of which bits 11:8 turn some off. Bits 13:12: SIMD mode. */
int vgt_layout_untyped(struct vgt_eu_thread *thread, uint32_t desc, bool a64,
		       struct vgt_layout *out)
{
	uint32_t mode = (desc >> 12) & 3;

	if (mode != 1 && mode != 2) {
		vgt_eu_fail(thread, "untyped message 0x%x: SIMD mode %u", desc,
			    mode);
		return -ENOSYS;
	}
	out->lanes = mode == 1 ? 16 : 8;
	out->element_bytes = 4;
	out->lane_bytes = 4;
	out->count = 0;
	out->span_bytes = 0;
	out->a64 = a64;
	for (uint32_t c = 0; c < 4; c++) {
		if (desc & (0x100U << c))
			continue;
		out->at[out->count++] = 4 * c;
		out->span_bytes = 4 * c + 4;
	}
	return 0;
}

/* Bits 11:10 log2 of the bytes of the one element, bit 8 SIMD16. */
int vgt_layout_byte(struct vgt_eu_thread *thread, uint32_t desc,
		    struct vgt_layout *out)
{
	*out = (struct vgt_layout){
		.lanes = desc & 0x100 ? 16 : 8,
		.element_bytes = 1U << ((desc >> 10) & 3),
		.lane_bytes = 4,
		.count = 1,
	};
	out->span_bytes = out->element_bytes;
	if (out->element_bytes <= 4)
		return 0;
	vgt_eu_fail(thread, "byte message 0x%x: element size", desc);
	return -ENOSYS;
}

/*
 * Bits 9:8 element (byte, dword, qword), bits 11:10 log2 of their number,
 * bit 12 SIMD16. Several bytes of a lane share one dword.
 */
int vgt_layout_a64(struct vgt_eu_thread *thread, uint32_t desc,
		   struct vgt_layout *out)
{
	uint32_t kind = (desc >> 8) & 3, count = 1U << ((desc >> 10) & 3);

	*out = (struct vgt_layout){
		.lanes = desc & 0x1000 ? 16 : 8,
		.element_bytes = kind ? 2U << kind : count,
		.lane_bytes = kind == 2 ? 8 : 4,
		.count = kind ? count : 1,
		.a64 = true,
	};
	out->span_bytes = out->count * out->element_bytes;
	for (uint32_t c = 0; c < out->count; c++)
		out->at[c] = c * out->element_bytes;
	if (kind < 3 && (kind || count <= 4))
		return 0;
	vgt_eu_fail(thread, "A64 message 0x%x: element size", desc);
	return -ENOSYS;
}
