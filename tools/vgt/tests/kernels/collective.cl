/* SPDX-License-Identifier: MIT */
/* Work-group functions of OpenCL C 2.0 and 3.0, program-scope variables. */

#ifdef __opencl_c_work_group_collective_functions
kernel void group_reduce(global const int *in, global int *out)
{
	size_t i = get_global_id(0);
	int x = in[i];

	out[6 * i] = work_group_reduce_add(x);
	out[6 * i + 1] = work_group_reduce_min(x);
	out[6 * i + 2] = work_group_reduce_max(x);
	out[6 * i + 3] = work_group_scan_inclusive_add(x);
	out[6 * i + 4] = work_group_scan_exclusive_add(x);
	out[6 * i + 5] = work_group_broadcast(x, 5);
}

kernel void group_wide(global const long *in, global long *out)
{
	size_t i = get_global_id(0);
	long x = in[i];

	out[5 * i] = work_group_reduce_add(x);
	out[5 * i + 1] = work_group_reduce_max(x);
	out[5 * i + 2] = work_group_scan_inclusive_add(x);
	out[5 * i + 3] = work_group_scan_exclusive_min(x);
	out[5 * i + 4] = work_group_broadcast(x, 7);
}

kernel void group_vote(global const int *in, global int *out)
{
	size_t i = get_global_id(0);

	out[i] = (work_group_any(in[i] > 90) != 0) +
		 (work_group_all(in[i] > 5) != 0) * 2;
}
#endif

kernel void linear_ids(global uint *out)
{
	size_t i = get_global_linear_id();

	out[2 * i] = get_local_linear_id();
	out[2 * i + 1] = get_enqueued_local_size(0) + get_local_size(0) * 100;
}

#ifdef __opencl_c_program_scope_global_variables
global int counter = 5;
global int cells[4] = { 1, 2, 3, 4 };

kernel void program_scope(global int *out)
{
	size_t i = get_global_id(0);

	out[i] = cells[i & 3];
	atomic_inc((volatile global int *)&counter);
	if (i == 0)
		out[get_global_size(0)] = cells[3] * 10;
}
#endif

#ifdef __opencl_c_generic_address_space
/* One function for pointers into any address space. */
int sum_generic(const int *list, int n)
{
	int sum = 0;

	for (int k = 0; k < n; k++)
		sum += list[k] * (k + 1);
	return sum;
}

kernel void generic_pointers(global const int *in, global int *out)
{
	local int shared[16];
	size_t l = get_local_id(0);
	int mine[4];

	for (int k = 0; k < 4; k++)
		mine[k] = in[(get_global_id(0) + k) & 63] & 0xfff;
	shared[l] = mine[0];
	barrier(CLK_LOCAL_MEM_FENCE);
	const int *pick = l & 1 ? (const int *)mine : (const int *)shared;
	out[get_global_id(0)] = sum_generic(pick, 4) +
				sum_generic(in, 3) % 1000;
}
#endif
