/* SPDX-License-Identifier: MIT */
/*
 * The handlers of one instruction set. The includer defines VECTOR_TABLE, the
 * table to fill, and what needs its instructions: fma8() is a + b * c rounded
 * once, high8() the upper half of a product, collect8() the bits of a mask.
 * VECTOR_DIRECT asks for direct forms as well.
 */
#include "eu/alu.h"
#include "eu/region.h"
#include "eu/vector.h"
#include "eu/vector_types.h"

/* Acc writes that an instruction does beside its destination are on. */
#define CR0_ACC_DISABLE 2U

INLINE bool implicit_on(const struct vgt_eu_thread *thread,
			const struct vgt_inst *inst)
{
	return inst->acc_write &&
	       !(vgt_load32(thread->reg + VGT_REG_CR) & CR0_ACC_DISABLE);
}

INLINE bool op_float(enum vgt_vector_op op)
{
	return op == VGT_VECTOR_ADD_F || op == VGT_VECTOR_MUL_F ||
	       op == VGT_VECTOR_MIN_F || op == VGT_VECTOR_MAX_F ||
	       op == VGT_VECTOR_MAD_F || op == VGT_VECTOR_F_FROM_D ||
	       op == VGT_VECTOR_F_FROM_UD || op == VGT_VECTOR_RNDD ||
	       op == VGT_VECTOR_RNDZ;
}

INLINE bool op_compare(enum vgt_vector_op op)
{
	return op >= VGT_VECTOR_EQ_D && op <= VGT_VECTOR_LE_F;
}

/* Its condition modifier means min or max, not flags. */
INLINE bool op_minmax(enum vgt_vector_op op)
{
	return op >= VGT_VECTOR_MIN_D && op <= VGT_VECTOR_MAX_F;
}

INLINE bool op_wide(enum vgt_vector_op op)
{
	return op == VGT_VECTOR_MUL_ACC || op == VGT_VECTOR_MACH;
}

INLINE int op_sources(enum vgt_vector_op op)
{
	return op < VGT_VECTOR_UNARY_END ? 1 :
	       op < VGT_VECTOR_BINARY_END ? 2 : 3;
}

/* A source of an integer sum is negated in two's complement. */
INLINE bool op_negates(enum vgt_vector_op op)
{
	return op == VGT_VECTOR_ADD_D;
}

INLINE u1 fma1(u1 a, u1 b, u1 c)
{
	return CAST(u1, __builtin_fmaf(CAST(f1, b), CAST(f1, c), CAST(f1, a)));
}

INLINE u1 high1(u1 a, u1 b)
{
	return (uint64_t)a * b >> 32;
}

#define LANES 1
#include "eu/vector_lanes.h"
#undef LANES
#define LANES 8
#include "eu/vector_lanes.h"
#undef LANES

/* @parts times 8 lanes, those that execute, to @to. */
INLINE void store(void *to, const u8 *value, int parts, uint32_t lanes)
{
	uint32_t all = UINT32_MAX >> (32 - 8 * parts);
	u8 *dst = to;

	if (__builtin_expect(lanes == all, 1)) {
		for (int p = 0; p < parts; p++)
			dst[p] = value[p];
		return;
	}
	for (int p = 0; p < parts; p++)
		dst[p] = choose_8(select8(lanes >> 8 * p), value[p], dst[p]);
}

INLINE uint32_t collect(const u8 *mask, int parts)
{
	uint32_t out = 0;

	for (int p = 0; p < parts; p++)
		out |= collect8(mask[p]) << 8 * p;
	return out;
}

/* Elements of acc0 that are not wider than what lies in the register. */
INLINE void acc_unsigned(struct vgt_eu_thread *thread, uint32_t lanes)
{
	thread->acc_wide &= ~lanes;
	thread->acc_signed &= ~lanes;
}

/* Carry or borrow to the accumulator, from its first element. */
INLINE void carry(struct vgt_eu_thread *thread, const struct vgt_inst *inst,
		  enum vgt_vector_op op, const u8 *a, const u8 *b, int parts,
		  uint32_t lanes)
{
	u8 out[4];

	if (!implicit_on(thread, inst))
		return;
	for (int p = 0; p < parts; p++) {
		out[p] = op == VGT_VECTOR_ADDC ? (u8)(a[p] + b[p] < a[p]) :
			 (u8)(a[p] < b[p]);
		out[p] &= 1;
	}
	store(thread->reg + VGT_REG_ACC, out, parts, lanes);
	acc_unsigned(thread, lanes);
}

/* mul to the accumulator: acc.c has it, and the next, in plain words. */
INLINE void mul_acc(struct vgt_eu_thread *thread, const struct vgt_inst *inst,
		    const u8 *a, const u8 *b, int parts)
{
	uint32_t lanes = vgt_exec_lanes(thread, inst);
	bool sign_a = vgt_type_signed(inst->src[0].type);
	bool sign_b = vgt_type_signed(inst->src[1].type);
	u8 low[4], high[4];

	for (int p = 0; p < parts; p++)
		product_8(a[p], b[p], sign_a, sign_b, &low[p], &high[p]);
	store(thread->reg + VGT_REG_ACC, low, parts, lanes);
	store(thread->acc_hi, high, parts, lanes);
	thread->acc_wide |= lanes;
}

INLINE void mach(struct vgt_eu_thread *thread, const struct vgt_inst *inst,
		 const u8 *a, const u8 *b, int parts)
{
	uint32_t lanes = vgt_exec_lanes(thread, inst);
	bool sign_a = vgt_type_signed(inst->src[0].type);
	bool sign_b = vgt_type_signed(inst->src[1].type);
	u8 *acc = (u8 *)(thread->reg + VGT_REG_ACC);
	u8 *acc_high = (u8 *)thread->acc_hi;
	u8 low[4], high[4];

	if (__builtin_expect(lanes & ~thread->acc_wide, 0))
		vgt_acc_settle(thread);
	for (int p = 0; p < parts; p++)
		sum_8(a[p], b[p], sign_a, sign_b, acc[p], acc_high[p],
		      &low[p], &high[p]);
	if (implicit_on(thread, inst)) {
		store(acc, low, parts, lanes);
		acc_unsigned(thread, lanes);
	}
	store(thread->reg + inst->d, inst->acc_write ? high : low, parts,
	      lanes);
}

INLINE void wide(struct vgt_eu_thread *thread, const struct vgt_inst *inst,
		 enum vgt_vector_op op, const u8 *a, const u8 *b, int parts)
{
	if (op == VGT_VECTOR_MUL_ACC)
		mul_acc(thread, inst, a, b, parts);
	else
		mach(thread, inst, a, b, parts);
}

INLINE void evaluate(enum vgt_vector_op op, uint32_t first, const u8 *a,
		     const u8 *b, const u8 *c, u8 *out, int parts)
{
	for (int p = 0; p < parts; p++)
		out[p] = op == VGT_VECTOR_SEL ?
			 choose_8(select8(first >> 8 * p), a[p], b[p]) :
			 compute_8(op, a[p], b[p], c[p]);
}

/* @x: 0x8000 if they have a sign. */
INLINE u8 load_words(const uint8_t *from, int form, uint32_t x)
{
	uint16_t word;
	u8 out;

	if (form == VGT_FORM_WORD) {
		memcpy(&word, from, 2);
		out = splat8(word);
	} else {
		out = *(const u8 *)from & 0xffff;
	}
	return (out ^ x) - x;
}

INLINE void load(const struct vgt_eu_thread *thread,
		 const struct vgt_inst *inst, enum vgt_vector_op op, int i,
		 int form, u8 *out, int parts)
{
	const uint8_t *from = thread->reg + inst->s[i];
	u8 x = splat8(inst->x[i]);

	for (int p = 0; p < parts; p++) {
		if (form == VGT_FORM_IMM) {
			out[p] = x;
			continue;
		}
		if (form >= VGT_FORM_WORDS) {
			out[p] = load_words(form == VGT_FORM_WORD ? from :
					    from + 32 * p, form, inst->x[i]);
			continue;
		}
		out[p] = form == VGT_FORM_SCALAR ?
			 splat8(vgt_load32(from)) : ((const u8 *)from)[p];
		out[p] = op_negates(op) ? (out[p] ^ x) - x : out[p] ^ x;
	}
}

/* Lanes of a direct form, whose predicate is plain if it has one. */
INLINE uint32_t direct_predicate(const struct vgt_eu_thread *thread,
				 const struct vgt_inst *inst)
{
	uint64_t flags;
	uint32_t out;

	memcpy(&flags, thread->reg + VGT_REG_F, 8);
	out = flags >> (inst->flag_bit + inst->chan);
	return inst->pred_inverse ? ~out : out;
}

INLINE const struct vgt_inst *direct(struct vgt_eu_thread *thread,
				     const struct vgt_inst *inst,
				     enum vgt_vector_op op, int parts,
				     int form0, int form1, int form2)
{
	uint32_t lanes = vgt_lanes(thread, inst);
	u8 a[2], b[2], c[2], value[2];
	uint32_t first = 0;

	load(thread, inst, op, 0, form0, a, parts);
	load(thread, inst, op, 1, form1, b, parts);
	load(thread, inst, op, 2, form2, c, parts);
	if (op_wide(op)) {
		wide(thread, inst, op, a, b, parts);
		return inst + 1;
	}
	if (op == VGT_VECTOR_SEL)
		first = direct_predicate(thread, inst);
	else if (!op_minmax(op) && __builtin_expect(inst->pred, 0))
		lanes &= direct_predicate(thread, inst);
	evaluate(op, first, a, b, c, value, parts);
	if (op_compare(op)) {
		vgt_flag_write(thread, inst, collect(value, parts), lanes);
		if (__builtin_expect(inst->d == VGT_REG_SINK, 1))
			return inst + 1;
	}
	if (op == VGT_VECTOR_ADDC || op == VGT_VECTOR_SUBB)
		carry(thread, inst, op, a, b, parts, lanes);
	store(thread->reg + inst->d, value, parts, lanes);
	return inst + 1;
}

/* Flags of a result, as its destination's type has it. */
NOINLINE void result_flags(struct vgt_eu_thread *thread,
			   const struct vgt_inst *inst, const uint32_t *value,
			   uint32_t lanes)
{
	uint8_t op = VGT_VECTOR_EQ_D + inst->cond - VGT_COND_EQ;
	uint8_t type = inst->dst.type;
	uint32_t part[VGT_LANES] = { 0 };
	uint32_t set = 0;

	if (type == VGT_TYPE_F)
		op = VGT_VECTOR_EQ_F + inst->cond - VGT_COND_EQ;
	else if (type == VGT_TYPE_UD && inst->cond >= VGT_COND_GT)
		op = VGT_VECTOR_GT_UD + inst->cond - VGT_COND_GT;
	memcpy(part, value, 4 * inst->exec_size);
	if (inst->dst.bytes < 4)
		for (uint32_t i = 0; i < inst->exec_size; i++)
			part[i] = (u1)vgt_bits_int(part[i], type);
	for (uint32_t i = 0; i < inst->exec_size; i += 8)
		set |= collect8(compare_8(op, *(u8 *)&part[i], splat8(0)))
		       << i;
	vgt_flag_write(thread, inst, set, lanes);
}

INLINE bool op_sets_flags(enum vgt_vector_op op)
{
	return !op_compare(op) && !op_minmax(op) && op != VGT_VECTOR_SEL;
}

/* Any region and integer type; fewer lanes than there are run along as 0. */
INLINE const struct vgt_inst *any(struct vgt_eu_thread *thread,
				  const struct vgt_inst *inst,
				  enum vgt_vector_op op, int parts)
{
	uint32_t lanes = vgt_lanes(thread, inst), first = 0;
	u8 in[3][4], value[4];

	for (int i = 0; i < op_sources(op); i++) {
		if (parts == 1)
			in[i][0] = splat8(0);
		vgt_region_gather(thread, inst, i, (uint32_t *)in[i]);
	}
	if (op_sources(op) < 3)
		memcpy(in[2], in[0], 32 * parts);
	if (op_sources(op) < 2)
		memcpy(in[1], in[0], 32 * parts);
	if (op_wide(op)) {
		wide(thread, inst, op, in[0], in[1], parts);
		return inst + 1;
	}
	if (op == VGT_VECTOR_SEL)
		first = vgt_predicate(thread, inst);
	else if (!op_minmax(op) && inst->pred)
		lanes &= vgt_predicate(thread, inst);
	evaluate(op, first, in[0], in[1], in[2], value, parts);
	if (op_float(op) && inst->saturate)
		for (int p = 0; p < parts; p++)
			value[p] = saturate_8(value[p]);
	if (op_compare(op))
		vgt_flag_write(thread, inst, collect(value, parts), lanes);
	if (op_sets_flags(op) && inst->cond)
		result_flags(thread, inst, (const uint32_t *)value, lanes);
	if (op == VGT_VECTOR_ADDC || op == VGT_VECTOR_SUBB)
		carry(thread, inst, op, in[0], in[1], parts, lanes);
	vgt_region_scatter(thread, inst, (const uint32_t *)value, lanes);
	return inst + 1;
}

INLINE void one_carry(struct vgt_eu_thread *thread,
		      const struct vgt_inst *inst, u1 value)
{
	if (!implicit_on(thread, inst))
		return;
	vgt_store32(thread->reg + VGT_REG_ACC, value);
	acc_unsigned(thread, 1);
}

INLINE const struct vgt_inst *one_wide(struct vgt_eu_thread *thread,
				       const struct vgt_inst *inst,
				       enum vgt_vector_op op, u1 a, u1 b)
{
	bool sign_a = vgt_type_signed(inst->src[0].type);
	bool sign_b = vgt_type_signed(inst->src[1].type);
	uint8_t *acc = thread->reg + VGT_REG_ACC;
	u1 low, high;

	if (!vgt_exec_lanes(thread, inst))
		return inst + 1;
	if (op == VGT_VECTOR_MUL_ACC) {
		product_1(a, b, sign_a, sign_b, &low, &high);
		vgt_store32(acc, low);
		thread->acc_hi[0] = (int32_t)high;
		thread->acc_wide |= 1;
		return inst + 1;
	}
	if (__builtin_expect(!(thread->acc_wide & 1), 0))
		vgt_acc_settle(thread);
	sum_1(a, b, sign_a, sign_b, vgt_load32(acc),
	      (u1)thread->acc_hi[0], &low, &high);
	one_carry(thread, inst, low);
	vgt_store32(thread->reg + inst->d, inst->acc_write ? high : low);
	return inst + 1;
}

/* A byte or a word, in its 32-bit form. */
INLINE u1 one_narrow(const struct vgt_eu_thread *thread,
		     const struct vgt_inst *inst, int i)
{
	uint8_t type = inst->src[i].type;
	uint16_t word;
	u1 out;

	if (type == VGT_TYPE_UB || type == VGT_TYPE_B) {
		out = thread->reg[inst->s[i]];
		return type == VGT_TYPE_B ? (u1)(int8_t)out : out;
	}
	memcpy(&word, thread->reg + inst->s[i], 2);
	return type == VGT_TYPE_W ? (u1)(int16_t)word : word;
}

/*
 * Flags are always written as a whole, so that the processor can forward them
 * to whatever reads them next.
 */
INLINE void one_flags(struct vgt_eu_thread *thread,
		      const struct vgt_inst *inst, u1 value)
{
	uint32_t shift = 8 * (inst->d - VGT_REG_F);
	uint64_t mask = inst->dst.bytes == 2 ? 0xffff :
			inst->dst.bytes == 4 ? UINT32_MAX : 0xff;
	uint64_t flags;

	memcpy(&flags, thread->reg + VGT_REG_F, 8);
	flags = (flags & ~(mask << shift)) | (value & mask) << shift;
	memcpy(thread->reg + VGT_REG_F, &flags, 8);
}

INLINE void one_store(struct vgt_eu_thread *thread,
		      const struct vgt_inst *inst, u1 value)
{
	if ((uint32_t)(inst->d - VGT_REG_F) < 8)
		one_flags(thread, inst, value);
	else if (inst->dst.bytes == 4)
		vgt_store32(thread->reg + inst->d, value);
	else
		memcpy(thread->reg + inst->d, &value,
		       inst->dst.bytes == 2 ? 2 : 1);
}

INLINE u1 one_source(const struct vgt_eu_thread *thread,
		     const struct vgt_inst *inst, enum vgt_vector_op op, int i)
{
	u1 x = inst->x[i], v;

	if (inst->form[i] == VGT_FORM_IMM)
		return x;
	if (inst->form[i] == VGT_FORM_NARROW)
		return one_narrow(thread, inst, i);
	v = vgt_load32(thread->reg + inst->s[i]);
	return op_negates(op) ? (v ^ x) - x : v ^ x;
}

/* One lane, mostly the bookkeeping that all lanes share. */
INLINE const struct vgt_inst *one(struct vgt_eu_thread *thread,
				  const struct vgt_inst *inst,
				  enum vgt_vector_op op)
{
	uint32_t lane = op_minmax(op) || op == VGT_VECTOR_SEL ?
			vgt_lanes(thread, inst) : vgt_exec_lanes(thread, inst);
	u1 a = one_source(thread, inst, op, 0), b = 0, c = 0, value;

	if (op >= VGT_VECTOR_UNARY_END)
		b = one_source(thread, inst, op, 1);
	if (op >= VGT_VECTOR_BINARY_END)
		c = one_source(thread, inst, op, 2);
	if (op_wide(op))
		return one_wide(thread, inst, op, a, b);
	if (!lane)
		return inst + 1;
	if (op == VGT_VECTOR_SEL)
		value = vgt_predicate(thread, inst) ? a : b;
	else
		value = compute_1(op, a, b, c);
	if (op_float(op) && inst->saturate)
		value = saturate_1(value);
	if (op_compare(op))
		vgt_flag_write(thread, inst, value & 1, 1);
	if (op_sets_flags(op) && inst->cond)
		result_flags(thread, inst, &value, 1);
	if (op == VGT_VECTOR_ADDC || op == VGT_VECTOR_SUBB)
		one_carry(thread, inst,
			  op == VGT_VECTOR_ADDC ? value < a : a < b);
	one_store(thread, inst, value);
	return inst + 1;
}

#define DIRECT1(op, n, a)						\
static const struct vgt_inst *						\
direct_##op##_##n##_##a(struct vgt_eu_thread *thread,			\
			const struct vgt_inst *inst)			\
{									\
	return direct(thread, inst, VGT_VECTOR_##op, n / 8, a, 2, 2);	\
}

#define DIRECT2(op, n, a, b)						\
static const struct vgt_inst *						\
direct_##op##_##n##_##a##b(struct vgt_eu_thread *thread,		\
			   const struct vgt_inst *inst)			\
{									\
	return direct(thread, inst, VGT_VECTOR_##op, n / 8, a, b, 2);	\
}

#define DIRECT3(n, a, b, c)						\
static const struct vgt_inst *						\
mad_##n##_##a##b##c(struct vgt_eu_thread *thread,			\
		    const struct vgt_inst *inst)			\
{									\
	return direct(thread, inst, VGT_VECTOR_MAD_F, n / 8, a, b, c);	\
}

#define MUL_WORDS(n, a, b)						\
static const struct vgt_inst *						\
mul_words_##n##_##a##b(struct vgt_eu_thread *thread,			\
		       const struct vgt_inst *inst)			\
{									\
	return direct(thread, inst, VGT_VECTOR_MUL_ACC, n / 8, a,	\
		      VGT_FORM_WORDS + b, 2);				\
}

#define ONE(op)								\
static const struct vgt_inst *						\
one_##op(struct vgt_eu_thread *thread, const struct vgt_inst *inst)	\
{									\
	return one(thread, inst, VGT_VECTOR_##op);			\
}

#define ANY(op, n)							\
static const struct vgt_inst *						\
any_##op##_##n(struct vgt_eu_thread *thread,				\
	       const struct vgt_inst *inst)				\
{									\
	return any(thread, inst, VGT_VECTOR_##op, n / 8);			\
}

#define ANY_ALL(op) ANY(op, 8) ANY(op, 16) ANY(op, 32)
#ifdef VECTOR_DIRECT
#define FORMS1(op, n) DIRECT1(op, n, 0) DIRECT1(op, n, 1) DIRECT1(op, n, 2)
#define FORMS2(op, n)							\
	DIRECT2(op, n, 0, 0) DIRECT2(op, n, 0, 1) DIRECT2(op, n, 0, 2)	\
	DIRECT2(op, n, 1, 0) DIRECT2(op, n, 1, 1) DIRECT2(op, n, 1, 2)	\
	DIRECT2(op, n, 2, 0) DIRECT2(op, n, 2, 1)
#define FORMS_WORDS(n)							\
	MUL_WORDS(n, 0, 0) MUL_WORDS(n, 0, 1)				\
	MUL_WORDS(n, 1, 0) MUL_WORDS(n, 1, 1)
#define FORMS3(n)							\
	DIRECT3(n, 0, 0, 0) DIRECT3(n, 0, 0, 1) DIRECT3(n, 0, 1, 0)	\
	DIRECT3(n, 0, 1, 1) DIRECT3(n, 1, 0, 0) DIRECT3(n, 1, 0, 1)	\
	DIRECT3(n, 1, 1, 0) DIRECT3(n, 1, 1, 1)
#else
#define FORMS1(op, n)
#define FORMS2(op, n)
#define FORMS3(n)
#define FORMS_WORDS(n)
#endif
#define UNARY(op) ONE(op) ANY_ALL(op) FORMS1(op, 8) FORMS1(op, 16)
#define BINARY(op) ONE(op) ANY_ALL(op) FORMS2(op, 8) FORMS2(op, 16)

#define UNARY_OPS(X)							\
	X(MOV) X(NOT) X(F_FROM_D) X(F_FROM_UD) X(D_FROM_F) X(RNDD) X(RNDZ)
#define BINARY_OPS(X)							\
	X(ADD_D) X(MUL_D) X(AND) X(OR) X(XOR) X(SHL) X(SHR) X(ASR)	\
	X(ROL) X(ADD_F) X(MUL_F) X(MIN_D) X(MAX_D) X(MIN_UD)		\
	X(MAX_UD) X(MIN_F) X(MAX_F) X(SEL) X(EQ_D) X(NE_D) X(GT_D)	\
	X(GE_D) X(LT_D) X(LE_D) X(GT_UD) X(GE_UD) X(LT_UD) X(LE_UD)	\
	X(EQ_F) X(NE_F) X(GT_F) X(GE_F) X(LT_F) X(LE_F) X(ADDC)		\
	X(SUBB) X(MUL_ACC) X(MACH)

UNARY_OPS(UNARY)
BINARY_OPS(BINARY)
ONE(MAD_F)
ANY_ALL(MAD_F)
ANY_ALL(MAD_D)
FORMS3(8)
FORMS3(16)
FORMS_WORDS(8)
FORMS_WORDS(16)

#define TABLE_ONE(op) [VGT_VECTOR_##op] = one_##op,
#define TABLE_ANY(op)							\
	[VGT_VECTOR_##op] = {						\
		any_##op##_8, any_##op##_16, any_##op##_32,\
	},
#define TABLE_N1(op, n)							\
	{ { direct_##op##_##n##_0 }, { direct_##op##_##n##_1 },		\
	  { direct_##op##_##n##_2 } },
#define TABLE_N2(op, n)							\
	{ { direct_##op##_##n##_00, direct_##op##_##n##_01,		\
	    direct_##op##_##n##_02 },					\
	  { direct_##op##_##n##_10, direct_##op##_##n##_11,		\
	    direct_##op##_##n##_12 },					\
	  { direct_##op##_##n##_20, direct_##op##_##n##_21 } },
#define TABLE1(op) [VGT_VECTOR_##op] = { TABLE_N1(op, 8) TABLE_N1(op, 16) },
#define TABLE2(op) [VGT_VECTOR_##op] = { TABLE_N2(op, 8) TABLE_N2(op, 16) },
#define TABLE_MAD(n)							\
	{ { { mad_##n##_000, mad_##n##_001 },				\
	    { mad_##n##_010, mad_##n##_011 } },				\
	  { { mad_##n##_100, mad_##n##_101 },				\
	    { mad_##n##_110, mad_##n##_111 } } },

#define TABLE_WORDS(n)							\
	{ { mul_words_##n##_00, mul_words_##n##_01 },			\
	  { mul_words_##n##_10, mul_words_##n##_11 } },

const struct vgt_vector_table VECTOR_TABLE = {
	.one = { UNARY_OPS(TABLE_ONE) BINARY_OPS(TABLE_ONE)
		 TABLE_ONE(MAD_F) },
	.any = { UNARY_OPS(TABLE_ANY) BINARY_OPS(TABLE_ANY)
		 TABLE_ANY(MAD_F) TABLE_ANY(MAD_D) },
#ifdef VECTOR_DIRECT
	.direct = { UNARY_OPS(TABLE1) BINARY_OPS(TABLE2) },
	.mad = { TABLE_MAD(8) TABLE_MAD(16) },
	.mul_words = { TABLE_WORDS(8) TABLE_WORDS(16) },
#endif
};
