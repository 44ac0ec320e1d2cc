/* SPDX-License-Identifier: MIT */
/* Numbers for bytes: other bytes have another one, but for those that somebody chose. */
#ifndef VGT_HASH_H
#define VGT_HASH_H

#include <stddef.h>
#include <stdint.h>

#define VGT_HASH_START 0xcbf29ce484222325ULL

/* Of what had @hash, or VGT_HASH_START if nothing has, with @count bytes behind it. */
static inline uint64_t vgt_hash(uint64_t hash, const void *bytes, size_t count)
{
	const uint8_t *at = bytes;

	for (size_t i = 0; i < count; i++)
		hash = (hash ^ at[i]) * 0x100000001b3ULL;
	return hash;
}

#endif
