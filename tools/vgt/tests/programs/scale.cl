// SPDX-License-Identifier: MIT
/* For level_zero.c. */
__kernel void scale(__global int *data, int factor)
{
	size_t i = get_global_id(0);

	data[i] = data[i] * factor + (int)get_local_id(0);
}
