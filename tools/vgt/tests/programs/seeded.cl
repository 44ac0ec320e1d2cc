// SPDX-License-Identifier: MIT
/* Kernels of seeded.c: 64 items, buffers of 64 ints, 16 ints of local memory. */

kernel void right(global int *out, global const int *in, local int *shared)
{
	int i = get_global_id(0);

	shared[get_local_id(0)] = in[i];
	barrier(CLK_LOCAL_MEM_FENCE);
	out[i] = shared[get_local_id(0) ^ 1];
}

/* Item 63 alone reads behind the end. */
kernel void read_behind(global int *out, global const int *in,
			local int *shared)
{
	int i = get_global_id(0);

	out[i] = in[i + 1];
}

/* Items below 3 alone write before the beginning. */
kernel void write_before(global int *out, global const int *in,
			 local int *shared)
{
	int i = get_global_id(0);

	if (i == 2)
		out[i - 3] = in[i];
}

kernel void write_far(global int *out, global const int *in, local int *shared)
{
	int i = get_global_id(0);

	if (i == 40)
		out[i * 1000] = in[i];
}

kernel void bytes_behind(global uchar *out, global const uchar *in,
			 local int *shared)
{
	int i = get_global_id(0);

	out[i * 4 + (i == 63 ? 4 : 0)] = in[i];
}

kernel void atomic_behind(global int *out, global const int *in,
			  local int *shared)
{
	int i = get_global_id(0);

	if (i == 5)
		atomic_add(out + 64 + in[i], 1);
}

kernel void local_behind(global int *out, global const int *in,
			 local int *shared)
{
	int i = get_global_id(0);

	if (i == 17)
		shared[4096 + in[i]] = i;
	barrier(CLK_LOCAL_MEM_FENCE);
	out[i] = shared[get_local_id(0)];
}

/* These are for buffers of 61 bytes. Compilers read the last of them like this. */
kernel void last_dword(global uchar *out, global const uchar *in,
		       local int *shared)
{
	int i = get_global_id(0);

	if (i < 16 && ((global const int *)in)[i] == 0 && i < 15)
		((global int *)out)[i] = i;
}

kernel void next_dword(global uchar *out, global const uchar *in,
		       local int *shared)
{
	int i = get_global_id(0);

	if (i < 17 && ((global const int *)in)[i] == 0 && i < 15)
		((global int *)out)[i] = i;
}

kernel void next_byte(global uchar *out, global const uchar *in,
		      local int *shared)
{
	int i = get_global_id(0);

	if (i < 62 && in[i] == 0 && i < 61)
		out[i] = i;
}

kernel void last_dword_written(global uchar *out, global const uchar *in,
			       local int *shared)
{
	int i = get_global_id(0);

	if (i < 16)
		((global int *)out)[i] = in[i];
}
