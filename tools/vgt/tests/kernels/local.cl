/* SPDX-License-Identifier: MIT */
/* Shared local memory, barriers, asynchronous copies. */

kernel void local_reverse(global const int *in, global int *out)
{
	local int tile[64];
	size_t l = get_local_id(0), n = get_local_size(0);

	tile[l] = in[get_global_id(0)];
	barrier(CLK_LOCAL_MEM_FENCE);
	out[get_global_id(0)] = tile[n - 1 - l];
}

/* Vectors that all items of a group load from one place. */
#define UNIFORM(type, width) \
kernel void local_uniform_##type##width(global const type *in, \
					global type *out) \
{ \
	local type tile[64 * width]; \
	size_t l = get_local_id(0), g = get_group_id(0); \
\
	vstore##width(vload##width(get_global_id(0), in), l, tile); \
	barrier(CLK_LOCAL_MEM_FENCE); \
	vstore##width(vload##width(g * 5 + 3, tile), get_global_id(0), out); \
}

UNIFORM(uint, 2)
UNIFORM(uint, 3)
UNIFORM(uint, 4)
UNIFORM(uint, 8)
UNIFORM(ushort, 4)
UNIFORM(ulong, 2)
UNIFORM(ulong, 4)

kernel void local_reduce(global const uint *in, global uint *out,
			 local uint *scratch)
{
	size_t l = get_local_id(0);

	scratch[l] = in[get_global_id(0)];
	for (size_t half_size = get_local_size(0) / 2; half_size;
	     half_size /= 2) {
		barrier(CLK_LOCAL_MEM_FENCE);
		if (l < half_size)
			scratch[l] += scratch[l + half_size];
	}
	if (l == 0)
		out[get_group_id(0)] = scratch[0];
}

kernel void local_scan(global const int *in, global int *out,
		       local int *front, local int *back)
{
	size_t l = get_local_id(0), n = get_local_size(0);

	front[l] = in[get_global_id(0)];
	barrier(CLK_LOCAL_MEM_FENCE);
	for (size_t step = 1; step < n; step *= 2) {
		local int *swap = front;

		back[l] = front[l] + (l >= step ? front[l - step] : 0);
		barrier(CLK_LOCAL_MEM_FENCE);
		front = back;
		back = swap;
	}
	out[get_global_id(0)] = front[l];
}

kernel void local_histogram(global const uchar *in, global uint *out, int per)
{
	local uint bins[32];
	size_t l = get_local_id(0), n = get_local_size(0);

	for (size_t k = l; k < 32; k += n)
		bins[k] = 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int k = 0; k < per; k++)
		atomic_inc(&bins[in[get_global_id(0) * per + k] & 31]);
	barrier(CLK_LOCAL_MEM_FENCE);
	for (size_t k = l; k < 32; k += n)
		out[get_group_id(0) * 32 + k] = bins[k];
}

kernel void local_transpose(global const float *in, global float *out)
{
	local float tile[8][9];
	size_t x = get_local_id(0), y = get_local_id(1);
	size_t w = get_global_size(0), h = get_global_size(1);

	tile[y][x] = in[get_global_id(1) * w + get_global_id(0)];
	barrier(CLK_LOCAL_MEM_FENCE);
	out[(get_group_id(0) * 8 + y) * h + get_group_id(1) * 8 + x] =
		tile[x][y];
}

kernel void local_bytes(global const uchar *in, global ushort *out)
{
	local uchar text[128];
	local ushort sums[64];
	size_t l = get_local_id(0);

	text[2 * l] = in[2 * get_global_id(0)];
	text[2 * l + 1] = in[2 * get_global_id(0) + 1];
	barrier(CLK_LOCAL_MEM_FENCE);
	sums[l] = text[l] * 3 + text[127 - l];
	barrier(CLK_LOCAL_MEM_FENCE);
	out[get_global_id(0)] = sums[(l * 5) & 63];
}

struct cell {
	int key;
	char tag;
	long value;
	float4 v;
};

kernel void local_struct(global const int *in, global long *out)
{
	local struct cell cells[32];
	size_t l = get_local_id(0);
	int x = in[get_global_id(0)];

	cells[l].key = x;
	cells[l].tag = x >> 4;
	cells[l].value = (long)x << 9;
	cells[l].v = (float4)(l, l + 1, l + 2, l + 3);
	barrier(CLK_LOCAL_MEM_FENCE);
	struct cell other = cells[l ^ 9];
	out[get_global_id(0)] = other.key + other.tag + other.value +
				(long)(other.v.y * other.v.w);
}

kernel void barrier_loop(global int *out)
{
	local int ring[96];
	size_t l = get_local_id(0), n = get_local_size(0);
	int value = l;

	for (int turn = 0; turn < 10; turn++) {
		ring[l] = value;
		barrier(CLK_LOCAL_MEM_FENCE);
		value += ring[(l + 1) % n] * (turn & 1 ? -1 : 2);
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	out[get_global_id(0)] = value;
}

kernel void barrier_global(global int *data)
{
	size_t base = get_group_id(0) * get_local_size(0);
	size_t l = get_local_id(0), n = get_local_size(0);
	int value;

	data[base + l] += l;
	barrier(CLK_GLOBAL_MEM_FENCE);
	value = data[base + (l + 7) % n];
	barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
	data[base + l] = value * 2;
}

kernel void async_copy(global const int *in, global int *out, local int *tile)
{
	size_t l = get_local_id(0), n = get_local_size(0);
	size_t base = get_group_id(0) * n;
	event_t event = async_work_group_copy(tile, in + base, n, 0);

	wait_group_events(1, &event);
	tile[l] = tile[l] * 2 + 1;
	barrier(CLK_LOCAL_MEM_FENCE);
	event = async_work_group_copy(out + base, tile, n, 0);
	wait_group_events(1, &event);
}

kernel void async_strided(global const float *in, global float *out,
			  local float *tile)
{
	size_t l = get_local_id(0), n = get_local_size(0);
	size_t base = get_group_id(0) * n;
	event_t event;

	event = async_work_group_strided_copy(tile, in + base * 3, n, 3, 0);
	wait_group_events(1, &event);
	out[base + l] = tile[n - 1 - l];
}

kernel void local_full(global const uint *in, global uint *out,
		       local uint *big)
{
	size_t l = get_local_id(0), n = get_local_size(0);
	uint sum = 0;

	for (size_t k = l; k < 15000; k += n)
		big[k] = in[k % 256] + k;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (size_t k = 0; k < 40; k++)
		sum += big[(l * 371 + k * 997) % 15000];
	out[get_global_id(0)] = sum;
}
