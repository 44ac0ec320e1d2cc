/* SPDX-License-Identifier: MIT */
/*
 * Vectors of 8, 16 and 32 lanes with GCC's vector extensions, which any
 * instruction set can lower; one lane is a plain number.
 */
#ifndef VGT_VECTOR_TYPES_H
#define VGT_VECTOR_TYPES_H

#include <emmintrin.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#define INLINE static inline __attribute__((always_inline))
#define NOINLINE static __attribute__((noinline))

typedef uint32_t u8 __attribute__((vector_size(32), aligned(4), may_alias));
typedef int32_t d8 __attribute__((vector_size(32), aligned(4), may_alias));
typedef float f8 __attribute__((vector_size(32), aligned(4), may_alias));

typedef uint32_t u1;
typedef int32_t d1;
typedef float f1;

/* The same bits as another type. */
#define CAST(type, value)						\
({									\
	__typeof__(value) from_ = (value);				\
	type to_;							\
									\
	memcpy(&to_, &from_, sizeof(to_));				\
	to_;								\
})
#define AS_F1(x) CAST(f1, x)
#define AS_D1(x) ((d1)(x))
#define AS_U1(x) CAST(u1, x)
#define AS_F8(x) ((f8)(x))
#define AS_D8(x) ((d8)(x))
#define AS_U8(x) ((u8)(x))

/* The same numbers as another type. */
#define CONVERT1(value, type) ((type)(value))
#define CONVERT8(value, type) __builtin_convertvector(value, type)

/* Comparisons of vectors give all ones, those of scalars do not. */
#define MASK1(x) (-(u1)(x))
#define MASK8(x) ((u8)(x))

INLINE u8 splat8(uint32_t value)
{
	return value - (u8){ 0 };
}

INLINE u1 splat1(uint32_t value)
{
	return value;
}

/* Lanes as bits to lanes as masks. */
INLINE u8 select8(uint32_t lanes)
{
	u8 bit = { 1, 2, 4, 8, 16, 32, 64, 128 };

	return (u8)((splat8(lanes) & bit) == bit);
}

#endif
