// SPDX-License-Identifier: MIT
/* For any x86-64. */
#include "eu/vector_types.h"

#include <emmintrin.h>
#include <math.h>

INLINE u8 fma8(u8 a, u8 b, u8 c)
{
	f8 x = CAST(f8, a), y = CAST(f8, b), z = CAST(f8, c);

	for (int i = 0; i < 8; i++)
		x[i] = fmaf(y[i], z[i], x[i]);
	return CAST(u8, x);
}

INLINE u8 high8(u8 a, u8 b)
{
	for (int i = 0; i < 8; i++)
		a[i] = (uint64_t)a[i] * b[i] >> 32;
	return a;
}

INLINE uint32_t collect8(u8 mask)
{
	float part[8];

	memcpy(part, &mask, sizeof(part));
	return (uint32_t)_mm_movemask_ps(_mm_loadu_ps(part)) |
	       (uint32_t)_mm_movemask_ps(_mm_loadu_ps(part + 4)) << 4;
}

#define VECTOR_TABLE vgt_vector_sse2
#include "eu/vector_body.h"
