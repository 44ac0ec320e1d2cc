/* SPDX-License-Identifier: MIT */
/* Fields of registers and commands, as their descriptions give them. */
#ifndef VGT_FIELD_H
#define VGT_FIELD_H

#include <stdint.h>

#define VGT_BIT(n) (1U << (n))
#define VGT_BIT64(n) (1ULL << (n))

/* Bits @high to @low. */
#define VGT_MASK(high, low) \
	((UINT32_MAX >> (31 - (high))) & (UINT32_MAX << (low)))
#define VGT_MASK64(high, low) \
	((UINT64_MAX >> (63 - (high))) & (UINT64_MAX << (low)))

/* The value of the field @mask in @word, and @value in its place. */
#define VGT_GET(mask, word) (((word) & (mask)) / ((mask) & -(mask)))
#define VGT_PUT(mask, value) (((value) * ((mask) & -(mask))) & (mask))

/* A write whose bits 31:16 select which of the lower ones change. */
static inline uint32_t vgt_masked(uint32_t old, uint32_t value)
{
	uint32_t mask = value >> 16;

	return (old & ~mask & 0xffff) | (value & mask);
}

#endif
