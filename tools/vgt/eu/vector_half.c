// SPDX-License-Identifier: MIT
/*
 * Half floats, for processors with AVX2, FMA and F16C: built with all of them.
 *
 * A float is wide enough for the sum and the product of two halves to be rounded twice without
 * harm: its 24 bits are twice those of a half, and two more. For a mad it is not: that sum is made
 * in doubles, of which a float takes the upper bits, the last one being set if anything lies
 * below, so that only the last step rounds. What rounds does it as cr0 says, for which the host's
 * control word is set.
 */
#include "eu/operand.h"
#include "eu/vector.h"

#include <immintrin.h>
#include <string.h>

#define ROUND _MM_FROUND_CUR_DIRECTION
#define PARTS (VGT_LANES / 8)
#define DROPPED 29 /* bits of a double that a float has no room for */

static __m256 modified(__m256 value, uint8_t mod)
{
	const __m256 sign = _mm256_set1_ps(-0.0f);

	if (mod & VGT_MOD_ABS)
		value = _mm256_andnot_ps(sign, value);
	if (mod & VGT_MOD_NEG)
		value = _mm256_xor_ps(sign, value);
	return value;
}

/* Up to eight elements, @step bytes apart. */
static __m256 elements(const uint8_t *from, uint32_t step, uint32_t count,
		       bool half)
{
	uint32_t size = half ? 2 : 4;
	uint8_t row[32] = { 0 };

	if (step == size && count == 8)
		return half ? _mm256_cvtph_ps(_mm_loadu_si128((const void *)from)) :
			      _mm256_loadu_ps((const void *)from);
	for (uint32_t i = 0; i < count; i++) {
		if (half)
			memcpy(row + 2 * i, from + i * step, 2);
		else
			memcpy(row + 4 * i, from + i * step, 4);
	}
	return half ? _mm256_cvtph_ps(_mm_loadu_si128((const void *)row)) :
		      _mm256_loadu_ps((const void *)row);
}

/* Source @i, all lanes. */
static void gather(const struct vgt_eu_thread *thread,
		   const struct vgt_inst *inst, uint32_t i, __m256 *out)
{
	const struct vgt_operand *operand = &inst->src[i];
	uint32_t step = operand->stride * operand->bytes;
	const uint8_t *from = thread->reg + operand->offset;
	bool half = operand->type == VGT_TYPE_HF;

	if (operand->kind == VGT_OPERAND_IMM) {
		from = (const uint8_t *)&operand->imm;
		step = 0;
	}
	for (uint32_t k = 0; k < inst->exec_size; k += 8) {
		uint32_t count = inst->exec_size - k;

		out[k / 8] = modified(elements(from + k * step, step,
					       count < 8 ? count : 8, half),
				      operand->mod);
	}
}

/* The float that is @value, but odd if that lies between two. */
static __m128 float_odd(__m256d value)
{
	const __m256i all = _mm256_set1_epi64x((1LL << DROPPED) - 1);
	__m256i bits = _mm256_castpd_si256(value);
	__m256i rest = _mm256_and_si256(bits, all);
	__m256i none = _mm256_cmpeq_epi64(rest, _mm256_setzero_si256());
	__m256i last = _mm256_andnot_si256(none, _mm256_set1_epi64x(1LL << DROPPED));

	bits = _mm256_or_si256(_mm256_andnot_si256(all, bits), last);
	return _mm256_cvtpd_ps(_mm256_castsi256_pd(bits));
}

static __m256d wide(__m256 value, int upper)
{
	return _mm256_cvtps_pd(upper ? _mm256_extractf128_ps(value, 1) :
				       _mm256_castps256_ps128(value));
}

static __m256 mad(__m256 a, __m256 b, __m256 c)
{
	__m128 half[2];

	for (int i = 0; i < 2; i++)
		half[i] = float_odd(_mm256_fmadd_pd(wide(b, i), wide(c, i),
						    wide(a, i)));
	return _mm256_set_m128(half[1], half[0]);
}

static __m256 saturated(__m256 value)
{
	__m256 positive = _mm256_cmp_ps(value, _mm256_setzero_ps(), _CMP_GT_OQ);

	return _mm256_min_ps(_mm256_and_ps(value, positive),
			     _mm256_set1_ps(1.0f));
}

/* Eight results, of which those in @lanes are written. */
static void scatter(struct vgt_eu_thread *thread, const struct vgt_inst *inst,
		    uint32_t first, __m256 value, uint32_t lanes)
{
	uint32_t size = inst->dst.bytes, step = inst->dst.hstride * size;
	uint8_t *to = thread->reg + inst->dst.offset + first * step;
	uint8_t row[32];

	lanes &= 0xff;
	if (size == 2)
		_mm_storeu_si128((void *)row, _mm256_cvtps_ph(value, ROUND));
	else
		_mm256_storeu_ps((void *)row, value);
	if (lanes == 0xff && step == size) {
		memcpy(to, row, size == 2 ? 16 : 32);
		return;
	}
	for (; lanes; lanes &= lanes - 1) {
		uint32_t i = __builtin_ctz(lanes);

		if (size == 2)
			memcpy(to + i * step, row + 2 * i, 2);
		else
			memcpy(to + i * step, row + 4 * i, 4);
	}
}

static inline __attribute__((always_inline)) const struct vgt_inst *
compute(struct vgt_eu_thread *thread, const struct vgt_inst *inst,
	const uint8_t op, const uint32_t sources)
{
	uint32_t lanes = vgt_exec_lanes(thread, inst);
	__m256 in[3][PARTS], value;

	for (uint32_t i = 0; i < sources; i++)
		gather(thread, inst, i, in[i]);
	for (uint32_t k = 0; k < inst->exec_size; k += 8) {
		uint32_t p = k / 8;

		if (op == VGT_OP_ADD)
			value = _mm256_add_ps(in[0][p], in[1][p]);
		else if (op == VGT_OP_MUL)
			value = _mm256_mul_ps(in[0][p], in[1][p]);
		else if (op == VGT_OP_MAD)
			value = mad(in[0][p], in[1][p], in[2][p]);
		else
			value = in[0][p];
		if (inst->saturate)
			value = saturated(value);
		scatter(thread, inst, k, value, lanes >> k);
	}
	return inst + 1;
}

static const struct vgt_inst *mov_exec(struct vgt_eu_thread *thread,
				       const struct vgt_inst *inst)
{
	return compute(thread, inst, VGT_OP_MOV, 1);
}

static const struct vgt_inst *add_exec(struct vgt_eu_thread *thread,
				       const struct vgt_inst *inst)
{
	return compute(thread, inst, VGT_OP_ADD, 2);
}

static const struct vgt_inst *mul_exec(struct vgt_eu_thread *thread,
				       const struct vgt_inst *inst)
{
	return compute(thread, inst, VGT_OP_MUL, 2);
}

static const struct vgt_inst *mad_exec(struct vgt_eu_thread *thread,
				       const struct vgt_inst *inst)
{
	return compute(thread, inst, VGT_OP_MAD, 3);
}

static __m256 compared(uint8_t cond, __m256 a, __m256 b)
{
	switch (cond) {
	case VGT_COND_EQ:
		return _mm256_cmp_ps(a, b, _CMP_EQ_OQ);
	case VGT_COND_NE:
		return _mm256_cmp_ps(a, b, _CMP_NEQ_UQ);
	case VGT_COND_GT:
		return _mm256_cmp_ps(a, b, _CMP_GT_OQ);
	case VGT_COND_GE:
		return _mm256_cmp_ps(a, b, _CMP_GE_OQ);
	case VGT_COND_LT:
		return _mm256_cmp_ps(a, b, _CMP_LT_OQ);
	default:
		return _mm256_cmp_ps(a, b, _CMP_LE_OQ);
	}
}

static const struct vgt_inst *cmp_exec(struct vgt_eu_thread *thread,
				       const struct vgt_inst *inst)
{
	__m256 a[PARTS], b[PARTS];
	uint32_t set = 0;

	gather(thread, inst, 0, a);
	gather(thread, inst, 1, b);
	for (uint32_t k = 0; k < inst->exec_size; k += 8)
		set |= (uint32_t)_mm256_movemask_ps(compared(inst->cond, a[k / 8],
							     b[k / 8])) << k;
	vgt_flag_write(thread, inst, set, vgt_exec_lanes(thread, inst));
	return inst + 1;
}

const struct vgt_half_table vgt_half = {
	.mov = mov_exec, .add = add_exec, .mul = mul_exec, .mad = mad_exec,
	.cmp = cmp_exec,
};
