// SPDX-License-Identifier: MIT
#include "model.h"

#include <fenv.h>
#include <math.h>
#include <string.h>

/* A source or result: an integer of any width, or a float. */
struct value {
	bool is_float;
	uint32_t raw; /* as it was read */
	int64_t i;
	double f;
};

unsigned int model_type_bytes(enum model_type type)
{
	static const uint8_t bytes[] = {
		[MODEL_UB] = 1, [MODEL_B] = 1,	[MODEL_UW] = 2, [MODEL_W] = 2,
		[MODEL_UD] = 4, [MODEL_D] = 4,	[MODEL_HF] = 2, [MODEL_F] = 4,
		[MODEL_V] = 4,	[MODEL_UV] = 4, [MODEL_VF] = 4,
	};

	return bytes[type];
}

bool model_type_float(enum model_type type)
{
	return type == MODEL_HF || type == MODEL_F || type == MODEL_VF;
}

bool model_type_signed(enum model_type type)
{
	return type == MODEL_B || type == MODEL_W || type == MODEL_D ||
	       type == MODEL_V;
}

double model_tolerance(enum model_op op)
{
	switch (op) {
	case MODEL_INV:
	case MODEL_SQT:
	case MODEL_RSQT:
		return 0x1p-22;
	case MODEL_LOG:
	case MODEL_EXP:
		return 0x1p-20;
	case MODEL_SIN:
	case MODEL_COS:
		return 0x1p-18;
	default:
		return 0;
	}
}

static int64_t type_min(enum model_type type)
{
	if (!model_type_signed(type))
		return 0;
	return -(1LL << (8 * model_type_bytes(type) - 1));
}

static int64_t type_max(enum model_type type)
{
	return (1LL << (8 * model_type_bytes(type) -
			model_type_signed(type))) - 1;
}

/* The half nearest to @value in the host's rounding mode. */
static uint16_t half_from(long double value)
{
	int mode = fegetround(), exponent;
	uint16_t sign = signbit(value) ? 0x8000 : 0;
	long double size;

	if (isnan(value))
		return 0x7e00;
	if (isinf(value))
		return sign | 0x7c00;
	frexpl(value, &exponent);
	exponent = exponent - 11 < -24 ? -24 : exponent - 11;
	size = fabsl(rintl(scalbnl(value, -exponent)));
	size = scalbnl(size, exponent);
	if (size > 65504) {
		bool away = mode == FE_TONEAREST ||
			    (mode == FE_UPWARD && !sign) ||
			    (mode == FE_DOWNWARD && sign);

		return sign | (away ? 0x7c00 : 0x7bff);
	}
	if (size < 0x1p-14L)
		return sign | (uint16_t)scalbnl(size, 24);
	frexpl(size, &exponent);
	return sign | (exponent + 14) << 10 |
	       ((uint16_t)scalbnl(size, 11 - exponent) & 0x3ff);
}

static double half_to(uint16_t bits)
{
	int exponent = bits >> 10 & 31, fraction = bits & 0x3ff;
	double size;

	if (exponent == 31)
		size = fraction ? NAN : INFINITY;
	else if (exponent)
		size = ldexp(1024 + fraction, exponent - 25);
	else
		size = ldexp(fraction, -24);
	return bits >> 15 ? -size : size;
}

static struct value value_from(uint32_t raw, enum model_type type)
{
	unsigned int bits = 8 * model_type_bytes(type);
	struct value value = { .raw = raw };
	float single;

	if (type == MODEL_F) {
		memcpy(&single, &raw, 4);
		value.is_float = true;
		value.f = single;
	} else if (type == MODEL_HF) {
		value.is_float = true;
		value.f = half_to(raw);
	} else if (model_type_signed(type)) {
		value.i = (int64_t)((uint64_t)raw << (64 - bits)) >>
			  (64 - bits);
	} else {
		value.i = raw;
	}
	return value;
}

static unsigned int element(const struct model_operand *src, unsigned int lane)
{
	return lane / src->width * src->vstride +
	       lane % src->width * src->hstride;
}

static uint32_t load(const uint8_t *from, unsigned int bytes)
{
	uint32_t raw = 0;

	memcpy(&raw, from, bytes);
	return raw;
}

static uint32_t read_raw(const struct model_state *state,
			 const struct model_operand *src, unsigned int lane)
{
	unsigned int bytes = model_type_bytes(src->type);
	unsigned int offset = element(src, lane) * bytes;

	switch (src->kind) {
	case MODEL_GRF:
		return load(state->grf + src->place + offset, bytes);
	case MODEL_ACC:
		return load(state->acc + src->place + offset, bytes);
	case MODEL_INDIRECT:
		offset += state->a0[src->place] + src->disp;
		return load(state->grf + offset, bytes);
	case MODEL_VXH:
		offset = state->a0[src->place + lane / src->width] +
			 src->disp + lane % src->width * src->hstride * bytes;
		return load(state->grf + offset, bytes);
	case MODEL_IMM:
		return bytes == 2 ? src->imm & 0xffff : src->imm;
	default:
		return 0;
	}
}

static bool is_logic(enum model_op op)
{
	return op == MODEL_AND || op == MODEL_OR || op == MODEL_XOR ||
	       op == MODEL_NOT;
}

/* Of the eight words that a vector immediate is, the one in the lane's place. */
static unsigned int nibble(const struct model_operand *dst, unsigned int lane)
{
	return lane * dst->hstride * model_type_bytes(dst->type) / 2 % 8;
}

/* One of four floats with a sign, three bits of exponent and four of fraction. */
static struct value small_float(unsigned int bits)
{
	int exponent = (int)(bits >> 4 & 7) - 3;
	double size = bits & 0x7f ? ldexp(1 + bits % 16 / 16.0, exponent) : 0;
	float single = bits >> 7 ? -size : size;
	uint32_t raw;

	memcpy(&raw, &single, sizeof(raw));
	return value_from(raw, MODEL_F);
}

static struct value read_source(const struct model_state *state,
				const struct model_inst *inst,
				const struct model_operand *src,
				unsigned int lane)
{
	uint32_t raw = read_raw(state, src, lane);
	struct value value;

	if (src->type == MODEL_V || src->type == MODEL_UV) {
		raw = raw >> 4 * nibble(&inst->dst, lane) & 15;
		value = value_from(raw, MODEL_W);
		if (src->type == MODEL_V && raw & 8)
			value.i -= 16;
		return value;
	}
	if (src->type == MODEL_VF)
		return small_float(raw >> 8 * (lane % 4) & 0xff);
	value = value_from(raw, src->type);
	if (src->abs) {
		value.i = value.i < 0 ? -value.i : value.i;
		value.f = fabs(value.f);
		value.raw &= ~(1u << (8 * model_type_bytes(src->type) - 1));
	}
	if (src->neg) {
		value.i = is_logic(inst->op) ? ~value.i : -value.i;
		value.f = -value.f;
		value.raw ^= 1u << (8 * model_type_bytes(src->type) - 1);
	}
	return value;
}

static bool holds(struct value a, struct value b, enum model_cond cond)
{
	double x = a.is_float ? a.f : 0, y = b.is_float ? b.f : 0;

	if (!a.is_float) {
		x = a.i; /* 33 bits at most: exact */
		y = b.i;
	}
	switch (cond) {
	case MODEL_EQ:
		return x == y;
	case MODEL_NE:
		return x != y;
	case MODEL_GT:
		return x > y;
	case MODEL_GE:
		return x >= y;
	case MODEL_LT:
		return x < y;
	case MODEL_LE:
		return x <= y;
	default:
		return false;
	}
}

static struct value integer(int64_t i)
{
	return (struct value){ .i = i };
}

static struct value number(double f)
{
	return (struct value){ .is_float = true, .f = f };
}

/* Sum of products in the precision of @type, rounded once. */
static struct value fused(enum model_type type, double a, double b, double c)
{
	volatile float x = a, y = b, z = c;

	if (type == MODEL_F)
		return number(fmaf(x, y, z));
	return number(half_to(half_from((long double)a * b + c)));
}

static struct value float_add(enum model_type type, double a, double b)
{
	volatile float x = a, y = b, sum;

	sum = x + y;
	if (type == MODEL_F)
		return number(sum);
	return number(half_to(half_from((long double)a + b)));
}

static struct value float_mul(enum model_type type, double a, double b)
{
	volatile float x = a, y = b, product;

	product = x * y;
	if (type == MODEL_F)
		return number(product);
	return number(half_to(half_from((long double)a * b)));
}

static uint32_t leading_zeros(uint32_t value)
{
	uint32_t count = 0;

	for (; count < 32 && !(value >> 31); count++)
		value <<= 1;
	return count;
}

static uint32_t lowest_bit(uint32_t value)
{
	uint32_t i;

	for (i = 0; i < 32; i++)
		if (value >> i & 1)
			return i;
	return UINT32_MAX;
}

/* From the top: the first set bit, or the first that differs from the sign. */
static uint32_t highest_bit(int64_t value, bool is_signed)
{
	uint32_t bits = value, n;

	if (is_signed && value < 0)
		bits = ~bits;
	n = leading_zeros(bits);
	return n == 32 ? UINT32_MAX : n;
}

static uint32_t reverse(uint32_t value)
{
	uint32_t result = 0, i;

	for (i = 0; i < 32; i++)
		result |= (value >> i & 1) << (31 - i);
	return result;
}

static struct value rotate(uint64_t value, uint64_t count, unsigned int bits)
{
	count %= bits;
	value |= value << bits;
	return integer(value >> (bits - count) & ((1ULL << bits) - 1));
}

static struct value bit_extract(const struct value *s, bool is_signed)
{
	uint32_t width = s[0].i & 31, offset = s[1].i & 31;
	uint64_t field = (uint32_t)s[2].i >> offset;

	if (!width)
		return integer(0);
	field &= (1ULL << width) - 1;
	if (is_signed && offset + width < 32 && field >> (width - 1) & 1)
		field |= -1ULL << width;
	if (is_signed && offset + width >= 32)
		field = (int32_t)s[2].i >> offset;
	return integer(field);
}

static struct value bit_mask(int64_t width, int64_t offset)
{
	return integer((uint32_t)(((1ULL << (width & 31)) - 1)
				  << (offset & 31)));
}

static struct value dot4(const struct value *s, const struct model_inst *inst)
{
	int64_t sum = s[0].i;
	int i, a, b;

	for (i = 0; i < 4; i++) {
		a = s[1].raw >> 8 * i & 0xff;
		b = s[2].raw >> 8 * i & 0xff;
		if (model_type_signed(inst->src[1].type))
			a = (int8_t)a;
		if (model_type_signed(inst->src[2].type))
			b = (int8_t)b;
		sum += a * b;
	}
	return integer(sum);
}

static struct value math_function(enum model_op op, double x)
{
	switch (op) {
	case MODEL_INV:
		return number(1 / x);
	case MODEL_LOG:
		return number(log2(x));
	case MODEL_EXP:
		return number(exp2(x));
	case MODEL_SQT:
		return number(sqrt(x));
	case MODEL_RSQT:
		return number(1 / sqrt(x));
	case MODEL_SIN:
		return number(sin(x));
	default:
		return number(cos(x));
	}
}

static double round_even(double x)
{
	double below = floor(x), above = ceil(x);

	if (x - below == above - x)
		return fmod(below, 2) == 0 ? below : above;
	return x - below < above - x ? below : above;
}

static struct value one_source(const struct model_inst *inst, struct value s)
{
	switch (inst->op) {
	case MODEL_MOV:
		return s;
	case MODEL_NOT:
		return integer(~s.i);
	case MODEL_LZD:
		return integer(leading_zeros(s.i));
	case MODEL_FBH:
		return integer(highest_bit(s.i, model_type_signed(
						inst->src[0].type)));
	case MODEL_FBL:
		return integer(lowest_bit(s.i));
	case MODEL_CBIT:
		return integer(__builtin_popcount(s.i));
	case MODEL_BFREV:
		return integer(reverse(s.i));
	case MODEL_FRC:
		return number((float)(s.f - floor(s.f)));
	case MODEL_RNDU:
		return number(ceil(s.f));
	case MODEL_RNDD:
		return number(floor(s.f));
	case MODEL_RNDE:
		return number(round_even(s.f));
	case MODEL_RNDZ:
		return number(trunc(s.f));
	default:
		return math_function(inst->op, s.f);
	}
}

/* The operand that is a number wins over one that is not. */
static struct value select_by(const struct model_inst *inst,
			      const struct value *s)
{
	if (s[0].is_float && isnan(s[0].f))
		return s[1];
	if (s[0].is_float && isnan(s[1].f))
		return s[0];
	return holds(s[0], s[1], inst->cond) ? s[0] : s[1];
}

static struct value int_sources(const struct model_inst *inst,
				const struct value *s)
{
	unsigned int bits = 8 * model_type_bytes(inst->src[0].type);
	int64_t count = s[1].i & 31;

	switch (inst->op) {
	case MODEL_ADD:
	case MODEL_ADDC:
		return integer(s[0].i + s[1].i);
	case MODEL_SUBB:
		return integer(s[0].i - s[1].i);
	case MODEL_MUL:
		return integer((int64_t)((uint64_t)s[0].i * (uint64_t)s[1].i));
	case MODEL_AVG:
		return integer((s[0].i + s[1].i + 1) >> 1);
	case MODEL_AND:
		return integer(s[0].i & s[1].i);
	case MODEL_OR:
		return integer(s[0].i | s[1].i);
	case MODEL_XOR:
		return integer(s[0].i ^ s[1].i);
	case MODEL_SHL:
		return integer((int64_t)((uint64_t)s[0].i << count));
	case MODEL_SHR:
	case MODEL_ASR:
		return integer(s[0].i >> count);
	case MODEL_ROL:
		return rotate(s[0].i, s[1].i, bits);
	case MODEL_ROR:
		return rotate(s[0].i, bits - s[1].i % bits, bits);
	case MODEL_IQOT:
		return integer(s[0].i / s[1].i);
	case MODEL_IREM:
		return integer(s[0].i % s[1].i);
	case MODEL_BFI1:
		return bit_mask(s[0].i, s[1].i);
	case MODEL_MAD:
		return integer((int64_t)((uint64_t)s[1].i * (uint64_t)s[2].i) +
			       s[0].i);
	case MODEL_BFE:
		return bit_extract(s, model_type_signed(inst->src[2].type));
	case MODEL_BFI2:
		return integer((s[0].i & s[1].i) | (~s[0].i & s[2].i));
	default:
		return dot4(s, inst);
	}
}

static struct value compute(const struct model_inst *inst,
			    const struct value *s, bool predicate)
{
	enum model_type type = inst->dst.type;

	if (inst->sources == 1)
		return one_source(inst, s[0]);
	switch (inst->op) {
	case MODEL_CMP:
		return integer(holds(s[0], s[1], inst->cond) ? -1 : 0);
	case MODEL_SEL:
		if (inst->cond)
			return select_by(inst, s);
		return predicate ? s[0] : s[1];
	case MODEL_CSEL:
		return holds(s[2], s[2].is_float ? number(0) : integer(0),
			     inst->cond) ? s[0] : s[1];
	default:
		break;
	}
	if (!model_type_float(type))
		return int_sources(inst, s);
	if (inst->op == MODEL_ADD)
		return float_add(type, s[0].f, s[1].f);
	if (inst->op == MODEL_MUL)
		return float_mul(type, s[0].f, s[1].f);
	return fused(type, s[1].f, s[2].f, s[0].f);
}

static int64_t float_to_int(double f, enum model_type type)
{
	if (isnan(f))
		return 0;
	f = trunc(f);
	if (f < type_min(type))
		return type_min(type);
	return f > type_max(type) ? type_max(type) : (int64_t)f;
}

static uint32_t float_bits(double f, enum model_type type)
{
	volatile double wide = f;
	volatile float single = wide;
	float plain = single;
	uint32_t bits;

	if (type == MODEL_HF)
		return half_from(f);
	memcpy(&bits, &plain, 4);
	return bits;
}

static uint32_t int_bits(const struct model_inst *inst, int64_t i)
{
	enum model_type type = inst->dst.type;

	if (inst->saturate && i < type_min(type))
		i = type_min(type);
	if (inst->saturate && i > type_max(type))
		i = type_max(type);
	return i;
}

/* Result to bits of the destination: conversion, saturation. */
static uint32_t convert(const struct model_inst *inst, struct value value)
{
	enum model_type type = inst->dst.type;
	bool copies = inst->op == MODEL_MOV || inst->op == MODEL_SEL ||
		      inst->op == MODEL_CSEL;

	if (inst->op == MODEL_CMP)
		return value.i;
	if (copies && !inst->saturate && type == inst->src[0].type)
		return value.is_float ? value.raw : (uint32_t)value.i;
	if (!model_type_float(type))
		return int_bits(inst, value.is_float ?
				      float_to_int(value.f, type) : value.i);
	if (!value.is_float)
		value.f = value.i;
	if (inst->saturate)
		value.f = value.f > 0 ? fmin(value.f, 1) : 0;
	return float_bits(value.f, type);
}

static bool predicate_of(const struct model_state *state,
			 const struct model_inst *inst, unsigned int lane)
{
	unsigned int channel = inst->first + lane, i, set = 0;
	unsigned int group = inst->pred;
	uint64_t bits = state->flags >> 16 * inst->flag;
	bool holding;

	if (!group)
		return true;
	channel -= channel % group;
	for (i = 0; i < group; i++)
		set += bits >> (channel + i) & 1;
	holding = inst->pred_all ? set == group : set > 0;
	return holding != inst->pred_inverse;
}

static void write_result(struct model_state *state,
			 const struct model_inst *inst, unsigned int lane,
			 uint32_t bits)
{
	unsigned int bytes = model_type_bytes(inst->dst.type);
	unsigned int offset = lane * inst->dst.hstride * bytes;

	switch (inst->dst.kind) {
	case MODEL_GRF:
		memcpy(state->grf + inst->dst.place + offset, &bits, bytes);
		break;
	case MODEL_ACC:
		memcpy(state->acc + inst->dst.place + offset, &bits, bytes);
		break;
	case MODEL_INDIRECT:
		offset += state->a0[inst->dst.place] + inst->dst.disp;
		memcpy(state->grf + offset, &bits, bytes);
		break;
	default:
		break;
	}
}

static void write_flag(struct model_state *state,
		       const struct model_inst *inst, unsigned int lane,
		       bool set)
{
	uint64_t bit = 1ULL << (16 * inst->flag + inst->first + lane);

	state->flags &= ~bit;
	if (set)
		state->flags |= bit;
}

/* Carry or borrow, into the implied accumulator. */
static void write_carry(struct model_state *state,
			const struct model_inst *inst, unsigned int lane,
			int64_t result)
{
	uint32_t carry = result < 0 || result > UINT32_MAX;

	if (inst->acc_write)
		memcpy(state->acc + 4 * lane, &carry, 4);
}

static void finish_lane(struct model_state *state,
			const struct model_inst *inst, unsigned int lane,
			struct value result)
{
	bool flags = inst->cond && inst->op != MODEL_SEL &&
		     inst->op != MODEL_CSEL;
	uint32_t bits = convert(inst, result);

	write_carry(state, inst, lane, result.i);
	write_result(state, inst, lane, bits);
	if (flags && inst->op == MODEL_CMP)
		write_flag(state, inst, lane, result.i);
	else if (flags)
		write_flag(state, inst, lane,
			   holds(value_from(bits << (32 - 8 * model_type_bytes(
							inst->dst.type)) >>
					    (32 - 8 * model_type_bytes(
							inst->dst.type)),
					    inst->dst.type),
				 value_from(0, inst->dst.type), inst->cond));
}

void model_execute(struct model_state *state, const struct model_inst *inst)
{
	static const int modes[] = { FE_TONEAREST, FE_UPWARD, FE_DOWNWARD,
				     FE_TOWARDZERO };
	unsigned int lane, k;
	struct value result[32], s[3];
	bool runs[32];
	int saved = fegetround();

	fesetround(modes[state->rounding]);
	for (lane = 0; lane < inst->exec; lane++) {
		bool predicate = predicate_of(state, inst, lane);
		bool chooses = inst->op == MODEL_SEL && !inst->cond;

		runs[lane] = (inst->nomask || state->enabled >>
			      (inst->first + lane) & 1) &&
			     (predicate || chooses);
		for (k = 0; k < inst->sources; k++)
			s[k] = read_source(state, inst, &inst->src[k], lane);
		if (runs[lane])
			result[lane] = compute(inst, s, predicate);
	}
	for (lane = 0; lane < inst->exec; lane++)
		if (runs[lane])
			finish_lane(state, inst, lane, result[lane]);
	fesetround(saved);
}
