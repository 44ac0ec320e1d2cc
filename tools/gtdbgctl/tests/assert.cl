/* SPDX-License-Identifier: MIT */
/* Kernels whose assertions fail, for assert.sh; in[i] is i + 100. */
#include "gtdbg_assert.h"

kernel void compute(global int *in, global int *out)
{
	int point = in[get_global_id(0)] % 7;

	assert(point > 0);
	out[get_global_id(0)] = point;
}

/* In two dimensions, twice, and in a loop. */
kernel void plane(global int *in, global int *out)
{
	int x = get_global_id(0), y = get_global_id(1);

	assert(x * y != 6);
	for (int i = 0; i < 4; i++)
		gtdbg_assert_msg(x + y + i != 9, "on the line");
	out[y * get_global_size(0) + x] = x * y;
}
