// SPDX-License-Identifier: MIT
/*
 * Kernels of seeded.c with a bug each, as programs have them: 64 items, buffers of
 * 64 ints of 0, an int of local memory for each item of a group. Lines at which it is
 * to be reported say by which checker, and how: "BUG", its name, and what the report
 * has in its text. A race may be seen from either side.
 */

/* Bounds. */
kernel void loop_end(global int *out, global const int *in, local int *shared)
{
	int sum = 0;

	if (get_global_id(0))
		return;
	for (int n = 0; n <= 64; n++)
		sum += in[n]; /* BUG bounds: read of 4 bytes at offset 256 of buffer .*[(]in[)] */
	out[0] = sum;
}

/* Rows have eight. */
kernel void row_length(global int *out, global const int *in,
		       local int *shared)
{
	int i = get_global_id(0), x = i % 8, y = i / 8;

	out[y * 9 + x] = in[i]; /* BUG bounds: write of 4 bytes at offset 2[5-7][0-9] of buffer .*[(]out[)] */
}

kernel void vector_load(global int *out, global const int *in,
			local int *shared)
{
	int i = get_global_id(0);
	int4 four = 0;

	if (i < 62)
		four = vload4(0, in + i); /* BUG bounds: read of 4 bytes at offset 256 of .*[(]in[)].* work-item .61,0,0. */
	out[i] = four.x + four.y + four.z + four.w;
}

kernel void vector_store(global int *out, global const int *in,
			 local int *shared)
{
	int i = get_global_id(0);

	if (i == 63)
		vstore2((int2)(1, in[i]), 0, out + i); /* BUG bounds: write of 4 bytes at offset 256 of buffer .*[(]out[)] */
}

kernel void long_store(global long *out, global const long *in,
		       local int *shared)
{
	int i = get_global_id(0);

	if (i <= 32)
		out[i] = i; /* BUG bounds: write of [48] bytes at offset 256 of .*[(]out[)].* work-item .32,0,0. */
}

kernel void short_store(global ushort *out, global const ushort *in,
			local int *shared)
{
	int i = get_global_id(0);

	out[i * 2 + (i == 63) * 2] = in[i]; /* BUG bounds: write of 2 bytes at offset 256 of .*[(]out[)].* work-item .63,0,0. */
}

/* Nothing ends it. */
kernel void sentinel(global int *out, global const int *in, local int *shared)
{
	int n = 0;

	if (get_global_id(0) != 20)
		return;
	while (n < 80 && !in[n]) /* BUG bounds: read of 4 bytes at offset [23][0-9]* of .*[(]in[)].* work-item .20,0,0. */
		n++;
	out[0] = n;
}

struct record {
	int key;
	int value[3];
};

kernel void record_behind(global struct record *out, global const int *in,
			  local int *shared)
{
	int i = get_global_id(0);

	if (i >= 1 && i <= 16)
		out[i].value[1] = in[i]; /* BUG bounds: write of 4 bytes at offset 264 of .*[(]out[)].* work-item .16,0,0. */
}

kernel void bin_behind(global int *out, global const int *in,
		       local int *shared)
{
	int i = get_global_id(0);

	atomic_inc(out + (i == 8 ? 66 : in[i])); /* BUG bounds: atomic operation of 4 bytes at offset 264 of .*[(]out[)] */
}

kernel void hash_behind(global int *out, global const int *in,
			local int *shared)
{
	int i = get_global_id(0);

	out[i] = in[i * 5 % 66]; /* BUG bounds: read of 4 bytes at offset 2(56|60) of buffer .*[(]in[)] */
}

/* Races. */
kernel void no_atomic(global int *out, global const int *in,
		      local int *shared)
{
	int i = get_global_id(0);

	out[i % 4] += i; /* BUG races: of 4 bytes at offset .* of buffer .*[(]out[)] */
}

kernel void count_groups(global int *out, global const int *in,
			 local int *shared)
{
	if (!get_local_id(0))
		out[0]++; /* BUG races: of 4 bytes at offset 0 of buffer .*[(]out[)] */
}

kernel void in_place(global int *out, global const int *in, local int *shared)
{
	int i = get_global_id(0);

	if (i < 63)
		out[i] = out[i + 1] + i + 1; /* BUG races: of 4 bytes at offset .* of buffer .*[(]out[)] */
}

kernel void no_wait(global int *out, global const int *in, local int *shared)
{
	int i = get_global_id(0);

	if (!i)
		out[0] = 5; /* BUG races: write of 4 bytes at offset 0 of buffer .*[(]out[)] */
	else
		out[i] = out[0] + in[i]; /* BUG races: read of 4 bytes at offset 0 of buffer .*[(]out[)] */
}

/* Whoever writes a byte writes another one of the dword right behind. */
__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void bytes_apart(global uchar *out, global const int *in,
			local int *shared)
{
	int i = get_global_id(0);

	out[4 * i] = i + 1; /* BUG races: write of 1 bytes at offset 0 of buffer .*[(]out[)] */
	out[4 * i + 2] = i;
	if (i == 63)
		out[0] = 9; /* BUG races: write of 1 bytes at offset 0 of buffer .*[(]out[)] */
}

/* Others' sums are read while these are written. */
__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void scan_in_place(global int *out, global const int *in,
			  local int *shared)
{
	int l = get_local_id(0);

	shared[l] = l + 1;
	for (int n = 1; n < 64; n *= 2) {
		barrier(CLK_LOCAL_MEM_FENCE);
		if (l >= n)
			shared[l] += shared[l - n]; /* BUG races: of 4 bytes at offset .* of local memory [(]shared[)] */
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	out[l] = shared[l];
}

__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void tree_without(global int *out, global const int *in,
			 local int *shared)
{
	int l = get_local_id(0);

	shared[l] = l + 1;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int n = 1; n < 64; n *= 2)
		if (l % (2 * n) == 0)
			shared[l] += shared[l + n]; /* BUG races: of 4 bytes at offset .* of local memory [(]shared[)] */
	if (!l)
		out[0] = shared[0];
}

__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void rotate(global int *out, global const int *in, local int *shared)
{
	int l = get_local_id(0);

	shared[l] = l;
	barrier(CLK_LOCAL_MEM_FENCE);
	shared[l] = shared[(l + 32) % 64]; /* BUG races: of 4 bytes at offset .* of local memory [(]shared[)] */
	barrier(CLK_LOCAL_MEM_FENCE);
	out[l] = shared[l];
}

/* What was never written. */
kernel void half_filled(global int *out, global const int *in,
			local int *shared)
{
	int l = get_local_id(0), n = get_local_size(0);

	if (l < n / 2)
		shared[l] = l;
	barrier(CLK_LOCAL_MEM_FENCE);
	out[get_global_id(0)] = shared[n - 1 - l]; /* BUG uninit: read of 4 bytes at offset [346][0-9] of local memory [(]shared[)] */
}

kernel void not_zeroed(global int *out, global const int *in,
		       local int *shared)
{
	atomic_add(shared, 1); /* BUG uninit: atomic operation of 4 bytes at offset 0 of local memory [(]shared[)] */
	barrier(CLK_LOCAL_MEM_FENCE);
	if (!get_local_id(0))
		out[get_group_id(0)] = shared[0];
}

/* The last one's neighbour is the next group's. */
kernel void no_halo(global int *out, global const int *in, local int *shared)
{
	local int tile[17];
	int l = get_local_id(0);

	tile[l] = in[get_global_id(0)];
	barrier(CLK_LOCAL_MEM_FENCE);
	out[get_global_id(0)] = tile[l] + tile[l + 1]; /* BUG uninit: read of 4 bytes at offset [0-9]* of local .*[(]tile[)].*, [(]15,0,0[)] in group */
}

kernel void sum_not_begun(global int *out, global const int *in,
			  local int *shared)
{
	int l = get_local_id(0);

	for (int n = 0; n < 4; n++)
		shared[l] += in[4 * l + n]; /* BUG uninit: read of 4 bytes at offset [0-9]* of local memory [(]shared[)] */
	out[get_global_id(0)] = shared[l];
}

kernel void member_forgotten(global int *out, global const int *in,
			     local int *shared)
{
	local struct record pair[16];
	int l = get_local_id(0);

	pair[l].key = in[l];
	pair[l].value[0] = l;
	pair[l].value[2] = l;
	barrier(CLK_LOCAL_MEM_FENCE);
	out[get_global_id(0)] = pair[15 - l].value[1]; /* BUG uninit: read of 4 bytes at offset [0-9]* of local memory [(]pair[)] */
}

/* Of three that are loaded as four the third is behind the end. */
kernel void constants_behind(global int *out, constant int *in,
			     local int *shared)
{
	out[get_global_id(0)] = in[62] + in[63] * in[64]; /* BUG bounds: read of [0-9]* bytes at offset 2(48|56) of buffer .*[(]in[)] */
}

kernel void uniform_raced(global int *out, global const int *in,
			  local int *shared)
{
	int i = get_global_id(0);

	if (i == 20)
		out[1] = 5; /* BUG races: write of 4 bytes at offset 4 of buffer .*[(]out[)] */
	if (i >= 8)
		out[i] = out[0] + out[1] + out[3]; /* BUG races: read of [0-9]* bytes at offset 4 of buffer .*[(]out[)] */
}

kernel void exchanged_unset(global int *out, global const int *in,
			    local int *shared)
{
	if (!get_local_id(0))
		out[get_group_id(0)] = atomic_xchg(shared, 7); /* BUG uninit: atomic operation of 4 bytes at offset 0 of local memory [(]shared[)] */
}

/* Y and z are there. */
kernel void element_forgotten(global int *out, global const int *in,
			      local int *shared)
{
	local int4 four[16];
	int l = get_local_id(0);

	four[l].y = in[l];
	four[l].z = l;
	barrier(CLK_LOCAL_MEM_FENCE);
	out[get_global_id(0)] = four[15 - l].y + four[15 - l].x; /* BUG uninit: read of 4 bytes at offset [0-9]* of local memory [(]four[)] */
}

/* An element is set that is the sum of another one, which is not there. */
kernel void element_used(global int *out, global const int *in,
			 local int *shared)
{
	local char4 four[16];
	int l = get_local_id(0);

	four[l].y = four[l].z + 1; /* BUG uninit: read of [0-9]* bytes at offset [0-9]* of local memory [(]four[)] */
	out[get_global_id(0)] = four[l].y;
}

kernel void element_moved(global int *out, global const int *in,
			  local int *shared)
{
	local int4 four[16];
	int l = get_local_id(0);

	four[l].xy = four[l].zw; /* BUG uninit: read of 4 bytes at offset [0-9]* of local memory [(]four[)] */
	out[get_global_id(0)] = four[l].y;
}

/* A value that a function gets, or returns. */
__attribute__((noinline)) int doubled(int value, int i)
{
	return value > 3 ? i : 2 * i;
}

kernel void passed(global int *out, global const int *in, local int *shared)
{
	int l = get_local_id(0);

	out[get_global_id(0)] = doubled(shared[l], l); /* BUG uninit: read of 4 bytes at offset 0 of local memory [(]shared[)] */
}

int fetch(local int *from, int i);

kernel void returned(global int *out, global const int *in,
		     local int *shared)
{
	out[get_global_id(0)] = fetch(shared, get_local_id(0)) + 1;
}

__attribute__((noinline)) int fetch(local int *from, int i)
{
	return from[i]; /* BUG uninit: read of 4 bytes at offset 0 of local memory [(]shared[)] */
}

#pragma OPENCL EXTENSION cl_intel_subgroup_local_block_io : enable
__attribute__((reqd_work_group_size(64, 1, 1), intel_reqd_sub_group_size(16)))
kernel void block_unset(global int *out, global const int *in,
			local uint *shared)
{
	uint2 two = intel_sub_group_block_read2(shared); /* BUG uninit: read of 128 bytes at offset 0 of local memory [(]shared[)] */

	out[get_global_id(0)] = two.x + two.y;
}

/* Some groups put back what they load. That says nothing of others, nor of what they write. */
kernel void moved_by_group(global int *out, global const int *in,
			   local int *shared)
{
	local int part[32];
	int l = get_local_id(0), g = get_group_id(0);

	part[l + 16 * (g / 3)] = part[l]; /* BUG uninit: read of 4 bytes at offset [0-9]* of local memory [(]part[)] */
	barrier(CLK_LOCAL_MEM_FENCE);
	part[l] = in[l] + 1;
	barrier(CLK_LOCAL_MEM_FENCE);
	out[get_global_id(0)] = part[15 - l];
}

/* What is stored has four as well, but not those. */
kernel void element_spread(global int4 *out, global const int *in,
			   local int *shared)
{
	local int4 four[16];
	int l = get_local_id(0);
	int4 mine;

	four[l].x = in[l];
	four[l].y = l;
	four[l].z = l + 1;
	barrier(CLK_LOCAL_MEM_FENCE);
	mine = four[15 - l]; /* BUG uninit: read of 4 bytes at offset [0-9]* of local memory [(]four[)] */
	if (get_global_id(0) < 16)
		out[get_global_id(0)] = mine.wxww;
}

/* What an instruction writes again is not all that it has written. */
kernel void byte_again(global uchar *out, global const int *in,
		       local int *shared)
{
	int i = get_global_id(0);

	if (i < 16) {
#pragma unroll 1
		for (int k = 0; k < 4; k++)
			if (!k || !i)
				out[i] = i + k + 1; /* BUG races: write of 1 bytes at offset 2 of buffer [0-9]* [(]out[)] */
	} else if (i == 63) {
		out[i] = out[2]; /* BUG races: read of 1 bytes at offset 2 of buffer [0-9]* [(]out[)] */
	}
}
