// SPDX-License-Identifier: MIT
#include "tier/compute.h"

#include "eu/vector.h"
#include "tier/emit.h"
#include "tier/half.h"
#include "tier/operand.h"
#include "tier/wide.h"

#include <stddef.h>
#include <string.h>

static struct llvm_value *as_float(struct vgt_emit *e,
				   struct llvm_value *value)
{
	return VGT_BUILD(e, BitCast, value, e->floats);
}

static struct llvm_value *as_bits(struct vgt_emit *e, struct llvm_value *value)
{
	return VGT_BUILD(e, BitCast, value, e->vector);
}

/* With rounding and denormals as MXCSR says when it runs. */
static struct llvm_value *float_call(struct vgt_emit *e, const char *name,
				     struct llvm_value *a,
				     struct llvm_value *b,
				     struct llvm_value *c)
{
	struct llvm_value *sources[] = {
		as_float(e, a), as_float(e, b), c ? as_float(e, c) : NULL,
	};

	return as_bits(e, vgt_emit_rounded(e, name, &e->floats, 1, sources,
					   c ? 3 : 2));
}

static struct llvm_value *float_compare(struct vgt_emit *e, const char *how,
					struct llvm_value *a,
					struct llvm_value *b)
{
	struct llvm_value *arguments[] = {
		as_float(e, a), as_float(e, b), vgt_emit_word(e, how),
		vgt_emit_word(e, "fpexcept.ignore"),
	};

	return vgt_emit_intrinsic(e, "llvm.experimental.constrained.fcmp",
				  &e->floats, 1, arguments, 4);
}

static struct llvm_value *float_cond(struct vgt_emit *e, uint32_t cond,
				     struct llvm_value *a,
				     struct llvm_value *b)
{
	static const char *const how[] = {
		[VGT_COND_EQ] = "oeq", [VGT_COND_NE] = "une",
		[VGT_COND_GT] = "ogt", [VGT_COND_GE] = "oge",
		[VGT_COND_LT] = "olt", [VGT_COND_LE] = "ole",
	};

	return float_compare(e, how[cond], a, b);
}

static struct llvm_value *int_cond(struct vgt_emit *e, uint32_t cond,
				   bool sign, struct llvm_value *a,
				   struct llvm_value *b)
{
	static const uint8_t how[][2] = {
		[VGT_COND_EQ] = { LLVM_EQ, LLVM_EQ },
		[VGT_COND_NE] = { LLVM_NE, LLVM_NE },
		[VGT_COND_GT] = { LLVM_UGT, LLVM_SGT },
		[VGT_COND_GE] = { LLVM_UGE, LLVM_SGE },
		[VGT_COND_LT] = { LLVM_ULT, LLVM_SLT },
		[VGT_COND_LE] = { LLVM_ULE, LLVM_SLE },
	};

	return VGT_BUILD(e, ICmp, how[cond][sign], a, b);
}

static struct llvm_value *compare(struct vgt_emit *e, uint8_t op,
				  struct llvm_value *a, struct llvm_value *b)
{
	if (op >= VGT_VECTOR_EQ_F)
		return float_cond(e, op - VGT_VECTOR_EQ_F + VGT_COND_EQ, a, b);
	if (op >= VGT_VECTOR_GT_UD)
		return int_cond(e, op - VGT_VECTOR_GT_UD + VGT_COND_GT, false,
				a, b);
	return int_cond(e, op - VGT_VECTOR_EQ_D + VGT_COND_EQ, true, a, b);
}

static bool is_compare(uint8_t op)
{
	return op >= VGT_VECTOR_EQ_D && op <= VGT_VECTOR_LE_F;
}

static bool is_minmax(uint8_t op)
{
	return op >= VGT_VECTOR_MIN_D && op <= VGT_VECTOR_MAX_F;
}

/* By integers: LLVM's minimum of floats is another one than the GPU's. */
static struct llvm_value *minmax(struct vgt_emit *e, uint8_t op,
				 struct llvm_value *a, struct llvm_value *b)
{
	struct llvm_value *first;

	if (op == VGT_VECTOR_MIN_F || op == VGT_VECTOR_MAX_F) {
		first = float_compare(e, op == VGT_VECTOR_MIN_F ? "olt" :
				      "oge", a, b);
		first = VGT_BUILD(e, Or, first, float_compare(e, "uno", b, b));
	} else {
		first = int_cond(e, op == VGT_VECTOR_MIN_D ||
				 op == VGT_VECTOR_MIN_UD ? VGT_COND_LT :
				 VGT_COND_GE, op <= VGT_VECTOR_MAX_D, a, b);
	}
	return VGT_BUILD(e, Select, first, a, b);
}

static struct llvm_value *from_signed(struct vgt_emit *e,
				      struct llvm_value *a)
{
	struct llvm_type *types[] = { e->floats, e->vector };

	return as_bits(e, vgt_emit_rounded(e,
			"llvm.experimental.constrained.sitofp", types, 2, &a,
			1));
}

static struct llvm_value *from_unsigned(struct vgt_emit *e,
					struct llvm_value *a)
{
	struct llvm_value *high, *low;

	high = from_signed(e, VGT_BUILD(e, LShr, a, vgt_emit_number(e, a, 16)));
	low = from_signed(e, VGT_BUILD(e, And, a, vgt_emit_number(e, a, 0xffff)));
	high = float_call(e, "llvm.experimental.constrained.fmul", high,
			  vgt_emit_number(e, a, 0x47800000), NULL);
	return float_call(e, "llvm.experimental.constrained.fadd", high, low,
			  NULL);
}

static struct llvm_value *to_signed(struct vgt_emit *e, struct llvm_value *a)
{
	struct llvm_value *argument = as_float(e, a), *out, *large;

	out = vgt_emit_intrinsic(e, "llvm.x86.avx.cvtt.ps2dq.256", NULL, 0,
				 &argument, 1);
	large = float_compare(e, "oge", a, vgt_emit_number(e, a, 0x4f000000));
	out = VGT_BUILD(e, Select, large, vgt_emit_number(e, a, INT32_MAX), out);
	return VGT_BUILD(e, Select, float_compare(e, "ord", a, a), out,
			 vgt_emit_number(e, a, 0));
}

static struct llvm_value *rounded(struct vgt_emit *e, struct llvm_value *a,
				  int mode)
{
	struct llvm_value *arguments[] = {
		as_float(e, a), vgt_emit_int(e, e->i32, mode),
	};

	return as_bits(e, vgt_emit_intrinsic(e, "llvm.x86.avx.round.ps.256", NULL, 0,
				    arguments, 2));
}

static struct llvm_value *unary(struct vgt_emit *e, uint8_t op,
				struct llvm_value *a)
{
	switch (op) {
	case VGT_VECTOR_NOT:
		return VGT_BUILD(e, Xor, a, vgt_emit_number(e, a, UINT32_MAX));
	case VGT_VECTOR_F_FROM_D:
		return from_signed(e, a);
	case VGT_VECTOR_F_FROM_UD:
		return from_unsigned(e, a);
	case VGT_VECTOR_D_FROM_F:
		return to_signed(e, a);
	case VGT_VECTOR_RNDD:
		return rounded(e, a, 9); /* down, no exceptions */
	case VGT_VECTOR_RNDZ:
		return rounded(e, a, 11);
	default:
		return a;
	}
}

static struct llvm_value *shift(struct vgt_emit *e, uint8_t op,
				struct llvm_value *a, struct llvm_value *b)
{
	struct llvm_value *mask = vgt_emit_number(e, a, 31), *back;

	back = VGT_BUILD(e, Sub, vgt_emit_number(e, a, 0), b);
	back = VGT_BUILD(e, And, back, mask);
	b = VGT_BUILD(e, And, b, mask);
	switch (op) {
	case VGT_VECTOR_SHL:
		return VGT_BUILD(e, Shl, a, b);
	case VGT_VECTOR_SHR:
		return VGT_BUILD(e, LShr, a, b);
	case VGT_VECTOR_ASR:
		return VGT_BUILD(e, AShr, a, b);
	default:
		return VGT_BUILD(e, Or, VGT_BUILD(e, Shl, a, b),
				 VGT_BUILD(e, LShr, a, back));
	}
}

static struct llvm_value *binary(struct vgt_emit *e, uint8_t op,
				 struct llvm_value *a, struct llvm_value *b)
{
	switch (op) {
	case VGT_VECTOR_ADD_D:
	case VGT_VECTOR_ADDC:
		return VGT_BUILD(e, Add, a, b);
	case VGT_VECTOR_SUBB:
		return VGT_BUILD(e, Sub, a, b);
	case VGT_VECTOR_MUL_D:
		return VGT_BUILD(e, Mul, a, b);
	case VGT_VECTOR_AND:
		return VGT_BUILD(e, And, a, b);
	case VGT_VECTOR_OR:
		return VGT_BUILD(e, Or, a, b);
	case VGT_VECTOR_XOR:
		return VGT_BUILD(e, Xor, a, b);
	case VGT_VECTOR_ADD_F:
		return float_call(e, "llvm.experimental.constrained.fadd", a,
				  b, NULL);
	case VGT_VECTOR_MUL_F:
		return float_call(e, "llvm.experimental.constrained.fmul", a,
				  b, NULL);
	default:
		return is_minmax(op) ? minmax(e, op, a, b) :
		       shift(e, op, a, b);
	}
}

/* What is computed: of halves, in floats. */
static uint8_t operation(const struct vgt_inst *inst)
{
	if (inst->vector != VGT_VECTOR_HALF)
		return inst->vector;
	switch (inst->op) {
	case VGT_OP_MOV:
		return VGT_VECTOR_MOV;
	case VGT_OP_ADD:
		return VGT_VECTOR_ADD_F;
	case VGT_OP_MUL:
		return VGT_VECTOR_MUL_F;
	case VGT_OP_MAD:
		return VGT_VECTOR_MAD_F;
	default:
		return VGT_VECTOR_EQ_F + inst->cond - VGT_COND_EQ;
	}
}

static void evaluate(struct vgt_emit *e, const struct vgt_inst *inst,
		     struct vgt_part *part, struct llvm_value *first)
{
	uint8_t op = operation(inst);

	if (is_compare(op)) {
		part->mask = compare(e, op, part->a, part->b);
		part->out = VGT_BUILD(e, SExt, part->mask,
				      e->llvm->TypeOf(part->a));
	} else if (op == VGT_VECTOR_SEL) {
		part->out = VGT_BUILD(e, Select, first, part->a, part->b);
	} else if (inst->vector == VGT_VECTOR_HALF && op == VGT_VECTOR_MAD_F) {
		part->out = vgt_half_mad(e, part->a, part->b, part->c);
	} else if (op == VGT_VECTOR_MAD_F) {
		part->out = float_call(e, "llvm.experimental.constrained.fma",
				       part->b, part->c, part->a);
	} else if (op == VGT_VECTOR_MAD_D) {
		part->out = VGT_BUILD(e, Add, part->a,
				      VGT_BUILD(e, Mul, part->b, part->c));
	} else {
		part->out = op < VGT_VECTOR_UNARY_END ? unary(e, op, part->a) :
			    binary(e, op, part->a, part->b);
	}
}

/* As saturate_() of vector_lanes.h. */
static struct llvm_value *saturate(struct vgt_emit *e,
				   struct llvm_value *value)
{
	struct llvm_value *zero = vgt_emit_number(e, value, 0);
	struct llvm_value *one = vgt_emit_number(e, value, 0x3f800000);
	struct llvm_value *positive, *below;

	positive = float_compare(e, "ogt", value, zero);
	below = float_compare(e, "olt", value, one);
	value = VGT_BUILD(e, Select, below, value, one);
	return VGT_BUILD(e, Select, positive, value, zero);
}

/* A comparison of the result with zero, as the destination's type has it. */
static struct llvm_value *result_mask(struct vgt_emit *e,
				      const struct vgt_inst *inst,
				      struct llvm_value *value)
{
	struct llvm_type *whole = e->llvm->TypeOf(value), *narrow;
	struct llvm_value *zero = vgt_emit_number(e, value, 0);

	if (inst->dst.type == VGT_TYPE_F)
		return float_cond(e, inst->cond, value, zero);
	if (inst->dst.bytes < 4) {
		narrow = e->llvm->IntTypeInContext(e->context,
						   8 * inst->dst.bytes);
		if (whole == e->vector)
			narrow = e->llvm->VectorType(narrow, VGT_PART);
		value = VGT_BUILD(e, Trunc, value, narrow);
		value = vgt_type_signed(inst->dst.type) ?
			VGT_BUILD(e, SExt, value, whole) :
			VGT_BUILD(e, ZExt, value, whole);
	}
	return int_cond(e, inst->cond, inst->dst.type != VGT_TYPE_UD, value,
			zero);
}

/* i1 or 8 x i1 to bits of an i32. */
static struct llvm_value *collect(struct vgt_emit *e, struct llvm_value *mask,
				  uint32_t part)
{
	if (e->llvm->TypeOf(mask) == e->bits)
		mask = VGT_BUILD(e, BitCast, mask, e->i8);
	mask = VGT_BUILD(e, ZExt, mask, e->i32);
	return VGT_BUILD(e, Shl, mask,
			 vgt_emit_int(e, e->i32, VGT_PART * part));
}

static bool opaque(const struct vgt_inst *inst, uint32_t i)
{
	return inst->src[i].type == VGT_TYPE_F ||
	       inst->src[i].type == VGT_TYPE_HF;
}

static void read_sources(struct vgt_emit *e, const struct vgt_inst *inst,
			 struct vgt_part *parts, uint32_t count)
{
	uint8_t op = operation(inst);

	for (uint32_t p = 0; p < count; p++) {
		parts[p].a = vgt_operand_read(e, inst, 0, p, opaque(inst, 0));
		if (op >= VGT_VECTOR_UNARY_END)
			parts[p].b = vgt_operand_read(e, inst, 1, p,
						      opaque(inst, 1));
		if (op >= VGT_VECTOR_BINARY_END)
			parts[p].c = vgt_operand_read(e, inst, 2, p,
						      opaque(inst, 2));
	}
}

static void write_flags(struct vgt_emit *e, const struct vgt_inst *inst,
			const struct vgt_part *parts, uint32_t count,
			struct vgt_lanes lanes)
{
	struct llvm_value *bits = vgt_emit_int(e, e->i32, 0), *mask;

	for (uint32_t p = 0; p < count; p++) {
		mask = is_compare(operation(inst)) ? parts[p].mask :
		       result_mask(e, inst, parts[p].out);
		bits = VGT_BUILD(e, Or, bits, collect(e, mask, p));
	}
	vgt_operand_flags(e, inst, bits, lanes);
}

static void evaluate_parts(struct vgt_emit *e, const struct vgt_inst *inst,
			   struct vgt_part *parts, uint32_t count)
{
	struct llvm_value *predicate = NULL, *first = NULL;

	if (inst->vector == VGT_VECTOR_SEL)
		predicate = vgt_operand_predicate(e, inst);
	for (uint32_t p = 0; p < count; p++) {
		if (predicate)
			first = vgt_operand_mask(e, inst, predicate, p);
		evaluate(e, inst, &parts[p], first);
		if (inst->saturate)
			parts[p].out = saturate(e, parts[p].out);
	}
}

void vgt_compute(struct vgt_emit *e, const struct vgt_inst *inst)
{
	uint32_t count = (inst->exec_size + VGT_PART - 1) / VGT_PART;
	uint8_t op = operation(inst);
	struct vgt_part parts[VGT_PARTS] = { 0 };
	struct vgt_lanes lanes;

	if (op == VGT_VECTOR_ALL_EQUAL) {
		vgt_operand_flags(e, inst, vgt_emit_int(e, e->i32, UINT32_MAX),
				  vgt_operand_exec_lanes(e, inst));
		return;
	}
	read_sources(e, inst, parts, count);
	lanes = op == VGT_VECTOR_SEL || is_minmax(op) ?
		vgt_operand_lanes(e, inst) : vgt_operand_exec_lanes(e, inst);
	if (op == VGT_VECTOR_MUL_ACC) {
		vgt_wide_mul(e, inst, parts, count, lanes);
		return;
	}
	if (op == VGT_VECTOR_MACH) {
		vgt_wide_mach(e, inst, parts, count, lanes);
		return;
	}
	evaluate_parts(e, inst, parts, count);
	if (is_compare(op) || (inst->cond && op != VGT_VECTOR_SEL &&
			       !is_minmax(op)))
		write_flags(e, inst, parts, count, lanes);
	if (op == VGT_VECTOR_ADDC || op == VGT_VECTOR_SUBB)
		vgt_wide_carry(e, inst, parts, count, lanes);
	for (uint32_t p = 0; p < count; p++)
		vgt_operand_write(e, inst, p, parts[p].out, lanes);
	if (vgt_operands_imply_width(inst))
		vgt_wide_imply(e, inst, lanes);
}
