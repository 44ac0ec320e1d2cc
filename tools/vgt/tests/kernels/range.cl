/* SPDX-License-Identifier: MIT */
/* Index spaces: every kind of id and size, offsets, odd sizes. */

kernel void range_ids(global uint *out)
{
	size_t w = get_global_size(0), h = get_global_size(1);
	size_t x = get_global_id(0) - get_global_offset(0);
	size_t y = get_global_id(1) - get_global_offset(1);
	size_t z = get_global_id(2) - get_global_offset(2);
	size_t at = (z * h + y) * w + x;
	uint ids = 0, groups = 0;

	for (int d = 0; d < 3; d++) {
		ids = ids * 97 + get_global_id(d) + get_local_id(d) * 11;
		groups = groups * 89 + get_group_id(d) * get_num_groups(d) +
			 get_local_size(d);
	}
	out[3 * at] = ids;
	out[3 * at + 1] = groups;
	out[3 * at + 2] = get_work_dim() * 1000 + get_global_size(2);
}

kernel void range_count(global uint *count, global uint *sum)
{
	atomic_inc(count);
	atomic_add(sum, (uint)get_global_id(0) + 1);
}

kernel __attribute__((reqd_work_group_size(4, 6, 2)))
void range_required(global uint *out)
{
	size_t at = (get_global_id(2) * get_global_size(1) +
		     get_global_id(1)) * get_global_size(0) + get_global_id(0);

	out[at] = get_local_id(0) + get_local_id(1) * 4 +
		  get_local_id(2) * 24 + get_local_size(1) * 1000;
}

kernel void range_no_ids(global uint *out)
{
	out[0] = 42;
	out[1] = get_num_groups(0);
}

kernel void range_saxpy(global const float *x, global float *y, float a)
{
	size_t i = get_global_id(0);

	y[i] = a * x[i] + y[i];
}
