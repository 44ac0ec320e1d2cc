/* SPDX-License-Identifier: MIT */
/*
 * A loop with ten assertions that hold, for asserts: the rest of an iteration is
 * what programs do in one, a tile of 64 bodies that attract an item's, or a block
 * that goes into its SHA-256. With NDEBUG they are the same without assertions.
 */
#include "gtdbg_assert.h"

#define TILE 64

static float4 attract(float4 force, float4 self, float4 other)
{
	float4 to = other - self;
	float near = native_rsqrt(dot(to.xyz, to.xyz) + 0.01f);

	force.xyz += to.xyz * (other.w * near * near * near);
	return force;
}

kernel void bodies(global const float4 *in, global float4 *out, int tiles)
{
	int item = get_global_id(0), tile, i;
	float4 self = in[item], force = 0;

	for (tile = 0; tile < tiles; tile++) {
		global const float4 *first = in + tile * TILE;

		assert(first[0].w > 0);
		assert(first[TILE - 1].w > 0);
		assert(isfinite(first[0].x));
		assert(isfinite(first[TILE - 1].x));
		for (i = 0; i < TILE; i++)
			force = attract(force, self, first[i]);
		assert(isfinite(force.x));
		assert(isfinite(force.y));
		assert(isfinite(force.z));
		assert(fabs(force.x) < 1e6f);
		assert(fabs(force.y) < 1e6f);
		assert(fabs(force.z) < 1e6f);
	}
	out[item] = force;
}

#define E(x) (rotate(x, 26u) ^ rotate(x, 21u) ^ rotate(x, 7u))
#define A(x) (rotate(x, 30u) ^ rotate(x, 19u) ^ rotate(x, 10u))

static uint8 turn(uint8 s, uint word)
{
	uint t = s.s7 + E(s.s4) + bitselect(s.s6, s.s5, s.s4) + word;
	uint u = A(s.s0) + bitselect(s.s0, s.s1, s.s0 ^ s.s2);

	return (uint8)(t + u, s.s012, s.s3 + t, s.s456);
}

kernel void blocks(global const uint *in, global uint8 *out, int count)
{
	uint8 state = (uint8)get_global_id(0), s;
	int block, i;

	for (block = 0; block < count; block++) {
		uint w[16];

		for (i = 0; i < 16; i++)
			w[i] = in[block * 16 + i];
		assert(w[0] != 1);
		assert(w[15] != 1);
		assert(w[0] != w[15] + 1);
		s = state;
		for (i = 0; i < 64; i++) {
			uint a = w[(i + 1) & 15], b = w[(i + 14) & 15];

			s = turn(s, w[i & 15] + 0x428a2f98 * i);
			w[i & 15] += w[(i + 9) & 15] +
				(rotate(a, 25u) ^ rotate(a, 14u) ^ a >> 3) +
				(rotate(b, 15u) ^ rotate(b, 13u) ^ b >> 10);
		}
		assert(s.s0 != 1);
		assert(s.s3 != 1);
		assert(s.s7 != 1);
		state += s;
		assert(state.s0 != 1);
		assert(state.s3 != 1);
		assert(state.s5 != 1);
		assert(state.s7 != 1);
	}
	out[get_global_id(0)] = state;
}

/* One item fails, right after it has said so in out. */
static void fail(global volatile uint *out)
{
	if (get_global_id(0) == 3) {
		atomic_xchg(&out[0], 1);
		mem_fence(CLK_GLOBAL_MEM_FENCE);
	}
	assert(get_global_id(0) != 3);
}

kernel void fails(global const uint *in, global volatile uint *out, int rounds)
{
	fail(out);
	out[get_global_id(0) + 1] = in[rounds];
}

/* The others never end, as nobody writes 1 there. */
kernel void fails_endless(global const uint *in, global volatile uint *out,
			  int rounds)
{
	fail(out);
	while (out[2 * get_global_size(0)] != 1)
		out[get_global_id(0) + 1] = in[rounds];
}
