// SPDX-License-Identifier: MIT
#include "tier/half.h"

#include "tier/emit.h"

#define DROPPED 29 /* bits of a double that a float has no room for */

static struct llvm_type *lanes_of(struct vgt_emit *e, struct llvm_type *type)
{
	return e->llvm->VectorType(type, VGT_PART);
}

/* Exact, so no rounding is named. */
static struct llvm_value *extend(struct vgt_emit *e, struct llvm_value *value,
				 struct llvm_type *type)
{
	struct llvm_type *types[] = { type, e->llvm->TypeOf(value) };
	struct llvm_value *arguments[] = {
		value, vgt_emit_word(e, "fpexcept.ignore"),
	};

	return vgt_emit_intrinsic(e, "llvm.experimental.constrained.fpext",
				  types, 2, arguments, 2);
}

struct llvm_value *vgt_half_extend(struct vgt_emit *e, struct llvm_value *value)
{
	struct llvm_type *half = e->llvm->HalfTypeInContext(e->context);

	value = VGT_BUILD(e, Trunc, value, lanes_of(e, e->i16));
	value = VGT_BUILD(e, BitCast, value, lanes_of(e, half));
	return VGT_BUILD(e, BitCast, extend(e, value, e->floats), e->vector);
}

struct llvm_value *vgt_half_round(struct vgt_emit *e, struct llvm_value *value)
{
	struct llvm_value *arguments[] = {
		VGT_BUILD(e, BitCast, value, e->floats),
		vgt_emit_int(e, e->i32, 4), /* as MXCSR says */
	};

	value = vgt_emit_intrinsic(e, "llvm.x86.vcvtps2ph.256", NULL, 0,
				   arguments, 2);
	return VGT_BUILD(e, ZExt, value, e->vector);
}

/* Each lane has the same number. */
static struct llvm_value *longs(struct vgt_emit *e, uint64_t number)
{
	struct llvm_value *lane[VGT_PART];

	for (uint32_t i = 0; i < VGT_PART; i++)
		lane[i] = vgt_emit_int(e, e->i64, number);
	return e->llvm->ConstVector(lane, VGT_PART);
}

/* As float_odd() of vector_half.c. */
static struct llvm_value *float_odd(struct vgt_emit *e, struct llvm_value *sum)
{
	struct llvm_type *types[] = { e->floats, e->llvm->TypeOf(sum) };
	struct llvm_value *bits, *rest, *last;

	bits = VGT_BUILD(e, BitCast, sum, lanes_of(e, e->i64));
	rest = VGT_BUILD(e, And, bits, longs(e, (1ULL << DROPPED) - 1));
	last = VGT_BUILD(e, ICmp, LLVM_NE, rest, longs(e, 0));
	last = VGT_BUILD(e, Select, last, longs(e, 1ULL << DROPPED),
			 longs(e, 0));
	bits = VGT_BUILD(e, And, bits, longs(e, ~((1ULL << DROPPED) - 1)));
	bits = VGT_BUILD(e, Or, bits, last);
	sum = VGT_BUILD(e, BitCast, bits, types[1]);
	sum = vgt_emit_rounded(e, "llvm.experimental.constrained.fptrunc",
			       types, 2, &sum, 1);
	return VGT_BUILD(e, BitCast, sum, e->vector);
}

struct llvm_value *vgt_half_mad(struct vgt_emit *e, struct llvm_value *a,
				struct llvm_value *b, struct llvm_value *c)
{
	struct llvm_type *doubles = lanes_of(e,
				e->llvm->DoubleTypeInContext(e->context));
	struct llvm_value *in[] = { b, c, a };

	for (uint32_t i = 0; i < 3; i++)
		in[i] = extend(e, VGT_BUILD(e, BitCast, in[i], e->floats),
			       doubles);
	return float_odd(e, vgt_emit_rounded(e,
				"llvm.experimental.constrained.fma", &doubles,
				1, in, 3));
}
