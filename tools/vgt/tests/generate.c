// SPDX-License-Identifier: MIT
#include "generate.h"

#include <string.h>

#define T(name) (1u << MODEL_##name)
#define BYTES (T(UB) | T(B))
#define WORDS (T(UW) | T(W))
#define DWORDS (T(UD) | T(D))
#define INTS (BYTES | WORDS | DWORDS)
#define UNSIGNED (T(UB) | T(UW) | T(UD))
#define FLOATS (T(HF) | T(F))

#define P GENERATE_PRED
#define C GENERATE_COND
#define S GENERATE_SAT
#define M GENERATE_MOD
#define SAME GENERATE_SAME
#define MATH (GENERATE_MATH | GENERATE_PRED)

const struct generate_row generate_rows[] = {
	{ "mov", MODEL_MOV, 1, INTS | FLOATS, INTS | FLOATS, 0, P | C | S | M },
	{ "not", MODEL_NOT, 1, INTS, INTS, 0, P | C | M },
	{ "lzd", MODEL_LZD, 1, T(UD), T(UD), 0, P | C },
	{ "fbh", MODEL_FBH, 1, T(UD), DWORDS, 0, P },
	{ "fbl", MODEL_FBL, 1, T(UD), T(UD), 0, P },
	{ "cbit", MODEL_CBIT, 1, T(UD), UNSIGNED, 0, P },
	{ "bfrev", MODEL_BFREV, 1, T(UD), T(UD), 0, P },
	{ "frc", MODEL_FRC, 1, T(F), T(F), 0, P | M },
	{ "rndu", MODEL_RNDU, 1, T(F), T(F), 0, P | C | S | M },
	{ "rndd", MODEL_RNDD, 1, T(F), T(F), 0, P | C | S | M },
	{ "rnde", MODEL_RNDE, 1, T(F), T(F), 0, P | C | S | M },
	{ "rndz", MODEL_RNDZ, 1, T(F), T(F), 0, P | C | S | M },
	{ "math.inv", MODEL_INV, 1, FLOATS, 0, 0, MATH | SAME | M },
	{ "math.log", MODEL_LOG, 1, FLOATS, 0, 0, MATH | SAME | M },
	{ "math.exp", MODEL_EXP, 1, FLOATS, 0, 0, MATH | SAME | M },
	{ "math.sqt", MODEL_SQT, 1, FLOATS, 0, 0, MATH | SAME | M },
	{ "math.rsqt", MODEL_RSQT, 1, FLOATS, 0, 0, MATH | SAME | M },
	{ "math.sin", MODEL_SIN, 1, FLOATS, 0, 0, MATH | SAME | M },
	{ "math.cos", MODEL_COS, 1, FLOATS, 0, 0, MATH | SAME | M },
	{ "math.iqot", MODEL_IQOT, 2, DWORDS, 0, 0,
	  MATH | SAME | GENERATE_NARROW },
	{ "math.irem", MODEL_IREM, 2, DWORDS, 0, 0,
	  MATH | SAME | GENERATE_NARROW },
	{ "add", MODEL_ADD, 2, INTS, INTS, 0, P | C | S | M },
	{ "add", MODEL_ADD, 2, FLOATS, 0, 0, P | C | S | M | SAME },
	{ "mul", MODEL_MUL, 2, DWORDS, DWORDS, WORDS | DWORDS, P | C | M },
	{ "mul", MODEL_MUL, 2, WORDS | DWORDS, BYTES | WORDS, 0,
	  P | C | S | M },
	{ "mul", MODEL_MUL, 2, FLOATS, 0, 0, P | C | S | M | SAME },
	{ "avg", MODEL_AVG, 2, INTS, INTS, 0, P | C | S | M },
	{ "and", MODEL_AND, 2, INTS, INTS, 0, P | C | M },
	{ "or", MODEL_OR, 2, INTS, INTS, 0, P | C | M },
	{ "xor", MODEL_XOR, 2, INTS, INTS, 0, P | C | M },
	{ "shl", MODEL_SHL, 2, WORDS | DWORDS, WORDS | DWORDS, 0, P | C },
	{ "shr", MODEL_SHR, 2, UNSIGNED, UNSIGNED, 0, P | C },
	{ "asr", MODEL_ASR, 2, INTS, T(B) | T(W) | T(D), UNSIGNED, P | C },
	{ "rol", MODEL_ROL, 2, T(UW) | T(UD), 0, 0, P | SAME },
	{ "ror", MODEL_ROR, 2, T(UW) | T(UD), 0, 0, P | SAME },
	{ "cmp", MODEL_CMP, 2, INTS, INTS, 0, P | M | GENERATE_CONDS },
	{ "cmp", MODEL_CMP, 2, FLOATS, 0, 0, P | M | GENERATE_CONDS | SAME },
	{ "sel", MODEL_SEL, 2, INTS | FLOATS, 0, 0, P | M | SAME },
	{ "sel", MODEL_SEL, 2, INTS | FLOATS, 0, 0,
	  M | SAME | GENERATE_CONDS | GENERATE_LIMITS },
	{ "addc", MODEL_ADDC, 2, T(UD), 0, 0, P | SAME | GENERATE_CARRY },
	{ "subb", MODEL_SUBB, 2, T(UD), 0, 0, P | SAME | GENERATE_CARRY },
	{ "bfi1", MODEL_BFI1, 2, DWORDS, 0, 0, P | SAME },
	{ "mad", MODEL_MAD, 3, FLOATS, 0, 0, P | C | S | M | SAME },
	{ "mad", MODEL_MAD, 3, WORDS | DWORDS, WORDS | DWORDS, WORDS,
	  P | C | S | M },
	{ "csel", MODEL_CSEL, 3, FLOATS, 0, 0, M | SAME | GENERATE_CONDS },
	{ "csel", MODEL_CSEL, 3, WORDS | DWORDS, 0, 0,
	  M | SAME | GENERATE_CONDS },
	{ "bfe", MODEL_BFE, 3, DWORDS, 0, 0, P | SAME },
	{ "bfi2", MODEL_BFI2, 3, DWORDS, 0, 0, P | SAME },
	{ "dp4a", MODEL_DP4A, 3, DWORDS, 0, 0, P | SAME },
	{},
};

uint32_t generate_random(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z >> 32;
}

static unsigned int below(unsigned int limit, uint64_t *random)
{
	return generate_random(random) % limit;
}

static enum model_type pick_type(unsigned int set, uint64_t *random)
{
	enum model_type type;

	do
		type = below(MODEL_F + 1, random);
	while (!(set >> type & 1));
	return type;
}

static unsigned int last_element(const struct model_operand *operand,
				 unsigned int exec)
{
	unsigned int lane, at, last = 0;

	for (lane = 0; lane < exec; lane++) {
		at = lane / operand->width * operand->vstride +
		     lane % operand->width * operand->hstride;
		last = at > last ? at : last;
	}
	return last;
}

/* Only from one row to the next may a region go over to the next register. */
static bool rows_cross(const struct model_operand *operand, unsigned int exec)
{
	unsigned int bytes = model_type_bytes(operand->type);
	unsigned int lane, first, last;

	for (lane = 0; lane < exec; lane += operand->width) {
		first = operand->place +
			lane / operand->width * operand->vstride * bytes;
		last = first + (operand->width - 1) * operand->hstride * bytes;
		if (first / 32 != last / 32)
			return true;
	}
	return false;
}

/* A place in registers 8 to 119 so that at most two registers are touched. */
static bool pick_place(struct model_operand *operand, unsigned int exec,
		       uint64_t *random)
{
	unsigned int bytes = model_type_bytes(operand->type);
	unsigned int span = (last_element(operand, exec) + 1) * bytes;
	unsigned int sub = 0;

	if (span > 64 || exec * bytes > 64)
		return false;
	if (below(3, random) == 0)
		sub = below((64 - span) / bytes + 1, random) * bytes % 32;
	if (sub + span > 64)
		sub = 0;
	operand->place = (8 + below(112, random)) * 32 + sub;
	return !rows_cross(operand, exec);
}

/* Regions by the rules of the hardware; see the PRM's "Region Restrictions". */
static void pick_region(struct model_operand *src, unsigned int exec,
			uint64_t *random)
{
	static const uint8_t strides[] = { 0, 1, 2, 4, 8, 16, 32 };

	src->width = 1;
	src->vstride = 0;
	src->hstride = 0;
	switch (below(exec == 1 ? 1 : 5, random)) {
	case 0: /* scalar */
		return;
	case 1: /* any rows */
		src->width = 1 << below(5, random);
		if (src->width > exec)
			src->width = exec;
		src->vstride = strides[below(7, random)];
		src->hstride = strides[below(4, random)];
		if (src->width == 1)
			src->hstride = 0;
		if (src->width == exec && src->hstride)
			src->vstride = src->width * src->hstride;
		if (src->vstride == 0 && src->hstride == 0)
			src->width = 1;
		break;
	case 2: /* one element in two or four */
		src->hstride = 2 << below(2, random);
		src->width = exec < 8 ? exec : 8;
		src->vstride = src->width * src->hstride;
		break;
	default: /* one after the other */
		src->hstride = 1;
		src->width = model_type_bytes(src->type) < 4 ? 16 : 8;
		if (src->width > exec)
			src->width = exec;
		src->vstride = src->width;
	}
	if (src->vstride > 32)
		src->vstride = 32;
}

/* Three sources: rows are as long as the vertical stride allows. */
static void pick_linear(struct model_operand *src, uint64_t *random)
{
	static const uint8_t stride[] = { 0, 1, 1, 1, 2 };

	src->width = 1;
	src->hstride = 0;
	src->vstride = stride[below(5, random)];
}

static bool pick_indirect(struct model_operand *src, unsigned int exec,
			  uint64_t *random)
{
	src->disp = (int)(below(64, random) * 4) - 128;
	if (src->kind == MODEL_INDIRECT) {
		src->place = below(16, random);
		pick_region(src, exec, random);
		return (last_element(src, exec) + 1) *
		       model_type_bytes(src->type) <= 64;
	}
	src->width = below(2, random) ? 1 : exec < 16 ? exec : 16;
	if (exec / src->width > 8)
		return false;
	src->place = below(16 - exec / src->width + 1, random);
	src->vstride = 0;
	src->hstride = src->width > 1;
	return exec * model_type_bytes(src->type) <= 64;
}

/* Registers mostly; what else the instruction's form has room for. */
static enum model_kind pick_kind(const struct model_inst *inst, unsigned int n,
				 uint64_t *random)
{
	enum model_type type = inst->src[n].type;
	unsigned int choice = below(16, random);

	if (inst->sources < 3 && n == inst->sources - 1 && choice < 3 &&
	    model_type_bytes(type) > 1)
		return MODEL_IMM;
	if (n == 0 && choice == 3 && type == MODEL_F && inst->exec >= 8)
		return MODEL_ACC;
	if (inst->sources < 3 && n == 0 && choice == 4)
		return MODEL_INDIRECT;
	if (inst->sources == 1 && choice == 5)
		return MODEL_VXH;
	return MODEL_GRF;
}

static uint32_t special(enum model_type type, uint64_t *random);

static void pick_modifiers(struct model_operand *src,
			   const struct generate_row *row, uint64_t *random)
{
	bool logic = row->op == MODEL_AND || row->op == MODEL_OR ||
		     row->op == MODEL_XOR || row->op == MODEL_NOT;

	if (!(row->flags & M) || src->kind == MODEL_IMM || below(3, random))
		return;
	if (!logic && !model_type_signed(src->type) &&
	    !model_type_float(src->type))
		return;
	src->neg = logic || below(2, random);
	src->abs = !logic && below(2, random);
}

/* Floats may be four small ones where the destination's channels lie a dword apart. */
static void pick_floats(struct model_operand *src,
			const struct model_operand *dst, uint64_t *random)
{
	if (dst->kind != MODEL_GRF || dst->place % 16 ||
	    dst->hstride * model_type_bytes(dst->type) != 4 || below(2, random))
		return;
	src->type = MODEL_VF;
	src->imm = generate_random(random);
}

/*
 * Words may be a vector of nibbles where the destination's channels lie a word
 * or a dword apart, as the compiler has it.
 */
static void pick_immediate(struct model_operand *src,
			   const struct model_operand *dst, uint64_t *random)
{
	unsigned int step = dst->hstride * model_type_bytes(dst->type);
	bool word = src->type == MODEL_W || src->type == MODEL_UW;

	src->width = 1;
	src->imm = special(src->type, random);
	if (src->type == MODEL_F)
		pick_floats(src, dst, random);
	if (!word || dst->kind != MODEL_GRF || dst->place % 16 ||
	    (step != 2 && step != 4) || below(2, random))
		return;
	src->type = src->type == MODEL_W ? MODEL_V : MODEL_UV;
	src->imm = generate_random(random);
}

static bool pick_source(struct model_inst *inst, unsigned int n,
			const struct generate_row *row, uint64_t *random)
{
	struct model_operand *src = &inst->src[n];
	unsigned int set = n == 1 && row->src1 ? row->src1 : row->src;

	src->type = row->flags & SAME ? inst->dst.type :
		    n == 2 ? inst->src[1].type : pick_type(set, random);
	src->kind = row->flags & GENERATE_MATH ? MODEL_GRF :
		    pick_kind(inst, n, random);
	pick_modifiers(src, row, random);
	switch (src->kind) {
	case MODEL_IMM:
		pick_immediate(src, &inst->dst, random);
		return true;
	case MODEL_ACC:
		src->width = 8;
		src->vstride = 8;
		src->hstride = 1;
		src->place = 32 * (2 + below(5, random));
		return inst->exec <= 16;
	case MODEL_INDIRECT:
	case MODEL_VXH:
		return pick_indirect(src, inst->exec, random);
	default:
		break;
	}
	if (inst->sources == 3)
		pick_linear(src, random);
	else
		pick_region(src, inst->exec, random);
	return pick_place(src, inst->exec, random);
}

static bool pick_dst(struct model_inst *inst, uint64_t *random)
{
	struct model_operand *dst = &inst->dst;
	unsigned int choice = below(16, random);

	dst->width = 1;
	dst->vstride = 1;
	dst->kind = MODEL_GRF;
	if (inst->op == MODEL_CMP && choice < 8) {
		dst->kind = MODEL_NULL;
		dst->hstride = 1;
		return true;
	}
	if (choice == 8 && dst->type == MODEL_F && inst->exec >= 8 &&
	    inst->exec <= 16 && !(inst->op >= MODEL_INV &&
				  inst->op <= MODEL_COS)) {
		dst->kind = MODEL_ACC;
		dst->hstride = 1;
		dst->place = 32 * (2 + below(5, random));
		return true;
	}
	if (inst->exec > 1 && choice < 6)
		dst->vstride = inst->sources == 3 ? 2 : 2 << choice % 2;
	if (!pick_place(dst, inst->exec, random))
		return false;
	if (inst->sources == 3)
		dst->place &= ~7u; /* what the encoding has room for */
	dst->hstride = dst->vstride;
	return true;
}

static void pick_predicate(struct model_inst *inst,
			   const struct generate_row *row, uint64_t *random)
{
	inst->flag = below(4, random);
	if (inst->flag & 1 && inst->first + inst->exec > 16)
		inst->flag--;
	if (inst->op == MODEL_SEL && !inst->cond)
		inst->pred = 1;
	else if (row->flags & P && below(2, random))
		inst->pred = below(2, random) ? 1 : 1u << below(5, random);
	if (!inst->pred)
		return;
	inst->pred_inverse = below(2, random);
	inst->pred_all = inst->pred > 1 && below(2, random);
}

static void pick_condition(struct model_inst *inst,
			   const struct generate_row *row, uint64_t *random)
{
	bool wanted = row->flags & GENERATE_CONDS ||
		      (row->flags & C && below(3, random) == 0);

	if (!wanted)
		return;
	inst->cond = MODEL_EQ + below(6, random);
	if (row->flags & GENERATE_LIMITS)
		inst->cond = below(2, random) ? MODEL_LT : MODEL_GE;
}

bool generate_inst(struct model_inst *inst, const struct generate_row *row,
		   enum model_type dst, unsigned int exec, uint64_t *random)
{
	unsigned int n, align = exec < 4 ? 4 : exec;

	memset(inst, 0, sizeof(*inst));
	if (row->flags & GENERATE_NARROW && exec > 8)
		return false;
	inst->op = row->op;
	inst->sources = row->sources;
	inst->exec = exec;
	inst->first = below(32 / align, random) * align;
	inst->nomask = below(4, random) == 0;
	inst->acc_write = row->flags & GENERATE_CARRY;
	inst->dst.type = dst;
	inst->saturate = row->flags & S && below(4, random) == 0;
	if (!pick_dst(inst, random))
		return false;
	for (n = 0; n < row->sources; n++)
		if (!pick_source(inst, n, row, random))
			return false;
	pick_condition(inst, row, random);
	pick_predicate(inst, row, random);
	return true;
}

static uint32_t special(enum model_type type, uint64_t *random)
{
	static const uint32_t single[] = {
		0, 0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000,
		0x7fc00000, 0x00000001, 0x7f7fffff, 0x3f000000, 0x40200000,
		0xbfc00000, 0x4f000000, 0xcf000000, 0x807fffff, 0x437f0000,
	};
	static const uint16_t half[] = {
		0, 0x8000, 0x3c00, 0xbc00, 0x7c00, 0xfc00, 0x7e00, 0x0001,
		0x7bff, 0x8400, 0x3800, 0xbe00, 0x6401, 0x5bff, 0xc500, 0x03ff,
		/* 3 times 683 and 7 times 293 lie between two halves: next to nothing decides. */
		0x4200, 0x6156, 0x4700, 0x5c94, 0x4200, 0x6156, 0x8001, 0x0001,
	};
	unsigned int pick = below(16, random);
	unsigned int bits = 8 * model_type_bytes(type);
	float small;
	uint32_t raw;

	if (below(2, random))
		return generate_random(random) >> (32 - bits);
	if (type == MODEL_HF)
		return half[below(24, random)];
	if (type == MODEL_F && below(2, random)) {
		small = (int)below(20000, random) / 64.0f - 150;
		memcpy(&raw, &small, 4);
		return raw;
	}
	if (type == MODEL_F)
		return single[pick];
	raw = pick < 4 ? pick : pick < 8 ? -(pick - 3) :
	      (1u << (bits - 1)) + pick - 12;
	return raw & (0xffffffff >> (32 - bits));
}

/* Arguments for which math functions have their full precision. */
static uint32_t math_argument(const struct model_inst *inst, unsigned int n,
			      uint64_t *random)
{
	float value = (int)below(40000, random) / 4096.0f + 0.125f;
	_Float16 half = (_Float16)value;
	uint16_t half_raw;
	uint32_t raw;

	if (inst->sources == 2 && n)
		return below(1 << below(31, random), random) + 1;
	if (inst->sources == 2)
		return generate_random(random) & 0x7fffffff;
	memcpy(&half_raw, &half, 2);
	memcpy(&raw, &value, 4);
	return inst->src[0].type == MODEL_HF ? half_raw : raw;
}

static void fill_source(struct model_state *state,
			const struct model_inst *inst, unsigned int n,
			uint64_t *random)
{
	const struct model_operand *src = &inst->src[n];
	unsigned int bytes = model_type_bytes(src->type);
	bool math = (inst->op >= MODEL_INV && inst->op <= MODEL_COS) ||
		    inst->op == MODEL_IQOT || inst->op == MODEL_IREM;
	uint8_t *file = src->kind == MODEL_ACC ? state->acc : state->grf;
	unsigned int lane, at;
	uint32_t raw;

	if (src->kind != MODEL_GRF && src->kind != MODEL_ACC)
		return;
	for (lane = 0; lane < inst->exec; lane++) {
		at = src->place + bytes * (lane / src->width * src->vstride +
					   lane % src->width * src->hstride);
		raw = math ? math_argument(inst, n, random) :
			     special(src->type, random);
		memcpy(file + at, &raw, bytes);
	}
}

void generate_state(struct model_state *state, const struct model_inst *inst,
		    uint64_t *random)
{
	unsigned int i, n;
	uint32_t bits;

	memset(state, 0, sizeof(*state));
	for (i = 0; i < sizeof(state->grf); i += 4) {
		bits = generate_random(random);
		memcpy(state->grf + i, &bits, 4);
	}
	for (i = 0; i < sizeof(state->acc); i += 4) {
		bits = special(MODEL_F, random);
		memcpy(state->acc + i, &bits, 4);
	}
	for (i = 0; i < 16; i++)
		state->a0[i] = 512 + below(768, random) * 4;
	state->flags = (uint64_t)generate_random(random) << 32 |
		       generate_random(random);
	state->enabled = below(4, random) ? generate_random(random) :
					    UINT32_MAX;
	state->rounding = below(2, random) ? 0 : below(4, random);
	for (n = 0; n < inst->sources; n++)
		fill_source(state, inst, n, random);
}
