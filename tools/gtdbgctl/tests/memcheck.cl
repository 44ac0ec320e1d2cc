/* SPDX-License-Identifier: MIT */
/* Kernels that leave their buffers, for memcheck.sh. */

/* The last item reads one element too far, and writes one. */
kernel void past(global int *in, global int *out)
{
	int item = get_global_id(0);
	int next = in[item + 1];

	out[item + 1] = next;
}

/* The first item reads one element before the buffer. */
kernel void before(global int *in, global int *out)
{
	int item = get_global_id(0);
	int last = in[item - 1];

	out[item] = last;
}

/* The first item writes before the buffer, and the last one behind it. */
kernel void around(global int *in, global int *out)
{
	int item = get_global_id(0);

	out[item - 1] = in[item];
	out[item + 1] = in[item];
}
