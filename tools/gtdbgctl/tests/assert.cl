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

	assert(x * y != 6); /* not: assert(x) */ // "assert(y)
	for (int i = 0; i < 4; i++)
		gtdbg_assert_msg(x + y + i != 9, "on the line");
	out[y * get_global_size(0) + x] = x * y;
}

/* One item fails; the others never end, as in[0] stays 100. */
kernel void endless(global volatile int *in, global int *out)
{
	assert(get_global_id(0) != 3 || get_global_id(1) > 0);
	while (in[0] == 100)
		out[get_global_id(0)] = in[1];
}

/* All hold: for all items, for each of its own, in a loop, and where few come. */
kernel void holds(global int *in, global int *out)
{
	int item = get_global_id(0), sum = 0;

	assert(in[0] == 100);
	assert(in[item] == item + 100);
	for (int i = 0; i < 4; i++) {
		sum += in[i];
		assert(sum > i);
		if (item % 3 == i)
			assert(in[item] % 3 == (i + 1) % 3);
	}
	out[item] = sum;
}
