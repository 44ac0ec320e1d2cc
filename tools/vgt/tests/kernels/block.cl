/* SPDX-License-Identifier: MIT */
/* Sub-group blocks of every element's size, of global and local memory. */
#pragma OPENCL EXTENSION cl_intel_subgroups : enable

/*
 * A block comes from @in to @room, whose elements each item takes by itself from
 * the block's end, and from @room to @next.
 */
#define BLOCK(type, n, simd, vector, tag) \
kernel __attribute__((intel_reqd_sub_group_size(simd))) \
void block_##type##n##_##simd(global const type *in, global type *out, \
			      global type *next, local type *room) \
{ \
	size_t first = (get_group_id(0) * get_num_sub_groups() + \
			get_sub_group_id()) * simd * n; \
	local type *mine = room + get_sub_group_id() * simd * n; \
\
	intel_sub_group_block_write##tag(mine, \
		intel_sub_group_block_read##tag(in + first)); \
	barrier(CLK_LOCAL_MEM_FENCE); \
	for (uint k = 0; k < n; k++) { \
		uint i = k * simd + get_sub_group_local_id(); \
\
		out[first + i] = mine[simd * n - 1 - i]; \
	} \
	intel_sub_group_block_write##tag(next + first, \
		intel_sub_group_block_read##tag(mine) + (vector)1); \
}

#define WIDTHS(type, n, vector, tag) \
	BLOCK(type, n, 8, vector, tag) \
	BLOCK(type, n, 16, vector, tag)

WIDTHS(uchar, 1, uchar, _uc)
WIDTHS(uchar, 4, uchar4, _uc4)
WIDTHS(uchar, 8, uchar8, _uc8)
WIDTHS(ushort, 1, ushort, _us)
WIDTHS(ushort, 4, ushort4, _us4)
WIDTHS(ushort, 8, ushort8, _us8)
WIDTHS(uint, 1, uint, )
WIDTHS(uint, 4, uint4, 4)
WIDTHS(uint, 8, uint8, 8)
WIDTHS(ulong, 1, ulong, _ul)
WIDTHS(ulong, 4, ulong4, _ul4)
WIDTHS(ulong, 8, ulong8, _ul8)
