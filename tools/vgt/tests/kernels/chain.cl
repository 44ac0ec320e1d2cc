/* SPDX-License-Identifier: MIT */
/*
 * Every atomic of every integer type, on cells that several items meet at by
 * chance. What each item gets back tells the order in which they came.
 */
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable

#define CELLS 7

#define APPLY(type, space, prefix) \
type apply_##space##_##type(uint op, volatile space type *cell, type a, \
			    type b) \
{ \
	switch (op) { \
	case 0: \
		return prefix##_add(cell, a); \
	case 1: \
		return prefix##_sub(cell, a); \
	case 2: \
		return prefix##_xchg(cell, a); \
	case 3: \
		return prefix##_inc(cell); \
	case 4: \
		return prefix##_dec(cell); \
	case 5: \
		return prefix##_min(cell, a); \
	case 6: \
		return prefix##_max(cell, a); \
	case 7: \
		return prefix##_and(cell, a); \
	case 8: \
		return prefix##_or(cell, a); \
	case 9: \
		return prefix##_xor(cell, a); \
	default: \
		return prefix##_cmpxchg(cell, a, b); \
	} \
}

#define CHAIN(type, prefix) \
APPLY(type, global, prefix) \
APPLY(type, local, prefix) \
kernel void chain_global_##type(uint op, global type *cell, \
				global const uint *which, \
				global const type *a, global const type *b, \
				global type *old) \
{ \
	size_t i = get_global_id(0); \
\
	cell += get_group_id(0) * CELLS; \
	old[i] = apply_global_##type(op, cell + which[i], a[i], b[i]); \
} \
kernel void chain_local_##type(uint op, global type *cell, \
			       global const uint *which, \
			       global const type *a, global const type *b, \
			       global type *old) \
{ \
	size_t i = get_global_id(0), l = get_local_id(0); \
	local type mine[CELLS]; \
\
	cell += get_group_id(0) * CELLS; \
	if (l < CELLS) \
		mine[l] = cell[l]; \
	barrier(CLK_LOCAL_MEM_FENCE); \
	old[i] = apply_local_##type(op, mine + which[i], a[i], b[i]); \
	barrier(CLK_LOCAL_MEM_FENCE); \
	if (l < CELLS) \
		cell[l] = mine[l]; \
}

CHAIN(int, atomic)
CHAIN(uint, atomic)
#ifdef cl_khr_int64_base_atomics
CHAIN(long, atom)
CHAIN(ulong, atom)
#endif
