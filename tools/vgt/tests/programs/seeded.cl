// SPDX-License-Identifier: MIT
/* Kernels of seeded.c: 64 items, buffers of 64 ints, an int of local memory for each. */

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

	shared[get_local_id(0)] = i;
	if (i == 17)
		shared[4096 + in[i]] = i;
	barrier(CLK_LOCAL_MEM_FENCE);
	out[i] = shared[get_local_id(0)];
}

/* To the hardware that is the group's first place again. */
kernel void local_far(global int *out, global const int *in,
		      local int *shared)
{
	shared[get_local_id(0)] = 1;
	if (get_global_id(0) == 17)
		shared[16384 + in[0]] = 2;
	out[get_global_id(0)] = shared[get_local_id(0)];
}

kernel void local_before(global int *out, global const int *in,
			 local int *shared)
{
	shared[get_local_id(0)] = 1;
	if (get_global_id(0) == 17)
		shared[in[0] - 1] = 2;
	out[get_global_id(0)] = shared[get_local_id(0)];
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

/* By plain addresses, as nobody knows which buffer it is. */
__attribute__((intel_reqd_sub_group_size(16)))
kernel void block_written(global uchar *out, global uchar *in,
			  local int *shared)
{
	global uchar *to = in[1] ? in : out;

	intel_sub_group_block_write_uc(to + 48 + in[0], get_local_id(0));
}

__attribute__((intel_reqd_sub_group_size(16)))
kernel void dwords_written(global uint *out, global uint *in,
			   local int *shared)
{
	global uint *to = in[1] ? in : out;

	intel_sub_group_block_write(to + in[0], get_local_id(0));
}

/* Races. In groups of 64 items, which are several threads. */
kernel void no_barrier(global int *out, global const int *in,
		       local int *shared)
{
	int l = get_local_id(0);

	shared[l] = l + 1;
	out[get_global_id(0)] = shared[63 - l];
}

/* Item 63 writes what the others still read, in the second turn. */
kernel void one_barrier(global int *out, global const int *in,
			local int *shared)
{
	int l = get_local_id(0), sum = 0;

	for (int turn = 0; turn < 2; turn++) {
		if (l == 63)
			shared[0] = in[turn] + turn + 1;
		barrier(CLK_LOCAL_MEM_FENCE);
		sum += shared[0];
	}
	out[get_global_id(0)] = sum;
}

/*
 * What all have read before a barrier, and again behind it, the first thread, which has
 * read its halves as well, writes when the last one has read it, which reads it once more
 * when it is written. That they wait for each other like this is no order.
 */
kernel void written_between(global int *out, global const int *in,
			    local int *shared)
{
	int l = get_local_id(0), sum;
	volatile global int *flag = out;

	if (!l)
		shared[0] = in[0] + 1;
	barrier(CLK_LOCAL_MEM_FENCE);
	sum = shared[0];
	barrier(CLK_LOCAL_MEM_FENCE);
	sum += ((volatile local int *)shared)[0]; /* again */
	if (l == 0) {
		sum += ((volatile local short *)shared)[0];
		sum += ((volatile local short *)shared)[1];
		flag[2] = 1;
	}
	if (l == 63) {
		while (!flag[2])
			;
		sum += ((volatile local int *)shared)[0]; /* and then */
		flag[62] = 1;
		while (!flag[1])
			;
		sum += ((volatile local int *)shared)[0]; /* once more */
	}
	if (l == 0) {
		while (!flag[62])
			;
		shared[0] = in[1] + 2; /* in between */
		flag[1] = 1;
	}
	out[get_global_id(0)] = sum;
}

/* What all have read is written behind a barrier, and read with none behind that. */
kernel void written_again(global int *out, global const int *in,
			  local int *shared)
{
	int l = get_local_id(0), sum;

	if (!l)
		shared[0] = in[0] + 1;
	barrier(CLK_LOCAL_MEM_FENCE);
	sum = shared[0];
	barrier(CLK_LOCAL_MEM_FENCE);
	if (l == 32)
		shared[0] = sum + 1;
	out[get_global_id(0)] = sum + shared[0];
}

/* In groups of 16: a barrier orders nothing between them. */
kernel void groups_barrier(global int *out, global const int *in,
			   local int *shared)
{
	int i = get_global_id(0);

	out[i] = i + 1;
	barrier(CLK_GLOBAL_MEM_FENCE);
	out[i] += out[63 - i];
}

kernel void same_place(global int *out, global const int *in,
		       local int *shared)
{
	if (get_local_id(0) == 3)
		out[7] = get_global_id(0);
}

/* Lanes of one message. */
kernel void same_message(global int *out, global const int *in,
			 local int *shared)
{
	int i = get_global_id(0);

	out[i / 2] = i + 1;
}

kernel void bytes_raced(global uchar *out, global const uchar *in,
			local int *shared)
{
	int i = get_global_id(0);

	out[i] = i + 1; /* a byte for each */
	if (i == 40)
		out[1] = 77;
}

/* Item 4 reads what item 5 has not written. */
kernel void not_written(global int *out, global const int *in,
			local int *shared)
{
	int l = get_local_id(0);

	if (l != 5)
		shared[l] = in[l] + 1;
	barrier(CLK_LOCAL_MEM_FENCE);
	out[get_global_id(0)] = shared[l ^ 1];
}

kernel void byte_not_written(global uchar *out, global const uchar *in,
			     local uchar *shared)
{
	int l = get_local_id(0);

	if (l != 5)
		shared[l] = in[l] + 1;
	barrier(CLK_LOCAL_MEM_FENCE);
	out[get_global_id(0)] = shared[l ^ 1];
}

/* None. */
kernel void local_tree(global int *out, global const int *in,
		       local int *shared)
{
	int l = get_local_id(0);

	shared[l] = in[get_global_id(0)] + l;
	for (int n = get_local_size(0) / 2; n; n /= 2) {
		barrier(CLK_LOCAL_MEM_FENCE);
		if (l < n)
			shared[l] += shared[l + n];
	}
	if (!l)
		out[get_group_id(0)] = shared[0];
}

/* Neighbours in one dword; a flag that all set. */
kernel void bytes_beside(global uchar *out, global const uchar *in,
			 local int *shared)
{
	int i = get_global_id(0);

	out[i] = in[63 - i] + i;
	out[200] = 1;
	if (i % 2)
		((global ushort *)out)[40 + i / 2] = i;
}

kernel void atomics(global int *out, global const int *in, local int *shared)
{
	int i = get_global_id(0);

	atomic_add(out + in[i], i);
	atomic_max(out + 1, i);
}

/* The last group adds up what the others have left. */
kernel void last_group(global int *out, global const int *in,
		       local int *shared)
{
	int l = get_local_id(0), group = get_group_id(0), sum = 0;

	out[1 + get_global_id(0) / 2] = group + 1;
	barrier(CLK_GLOBAL_MEM_FENCE);
	if (!l) {
		write_mem_fence(CLK_GLOBAL_MEM_FENCE);
		shared[0] = atomic_inc(out);
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	if (shared[0] != get_num_groups(0) - 1)
		return;
	read_mem_fence(CLK_GLOBAL_MEM_FENCE);
	if (!l) {
		for (int i = 1; i <= 32; i++)
			sum += out[i];
		out[40] = sum;
	}
}

/* One item of each group at a time. */
kernel void lock_held(global int *out, global const int *in,
		      local int *shared)
{
	volatile global int *lock = out, *count = out + 1;

	if (get_local_id(0))
		return;
	while (atomic_cmpxchg(lock, 0, 1))
		;
	*count = *count + 1;
	mem_fence(CLK_GLOBAL_MEM_FENCE);
	atomic_xchg(lock, 0);
}

kernel void twin(global int *out, global const int *in, local int *shared)
{
	out[get_global_id(0) + 1] = in[get_global_id(0)];
}

/* Nobody runs it. */
kernel void other_twin(global int *more, global const int *in,
		       local int *shared)
{
	more[get_global_id(0) + 1] = in[get_global_id(0)];
}

#line 1001 "source.cl"
kernel void elsewhere(global int *out, global const int *in,
		      local int *shared)
{
	int i = get_global_id(0);

	if (i == 9)
		out[65] = in[i];
}
