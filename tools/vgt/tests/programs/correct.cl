// SPDX-License-Identifier: MIT
/* As in faults.cl, but right. Nothing is to be said of these. */

kernel void copy(global int *out, global const int *in, local int *shared)
{
	out[get_global_id(0)] = in[get_global_id(0)];
}

kernel void reverse(global int *out, global const int *in, local int *shared)
{
	out[63 - get_global_id(0)] = in[get_global_id(0)];
}

kernel void stencil(global int *out, global const int *in, local int *shared)
{
	int i = get_global_id(0);

	out[i] = (i ? in[i - 1] : 0) + in[i] + (i < 63 ? in[i + 1] : 0);
}

kernel void loop_whole(global int *out, global const int *in,
		       local int *shared)
{
	int sum = 0;

	for (int n = 0; n < 64; n++)
		sum += in[n];
	out[get_global_id(0)] = sum;
}

kernel void strided(global int *out, global const int *in, local int *shared)
{
	for (int i = get_local_id(0) + 16 * get_group_id(0); i < 64;
	     i += get_global_size(0))
		out[i] = in[i] + 1;
}

kernel void last_vector(global int *out, global const int *in,
			local int *shared)
{
	int i = get_global_id(0);

	if (i < 16)
		vstore4(vload4(i, in) + i, i, out);
}

kernel void unaligned_vector(global int *out, global const int *in,
			     local int *shared)
{
	int i = get_global_id(0);

	if (i <= 60)
		out[i] = vload4(0, in + i).w;
}

kernel void three(global int *out, global const int *in, local int *shared)
{
	int i = get_global_id(0);

	if (i < 21)
		vstore3(vload3(i, in) + i, i, out);
}

kernel void longs(global long *out, global const long *in, local int *shared)
{
	int i = get_global_id(0);

	if (i < 32)
		out[i] = in[31 - i] + i;
}

kernel void shorts(global ushort *out, global const ushort *in,
		   local int *shared)
{
	int i = get_global_id(0);

	out[i * 2] = in[127 - i];
	out[i * 2 + 1] = i;
}

kernel void bytes(global uchar *out, global const uchar *in,
		  local int *shared)
{
	int i = get_global_id(0);

	for (int n = 0; n < 4; n++)
		out[n * 64 + i] = in[i * 4 + n] + i;
}

kernel void byte_vectors(global uchar4 *out, global const uchar4 *in,
			 local int *shared)
{
	int i = get_global_id(0);

	out[i] = in[i] + (uchar4)(1, 2, 3, i);
}

struct record {
	int key;
	char name[5];
	short value;
};

kernel void records(global struct record *out,
		    global const struct record *in, local int *shared)
{
	int i = get_global_id(0);
	struct record one;

	if (i >= 256 / (int)sizeof(one))
		return;
	one = in[i];
	one.name[4] = i;
	one.value = i;
	out[i] = one;
}

kernel void private_array(global int *out, global const int *in,
			  local int *shared)
{
	int i = get_global_id(0), mine[8];

	for (int n = 0; n < 8; n++)
		mine[n] = in[(i + n) % 64] + n;
	out[i] = mine[i % 8];
}

kernel void search(global int *out, global const int *in, local int *shared)
{
	int i = get_global_id(0), low = 0, high = 64;

	while (low < high) {
		int middle = (low + high) / 2;

		if (in[middle] <= i - 32)
			low = middle + 1;
		else
			high = middle;
	}
	out[i] = low;
}

/* Groups take turns by no one: each has its own part. */
kernel void group_sums(global int *out, global const int *in,
		       local int *shared)
{
	int sum = 0;

	if (get_local_id(0))
		return;
	for (int n = 0; n < 16; n++)
		sum += in[get_group_id(0) * 16 + n];
	out[get_group_id(0)] = sum;
}

kernel void bins(global int *out, global const int *in, local int *shared)
{
	atomic_inc(out + get_global_id(0) % 8);
}

/* Items take places one by one. */
kernel void append(global int *out, global const int *in, local int *shared)
{
	int i = get_global_id(0);

	if (i % 3 == 0)
		out[1 + atomic_inc(out)] = i;
}

kernel void exchange(global int *out, global const int *in,
		     local int *shared)
{
	int i = get_global_id(0), old = in[0];

	for (int seen; (seen = atomic_cmpxchg(out, old, old + i)) != old;)
		old = seen;
}

kernel void found(global int *out, global const int *in, local int *shared)
{
	if (get_global_id(0) % 5 == 0)
		out[0] = 1;
}

__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void neighbours(global int *out, global const int *in,
		       local int *shared)
{
	int l = get_local_id(0);

	shared[l] = in[l];
	barrier(CLK_LOCAL_MEM_FENCE);
	out[l] = shared[(l + 1) % 64] - shared[(l + 63) % 64];
}

__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void transpose(global int *out, global const int *in,
		      local int *shared)
{
	local int tile[8][9];
	int x = get_local_id(0) % 8, y = get_local_id(0) / 8;

	tile[y][x] = in[y * 8 + x];
	barrier(CLK_LOCAL_MEM_FENCE);
	out[y * 8 + x] = tile[x][y];
}

__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void prefix(global int *out, global const int *in, local int *shared)
{
	int l = get_local_id(0);

	shared[l] = in[l] + 1;
	for (int n = 1; n < 64; n *= 2) {
		int more;

		barrier(CLK_LOCAL_MEM_FENCE);
		more = l >= n ? shared[l - n] : 0;
		barrier(CLK_LOCAL_MEM_FENCE);
		shared[l] += more;
	}
	out[l] = shared[l];
}

/* Two halves, in turns: one barrier is enough. */
__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void two_halves(global int *out, global const int *in,
		       local int *shared)
{
	local int turn[2][64];
	int l = get_local_id(0);

	turn[0][l] = in[l] + l;
	for (int n = 0; n < 6; n++) {
		barrier(CLK_LOCAL_MEM_FENCE);
		turn[1 - n % 2][l] = turn[n % 2][l] +
				     turn[n % 2][l ^ 1 << n];
	}
	out[l] = turn[0][l];
}

__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void sort(global int *out, global const int *in, local int *shared)
{
	int l = get_local_id(0);

	shared[l] = in[l] + (l * 37 & 63);
	for (int size = 2; size <= 64; size *= 2)
		for (int n = size / 2; n; n /= 2) {
			int other = l ^ n, a, b;

			barrier(CLK_LOCAL_MEM_FENCE);
			if (other < l)
				continue;
			a = shared[l];
			b = shared[other];
			if ((a > b) == !(l & size)) {
				shared[l] = b;
				shared[other] = a;
			}
		}
	barrier(CLK_LOCAL_MEM_FENCE);
	out[l] = shared[l];
}

__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void local_bins(global int *out, global const int *in,
		       local int *shared)
{
	local int bin[8];
	int l = get_local_id(0);

	if (l < 8)
		bin[l] = 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	atomic_inc(bin + (in[l] + l) % 8);
	barrier(CLK_LOCAL_MEM_FENCE);
	if (l < 8)
		atomic_add(out + l, bin[l]);
}

kernel void broadcast(global int *out, global const int *in,
		      local int *shared)
{
	local int one;

	for (int n = 0; n < 3; n++) {
		if (get_local_id(0) == 5)
			one = in[n] + n;
		barrier(CLK_LOCAL_MEM_FENCE);
		if (n == 2)
			out[get_global_id(0)] = one;
		barrier(CLK_LOCAL_MEM_FENCE);
	}
}

kernel void halo(global int *out, global const int *in, local int *shared)
{
	local int tile[18];
	int i = get_global_id(0), l = get_local_id(0);

	tile[l + 1] = in[i];
	if (!l)
		tile[0] = i ? in[i - 1] : 0;
	if (l == 15)
		tile[17] = i < 63 ? in[i + 1] : 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	out[i] = tile[l] + tile[l + 1] + tile[l + 2];
}

__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void product(global int *out, global const int *in, local int *shared)
{
	local int a[4][8], b[4][8];
	int x = get_local_id(0) % 8, y = get_local_id(0) / 8, sum = 0;

	for (int part = 0; part < 2; part++) {
		if (y < 4) {
			a[y][x] = in[x * 8 + part * 4 + y];
			b[y][x] = in[(part * 4 + y) * 8 + x];
		}
		barrier(CLK_LOCAL_MEM_FENCE);
		for (int n = 0; n < 4; n++)
			sum += a[n][y] * b[n][x];
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	out[y * 8 + x] = sum;
}

/* Bytes of a dword are each written by another one in its turn. */
__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void bytes_in_turns(global uchar *out, global const int *in,
			   local int *shared)
{
	local uchar four[64][4];
	int l = get_local_id(0), sum = 0;

	for (int n = 0; n < 4; n++) {
		four[(l + 16 * n) % 64][0] = n;
		four[(l + 16 * n) % 64][3] = l;
		barrier(CLK_LOCAL_MEM_FENCE);
		sum += four[63 - l][0] + four[63 - l][3];
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	out[2 * l] = sum;
	out[2 * l + 1] = sum + 1;
}

/* Not all of a thread's lanes write their bytes each time. */
__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void bytes_of_some(global uchar *out, global const int *in,
			  local uchar *shared)
{
	int l = get_local_id(0);

	for (int n = 0; n < 4; n++)
		if ((n + in[n]) % 2 || l % 2)
			shared[l] = n + 5;
	barrier(CLK_LOCAL_MEM_FENCE);
	out[l] = shared[63 - l];
}

__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void shorts_in_turns(global ushort *out, global const ushort *in,
			    local ushort *shared)
{
	int l = get_local_id(0);

	for (int n = 0; n < 5; n++) {
		shared[l] = in[l] + n;
		barrier(CLK_LOCAL_MEM_FENCE);
		out[l] = shared[(l + 31) % 64];
		barrier(CLK_LOCAL_MEM_FENCE);
	}
}

/* In place; a barrier of the one group lies between. */
__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void shift(global int *out, global const int *in, local int *shared)
{
	int l = get_local_id(0), next = out[(l + 1) % 64];

	barrier(CLK_GLOBAL_MEM_FENCE);
	out[l] = next + in[l] + l;
}

/* Compilers load more at once than is asked for, as here a fourth one. */
kernel void last_constants(global int *out, constant int *in,
			   local int *shared)
{
	out[get_global_id(0)] = in[61] + in[62] * in[63];
}

#define WAY(n) if (x > (n)) { out[i] = x * ((n) + 3); x ^= in[x & 63]; }
#define WAYS(n) WAY(n) WAY((n) + 1) WAY((n) + 2) WAY((n) + 3) WAY((n) + 4)

/* So are these, and there are many ways behind them. */
kernel void constants_first(global int *out, constant int *in,
			    local int *shared)
{
	int i = get_global_id(0), x = in[61] + in[62] * in[63] + i;

	WAYS(0) WAYS(5) WAYS(10) WAYS(15) WAYS(20) WAYS(25)
	WAYS(30) WAYS(35) WAYS(40) WAYS(45) WAYS(50) WAYS(55)
	out[i] = x;
}

/* Nobody reads the one that is written, which lies between those that are. */
kernel void beside_uniform(global int *out, global const int *in,
			   local int *shared)
{
	int i = get_global_id(0);

	if (i == 20)
		out[1] = 5;
	out[i < 8 ? 63 : i] = out[0] + out[2] + out[3];
}

kernel void exchanged_first(global int *out, global const int *in,
			    local int *shared)
{
	local int one;

	if (!get_local_id(0))
		atomic_xchg(&one, in[3] + 7);
	barrier(CLK_LOCAL_MEM_FENCE);
	out[get_global_id(0)] = one;
}

/* Code that is not optimised loads all of a vector to set one element. */
kernel void vector_element(global int *out, global const int *in,
			   local int *shared)
{
	local int4 four[16];
	local long2 two[16];
	int l = get_local_id(0);

	four[l].y = in[l];
	two[l].x = l;
	barrier(CLK_LOCAL_MEM_FENCE);
	out[get_global_id(0)] = four[15 - l].y + two[15 - l].x;
}

kernel void vector_halves(global int *out, global const int *in,
			  local int *shared)
{
	local int8 eight[16];
	local short16 more[16];
	int l = get_local_id(0);

	eight[l].s6 = in[l];
	more[l].s9 = l;
	barrier(CLK_LOCAL_MEM_FENCE);
	out[get_global_id(0)] = eight[15 - l].s6 + more[15 - l].s9;
}

kernel void vector_dword(global int *out, global const int *in,
			 local int *shared)
{
	local char4 four[16];
	local short2 two[16];
	local char3 three[16];
	local char2 small[16];
	int l = get_local_id(0);

	four[l].y = in[l];
	two[l].x = l;
	three[l].y = l;
	small[l].y = l;
	barrier(CLK_LOCAL_MEM_FENCE);
	out[get_global_id(0)] = four[15 - l].y + two[15 - l].x +
				three[15 - l].y + small[15 - l].y;
}

/* The last of four is not set, and not used. */
kernel void vector_partly(global int *out, global const int *in,
			  local int *shared)
{
	local int4 four[16];
	int l = get_local_id(0);
	int4 mine;

	four[l].x = in[l];
	four[l].y = l;
	four[l].z = l + 1;
	barrier(CLK_LOCAL_MEM_FENCE);
	mine = four[15 - l];
	out[get_global_id(0)] = mine.x * mine.y + mine.z;
}

/* By some of a thread's work-items. */
kernel void vector_by_parts(global int *out, global const int *in,
			    local int *shared)
{
	local short4 four[16];
	local int4 more[16];
	int l = get_local_id(0);

	if (l % 2) {
		four[l].x = in[l] + l;
		more[l].z = l;
	} else {
		four[l].x = 7;
		more[l].z = in[l];
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	out[get_global_id(0)] = four[15 - l].x + more[15 - l].z;
}

kernel void vector_swapped(global int *out, global const int *in,
			   local int *shared)
{
	local int2 two[16];
	int l = get_local_id(0);

	two[l].y = l;
	two[l].x = in[l];
	two[l] = two[l].yx;
	barrier(CLK_LOCAL_MEM_FENCE);
	out[get_global_id(0)] = two[15 - l].x - two[15 - l].y;
}

struct padded {
	int key;
	long value;
	char tag;
};

/* Nobody writes what is between a struct's members; copies have it all the same. */
kernel void structs_swapped(global int *out, global const int *in,
			    local int *shared)
{
	local struct padded all[16];
	int l = get_local_id(0);

	all[l].key = l;
	all[l].value = in[l];
	all[l].tag = 5;
	barrier(CLK_LOCAL_MEM_FENCE);
	if (l < 8) {
		struct padded one = all[15 - l];

		all[15 - l] = all[l];
		all[l] = one;
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	out[get_global_id(0)] = all[15 - l].key + all[l].value + all[l].tag;
}

/* The other half of the thread has no work-items, and is done all the same. */
kernel void long_of_vector(global int *out, global const int *in,
			   local int *shared)
{
	local long4 four[16];
	int l = get_local_id(0);

	four[l].y = in[l] + 7 * l;
	barrier(CLK_LOCAL_MEM_FENCE);
	if (four[15 - l].y > 3)
		out[get_global_id(0)] = four[15 - l].y;
	out[get_global_id(0)] += 54;
}

/* Where nothing is inlined the barrier is a function, and gets whatever registers hold. */
kernel void element_last(global int *out, global const int *in,
			 local int *shared)
{
	local int4 four[16];
	int l = get_local_id(0);

	four[l].x = in[l];
	four[l].y = l;
	four[l].w = l + 1;
	four[l].z = l + 2;
	barrier(CLK_LOCAL_MEM_FENCE);
	out[get_global_id(0)] = four[15 - l].y + four[l].z;
}

kernel void long_of_two(global int *out, global const int *in,
			local int *shared)
{
	local long2 two[16];
	int l = get_local_id(0);

	two[l].y = in[l] + 7 * l;
	barrier(CLK_LOCAL_MEM_FENCE);
	long2 other = two[15 - l];
	out[get_global_id(0)] = other.y;
}
