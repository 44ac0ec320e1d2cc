/* SPDX-License-Identifier: MIT */
/*
 * Sub-group block reads and writes of images: a rectangle of bytes, whose
 * elements the lanes get in turn.
 */
#pragma OPENCL EXTENSION cl_intel_subgroups : enable
#pragma OPENCL EXTENSION cl_intel_subgroups_short : enable
#pragma OPENCL EXTENSION cl_intel_subgroups_char : enable

/* An image that blocks are read from or written to is for nothing else. */
#define MOVE(name, simd, type, read, write) \
kernel __attribute__((intel_reqd_sub_group_size(simd))) \
void media_##name(read_only image2d_t from, write_only image2d_t to, \
		  global type *out, int2 at) \
{ \
	type value = read; \
\
	out[get_local_id(0)] = value; \
	write; \
}
#define PLAIN(name, simd, type, tag) \
	MOVE(name, simd, type, intel_sub_group_block_read##tag(from, at), \
	     intel_sub_group_block_write##tag(to, at, value))
#define SHAPED(name, simd, type, tag, wide, high) \
	MOVE(name, simd, type, \
	     intel_sub_group_media_block_read_##tag(at, wide, high, from), \
	     intel_sub_group_media_block_write_##tag(at, wide, high, value, \
						     to))

PLAIN(plain_uint, 16, uint, )
PLAIN(plain_uint8, 8, uint8, 8)
PLAIN(plain_ushort4, 16, ushort4, _us4)
PLAIN(plain_uchar4, 16, uchar4, _uc4)
/*
 * Widths are powers of two: of others the compiler takes the rows as if nothing
 * were between them, and lets the answer overwrite other registers.
 */
SHAPED(uint_1x16, 16, uint, ui, 1, 16)
SHAPED(uint8_8x8, 8, uint8, ui8, 8, 8)
SHAPED(ushort2_16x2, 16, ushort2, us2, 16, 2)
SHAPED(uchar16_16x16, 16, uchar16, uc16, 16, 16)
SHAPED(uchar4_8x7, 16, uchar4, uc4, 8, 7)
