/* SPDX-License-Identifier: MIT */
/* Atomics on global and local memory, 32 and 64 bit. */
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable

kernel void atomic_count(global int *cell)
{
	int i = get_global_id(0);

	atomic_add(&cell[0], i);
	atomic_sub(&cell[1], i * 3);
	atomic_inc(&cell[2]);
	atomic_dec(&cell[3]);
	atomic_min(&cell[4], 500 - i);
	atomic_max(&cell[5], i ^ 0x55);
	atomic_and(&cell[6], ~(1 << (i & 15)));
	atomic_or(&cell[7], 1 << (i & 31));
	atomic_xor(&cell[8], i * 77);
	atomic_add(&cell[9 + (i & 7)], 1);
}

kernel void atomic_unsigned(global uint *cell)
{
	uint i = get_global_id(0);

	atomic_min(&cell[0], 0xfffffff0 - i);
	atomic_max(&cell[1], 0x80000000 + i);
}

kernel void atomic_ticket(volatile global uint *counter, global uint *seen)
{
	uint ticket = atomic_inc(counter);

	atomic_add(&seen[ticket], 1);
}

kernel void atomic_swap(global int *cell, global int *seen)
{
	int old = atomic_xchg(cell, (int)get_global_id(0));

	atomic_add(&seen[old + 1], 1);
}

kernel void atomic_cas(global const float *in, volatile global uint *sum)
{
	uint old, new;

	do {
		old = *sum;
		new = as_uint(as_float(old) + in[get_global_id(0)]);
	} while (atomic_cmpxchg(sum, old, new) != old);
}

kernel void atomic_float_swap(global float *cell, global int *seen)
{
	float old = atomic_xchg(cell, (float)get_global_id(0));

	atomic_inc(&seen[(int)old + 1]);
}

kernel void atomic_local(global int *out)
{
	local int cell[10];
	int l = get_local_id(0);

	if (l < 10)
		cell[l] = l == 6 ? -1 : l * 100;
	barrier(CLK_LOCAL_MEM_FENCE);
	atomic_add(&cell[0], l);
	atomic_sub(&cell[1], l);
	atomic_inc(&cell[2]);
	atomic_dec(&cell[3]);
	atomic_min(&cell[4], 450 - l);
	atomic_max(&cell[5], 460 + l);
	atomic_and(&cell[6], ~(1 << (l & 7)));
	atomic_or(&cell[7], 1 << (l & 15));
	atomic_xor(&cell[8], l * 5);
	if (l == 11)
		atomic_cmpxchg(&cell[9], 900, 77);
	barrier(CLK_LOCAL_MEM_FENCE);
	if (l < 10)
		out[get_group_id(0) * 10 + l] = cell[l];
}

kernel void atomic_local_ticket(global uint *seen)
{
	local uint next;

	if (get_local_id(0) == 0)
		next = 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	seen[get_group_id(0) * get_local_size(0) + atomic_inc(&next)] = 1;
}

kernel void atomic_divergent(global const int *in, global int *cell)
{
	size_t i = get_global_id(0);

	if (in[i] & 1) {
		for (int k = 0; k < (in[i] >> 1 & 7); k++)
			atomic_add(&cell[k], 1);
	} else if (in[i] & 2) {
		atomic_sub(&cell[8], 1);
	}
}

#ifdef cl_khr_int64_base_atomics
kernel void atomic_wide(global long *cell)
{
	long i = get_global_id(0);

	atom_add(&cell[0], i << 30);
	atom_sub(&cell[1], i << 33);
	atom_inc(&cell[2]);
	atom_dec(&cell[3]);
	atom_min(&cell[4], -i << 35);
	atom_max(&cell[5], i << 36);
	atom_and(&cell[6], ~(1L << (i & 63)));
	atom_or(&cell[7], 1L << (i & 63));
	atom_xor(&cell[8], i << 20);
	if (i == 5) {
		cell[10] = atom_xchg(&cell[9], 99L << 40);
		cell[12] = atom_cmpxchg(&cell[11], 11L, 1L << 50);
	}
}

/* The compiler makes these of a lock and scalar loads and stores. */
kernel void atomic_wide_local(global long *out)
{
	local long cell[12];
	size_t l = get_local_id(0);
	long i = l, old;

	if (l < 12)
		cell[l] = l << 40;
	barrier(CLK_LOCAL_MEM_FENCE);
	atom_add(&cell[0], i << 30);
	atom_sub(&cell[1], i << 33);
	atom_inc(&cell[2]);
	atom_dec(&cell[3]);
	atom_min(&cell[4], -i << 35);
	atom_max(&cell[5], i << 36);
	atom_and(&cell[6], ~(1L << (i & 63)));
	atom_or(&cell[7], 1L << (i & 63));
	atom_xor(&cell[8], i << 20);
	atom_add(&cell[9], atom_xchg(&cell[10], i + 1));
	do {
		old = cell[11];
	} while (atom_cmpxchg(&cell[11], old, old * 3 + 1) != old);
	barrier(CLK_LOCAL_MEM_FENCE);
	if (l < 12)
		out[get_group_id(0) * 12 + l] = cell[l];
}
#endif
