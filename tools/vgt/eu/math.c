// SPDX-License-Identifier: MIT
/*
 * The math instruction. Quotients and roots are computed in double and rounded
 * once, the rest in float by the C library, within one unit in the last place:
 * at least as good as hardware, whose exact results nobody documents.
 */
#include "eu/alu.h"
#include "eu/region.h"

#include <emmintrin.h>
#include <math.h>

#define MXCSR_ROUND (3U << 13)
#define CR0_ROUND (3U << 4)

enum math_function {
	MATH_INV = 1,
	MATH_LOG = 2,
	MATH_EXP = 3,
	MATH_SQT = 4,
	MATH_RSQT = 5,
	MATH_SIN = 6,
	MATH_COS = 7,
	MATH_FDIV = 8,
	MATH_POW = 9,
	MATH_IDIV = 10,
	MATH_IQOT = 11,
	MATH_IREM = 12,
};

static double math_float(uint8_t function, double a, double b)
{
	switch (function) {
	case MATH_INV:
		return 1 / a;
	case MATH_LOG:
		return (double)log2f((float)a);
	case MATH_EXP:
		return (double)exp2f((float)a);
	case MATH_SQT:
		return sqrt(a);
	case MATH_RSQT:
		return 1 / sqrt(a);
	case MATH_SIN:
		return (double)sinf((float)a);
	case MATH_COS:
		return (double)cosf((float)a);
	case MATH_FDIV:
		return a / b;
	default:
		return pow(fabs(a), b);
	}
}

/* By zero: all ones, and the dividend remains; hardware leaves it open. */
static int64_t math_int(uint8_t function, int64_t a, int64_t b)
{
	if (function == MATH_IREM)
		return b ? a % b : a;
	return b ? a / b : -1;
}

static const struct vgt_inst *float_exec(struct vgt_eu_thread *thread,
					 const struct vgt_inst *inst)
{
	double a[VGT_LANES], b[VGT_LANES] = { 0 };
	unsigned int mxcsr = _mm_getcsr();
	uint32_t bits[VGT_LANES];

	vgt_source_floats(thread, inst, 0, a);
	if (inst->sources > 1)
		vgt_source_floats(thread, inst, 1, b);
	_mm_setcsr(mxcsr & ~MXCSR_ROUND);
	for (uint32_t i = 0; i < inst->exec_size; i++)
		a[i] = math_float(inst->function, a[i], b[i]);
	_mm_setcsr(mxcsr);
	for (uint32_t i = 0; i < inst->exec_size; i++)
		bits[i] = vgt_result_float(thread, inst, a[i]);
	return vgt_alu_finish(thread, inst, bits);
}

/* One function of floats in rows, which is all that programs time. */
#define ROW(name, value)						\
static void name(float *x, uint32_t count)				\
{									\
	for (uint32_t i = 0; i < count; i++)				\
		x[i] = value;						\
}

ROW(row_log, log2f(x[i]))
ROW(row_exp, exp2f(x[i]))
ROW(row_sin, sinf(x[i]))
ROW(row_cos, cosf(x[i]))

/* The same for what the host computes several of at once, in fours. */
#define FOURS(name, value)						\
static void name(float *x, uint32_t count)				\
{									\
	for (uint32_t i = 0; i < count; i += 4) {			\
		__m128 four = _mm_loadu_ps(x + i);			\
									\
		_mm_storeu_ps(x + i, value);				\
	}								\
}

/* In double, as one by one. */
static __m128 four_rsqt(__m128 four)
{
	__m128d low = _mm_sqrt_pd(_mm_cvtps_pd(four));
	__m128d high = _mm_sqrt_pd(_mm_cvtps_pd(_mm_movehl_ps(four, four)));

	low = _mm_div_pd(_mm_set1_pd(1), low);
	high = _mm_div_pd(_mm_set1_pd(1), high);
	return _mm_movelh_ps(_mm_cvtpd_ps(low), _mm_cvtpd_ps(high));
}

FOURS(row_inv, _mm_div_ps(_mm_set1_ps(1), four))
FOURS(row_sqt, _mm_sqrt_ps(four))
FOURS(row_rsqt, four_rsqt(four))

static const struct vgt_inst *row_exec(struct vgt_eu_thread *thread,
				       const struct vgt_inst *inst)
{
	static void (*const row[])(float *x, uint32_t count) = {
		[MATH_INV] = row_inv,
		[MATH_LOG] = row_log,
		[MATH_EXP] = row_exp,
		[MATH_SQT] = row_sqt,
		[MATH_RSQT] = row_rsqt,
		[MATH_SIN] = row_sin,
		[MATH_COS] = row_cos,
	};
	uint32_t lanes = vgt_exec_lanes(thread, inst);
	float x[VGT_LANES] = { 0 };

	if (vgt_load32(thread->reg + VGT_REG_CR) & CR0_ROUND)
		return float_exec(thread, inst);
	vgt_region_gather(thread, inst, 0, (uint32_t *)x);
	row[inst->function](x, inst->exec_size);
	vgt_region_scatter(thread, inst, (uint32_t *)x, lanes);
	return inst + 1;
}

static bool is_row(const struct vgt_inst *inst)
{
	return inst->function <= MATH_COS && !inst->saturate &&
	       inst->src[0].type == VGT_TYPE_F &&
	       inst->src[0].kind == VGT_OPERAND_REG &&
	       inst->dst.type == VGT_TYPE_F &&
	       inst->dst.kind == VGT_OPERAND_REG &&
	       inst->dst.arf != VGT_ARF_NULL;
}

static const struct vgt_inst *int_exec(struct vgt_eu_thread *thread,
				       const struct vgt_inst *inst)
{
	int64_t a[VGT_LANES], b[VGT_LANES] = { 0 };
	uint32_t bits[VGT_LANES];

	vgt_source_ints(thread, inst, 0, a);
	if (inst->sources > 1)
		vgt_source_ints(thread, inst, 1, b);
	for (uint32_t i = 0; i < inst->exec_size; i++)
		bits[i] = vgt_result_int(thread, inst,
					 math_int(inst->function, a[i], b[i]));
	return vgt_alu_finish(thread, inst, bits);
}

static const struct vgt_inst *unknown_exec(struct vgt_eu_thread *thread,
					   const struct vgt_inst *inst)
{
	thread->ip = inst->ip;
	vgt_eu_fail(thread, "math function is not implemented");
	return NULL;
}

vgt_exec vgt_math_handler(struct vgt_inst *inst)
{
	bool ints = !vgt_type_float(inst->src[0].type);

	inst->d = inst->dst.offset;

	if (inst->function >= MATH_IDIV && inst->function <= MATH_IREM)
		return ints ? int_exec : unknown_exec;
	if (inst->function >= MATH_INV && inst->function <= MATH_POW)
		return ints ? unknown_exec : is_row(inst) ? row_exec :
		       float_exec;
	return unknown_exec;
}
