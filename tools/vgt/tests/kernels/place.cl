/* SPDX-License-Identifier: MIT */
/*
 * Vectors of every length at any element of an array, in every address space.
 * The array has at most 255 bytes, so that its end is not aligned to anything.
 */
#define ROOM(type) (255 / sizeof(type))
#define ITEMS 32

#define LOAD(n, from, at, out) \
	vstore##n(vload##n((at) / n, (from) + (at) % n), 0, out)
#define LOADS(from, at, out) do { \
	LOAD(2, from, at, out); \
	LOAD(3, from, at, (out) + 2); \
	LOAD(4, from, at, (out) + 5); \
	LOAD(8, from, at, (out) + 9); \
	LOAD(16, from, at, (out) + 17); \
} while (0)

#define STORE(n, type, in, to, at) do { \
	uint place = ((at) + 5 * n) % (ROOM(type) - 15); \
\
	vstore##n(vload##n(0, (in) + 1), place / n, (to) + place % n); \
} while (0)
#define STORES(type, in, to, at) do { \
	STORE(2, type, in, to, at); \
	STORE(3, type, in, to, at); \
	STORE(4, type, in, to, at); \
	STORE(8, type, in, to, at); \
	STORE(16, type, in, to, at); \
} while (0)

#define KERNEL(name, type, space) \
kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) \
void name##_##type(space const type *in, global const uint *at, \
		   global type *out)

/* Of private arrays each item's is another. */
#define PRIVATE(type) \
	type mine[ROOM(type)]; \
	size_t i = get_global_id(0); \
\
	for (uint k = 0; k < ROOM(type); k++) \
		mine[k] = in[k] ^ (type)i

#define COPY(type, to, from) do { \
	for (uint k = 0; k < ROOM(type); k++) \
		(to)[k] = (from)[k]; \
} while (0)

#define PLACES(type) \
KERNEL(load_private, type, global) \
{ \
	PRIVATE(type); \
\
	LOADS(mine, at[i], out + 33 * i); \
} \
KERNEL(load_local, type, global) \
{ \
	size_t i = get_global_id(0); \
	local type ours[ROOM(type)]; \
\
	if (get_local_id(0) == 0) \
		COPY(type, ours, in); \
	barrier(CLK_LOCAL_MEM_FENCE); \
	LOADS(ours, at[i], out + 33 * i); \
} \
KERNEL(load_global, type, global) \
{ \
	size_t i = get_global_id(0); \
\
	LOADS(in, at[i], out + 33 * i); \
} \
KERNEL(load_constant, type, constant) \
{ \
	size_t i = get_global_id(0); \
\
	LOADS(in, at[i], out + 33 * i); \
} \
KERNEL(store_private, type, global) \
{ \
	PRIVATE(type); \
\
	STORES(type, in, mine, at[i]); \
	COPY(type, out + ROOM(type) * i, mine); \
} \
KERNEL(store_local, type, global) \
{ \
	size_t i = get_global_id(0); \
	local type ours[ITEMS * ROOM(type)]; \
	local type *mine = ours + get_local_id(0) * ROOM(type); \
\
	COPY(type, mine, in); \
	STORES(type, in, mine, at[i]); \
	COPY(type, out + ROOM(type) * i, mine); \
} \
KERNEL(store_global, type, global) \
{ \
	size_t i = get_global_id(0); \
	global type *mine = out + i * ROOM(type); \
\
	COPY(type, mine, in); \
	STORES(type, in, mine, at[i]); \
}

PLACES(char)
PLACES(short)
PLACES(long)
