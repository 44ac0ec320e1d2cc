// SPDX-License-Identifier: MIT
/* For processors with AVX2 and FMA: built with -mavx2 -mfma. */
#include "eu/vector_types.h"

#include <immintrin.h>

INLINE u8 fma8(u8 a, u8 b, u8 c)
{
	return (u8)_mm256_fmadd_ps((__m256)b, (__m256)c, (__m256)a);
}

INLINE u8 high8(u8 a, u8 b)
{
	__m256i x = (__m256i)a, y = (__m256i)b;
	__m256i even = _mm256_srli_epi64(_mm256_mul_epu32(x, y), 32);
	__m256i odd = _mm256_mul_epu32(_mm256_srli_epi64(x, 32),
				       _mm256_srli_epi64(y, 32));

	return (u8)_mm256_blend_epi32(even, odd, 0xaa);
}

INLINE uint32_t collect8(u8 mask)
{
	return (uint32_t)_mm256_movemask_ps((__m256)mask);
}

#define VECTOR_DIRECT
#define VECTOR_TABLE vgt_vector_avx2
#include "eu/vector_body.h"
