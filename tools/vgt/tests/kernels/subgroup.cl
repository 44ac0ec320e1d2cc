/* SPDX-License-Identifier: MIT */
/* Sub-groups: the lanes of one EU thread. */
#pragma OPENCL EXTENSION cl_intel_subgroups : enable

#define SIMD(n) __attribute__((intel_reqd_sub_group_size(n)))

#define REDUCE(n) \
kernel SIMD(n) void sub_reduce_##n(global const int *in, global int *out) \
{ \
	size_t i = get_global_id(0); \
	int x = in[i]; \
\
	out[8 * i] = sub_group_reduce_add(x); \
	out[8 * i + 1] = sub_group_reduce_min(x); \
	out[8 * i + 2] = sub_group_reduce_max(x); \
	out[8 * i + 3] = sub_group_scan_inclusive_add(x); \
	out[8 * i + 4] = sub_group_scan_exclusive_add(x); \
	out[8 * i + 5] = sub_group_broadcast(x, 3); \
	out[8 * i + 6] = (sub_group_any(x > 9000) != 0) + \
			 (sub_group_all(x > -9000) != 0) * 2; \
	out[8 * i + 7] = get_sub_group_local_id() + \
			 get_sub_group_size() * 100 + \
			 get_sub_group_id() * 10000; \
} \
kernel SIMD(n) void sub_shuffle_##n(global const int *in, \
				    global const uint *lane, global int *out) \
{ \
	size_t i = get_global_id(0); \
	int x = in[i]; \
\
	out[4 * i] = intel_sub_group_shuffle(x, lane[i] % n); \
	out[4 * i + 1] = intel_sub_group_shuffle_xor(x, 5); \
	out[4 * i + 2] = intel_sub_group_shuffle_up(x, x, 1); \
	out[4 * i + 3] = intel_sub_group_shuffle_down(x, x, 2); \
}

/* The compiler has no block messages for 32 lanes. */
#define BLOCK(n) \
kernel SIMD(n) void sub_block_##n(global const uint *in, global uint *out) \
{ \
	size_t first = get_global_id(0) / n * n; \
	uint x = intel_sub_group_block_read(in + first); \
	uint2 two = intel_sub_group_block_read2(in + first); \
\
	x += two.x ^ two.y; \
	intel_sub_group_block_write(out + first, x); \
}

REDUCE(8)
REDUCE(16)
REDUCE(32)
BLOCK(8)
BLOCK(16)
