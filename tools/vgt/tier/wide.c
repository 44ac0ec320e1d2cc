// SPDX-License-Identifier: MIT
/*
 * Lanes of 32 bits, as the host's vectors are: numbers of 64 bits in each lane take LLVM
 * ten times as long.
 */
#include "tier/wide.h"

#include "eu/vector.h"
#include "tier/compute.h"
#include "tier/emit.h"

/* Two halves of eight lanes, or of one. */
struct wide {
	struct llvm_value *low, *high;
};

static struct llvm_value *shift_right(struct vgt_emit *e,
				      struct llvm_value *value, uint32_t by,
				      bool sign)
{
	struct llvm_value *count = vgt_emit_number(e, value, by);

	return sign ? VGT_BUILD(e, AShr, value, count) :
		      VGT_BUILD(e, LShr, value, count);
}

/* The upper half of the product of unsigned numbers. */
static struct llvm_value *high_single(struct vgt_emit *e, struct llvm_value *a,
				      struct llvm_value *b)
{
	struct llvm_value *all;

	all = VGT_BUILD(e, Mul, VGT_BUILD(e, ZExt, a, e->i64),
			VGT_BUILD(e, ZExt, b, e->i64));
	return VGT_BUILD(e, Trunc, shift_right(e, all, 32, false), e->i32);
}

/* The product of every second lane, from the first or the second one on: 8 x i32. */
static struct llvm_value *every_second(struct vgt_emit *e,
				       struct llvm_value *a,
				       struct llvm_value *b, bool second)
{
	struct llvm_value *half[2] = { a, b };

	for (uint32_t i = 0; i < 2; i++) {
		half[i] = VGT_BUILD(e, BitCast, half[i], e->longs);
		half[i] = second ? shift_right(e, half[i], 32, false) :
			VGT_BUILD(e, And, half[i],
				  vgt_emit_number(e, half[i], UINT32_MAX));
	}
	return VGT_BUILD(e, BitCast, VGT_BUILD(e, Mul, half[0], half[1]),
			 e->vector);
}

static struct llvm_value *high_eight(struct vgt_emit *e, struct llvm_value *a,
				     struct llvm_value *b)
{
	struct llvm_value *mask[VGT_PART];

	/* The odd dwords of both, in turns. */
	for (uint32_t i = 0; i < VGT_PART; i++)
		mask[i] = vgt_emit_int(e, e->i32,
				       (i | 1) + i % 2 * VGT_PART);
	return VGT_BUILD(e, ShuffleVector, every_second(e, a, b, false),
			 every_second(e, a, b, true),
			 e->llvm->ConstVector(mask, VGT_PART));
}

static struct wide product(struct vgt_emit *e, const struct vgt_inst *inst,
			   struct llvm_value *a, struct llvm_value *b)
{
	struct wide out = { .low = VGT_BUILD(e, Mul, a, b) };

	out.high = e->llvm->TypeOf(a) == e->vector ? high_eight(e, a, b) :
						    high_single(e, a, b);
	if (vgt_type_signed(inst->src[0].type))
		out.high = VGT_BUILD(e, Sub, out.high,
				     VGT_BUILD(e, And, b,
					       shift_right(e, a, 31, true)));
	if (vgt_type_signed(inst->src[1].type))
		out.high = VGT_BUILD(e, Sub, out.high,
				     VGT_BUILD(e, And, a,
					       shift_right(e, b, 31, true)));
	return out;
}

/*
 * @inst with the accumulator, from its first element, as destination and first source; a
 * node as operand.c takes instructions for a part of one, for immediates, which it has none of.
 */
static struct vgt_node with_acc(const struct vgt_inst *inst)
{
	struct vgt_node acc = { .inst = *inst };

	acc.inst.dst = (struct vgt_operand){
		.kind = VGT_OPERAND_REG, .type = VGT_TYPE_UD, .bytes = 4,
		.arf = VGT_ARF_ACC, .vstride = 1, .width = 1, .hstride = 1,
		.stride = 1, .offset = VGT_REG_ACC,
	};
	acc.inst.src[0] = acc.inst.dst;
	return acc;
}

/* Elements have upper halves of their own. */
static void mark_wide(struct vgt_emit *e, struct vgt_lanes elements)
{
	struct llvm_value *wide = vgt_emit_width(e, &e->wide);

	vgt_emit_width_write(&e->wide,
			     VGT_BUILD(e, Or, wide, elements.value));
	if (elements.known)
		e->wide_known |= elements.bits;
}

/* Upper halves of elements follow from the lower ones, as of signed numbers or not. */
static void mark_implied(struct vgt_emit *e, struct vgt_lanes elements,
			 bool sign)
{
	struct llvm_value *keep, *bits;

	keep = VGT_BUILD(e, Xor, elements.value,
			 vgt_emit_int(e, e->i32, UINT32_MAX));
	bits = vgt_emit_width(e, &e->wide);
	vgt_emit_width_write(&e->wide, VGT_BUILD(e, And, bits, keep));
	bits = vgt_emit_width(e, &e->sign);
	vgt_emit_width_write(&e->sign, sign ?
			     VGT_BUILD(e, Or, bits, elements.value) :
			     VGT_BUILD(e, And, bits, keep));
	e->wide_known &= elements.known ? ~elements.bits : 0;
}

static struct llvm_value *high_read(struct vgt_emit *e, uint32_t part,
				    bool single)
{
	struct llvm_value *unit = vgt_emit_unit(e, VGT_UNIT_HIGH + part);

	return single ? VGT_BUILD(e, ExtractElement, unit,
				  vgt_emit_int(e, e->i32, 0)) : unit;
}

static void high_write(struct vgt_emit *e, const struct vgt_inst *inst,
		       uint32_t part, struct llvm_value *value,
		       struct vgt_lanes lanes)
{
	bool single = e->llvm->TypeOf(value) != e->vector;
	struct llvm_value *mask = vgt_operand_mask(e, inst, lanes.value, part);

	value = VGT_BUILD(e, Select, mask, value, high_read(e, part, single));
	if (single)
		value = VGT_BUILD(e, InsertElement,
				  vgt_emit_unit(e, VGT_UNIT_HIGH + part),
				  value, vgt_emit_int(e, e->i32, 0));
	vgt_emit_unit_write(e, VGT_UNIT_HIGH + part, value);
}

/* What the accumulator holds. */
static struct wide acc_load(struct vgt_emit *e, const struct vgt_inst *acc,
			    uint32_t part)
{
	uint32_t lanes = acc->lanes >> VGT_PART * part & 0xff;
	struct llvm_value *implied;
	struct wide out;

	out.low = vgt_operand_read(e, acc, 0, part, false);
	out.high = high_read(e, part, vgt_operands_single(acc));
	if (!(lanes & ~(e->wide_known >> VGT_PART * part)))
		return out;
	implied = shift_right(e, out.low, 31, true);
	implied = VGT_BUILD(e, Select,
			    vgt_operand_mask(e, acc,
					     vgt_emit_width(e, &e->sign), part),
			    implied, vgt_emit_number(e, out.low, 0));
	out.high = VGT_BUILD(e, Select,
			     vgt_operand_mask(e, acc,
					      vgt_emit_width(e, &e->wide),
					      part),
			     out.high, implied);
	return out;
}

void vgt_wide_mul(struct vgt_emit *e, const struct vgt_inst *inst,
		  const struct vgt_part *parts, uint32_t count,
		  struct vgt_lanes lanes)
{
	for (uint32_t p = 0; p < count; p++) {
		struct wide all = product(e, inst, parts[p].a, parts[p].b);

		vgt_operand_write(e, inst, p, all.low, lanes);
		high_write(e, inst, p, all.high, lanes);
	}
	mark_wide(e, lanes);
}

/* As sum_() of vector_lanes.h. */
static struct wide sum(struct vgt_emit *e, const struct vgt_inst *inst,
		       const struct vgt_part *part, struct wide acc)
{
	struct llvm_value *b, *carry, *sixteen;
	struct wide out;

	b = shift_right(e, part->b, 16, vgt_type_signed(inst->src[1].type));
	out = product(e, inst, part->a, b);
	sixteen = vgt_emit_number(e, out.low, 16);
	out.high = VGT_BUILD(e, Or, VGT_BUILD(e, Shl, out.high, sixteen),
			     shift_right(e, out.low, 16, false));
	out.low = VGT_BUILD(e, Shl, out.low, sixteen);
	out.low = VGT_BUILD(e, Add, out.low, acc.low);
	carry = VGT_BUILD(e, ICmp, LLVM_ULT, out.low, acc.low);
	carry = VGT_BUILD(e, ZExt, carry, e->llvm->TypeOf(out.low));
	out.high = VGT_BUILD(e, Add, out.high, acc.high);
	out.high = VGT_BUILD(e, Add, out.high, carry);
	return out;
}

void vgt_wide_mach(struct vgt_emit *e, const struct vgt_inst *inst,
		   const struct vgt_part *parts, uint32_t count,
		   struct vgt_lanes lanes)
{
	struct vgt_node acc = with_acc(inst);
	struct wide all[VGT_PARTS];

	for (uint32_t p = 0; p < count; p++)
		all[p] = sum(e, inst, &parts[p], acc_load(e, &acc.inst, p));
	for (uint32_t p = 0; p < count && inst->acc_write; p++)
		vgt_operand_write(e, &acc.inst, p, all[p].low, lanes);
	/* The destination may be the accumulator as well, and comes last. */
	for (uint32_t p = 0; p < count; p++)
		vgt_operand_write(e, inst, p, inst->acc_write ? all[p].high :
						       all[p].low, lanes);
	if (inst->acc_write)
		mark_implied(e, lanes, false);
}

void vgt_wide_carry(struct vgt_emit *e, const struct vgt_inst *inst,
		    const struct vgt_part *parts, uint32_t count,
		    struct vgt_lanes lanes)
{
	struct vgt_node acc = with_acc(inst);
	struct llvm_value *value;

	if (!inst->acc_write)
		return;
	for (uint32_t p = 0; p < count; p++) {
		const struct vgt_part *part = &parts[p];

		value = VGT_BUILD(e, ICmp, LLVM_ULT,
				  inst->vector == VGT_VECTOR_ADDC ? part->out :
				  part->a,
				  inst->vector == VGT_VECTOR_ADDC ? part->a :
				  part->b);
		value = VGT_BUILD(e, ZExt, value, e->llvm->TypeOf(part->a));
		vgt_operand_write(e, &acc.inst, p, value, lanes);
	}
	mark_implied(e, lanes, false);
}

void vgt_wide_imply(struct vgt_emit *e, const struct vgt_inst *inst,
		    struct vgt_lanes lanes)
{
	uint32_t first = (inst->dst.offset - VGT_REG_ACC) / 4;

	lanes.value = VGT_BUILD(e, Shl, lanes.value,
				vgt_emit_int(e, e->i32, first));
	lanes.bits <<= first;
	mark_implied(e, lanes, inst->dst.type == VGT_TYPE_D);
}
