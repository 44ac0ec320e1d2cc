/* SPDX-License-Identifier: MIT */
/* For the tests of commands other than a launch. */

kernel void add_one(global int *data)
{
	data[get_global_id(0)] += 1;
}

kernel void combine(global const int *a, global const int *b, global int *out)
{
	size_t i = get_global_id(0);

	out[i] = a[i] * 3 + b[i];
}

kernel void print(global const int *in)
{
	size_t i = get_global_id(0);

	if (i % 10 == 3)
		printf("item %d: %d %x %c %s %.3f %ld\n", (int)i, in[i],
		       in[i] & 0xfff, 'a' + (int)i / 10, "text", i * 0.25f,
		       (long)i << 33);
}
