// SPDX-License-Identifier: MIT
/*
 * The general path of all arithmetic: fetch the sources of every lane, compute,
 * write the lanes that execute. It is correct first; vector_body.h has the forms
 * that programs spend their time in, and must give the same bits.
 */
#include "eu/alu.h"

#include "eu/handler.h"

#include <math.h>
#include <string.h>

struct ints {
	int64_t src[3][VGT_LANES];
};

struct floats {
	double src[3][VGT_LANES];
};

static bool cond_int(uint8_t cond, int64_t a, int64_t b)
{
	switch (cond) {
	case VGT_COND_EQ:
		return a == b;
	case VGT_COND_NE:
		return a != b;
	case VGT_COND_GT:
		return a > b;
	case VGT_COND_GE:
		return a >= b;
	case VGT_COND_LT:
		return a < b;
	default:
		return a <= b;
	}
}

static bool cond_float(uint8_t cond, double a, double b)
{
	switch (cond) {
	case VGT_COND_EQ:
		return a == b;
	case VGT_COND_NE:
		return a != b;
	case VGT_COND_GT:
		return a > b;
	case VGT_COND_GE:
		return a >= b;
	case VGT_COND_LT:
		return a < b;
	case VGT_COND_LE:
		return a <= b;
	default:
		return isnan(a) || isnan(b);
	}
}

/* A condition modifier tests the result, as the destination's type has it. */
static void result_flags(struct vgt_eu_thread *thread,
			 const struct vgt_inst *inst,
			 const uint32_t bits[VGT_LANES], uint32_t lanes)
{
	uint8_t type = inst->dst.type;
	uint32_t flags = 0;
	bool set;

	for (uint32_t i = 0; i < inst->exec_size; i++) {
		if (vgt_type_float(type))
			set = cond_float(inst->cond,
					 vgt_bits_float(bits[i], type), 0);
		else
			set = cond_int(inst->cond,
				       vgt_bits_int(bits[i], type), 0);
		flags |= (uint32_t)set << i;
	}
	vgt_flag_write(thread, inst, flags, lanes);
}

const struct vgt_inst *vgt_alu_finish(struct vgt_eu_thread *thread,
				      const struct vgt_inst *inst,
				      const uint32_t bits[VGT_LANES])
{
	uint32_t lanes = vgt_exec_lanes(thread, inst);

	if (inst->cond)
		result_flags(thread, inst, bits, lanes);
	vgt_result_bits(thread, inst, bits, lanes);
	return inst + 1;
}

static uint32_t width_of(const struct vgt_operand *operand)
{
	return 8 * operand->bytes;
}

static uint32_t unsigned_bits(int64_t value, const struct vgt_operand *operand)
{
	return operand->bytes == 4 ? (uint32_t)value :
		(uint32_t)value & ((1U << width_of(operand)) - 1);
}

static uint32_t rotate_left(uint32_t value, uint32_t count, uint32_t width)
{
	count %= width;
	if (!count)
		return value;
	return value << count | value >> (width - count);
}

static uint32_t bit_reverse(uint32_t value)
{
	uint32_t out = 0;

	for (uint32_t i = 0; i < 32; i++)
		out |= (value >> i & 1) << (31 - i);
	return out;
}

static int64_t first_bit_high(int64_t value, uint8_t type)
{
	uint32_t bits = value;

	if (type == VGT_TYPE_D && value < 0)
		bits = ~bits;
	return bits ? __builtin_clz(bits) : -1;
}

static int64_t bit_field(int64_t width, int64_t offset, int64_t value,
			 bool sign)
{
	uint32_t w = width & 31, o = offset & 31, bits = value;

	if (!w)
		return 0;
	if (w + o < 32)
		bits <<= 32 - w - o;
	else
		w = 32 - o;
	if (sign)
		return (int32_t)bits >> (32 - w);
	return bits >> (32 - w);
}

static int64_t dot4(int64_t c, int64_t a, int64_t b, bool sign_a, bool sign_b)
{
	for (uint32_t i = 0; i < 32; i += 8) {
		int x = sign_a ? (int8_t)(a >> i) : (uint8_t)(a >> i);
		int y = sign_b ? (int8_t)(b >> i) : (uint8_t)(b >> i);

		c += x * y;
	}
	return c;
}

static int64_t shift(const struct vgt_inst *inst, int64_t a, uint32_t count)
{
	switch (inst->op) {
	case VGT_OP_SHL:
		return (int64_t)((uint64_t)a << (count & 31));
	case VGT_OP_SHR:
		return unsigned_bits(a, &inst->src[0]) >> (count & 31);
	case VGT_OP_ASR:
		return a >> (count & 31);
	case VGT_OP_ROL:
		return rotate_left(a, count, width_of(&inst->dst));
	default:
		return rotate_left(a, width_of(&inst->dst) -
				   count % width_of(&inst->dst),
				   width_of(&inst->dst));
	}
}

static int64_t bits_op(const struct vgt_inst *inst, int64_t a, int64_t b,
		       int64_t c)
{
	switch (inst->op) {
	case VGT_OP_LZD:
		return (uint32_t)a ? __builtin_clz((uint32_t)a) : 32;
	case VGT_OP_FBH:
		return first_bit_high(a, inst->src[0].type);
	case VGT_OP_FBL:
		return (uint32_t)a ? __builtin_ctz((uint32_t)a) : -1;
	case VGT_OP_CBIT:
		return __builtin_popcount(unsigned_bits(a, &inst->src[0]));
	case VGT_OP_BFREV:
		return bit_reverse(a);
	case VGT_OP_BFE:
		return bit_field(a, b, c, inst->dst.type == VGT_TYPE_D);
	case VGT_OP_BFI1:
		return (int64_t)((1U << (a & 31)) - 1) << (b & 31);
	case VGT_OP_BFI2:
		return (a & b) | (~a & c);
	case VGT_OP_DP4A:
		return dot4(a, b, c, inst->src[1].type == VGT_TYPE_D,
			    inst->src[2].type == VGT_TYPE_D);
	default:
		return shift(inst, a, b);
	}
}

/* Factors have up to 33 bits; what does not fit any more is cut off. */
static int64_t product(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a * (uint64_t)b);
}

static int64_t int_op(const struct vgt_inst *inst, int64_t a, int64_t b,
		      int64_t c)
{
	switch (inst->op) {
	case VGT_OP_MOV:
		return a;
	case VGT_OP_ADD:
		return a + b;
	case VGT_OP_MUL:
		return product(a, b);
	case VGT_OP_MAD:
		return product(b, c) + a;
	case VGT_OP_MAC:
		return product(a, b) + c;
	case VGT_OP_AVG:
		return (a + b + 1) >> 1;
	case VGT_OP_AND:
		return a & b;
	case VGT_OP_OR:
		return a | b;
	case VGT_OP_XOR:
		return a ^ b;
	case VGT_OP_NOT:
		return ~a;
	default:
		return bits_op(inst, a, b, c);
	}
}

/* What mac adds to: acc0 from its first element, whatever the M-offset. */
static void accumulator_ints(const struct vgt_eu_thread *thread,
			     const struct vgt_inst *inst,
			     int64_t out[VGT_LANES])
{
	const uint8_t *acc = thread->reg + VGT_REG_ACC;
	uint32_t bytes = inst->dst.bytes == 2 ? 2 : 4;
	uint8_t type = bytes == 2 ? inst->dst.type : VGT_TYPE_D;

	for (uint32_t i = 0; i < inst->exec_size; i++) {
		uint32_t bits = 0;

		memcpy(&bits, acc + bytes * (i % 16), bytes);
		out[i] = vgt_bits_int(bits, type);
	}
}

static const struct vgt_inst *int_exec(struct vgt_eu_thread *thread,
				       const struct vgt_inst *inst)
{
	uint32_t bits[VGT_LANES];
	struct ints in = { 0 };

	for (uint32_t i = 0; i < inst->sources; i++)
		vgt_source_ints(thread, inst, i, in.src[i]);
	if (inst->op == VGT_OP_MAC)
		accumulator_ints(thread, inst, in.src[2]);
	for (uint32_t i = 0; i < inst->exec_size; i++)
		bits[i] = vgt_result_int(thread, inst,
					 int_op(inst, in.src[0][i],
						in.src[1][i], in.src[2][i]));
	return vgt_alu_finish(thread, inst, bits);
}

static double float_op(const struct vgt_inst *inst, double a, double b,
		       double c)
{
	switch (inst->op) {
	case VGT_OP_MOV:
		return a;
	case VGT_OP_ADD:
		return a + b;
	case VGT_OP_MUL:
		return a * b;
	case VGT_OP_MAD:
		if (inst->dst.type == VGT_TYPE_F)
			return (double)fmaf((float)b, (float)c, (float)a);
		return a + b * c;
	case VGT_OP_MAC:
		return c + a * b;
	/* Rounding down, the host's floor() may make -0 of what is below 1. */
	case VGT_OP_FRC:
		return a - copysign(floor(a), a);
	case VGT_OP_RNDD:
		return copysign(floor(a), a);
	case VGT_OP_RNDU:
		return ceil(a);
	case VGT_OP_RNDZ:
		return trunc(a);
	default:
		return roundeven(a);
	}
}

static void accumulator_floats(const struct vgt_eu_thread *thread,
			       const struct vgt_inst *inst,
			       double out[VGT_LANES])
{
	const uint8_t *acc = thread->reg + VGT_REG_ACC;
	uint32_t bytes = inst->dst.bytes;

	for (uint32_t i = 0; i < inst->exec_size; i++) {
		uint32_t bits = 0;

		memcpy(&bits, acc + bytes * (i % 16), bytes);
		out[i] = vgt_bits_float(bits, inst->dst.type);
	}
}

static const struct vgt_inst *float_exec(struct vgt_eu_thread *thread,
					 const struct vgt_inst *inst)
{
	uint32_t bits[VGT_LANES];
	struct floats in = { 0 };

	for (uint32_t i = 0; i < inst->sources; i++)
		vgt_source_floats(thread, inst, i, in.src[i]);
	if (inst->op == VGT_OP_MAC)
		accumulator_floats(thread, inst, in.src[2]);
	for (uint32_t i = 0; i < inst->exec_size; i++)
		bits[i] = vgt_result_float(thread, inst,
					   float_op(inst, in.src[0][i],
						    in.src[1][i],
						    in.src[2][i]));
	return vgt_alu_finish(thread, inst, bits);
}

/* mov between equal types: not even a NaN changes. */
static const struct vgt_inst *copy_exec(struct vgt_eu_thread *thread,
					const struct vgt_inst *inst)
{
	uint32_t bits[VGT_LANES];

	vgt_source_bits(thread, inst, 0, bits);
	return vgt_alu_finish(thread, inst, bits);
}

static bool float_sources(const struct vgt_inst *inst)
{
	for (uint32_t i = 0; i < inst->sources; i++)
		if (vgt_type_float(inst->src[i].type))
			return true;
	return false;
}

/* Lanes for which @x cond @y, in the sources' own domain. */
static uint32_t compare(const struct vgt_eu_thread *thread,
			const struct vgt_inst *inst, uint32_t x, uint32_t y)
{
	double fa[VGT_LANES], fb[VGT_LANES] = { 0 };
	int64_t a[VGT_LANES], b[VGT_LANES] = { 0 };
	uint32_t out = 0;

	if (float_sources(inst)) {
		vgt_source_floats(thread, inst, x, fa);
		if (y < inst->sources)
			vgt_source_floats(thread, inst, y, fb);
		for (uint32_t i = 0; i < inst->exec_size; i++)
			out |= (uint32_t)cond_float(inst->cond, fa[i], fb[i])
			       << i;
		return out;
	}
	vgt_source_ints(thread, inst, x, a);
	if (y < inst->sources)
		vgt_source_ints(thread, inst, y, b);
	for (uint32_t i = 0; i < inst->exec_size; i++)
		out |= (uint32_t)cond_int(inst->cond, a[i], b[i]) << i;
	return out;
}

/* Lanes whose source @i is not a number. */
static uint32_t nan_lanes(const struct vgt_eu_thread *thread,
			  const struct vgt_inst *inst, uint32_t i)
{
	double value[VGT_LANES];
	uint32_t out = 0;

	if (!vgt_type_float(inst->src[i].type))
		return 0;
	vgt_source_floats(thread, inst, i, value);
	for (uint32_t k = 0; k < inst->exec_size; k++)
		out |= (uint32_t)!!isnan(value[k]) << k;
	return out;
}

static uint32_t compare_nan(const struct vgt_eu_thread *thread,
			    const struct vgt_inst *inst)
{
	uint32_t lanes = compare(thread, inst, 0, 1);

	if (inst->cond == VGT_COND_GE || inst->cond == VGT_COND_LT)
		lanes |= nan_lanes(thread, inst, 1);
	return lanes;
}

static const struct vgt_inst *cmp_exec(struct vgt_eu_thread *thread,
				       const struct vgt_inst *inst)
{
	uint32_t lanes = vgt_exec_lanes(thread, inst);
	uint32_t bits[VGT_LANES];
	uint32_t set;

	set = inst->op == VGT_OP_CMPN ? compare_nan(thread, inst) :
	      compare(thread, inst, 0, 1);
	for (uint32_t i = 0; i < inst->exec_size; i++)
		bits[i] = set >> i & 1 ? UINT32_MAX : 0;
	vgt_result_bits(thread, inst, bits, lanes);
	vgt_flag_write(thread, inst, set, lanes);
	return inst + 1;
}

/* Source @i as the destination takes it: bits if nothing has to change. */
static void converted(const struct vgt_eu_thread *thread,
		      const struct vgt_inst *inst, uint32_t i,
		      uint32_t out[VGT_LANES])
{
	int64_t ints[VGT_LANES];
	double floats[VGT_LANES];

	if (inst->src[i].type == inst->dst.type && !inst->saturate &&
	    (vgt_type_float(inst->dst.type) || !inst->src[i].mod)) {
		vgt_source_bits(thread, inst, i, out);
		return;
	}
	if (vgt_type_float(inst->src[i].type)) {
		vgt_source_floats(thread, inst, i, floats);
		for (uint32_t k = 0; k < inst->exec_size; k++)
			out[k] = vgt_result_float(thread, inst, floats[k]);
		return;
	}
	vgt_source_ints(thread, inst, i, ints);
	for (uint32_t k = 0; k < inst->exec_size; k++)
		out[k] = vgt_result_int(thread, inst, ints[k]);
}

static const struct vgt_inst *sel_exec(struct vgt_eu_thread *thread,
				       const struct vgt_inst *inst)
{
	uint32_t a[VGT_LANES], b[VGT_LANES];
	uint32_t lanes = vgt_lanes(thread, inst);
	uint32_t first;

	if (inst->op == VGT_OP_CSEL)
		first = compare(thread, inst, 2, 3);
	else if (inst->cond)
		first = compare_nan(thread, inst);
	else
		first = vgt_predicate(thread, inst);
	converted(thread, inst, 0, a);
	converted(thread, inst, 1, b);
	for (uint32_t i = 0; i < inst->exec_size; i++)
		if (!(first >> i & 1))
			a[i] = b[i];
	vgt_result_bits(thread, inst, a, lanes);
	return inst + 1;
}

vgt_exec vgt_alu_handler(const struct vgt_inst *inst)
{
	switch (inst->op) {
	case VGT_OP_CMP:
	case VGT_OP_CMPN:
		return cmp_exec;
	case VGT_OP_SEL:
	case VGT_OP_CSEL:
		return sel_exec;
	case VGT_OP_MOV:
		if (inst->src[0].type == inst->dst.type && !inst->saturate &&
		    (vgt_type_float(inst->dst.type) || !inst->src[0].mod))
			return copy_exec;
		break;
	}
	return float_sources(inst) ? float_exec : int_exec;
}
